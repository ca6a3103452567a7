"""The colours of drawings: ink and paper, the two hands and the tie, the house and what favours the patron."""

INK, IVORY, ALERT = "#15181c", "#f6f1e4", "#e0a526"
HANDS = {"banker": "#c8262c", "player": "#1f5fbf", "tie": "#1e8e4e"}
OTHERS = "#5d6a6b"
HOUSE = "#2f6f64"
AXIS = "#9a9a94"
DARK = 0.85
"""Colours beyond this share of the scale from the patron's to the house's carry white figures."""
