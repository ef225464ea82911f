"""Owns what lies nearest to the machine: the two instructions on words of bits that numba has no name for, and how code
that allocates nothing is compiled. Imports numba."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

# Nothing is allocated, so nothing needs counting: without numba's reference counts an array is handed on like a
# pointer (measured on games by the local rules: 2.5 times as fast). ``inlined`` code is put where it is called,
# ``apart`` is called; neither can be called from Python, which saves compiling the way in. What is called in one place
# only is better ``merged``: put there before types are known, and so compiled once; nested inlining compiles it anew
# at every level.
_numba: Any = njit
compiled: Any = _numba(cache=True, _nrt=False, error_model="numpy")
apart: Any = _numba(cache=True, _nrt=False, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
inlined: Any = _numba(
    cache=True, _nrt=False, error_model="numpy", forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True
)
merged: Any = _numba(cache=True, _nrt=False, error_model="numpy", inline="always")


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


@intrinsic
def pointer(_context: Any, array: Any) -> Any:
    """Where the items of a contiguous array lie, to be indexed from 0 as the array is. Neither negative indices nor
    bounds are looked after, and nothing but the address is handed on: code over many arrays compiles in half the
    time. An address is its own."""
    if isinstance(array, types.CPointer):

        def same(_context: Any, _builder: Any, _signature: Any, args: Any) -> Any:
            return args[0]

        return array(array), same

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    address: Any = types.CPointer
    return address(array.dtype)(array), code
