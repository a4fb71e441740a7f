"""Writes ml_dtypes.txt: `pip install ml_dtypes==0.6.0 && python ml_dtypes.py > ml_dtypes.txt`.

A line a type: its name, the bits of the 256 values as float32, and the patterns of the floats whose bits are
the multiples of 0x200a07 that 32 bits have, which are all over the exponents and mantissas.
"""

import ml_dtypes
import numpy

inputs = numpy.arange(0, 1 << 32, 0x200a07, dtype=numpy.uint64).astype(numpy.uint32).view(numpy.float32)
codes = numpy.arange(256, dtype=numpy.uint8)
for name in ["e4m3fnuz", "e5m2fnuz", "e4m3b11fnuz", "e3m4", "e4m3"]:
    dtype = getattr(ml_dtypes, f"float8_{name}")
    values = codes.view(dtype).astype(numpy.float32).view(numpy.uint32)
    values = " ".join(f"{bits:x}" for bits in values)
    print(f"float8_{name};{values};{inputs.astype(dtype).view(numpy.uint8).tobytes().hex()}")
