"""Two books told apart or proven equal: what they pay and do, whatever it is called and however it is ordered."""

from punto.compare.aligning import Names, aligned
from punto.compare.forms import parts
from punto.compare.proof import Compared, PartFound, Proof, prove
from punto.compare.search import Searched, search
from punto.compare.witnesses import Parting, witness
from punto.kinds import guard

__all__ = [
    "Compared",
    "Names",
    "PartFound",
    "Parting",
    "Proof",
    "Searched",
    "aligned",
    "parts",
    "prove",
    "search",
    "witness",
]

guard(globals())
