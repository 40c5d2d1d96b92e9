"""Lanes for the compiler: the operations of :mod:`tacita.numeric.compiled.lanes` as LLVM's own vectors.

numba gets one more type, ``Lanes``, which is ``<8 x double>`` or ``<16 x float>``. Each function of the Python file has an
intrinsic here that writes one or a few instructions; the overloads at the end give the intrinsics to the functions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model

from tacita.numeric.compiled import lanes as written
from tacita.numeric.compiled.lanes import WIDE, WIDTH

__all__ = ["Lanes"]

_INT32 = ir.IntType(32)
_INT64 = ir.IntType(64)

Codegen = tuple[Any, Callable[[Any, Any, Any, Any], Any]]
"""What numba wants of an intrinsic: its signature, and the function (context, builder, signature, args) that writes it."""


class Lanes(types.Type):  # type: ignore[misc]
    """The numba type of eight float64 or sixteen float32 values."""

    def __init__(self, scalar: Any) -> None:
        self.scalar = scalar
        self.vector = (
            ir.VectorType(ir.DoubleType(), WIDTH) if scalar is types.float64 else ir.VectorType(ir.FloatType(), WIDE)
        )
        self.bytes = scalar.bitwidth // 8
        super().__init__(name=f"Lanes[{scalar}]")


_LANES = {scalar: Lanes(scalar) for scalar in (types.float64, types.float32)}


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, fe_type.vector)


def _address(context: Any, builder: Any, array_type: Any, array: Any, start: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [start]), _LANES[array_type.dtype].vector.as_pointer())


def _spread(builder: Any, vector: Any, value: Any) -> Any:
    nothing = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(nothing, value, ir.Constant(_INT32, 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(_INT32, vector.count), [0] * vector.count))


@intrinsic  # type: ignore[untyped-decorator]
def load(_typing: Any, array: Any, start: Any) -> Codegen:
    """Lanes from neighbours in a C-contiguous array, at a flat index."""
    lanes = _LANES[array.dtype]

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # align: numpy promises the alignment of one value, not of the whole vector.
        return builder.load(_address(context, builder, signature.args[0], *args), align=lanes.bytes)

    return lanes(array, types.intp), write


@intrinsic  # type: ignore[untyped-decorator]
def store(_typing: Any, array: Any, start: Any, value: Any) -> Codegen:
    """Write lanes to neighbours in a C-contiguous array, at a flat index."""
    lanes = _LANES[array.dtype]

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _address(context, builder, signature.args[0], args[0], args[1]), align=lanes.bytes)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), write


@intrinsic  # type: ignore[untyped-decorator]
def broadcast(_typing: Any, value: Any) -> Codegen:
    """Put a scalar into all lanes."""
    lanes = _LANES[value]
    return lanes(value), lambda _context, builder, _signature, args: _spread(builder, lanes.vector, args[0])


def _choice(sign: str, doc: str) -> Any:
    def choose(_typing: Any, left: Any, right: Any) -> Codegen:
        def write(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            # Exactly the processor's maximum or minimum: the second operand wins where the order is undefined.
            return builder.select(builder.fcmp_ordered(sign, args[0], args[1]), args[0], args[1])

        return left(left, left), write

    choose.__doc__ = doc
    return intrinsic(choose)


larger = _choice(">", "The left lane where it is larger, else the right one.")
smaller = _choice("<", "The left lane where it is smaller, else the right one.")


def _extreme(sign: str, doc: str) -> Any:
    def reduce(_typing: Any, value: Any) -> Codegen:
        def write(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            lanes, count = args[0], value.vector.count
            step = count
            while step > 1:
                step //= 2
                order = ir.Constant(ir.VectorType(_INT32, count), [(c + step) % count for c in range(count)])
                other = builder.shuffle_vector(lanes, lanes, order)
                lanes = builder.select(builder.fcmp_ordered(sign, lanes, other), lanes, other)
            return builder.extract_element(lanes, ir.Constant(_INT32, 0))

        return value.scalar(value), write

    reduce.__doc__ = doc
    return intrinsic(reduce)


largest = _extreme(">", "The largest of the lanes, none of which is NaN.")
smallest = _extreme("<", "The smallest of the lanes, none of which is NaN.")


@intrinsic  # type: ignore[untyped-decorator]
def plus_product(_typing: Any, total: Any, left: Any, right: Any) -> Codegen:
    """Total + left * right, where the last bit does not matter."""

    def write(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        kind, count = ("f64", WIDTH) if total.scalar is types.float64 else ("f32", WIDE)
        fused = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(total.vector, [total.vector] * 3), f"llvm.fmuladd.v{count}{kind}"
        )
        return builder.call(fused, [args[1], args[2], args[0]])

    return total(total, total, total), write


def _comparison(sign: str, doc: str) -> Any:
    def compare(_typing: Any, value: Any, threshold: Any) -> Codegen:
        def write(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            bits = builder.fcmp_ordered(sign, args[0], _spread(builder, value.vector, args[1]))
            return builder.zext(builder.bitcast(bits, ir.IntType(value.vector.count)), _INT64)

        return types.int64(value, value.scalar), write

    compare.__doc__ = doc
    return intrinsic(compare)


at_most = _comparison("<=", "Bits of the lanes that do not exceed a threshold.")
at_least = _comparison(">=", "Bits of the lanes that reach a threshold.")


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
        return left(left, left), lambda _context, builder, _signature, args: getattr(builder, instruction)(*args)

    def both(left: Any, right: Any) -> Any:
        return apply(left, right)

    def choose(left: Any, right: Any) -> Any:
        return both if isinstance(left, Lanes) and left is right else None

    return choose


overload(operator.add)(_arithmetic("fadd"))
overload(operator.sub)(_arithmetic("fsub"))
overload(operator.mul)(_arithmetic("fmul"))


def _give(name: str, made: Any) -> None:
    """Let kernels that call a function of the Python file get its intrinsic; numba asks for one function for each signature."""
    function = getattr(written, name)

    def one(_a: Any) -> Any:
        return lambda _a: made(_a)  # noqa: PLW0108  numba compiles the lambda, and the intrinsic in it

    def two(_a: Any, _b: Any) -> Any:
        return lambda _a, _b: made(_a, _b)  # noqa: PLW0108

    def three(_a: Any, _b: Any, _c: Any) -> Any:
        return lambda _a, _b, _c: made(_a, _b, _c)  # noqa: PLW0108

    overload(function, strict=False)((one, two, three)[function.__code__.co_argcount - 1])


for _name, _made in {
    "load": load,
    "store": store,
    "broadcast": broadcast,
    "larger": larger,
    "smaller": smaller,
    "largest": largest,
    "smallest": smallest,
    "plus_product": plus_product,
    "at_most": at_most,
    "at_least": at_least,
    "lowest_bit": lowest_bit,
}.items():
    _give(_name, _made)
