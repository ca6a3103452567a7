"""A submission: everything that a regulator or a laboratory asks for of a rulebook, in one folder."""

from punto.report.pack.writing import Submission, check_folder, check_font, write_pack

__all__ = ["Submission", "check_folder", "check_font", "write_pack"]
