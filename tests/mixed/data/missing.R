# Makes missing.json: the UCI domain of the dissertation (81 replications that are complete on all data sets) with 5% of
# its cells missing at random. The values are not part of the project; `domain` in test_missing_at_random.py says which
# cells are left out, and results.to_long() of it, without the empty ones, is the table. Run: Rscript missing.R table.csv
suppressMessages({library(lme4); library(lmerTest); library(multcomp); library(jsonlite)})
d <- read.csv(commandArgs(TRUE)[1])
d$alg <- factor(d$algorithm)
d$ds <- factor(d$dataset)
d$samp <- interaction(d$ds, d$replication, drop = TRUE)
d$dsalg <- interaction(d$ds, d$alg, drop = TRUE)
tight <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-12, maxfun = 1e5))
s <- lme4::lmer(value ~ alg - 1 + (1 | ds) + (1 | dsalg) + (1 | samp), d, control = tight)
out <- list(versions = paste("R", getRversion(), "lme4", packageVersion("lme4"), "lmerTest", packageVersion("lmerTest"),
                             "multcomp", packageVersion("multcomp")),
            n = nrow(d), criterion = REMLcrit(s), fixed = as.list(fixef(s)), se = as.list(sqrt(diag(as.matrix(vcov(s))))),
            variances = with(as.data.frame(VarCorr(s)), setNames(as.list(vcov), grp)),
            dataset = as.list(setNames(ranef(s)$ds[, 1], rownames(ranef(s)$ds))))
pairs <- glht(s, linfct = contrMat(table(d$alg), "Tukey"))
several <- lapply(1:20, function(seed) {
  set.seed(seed)
  list(p = summary(pairs)$test$pvalues, interval = confint(pairs)$confint)
})
out$contrast <- rownames(several[[1]]$interval)
out$p <- as.numeric(Reduce(`+`, lapply(several, function(x) as.numeric(x$p))) / 20)
interval <- Reduce(`+`, lapply(several, function(x) x$interval)) / 20
out$lower <- as.numeric(interval[, "lwr"])
out$upper <- as.numeric(interval[, "upr"])
f <- lmerTest::lmer(value ~ alg + (1 | ds) + (1 | dsalg) + (1 | samp), d, control = tight)
out$satterthwaite <- as.list(anova(f))
u <- suppressWarnings(lme4::lmer(value ~ alg - 1 + (alg - 1 | ds) + (1 | samp), d))
out$unstructured <- list(criterion = REMLcrit(u), fixed = as.list(fixef(u)), se = as.list(sqrt(diag(as.matrix(vcov(u))))))
write(toJSON(out, digits = 14, auto_unbox = TRUE, pretty = TRUE), "missing.json")
