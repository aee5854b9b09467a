"""Textbook statistics: numbers in, frozen result out; no word of the product in here."""

from __future__ import annotations

from counterbalance.statistics.agreement import CohenKappa, cohen_kappa
from counterbalance.statistics.allocation import Allocation, Costs, Design, Spread, best_allocation
from counterbalance.statistics.anchor import AnchorTest, anchor_test
from counterbalance.statistics.binomial import BinomialTest, binomial_test
from counterbalance.statistics.chance_corrected import PanelAgreement
from counterbalance.statistics.cluster_bootstrap import (
    ClusterBootstrap,
    bootstrap_ratio,
    bootstrap_ratio_difference,
)
from counterbalance.statistics.clustered import ClusterEstimate, cluster_mean, cluster_ratio
from counterbalance.statistics.clustered_proportion import cluster_proportion
from counterbalance.statistics.crossover import MainlandGartTest, mainland_gart_test
from counterbalance.statistics.kappa_bootstrap import bootstrap_kappa
from counterbalance.statistics.marginal_homogeneity import (
    SquareTableTest,
    bhapkar_test,
    stuart_maxwell_test,
)
from counterbalance.statistics.margins import MarginDecision, MarginPlace, decide_margin
from counterbalance.statistics.mcnemar import McNemarTest, mcnemar_test
from counterbalance.statistics.mcnemar_planning import (
    McNemarPlan,
    mcnemar_detectable_difference,
    mcnemar_sample_size,
)
from counterbalance.statistics.mcnemar_power import (
    LeastSignificant,
    McNemarPower,
    mcnemar_least_significant,
    mcnemar_power,
)
from counterbalance.statistics.mcnemar_tables import McNemarMethod
from counterbalance.statistics.mirrored import (
    ApartEffects,
    Contrast,
    MirroredEffects,
    mirrored_effects,
    mirrored_effects_apart,
)
from counterbalance.statistics.multiplicity import FamilyStep, FamilyTest, benjamini_hochberg, holm
from counterbalance.statistics.paired_difference import PairedDifference, paired_difference
from counterbalance.statistics.paired_interval import (
    PairedInterval,
    newcombe_interval,
    tango_interval,
)
from counterbalance.statistics.panel_agreement import fleiss_kappa, gwet_ac1, krippendorff_alpha
from counterbalance.statistics.permutation import ExcessPermutationTest, excess_permutation_test
from counterbalance.statistics.prescott import PrescottTest, prescott_test
from counterbalance.statistics.proportions import (
    ProportionInterval,
    clopper_pearson_interval,
    proportion_interval,
    wilson_interval,
)
from counterbalance.statistics.rater_agreement import (
    RaterAgreement,
    RaterPair,
    TwoRaterAgreement,
    rater_agreement,
    two_rater_agreement,
)
from counterbalance.statistics.reasons import Caution, Undefined
from counterbalance.statistics.repetition import (
    ExcessDisagreement,
    RepetitionMean,
    excess_disagreement,
    modal_share,
    repeat_disagreement,
)
from counterbalance.statistics.sign_test import SignScoreTest, SignTest, sign_score_test, sign_test
from counterbalance.statistics.symmetry import bowker_test
from counterbalance.statistics.tie_rule import (
    TieRuleBounds,
    TieRuleEffect,
    tie_rule_bounds,
    tie_rule_effect,
)
from counterbalance.statistics.variance_components import (
    VarianceComponent,
    VarianceComponents,
    variance_components,
)

__all__ = [
    "Allocation",
    "AnchorTest",
    "ApartEffects",
    "BinomialTest",
    "Caution",
    "ClusterBootstrap",
    "ClusterEstimate",
    "CohenKappa",
    "Contrast",
    "Costs",
    "Design",
    "ExcessDisagreement",
    "ExcessPermutationTest",
    "FamilyStep",
    "FamilyTest",
    "LeastSignificant",
    "MainlandGartTest",
    "MarginDecision",
    "MarginPlace",
    "McNemarMethod",
    "McNemarPlan",
    "McNemarPower",
    "McNemarTest",
    "MirroredEffects",
    "PairedDifference",
    "PairedInterval",
    "PanelAgreement",
    "PrescottTest",
    "ProportionInterval",
    "RaterAgreement",
    "RaterPair",
    "RepetitionMean",
    "SignScoreTest",
    "SignTest",
    "Spread",
    "SquareTableTest",
    "TieRuleBounds",
    "TieRuleEffect",
    "TwoRaterAgreement",
    "Undefined",
    "VarianceComponent",
    "VarianceComponents",
    "anchor_test",
    "benjamini_hochberg",
    "best_allocation",
    "bhapkar_test",
    "binomial_test",
    "bootstrap_kappa",
    "bootstrap_ratio",
    "bootstrap_ratio_difference",
    "bowker_test",
    "clopper_pearson_interval",
    "cluster_mean",
    "cluster_proportion",
    "cluster_ratio",
    "cohen_kappa",
    "decide_margin",
    "excess_disagreement",
    "excess_permutation_test",
    "fleiss_kappa",
    "gwet_ac1",
    "holm",
    "krippendorff_alpha",
    "mainland_gart_test",
    "mcnemar_detectable_difference",
    "mcnemar_least_significant",
    "mcnemar_power",
    "mcnemar_sample_size",
    "mcnemar_test",
    "mirrored_effects",
    "mirrored_effects_apart",
    "modal_share",
    "newcombe_interval",
    "paired_difference",
    "prescott_test",
    "proportion_interval",
    "rater_agreement",
    "repeat_disagreement",
    "sign_score_test",
    "sign_test",
    "stuart_maxwell_test",
    "tango_interval",
    "tie_rule_bounds",
    "tie_rule_effect",
    "two_rater_agreement",
    "variance_components",
    "wilson_interval",
]
