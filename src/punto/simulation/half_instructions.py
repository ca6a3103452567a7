"""A GPU's instructions on two 16-bit floats in one register. Imported only where a GPU is used."""

from importlib import import_module
from typing import Any


def _instruction(text: str, operands: int) -> Any:
    """A machine instruction on 32-bit registers as a function that kernels can call."""
    ir, intrinsic = import_module("llvmlite.ir"), import_module("numba.cuda.extending").intrinsic
    uint32 = import_module("numba.types").uint32

    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        word = ir.IntType(32)
        names = ", ".join(f"${at + 1}" for at in range(operands))
        asm = ir.InlineAsm(ir.FunctionType(word, [word] * operands), f"{text} $0, {names};", "=r" + ",r" * operands)
        return builder.call(asm, arguments)

    def two(_context: Any, a: Any, b: Any) -> Any:  # noqa: ARG001  # Numba reads the names
        return uint32(uint32, uint32), emit

    def three(_context: Any, a: Any, b: Any, c: Any) -> Any:  # noqa: ARG001
        return uint32(uint32, uint32, uint32), emit

    return intrinsic(two if operands == 2 else three)


above = _instruction("sub.rn.sat.f16x2", 2)
"""a - b, between 0 and 1."""

minus = _instruction("sub.rn.f16x2", 2)
plus = _instruction("add.rn.f16x2", 2)

times = _instruction("mul.rn.sat.f16x2", 2)
"""a x b, between 0 and 1."""

larger = _instruction("max.f16x2", 2)
"""The larger of a and b."""

fma = _instruction("fma.rn.f16x2", 3)
"""a x b + c."""

rotated = _instruction("shf.r.wrap.b32", 3)
"""The 64 bits of two words, shifted right by the lowest five bits of a third: the lower word of them."""
