"""Eight float64 values that move through a compiled kernel together.

The deletion tree (:mod:`tacita.numeric.deletion_tree`) keeps records and boxes in blocks of eight, so that one
instruction serves eight of them.  LLVM does not find that by itself: the loops are eight long, their arrays may
alias, and the checks it adds cost more than the work (measured: 29 ns for the distances of eight records in 13
columns, 17 ns with the lanes below; 15 and 7 ns in 5 columns).  This file gives numba one more type, ``Lanes``, which
is LLVM's own ``<8 x double>``; LLVM maps it to whatever the processor has (AVX-512, AVX2, NEON, plain scalars).

Every operation is an IEEE operation per lane, without fused multiply-add and without reordering, so each lane holds
exactly what the same scalar expression would give: nothing that is computed here depends on the processor.

=====================  ===========================================================================
``load(a, i)``         lanes from eight neighbours of the C-contiguous array ``a``, at flat index i
``store(a, i, v)``     the reverse
``spread(x)``          the scalar x in all lanes
``v + w, v - w, v*w``  lane by lane
``larger(v, w)``       v where v > w, else w; a NaN in w therefore stays NaN
``at_most(v, x)``      bit c of the integer is set where lane c <= x; never for a NaN
``lowest_bit(m)``      position of the lowest set bit of m > 0
=====================  ===========================================================================
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic, models, overload, register_model

__all__ = ["WIDTH", "at_most", "larger", "load", "lowest_bit", "spread", "store"]

WIDTH = 8

_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
_INT32 = ir.IntType(32)
_INT64 = ir.IntType(64)

Codegen = tuple[Any, Callable[[Any, Any, Any, Any], Any]]
"""What numba wants of an intrinsic: its signature, and the function (context, builder, signature, args) that writes it."""


class Lanes(types.Type):  # type: ignore[misc]
    """The numba type of eight float64 values."""

    def __init__(self) -> None:
        super().__init__(name=f"Lanes{WIDTH}")


lanes = Lanes()


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VECTOR)


def _address(context: Any, builder: Any, array_type: Any, array: Any, start: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [start]), _VECTOR.as_pointer())


def _spread(builder: Any, value: Any) -> Any:
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    one = builder.insert_element(nothing, value, ir.Constant(_INT32, 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(_INT32, WIDTH), [0] * WIDTH))


@intrinsic  # type: ignore[untyped-decorator]
def load(_typing: Any, array: Any, start: Any) -> Codegen:
    """Lanes from eight neighbours of a C-contiguous array, at a flat index."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # align=8: numpy promises the alignment of one float64, not of the whole vector.
        return builder.load(_address(context, builder, signature.args[0], *args), align=8)

    return lanes(array, types.intp), write


@intrinsic  # type: ignore[untyped-decorator]
def store(_typing: Any, array: Any, start: Any, value: Any) -> Codegen:
    """Write lanes to eight neighbours of a C-contiguous array, at a flat index."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _address(context, builder, signature.args[0], args[0], args[1]), align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), write


@intrinsic  # type: ignore[untyped-decorator]
def spread(_typing: Any, value: Any) -> Codegen:
    """Put a scalar into all lanes."""
    return lanes(types.float64), lambda _context, builder, _signature, args: _spread(builder, args[0])


@intrinsic  # type: ignore[untyped-decorator]
def larger(_typing: Any, left: Any, right: Any) -> Codegen:
    """The left lane where it is larger, else the right one."""

    def write(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        # Exactly the processor's maximum instruction: the second operand wins where the order is undefined.
        return builder.select(builder.fcmp_ordered(">", args[0], args[1]), args[0], args[1])

    return lanes(lanes, lanes), write


@intrinsic  # type: ignore[untyped-decorator]
def at_most(_typing: Any, value: Any, threshold: Any) -> Codegen:
    """Bits of the lanes that do not exceed a threshold."""

    def write(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        bits = builder.fcmp_ordered("<=", args[0], _spread(builder, args[1]))
        return builder.zext(builder.bitcast(bits, ir.IntType(WIDTH)), _INT64)

    return types.int64(lanes, types.float64), write


@intrinsic  # type: ignore[untyped-decorator]
def lowest_bit(_typing: Any, mask: Any) -> Codegen:
    """Position of the lowest set bit of a positive integer."""

    def write(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), write


def _arithmetic(instruction: str) -> Any:
    """An intrinsic for one arithmetic instruction, and the overload that gives it to Python's operator."""

    @intrinsic  # type: ignore[untyped-decorator]
    def apply(_typing: Any, left: Any, right: Any) -> Codegen:
        return lanes(lanes, lanes), lambda _context, builder, _signature, args: getattr(builder, instruction)(*args)

    def both(left: Any, right: Any) -> Any:
        return apply(left, right)

    def choose(left: Any, right: Any) -> Any:
        return both if left is lanes and right is lanes else None

    return choose


overload(operator.add)(_arithmetic("fadd"))
overload(operator.sub)(_arithmetic("fsub"))
overload(operator.mul)(_arithmetic("fmul"))
