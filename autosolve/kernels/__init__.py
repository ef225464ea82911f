"""The hot loops again, compiled by numba over plain arrays, for those who ask a hundred thousand times.

    counter = BulkOdds(Shape(16, 30))
    if counter.count(clue, cover, mines=99) is Counted.DONE:
        counter.chance          # of every cell, until the next count

Nothing here knows more than ``solver`` does: every kernel has a readable twin there that the tests hold it against
(``BulkOdds``: solver/count.py; ``BulkSolver``: solver/hybrid.py with solver/sat.py). What does not fit a kernel's
buffers or its budget of work it says, and the caller asks the twin.

A board is two arrays of int8, one entry a cell, row-major:

    clue    the number shown, -1 for none
    cover   0 open, 1 covered, 2 shown or known to be a mine

Numba is imported when a kernel is made, not before; the first time on a machine it then compiles for half a minute, and
keeps what it compiled.
"""

from autosolve.kernels.code import warm_up
from autosolve.kernels.odds import BulkOdds, Counted
from autosolve.kernels.sheet import Sheet, sheet
from autosolve.kernels.solve import BulkSolver, Proven

__all__ = ["BulkOdds", "BulkSolver", "Counted", "Proven", "Sheet", "sheet", "warm_up"]
