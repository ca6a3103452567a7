"""The Table of Play of `punto.coup`, made known to kernels."""

from typing import Any

from punto.coup import play
from punto.kernels.compiled import part

# of whole numbers of any width, which their own types do not say
player_draws: Any = part(play.player_draws)
banker_draws: Any = part(play.banker_draws)
situation_index: Any = part(play.situation_index)
outcome_index: Any = part(play.outcome_index)
