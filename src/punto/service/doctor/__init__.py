"""The doctor: looks at a house without changing anything, and says what is wrong and how to mend it."""
