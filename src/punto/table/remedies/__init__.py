"""The steps that a book prescribes after an irregularity: one function a verb."""
