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
``at_least(v, x)``     bit c of the integer is set where lane c >= x; never for a NaN
``at_most(v, x)``      likewise for <=
``lowest_bit(m)``      position of the lowest set bit of m > 0
=====================  ===========================================================================
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

WIDTH = 8

_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
_INT32 = ir.IntType(32)
_INT64 = ir.IntType(64)


class Lanes(types.Type):
    """The numba type of eight float64 values."""

    def __init__(self) -> None:
        super().__init__(name=f"Lanes{WIDTH}")


lanes = Lanes()


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, _VECTOR)


def _address(context: Any, builder: Any, array_type: Any, array: Any, start: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [start]), _VECTOR.as_pointer())


def _spread(builder: Any, value: Any) -> Any:
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    one = builder.insert_element(nothing, value, ir.Constant(_INT32, 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(_INT32, WIDTH), [0] * WIDTH))


@intrinsic
def load(_typing, array, start):
    def generate(context, builder, signature, args):
        # align=8: numpy promises the alignment of one float64, not of the whole vector.
        return builder.load(_address(context, builder, signature.args[0], *args), align=8)

    return lanes(array, types.intp), generate


@intrinsic
def store(_typing, array, start, value):
    def generate(context, builder, signature, args):
        builder.store(args[2], _address(context, builder, signature.args[0], args[0], args[1]), align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), generate


@intrinsic
def spread(_typing, value):
    def generate(_context, builder, _signature, args):
        return _spread(builder, args[0])

    return lanes(types.float64), generate


@intrinsic
def larger(_typing, left, right):
    def generate(_context, builder, _signature, args):
        # Exactly the processor's maximum instruction: the second operand wins where the order is undefined.
        return builder.select(builder.fcmp_ordered(">", args[0], args[1]), args[0], args[1])

    return lanes(lanes, lanes), generate


@intrinsic
def lowest_bit(_typing, mask):
    def generate(_context, builder, _signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


def _comparison(symbol: str) -> Any:
    @intrinsic
    def compare(_typing, value, threshold):
        def generate(_context, builder, _signature, args):
            bits = builder.fcmp_ordered(symbol, args[0], _spread(builder, args[1]))
            return builder.zext(builder.bitcast(bits, ir.IntType(WIDTH)), _INT64)

        return types.int64(lanes, types.float64), generate

    return compare


at_least = _comparison(">=")
at_most = _comparison("<=")


def _arithmetic(instruction: str) -> Any:
    @intrinsic
    def apply(_typing, left, right):
        def generate(_context, builder, _signature, args):
            return getattr(builder, instruction)(*args)

        return lanes(lanes, lanes), generate

    return apply


_add, _subtract, _multiply = _arithmetic("fadd"), _arithmetic("fsub"), _arithmetic("fmul")


@overload(operator.add)
def _lanes_add(left, right):
    if left is lanes and right is lanes:
        return lambda left, right: _add(left, right)
    return None


@overload(operator.sub)
def _lanes_subtract(left, right):
    if left is lanes and right is lanes:
        return lambda left, right: _subtract(left, right)
    return None


@overload(operator.mul)
def _lanes_multiply(left, right):
    if left is lanes and right is lanes:
        return lambda left, right: _multiply(left, right)
    return None
