"""Run an experiment: plan, trials, runner; lose nothing whatever happens."""
