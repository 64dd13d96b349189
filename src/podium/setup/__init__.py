"""Set up: data sets, algorithms, resampling, measures, and the experiment that joins them."""
