#!/usr/bin/env python3
"""Hands tensors between PyTorch and ptx, by DLPack, on a GPU: tests/dlpack/run.py LIBRARY

The library is built by `cargo build -p tests --features cuda --example dlpack`, as target/debug/examples/libdlpack.so.
"""
import ctypes
import sys

try:
    import torch
    from torch.utils.dlpack import from_dlpack, to_dlpack
except ImportError as why:
    sys.exit(f"NOT RUN: {why}")
if not torch.cuda.is_available():
    sys.exit("NOT RUN: PyTorch finds no GPU")

library = ctypes.CDLL(sys.argv[1])
pointer = ctypes.c_void_p
library.ptx_scale.argtypes = [pointer, ctypes.c_bool, pointer, ctypes.c_float]
library.ptx_len.argtypes = [pointer, ctypes.c_int, pointer]
library.ptx_len.restype = ctypes.c_int64
library.ptx_sum.argtypes = [pointer, ctypes.c_bool, pointer]
library.ptx_sum.restype = ctypes.c_double
library.ptx_made.argtypes = [ctypes.c_bool, pointer]
library.ptx_made.restype = pointer
api = ctypes.pythonapi
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_GetPointer.restype = pointer
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_New.argtypes = [pointer, ctypes.c_char_p, pointer]
api.PyCapsule_New.restype = ctypes.py_object

# A capsule keeps the address of its name, so the names live as long as the program.
NAMES = {False: (b"dltensor", b"used_dltensor"), True: (b"dltensor_versioned", b"used_dltensor_versioned")}
stream = torch.cuda.Stream()
torch.cuda.set_stream(stream)


def take(capsule, call):
    """Calls with the capsule's pointer, and marks the capsule as used if the tensor was taken."""
    versioned = bool(api.PyCapsule_IsValid(capsule, NAMES[True][0]))
    name, used = NAMES[versioned]
    taken, result = call(api.PyCapsule_GetPointer(capsule, name), versioned)
    if taken:
        api.PyCapsule_SetName(capsule, used)
    return result


def scale(capsule, factor):
    def call(tensor, versioned):
        result = library.ptx_scale(tensor, versioned, stream.cuda_stream, factor)
        return result == 0, result

    return take(capsule, call)


def length(tensor, number):
    def call(address, versioned):
        assert not versioned
        result = library.ptx_len(address, number, stream.cuda_stream)
        return result >= 0, result

    return take(to_dlpack(tensor), call)


def total(tensor):
    def call(address, versioned):
        result = library.ptx_sum(address, versioned, stream.cuda_stream)
        return result == result, result

    return take(to_dlpack(tensor), call)


def allocated():
    torch.cuda.synchronize()
    return torch.cuda.memory_allocated()


print("PyTorch", torch.__version__)
before = allocated()

# In place, in the order of PyTorch's stream.
x = torch.arange(100_000, dtype=torch.float32, device="cuda").reshape(100, 1000)
assert scale(to_dlpack(x), 3.0) == 0
assert torch.equal(x, 3 * torch.arange(100_000, dtype=torch.float32, device="cuda").reshape(100, 1000))

# A view with an offset, and the versioned struct where PyTorch has it.
assert scale(to_dlpack(x[10:20]), 2.0) == 0
try:
    capsule = x[20:30].__dlpack__(max_version=(1, 0), stream=stream.cuda_stream)
    print("versioned:", bool(api.PyCapsule_IsValid(capsule, NAMES[True][0])))
except TypeError:
    print("NOT RUN: this PyTorch exports no versioned tensors")
    capsule = to_dlpack(x[20:30])
assert scale(capsule, 2.0) == 0
expected = 3 * torch.arange(100_000, dtype=torch.float32, device="cuda").reshape(100, 1000)
expected[10:30] *= 2
assert torch.equal(x, expected)

# What does not fit is refused, and stays PyTorch's.
assert scale(to_dlpack(x.t()), 2.0) == 1
assert scale(to_dlpack(x[:, ::2]), 2.0) == 1
assert scale(to_dlpack(x.to(torch.float16)), 2.0) == 1
assert scale(to_dlpack(x.cpu()), 2.0) == 1
assert torch.equal(x, expected)

# Any layout is read.
small = torch.arange(60, dtype=torch.float32, device="cuda").reshape(5, 12)
for view in [small, small.t(), small[:, 1::3], small[1:4, 2:7], small[2].expand(7, 12), small[::2, ::2].t(), small[:0]]:
    assert total(view) == view.sum().item(), (view.shape, view.stride())
del small, view

# Types.
types = [torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2, torch.int64, torch.uint8]
for number, dtype in enumerate(types):
    tensor = torch.zeros(3, 5, device="cuda").to(dtype)
    try:
        to_dlpack(tensor)
    except (RuntimeError, BufferError) as why:
        print(f"NOT RUN: PyTorch does not export {dtype}: {why}")
        continue
    assert length(tensor, number) == 15, dtype
    assert length(tensor, (number + 1) % len(types)) == -1, dtype

# Each tensor was given back once.
del x, expected, capsule, tensor
assert allocated() == before, (allocated(), before)

# Ours, which PyTorch frees.
for versioned in (False, True):
    address = library.ptx_made(versioned, stream.cuda_stream)
    assert address
    capsule = api.PyCapsule_New(address, NAMES[versioned][0], None)
    try:
        ours = from_dlpack(capsule)
    except (RuntimeError, BufferError, ValueError) as why:
        print(f"NOT RUN: PyTorch does not take a versioned tensor: {why}")
        continue
    assert ours.shape == (10, 100) and ours.dtype == torch.float32 and ours.is_cuda
    assert torch.equal(ours.flatten(), 2 * torch.arange(1000, dtype=torch.float32, device="cuda"))
    free = torch.cuda.mem_get_info()[0]
    ours += 1
    assert ours.sum().item() == 999 * 1000 + 1000
    del ours, capsule
    torch.cuda.synchronize()
print("ok")
