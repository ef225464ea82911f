"""Owns the two machine instructions on words of bits that numba has no name for. Imports numba."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def ones(_context: Any, word: Any) -> Any:
    """How many bits of an int64 are set."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), code


@intrinsic
def lowest(_context: Any, word: Any) -> Any:
    """The place of the lowest bit set in an int64 that is not 0."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code
