# Makes reference.json from simulated.csv (a simulated domain: 9 data sets, 4 algorithms, up to 6 replications, 30 cells
# missing, one algorithm never on d4). Run in this folder: Rscript reference.R
suppressMessages({library(lme4); library(lmerTest); library(nlme); library(pbkrtest); library(jsonlite)})
d <- read.csv("simulated.csv")
d$alg <- factor(d$algorithm)
d$ds <- factor(d$dataset)
d$samp <- interaction(d$ds, d$replication, drop = TRUE)
d$dsalg <- interaction(d$ds, d$alg, drop = TRUE)
ctl <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-12, maxfun = 1e5))
fit <- function(formula, data = d, ...) lme4::lmer(formula, data, control = ctl, ...)
one <- function(m) {
  vc <- as.data.frame(VarCorr(m))
  names <- paste(vc$grp, ifelse(is.na(vc$var1), "", vc$var1), ifelse(is.na(vc$var2), "", vc$var2), sep = "|")
  list(fixed = as.list(fixef(m)), se = as.list(sqrt(diag(as.matrix(vcov(m))))),
       vc = setNames(as.list(vc$vcov), names), crit = if (isREML(m)) REMLcrit(m) else deviance(m))
}
out <- list(versions = paste("R", getRversion(), "lme4", packageVersion("lme4"), "lmerTest", packageVersion("lmerTest"),
                             "pbkrtest", packageVersion("pbkrtest"), "nlme", packageVersion("nlme")))

scalar <- error ~ alg - 1 + (1 | ds) + (1 | dsalg) + (1 | samp)
s <- fit(scalar)
out$scalar_reml <- one(s)
out$scalar_ml <- one(fit(scalar, REML = FALSE))
out$without_ds <- REMLcrit(fit(error ~ alg - 1 + (1 | dsalg) + (1 | samp)))
out$without_dsalg <- REMLcrit(fit(error ~ alg - 1 + (1 | ds) + (1 | samp)))
out$without_samp <- REMLcrit(fit(error ~ alg - 1 + (1 | ds) + (1 | dsalg)))
out$unstructured <- one(fit(error ~ alg - 1 + (alg - 1 | ds) + (1 | samp)))

s1 <- lmerTest::lmer(error ~ alg + (1 | ds) + (1 | dsalg) + (1 | samp), d, control = ctl)
out$sat <- as.list(anova(s1))
out$kr <- as.list(anova(s1, ddf = "Kenward-Roger"))
L <- rbind(c(0, 1, 0, 0), c(0, 0, 1, 0), c(0, 0, 0, 1), c(0, 1, -1, 0), c(0, 1, 0, -1), c(0, 0, 1, -1))
out$sat_df <- apply(L, 1, function(l) lmerTest::contest1D(s1, l)$df)
out$kr_df <- apply(L, 1, function(l) lmerTest::contest1D(s1, l, ddf = "Kenward-Roger")$df)
out$kr_se <- apply(L, 1, function(l) lmerTest::contest1D(s1, l, ddf = "Kenward-Roger")$`Std. Error`)

r <- ranef(s, condVar = TRUE)
for (g in c("ds", "dsalg", "samp")) {
  out[[paste0("ranef_", g)]] <- as.list(setNames(r[[g]][, 1], rownames(r[[g]])))
  out[[paste0("ranef_", g, "_sd")]] <- sqrt(as.numeric(attr(r[[g]], "postVar")))
}
out$fitted_head <- head(as.numeric(fitted(s)), 8)

k <- droplevels(subset(d, ds != "d4"))
v <- fit(error ~ ds:alg - 1 + (1 | samp), k)
out$survey <- list(crit = REMLcrit(v), vc = as.data.frame(VarCorr(v))$vcov)
out$block <- one(fit(error ~ alg - 1 + (1 | samp), droplevels(subset(d, ds == "d1"))))

lc <- lmeControl(maxIter = 200, msMaxIter = 200, tolerance = 1e-9, msTol = 1e-10, returnObject = TRUE)
unequal <- function(by) {
  h <- lme(error ~ alg - 1, random = list(ds = pdBlocked(list(pdIdent(~1), pdIdent(~alg - 1))), samp = ~1),
           weights = varIdent(form = by), data = d, control = lc)
  ratio <- coef(h$modelStruct$varStruct, unconstrained = FALSE, allCoef = TRUE)
  list(fixed = as.list(fixef(h)), crit = -2 * as.numeric(logLik(h)), sigma2 = as.list((h$sigma * ratio)^2))
}
out$het_alg <- unequal(~1 | alg)
out$het_ds <- unequal(~1 | ds)
write(toJSON(out, digits = 16, auto_unbox = TRUE, pretty = TRUE), "reference.json")
