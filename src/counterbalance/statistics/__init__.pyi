from .agreement import CohenKappa, cohen_kappa
from .allocation import Allocation, Costs, Design, Spread, best_allocation
from .anchor import AnchorTest, anchor_test
from .binomial import BinomialTest, binomial_test
from .bradley_terry import ControlledStrengths, controlled_strengths
from .chance_corrected import PanelAgreement
from .cluster_bootstrap import ClusterBootstrap, bootstrap_ratio, bootstrap_ratio_difference
from .cluster_difference import ClusterDifference, cluster_difference
from .clustered import ClusterEstimate, cluster_mean, cluster_ratio
from .clustered_proportion import cluster_proportion
from .clustered_sign import cluster_sign_mean
from .coefficients import Coefficient
from .cross_validation import CalibrationBin, HeldOutFit, held_out_fit
from .crossover import MainlandGartTest, mainland_gart_test
from .dawid_skene import DawidSkene, dawid_skene
from .difficulty import (
    JointDifficulty,
    SaturatedDifferences,
    joint_difficulty,
    saturated_differences,
)
from .feature_control import ControlledPreference, controlled_preference
from .kappa_bootstrap import bootstrap_kappa
from .logit import ClusterLogit, cluster_logit
from .marginal_homogeneity import SquareTableTest, bhapkar_test, stuart_maxwell_test
from .margins import MarginDecision, MarginPlace, decide_margin
from .mcnemar import McNemarMethod, McNemarTest, mcnemar_test
from .mcnemar_planning import McNemarPlan, mcnemar_detectable_difference, mcnemar_sample_size
from .mcnemar_power import LeastSignificant, McNemarPower, mcnemar_least_significant, mcnemar_power
from .mean_planning import MeanPlan, mean_detectable_difference, mean_sample_size
from .mirrored import (
    ApartEffects,
    Contrast,
    MirroredEffects,
    mirrored_effects,
    mirrored_effects_apart,
)
from .misclassification import RoganGladen, rogan_gladen
from .multiplicity import FamilyStep, FamilyTest, benjamini_hochberg, holm
from .other_ease import ease_by_others
from .paired_difference import PairedDifference, paired_difference
from .paired_interval import PairedInterval, newcombe_interval, tango_interval
from .paired_means import PairedMeanDifference, paired_mean_difference
from .paired_strengths import DavidsonBeaver, davidson_beaver
from .panel_agreement import fleiss_kappa, gwet_ac1, krippendorff_alpha
from .permutation import ExcessPermutationTest, excess_permutation_test
from .prediction_powered import PredictionPoweredMean, prediction_powered_mean
from .prescott import PrescottTest, prescott_test
from .proportions import (
    ProportionInterval,
    clopper_pearson_interval,
    proportion_interval,
    wilson_interval,
)
from .random_intercepts import GroupSpread, MixedLogit, mixed_logit
from .rater_agreement import (
    RaterAgreement,
    RaterPair,
    TwoRaterAgreement,
    rater_agreement,
    two_rater_agreement,
)
from .reasons import Caution, Undefined
from .repetition import (
    ExcessDisagreement,
    RepetitionMean,
    excess_disagreement,
    modal_share,
    repeat_disagreement,
)
from .sign_test import SignScoreTest, SignTest, sign_score_test, sign_test
from .symmetry import bowker_test
from .tie_rule import TieRuleBounds, TieRuleEffect, tie_rule_bounds, tie_rule_effect
from .variance_components import VarianceComponent, VarianceComponents, variance_components

__all__ = [
    "Allocation",
    "AnchorTest",
    "ApartEffects",
    "BinomialTest",
    "CalibrationBin",
    "Caution",
    "ClusterBootstrap",
    "ClusterDifference",
    "ClusterEstimate",
    "ClusterLogit",
    "Coefficient",
    "CohenKappa",
    "Contrast",
    "ControlledPreference",
    "ControlledStrengths",
    "Costs",
    "DavidsonBeaver",
    "DawidSkene",
    "Design",
    "ExcessDisagreement",
    "ExcessPermutationTest",
    "FamilyStep",
    "FamilyTest",
    "GroupSpread",
    "HeldOutFit",
    "JointDifficulty",
    "LeastSignificant",
    "MainlandGartTest",
    "MarginDecision",
    "MarginPlace",
    "McNemarMethod",
    "McNemarPlan",
    "McNemarPower",
    "McNemarTest",
    "MeanPlan",
    "MirroredEffects",
    "MixedLogit",
    "PairedDifference",
    "PairedInterval",
    "PairedMeanDifference",
    "PanelAgreement",
    "PredictionPoweredMean",
    "PrescottTest",
    "ProportionInterval",
    "RaterAgreement",
    "RaterPair",
    "RepetitionMean",
    "RoganGladen",
    "SaturatedDifferences",
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
    "cluster_difference",
    "cluster_logit",
    "cluster_mean",
    "cluster_proportion",
    "cluster_ratio",
    "cluster_sign_mean",
    "cohen_kappa",
    "controlled_preference",
    "controlled_strengths",
    "davidson_beaver",
    "dawid_skene",
    "decide_margin",
    "ease_by_others",
    "excess_disagreement",
    "excess_permutation_test",
    "fleiss_kappa",
    "gwet_ac1",
    "held_out_fit",
    "holm",
    "joint_difficulty",
    "krippendorff_alpha",
    "mainland_gart_test",
    "mcnemar_detectable_difference",
    "mcnemar_least_significant",
    "mcnemar_power",
    "mcnemar_sample_size",
    "mcnemar_test",
    "mean_detectable_difference",
    "mean_sample_size",
    "mirrored_effects",
    "mirrored_effects_apart",
    "mixed_logit",
    "modal_share",
    "newcombe_interval",
    "paired_difference",
    "paired_mean_difference",
    "prediction_powered_mean",
    "prescott_test",
    "proportion_interval",
    "rater_agreement",
    "repeat_disagreement",
    "rogan_gladen",
    "saturated_differences",
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
