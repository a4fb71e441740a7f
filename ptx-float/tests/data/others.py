"""Writes ml_dtypes.txt: `pip install ml_dtypes==0.6.0 && python others.py > ml_dtypes.txt`. First the types that PTX has
not, then those that it has.

A line a type: its name, the bits of the 256 values as float32, and the patterns of the floats whose bits are
the multiples of 0x200a07 that 32 bits have, which are all over the exponents and mantissas.
"""

import ml_dtypes
import numpy

inputs = numpy.arange(0, 1 << 32, 0x200a07, dtype=numpy.uint64).astype(numpy.uint32).view(numpy.float32)
codes = numpy.arange(256, dtype=numpy.uint8)
for name in [
    "float8_e4m3fnuz",
    "float8_e5m2fnuz",
    "float8_e4m3b11fnuz",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3fn",
    "float8_e5m2",
    "float8_e8m0fnu",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float4_e2m1fn",
]:
    dtype = getattr(ml_dtypes, name)
    values = codes.view(dtype).astype(numpy.float32).view(numpy.uint32)
    values = " ".join(f"{bits:x}" for bits in values)
    print(f"{name};{values};{inputs.astype(dtype).view(numpy.uint8).tobytes().hex()}")
