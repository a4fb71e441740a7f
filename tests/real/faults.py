#!/usr/bin/env python3
"""Runs the kernels that `cargo xtask port` still reports, on a GPU: as compiled, and with memory layouts and
launches that the declarations do not rule out.

A variable whose declared alignment is too low gets another variable before it in memory; a kernel that goes
out of bounds under a condition is launched so that the condition holds. Needs only a driver for CUDA 13.0 or
newer and a GPU of sm_90.

usage: tests/real/faults.py [FOLDER]     (target/real/ptx)
"""

import ctypes
import re
import struct
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "../../target/real/ptx"


def with_bytes_before(ptx, kernel, align, count):
    """The kernel with an additional shared variable before the others, which it writes to."""
    start = ptx.index("{", re.search(rf"\.entry {kernel}\(", ptx).end())
    head, lines = ptx[: start + 1], ptx[start + 1 :].split("\n")
    starts = (".", "/", "{", "$")
    first = next(n for n, line in enumerate(lines) if line.strip() and not line.strip().startswith(starts))
    lines.insert(first, "st.volatile.shared.u8 [before], 0;")
    lines.insert(0, f".shared .align {align} .b8 before[{count}];")
    return head + "\n".join(lines)


class Driver:
    """The driver's calls; the first that fails ends the program with its name."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.kept = []
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self("cuInit", 0)
        self("cuDeviceGet", ctypes.byref(device), 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self("cuCtxSetCurrent", context)

    def __call__(self, name, *arguments):
        code = getattr(self.cuda, name)(*arguments)
        if code:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorName(code, ctypes.byref(text))
            print(f"{name}: {text.value.decode()}")
            sys.exit(0)

    def function(self, ptx, kernel):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(ptx.encode()))
        self("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
        return function

    def buffer(self, data):
        address = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(address), len(data))
        self("cuMemcpyHtoD_v2", address, data, len(data))
        return address

    def tensor_map(self, address, extents, box):
        """A map of `f16` in two dimensions, with a swizzle of 128 bytes."""
        room = ctypes.create_string_buffer(128 + 64)
        self.kept.append(room)
        at = (ctypes.addressof(room) + 63) & ~63
        self(
            "cuTensorMapEncodeTiled", ctypes.c_void_p(at), 6, 2, ctypes.c_void_p(address.value),
            (ctypes.c_uint64 * 2)(*extents), (ctypes.c_uint64 * 1)(extents[0] * 2),
            (ctypes.c_uint32 * 2)(*box), (ctypes.c_uint32 * 2)(1, 1), 0, 3, 2, 0,
        )
        return at

    def launch(self, function, block, dynamic, arguments):
        """Arguments are numbers of ctypes, or addresses of their bytes."""
        places = [
            argument if isinstance(argument, int) else ctypes.addressof(argument)
            for argument in arguments
        ]
        self("cuFuncSetAttribute", function, 8, dynamic)
        self(
            "cuLaunchKernel", function, 1, 1, 1, block, 1, 1, dynamic, None,
            (ctypes.c_void_p * len(places))(*places), None,
        )
        self("cuCtxSynchronize")


def plain(file, kernel, block, arguments, before=None, dynamic=0):
    """A kernel on zeros: `p` is a buffer, and anything else a number."""

    def run(folder):
        ptx = (folder / f"{file}.ptx").read_text()
        if before:
            ptx = with_bytes_before(ptx, kernel, *before)
        driver = Driver()
        function = driver.function(ptx, kernel)
        values = [
            driver.buffer(bytes(1 << 16)) if it == "p" else ctypes.c_int(it) for it in arguments
        ]
        driver.launch(function, block, dynamic, values)
        print("runs")

    return run


def triton(before=None):
    """A product of ones through tensor maps: 128 x 64 elements, each of them 64."""

    def run(folder):
        ptx = (folder / "triton-sm_90-host_tma.ptx").read_text()
        if before:
            ptx = with_bytes_before(ptx, "host_tma", *before)
        driver = Driver()
        function = driver.function(ptx, "host_tma")
        m, n, k = 128, 64, 64
        one = struct.pack("<e", 1.0)
        a, b = driver.buffer(one * (m * k)), driver.buffer(one * (k * n))
        c = driver.buffer(bytes(m * n * 2))
        number, long = ctypes.c_int(0), ctypes.c_uint64(0)
        rest = [number, number, long, long]
        arguments = [driver.tensor_map(a, (k, m), (64, 128)), *rest]
        arguments += [driver.tensor_map(b, (n, k), (64, 64)), *rest]
        arguments += [c, ctypes.c_int(k), ctypes.c_int(n), long, long]
        driver.launch(function, 128, 80 * 1024, arguments)
        out = ctypes.create_string_buffer(m * n * 2)
        driver("cuMemcpyDtoH_v2", out, c, len(out))
        right = sum(value == k for value in struct.unpack(f"<{m * n}e", out.raw))
        print(f"runs, {right} of {m * n} elements are right")

    return run


HALVES = ("nvcc-sm_90a-halves", "_Z8shared_hP6__half", 128, "p")
HISTOGRAM = ("nvcc-sm_90a-histogram", "_Z6hist64PjPK6uchar4j", 64, ["p", "p", 0])
ALIGN_IF = ("nvcc-sm_90a-alignif", "_Z9shared_ifPfi", 64, ["p", 64])
STRIDED = ("nvcc-sm_90a-strided", "_Z8reduce_bILi128EEvPi")

CASES = [
    ("A022 halves", plain(*HALVES)),
    ("A022 halves, 2 bytes before", plain(*HALVES, before=(2, 2))),
    ("A022 histogram", plain(*HISTOGRAM)),
    ("A022 histogram, 1 byte before", plain(*HISTOGRAM, before=(1, 1))),
    ("A022 alignif", plain(*ALIGN_IF, dynamic=2048)),
    ("A022 alignif, 4 bytes before", plain(*ALIGN_IF, before=(4, 4), dynamic=2048)),
    ("A022 host_tma", triton()),
    ("A022 host_tma, 16 bytes before", triton(before=(16, 16))),
    ("A020 strided, blocks of 128", plain(*STRIDED, 128, "p")),
    ("A020 strided, blocks of 640, over the 600 of the condition", plain(*STRIDED, 640, "p")),
]


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    if len(sys.argv) > 2:
        CASES[int(sys.argv[2])][1](folder)
        return
    gpu = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    print(subprocess.run(gpu, capture_output=True, text=True, check=True).stdout.strip())
    for number, (title, _) in enumerate(CASES):
        # A fault ends the context, and with it the process.
        command = [sys.executable, __file__, str(folder), str(number)]
        try:
            ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
            print(f"{title}: {ended.stdout.strip() or ended.stderr.strip()}")
        except subprocess.TimeoutExpired:
            print(f"{title}: hangs")


if __name__ == "__main__":
    main()
