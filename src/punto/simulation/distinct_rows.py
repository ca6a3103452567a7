"""Which rows of whole numbers are the same."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_MOST = 1 << 62


def distinct_rows(rows: Ints) -> tuple[Ints, Ints]:
    """Of rows of numbers the first of each kind, and the kind of every row; kinds are in the order of their rows.

    >>> first, kinds = distinct_rows(np.array([[2, 1], [1, 5], [2, 1]]))
    >>> first.tolist(), kinds.tolist()
    ([1, 0], [1, 0, 1])
    """
    codes, possible = np.zeros(len(rows), dtype=np.int64), 1
    leasts, mosts = rows.min(axis=0).tolist(), rows.max(axis=0).tolist()
    for column, least, most in zip(rows.T, leasts, mosts, strict=True):
        values = most - least + 1
        if possible * values > _MOST:  # as many columns as fit are one number, because sorting is what takes time
            found, codes = np.unique(codes, return_inverse=True)
            possible = len(found)
        codes = codes * values + (column - least)
        possible *= values
    _, first, kinds = np.unique(codes, return_index=True, return_inverse=True)
    return first, kinds
