#!/usr/bin/env python3
"""Runs the kernels of `orders.py` on a GPU as they are and with each of its lines left out, each in a process of its own,
and prints which lines it tells apart: other bytes in the buffers after one of six launches, an error, or no end in 40 s.
Kernels that take tensor maps, and `tma_matmul`, which writes addresses to its buffers, are left out.

usage: tests/real/told_apart.py [FOLDER]     (of the texts; target/real/ptx)
"""

import ctypes
import hashlib
import random
import re
import subprocess
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from orders import BLOCKS, FILES, FOLDER, ORDERS

BYTES = 4 << 20
LAUNCHES = 6
# The numbers that kernels take, by a part of their names.
NUMBERS = {
    "transpose": [64, 64], "reduce_bulk": [], "reduce": [4096], "mixed": [16], "sgemm": [128, 128, 128],
    "fdtd3d": [64, 64, 16], "bitonic": [1024, 1], "nbody": [1024], "dct8x8": [64], "prescan": [512], "hist": [4096],
    "softmax_block": [512, 512], "hmma": [64, 64], "pipeline": [8], "pipe": [16], "arrive_wait": [4], "stages": [8],
    "flash": [256], "matmul_fp16": [128] * 6, "layernorm": [512, 512], "softmax": [512, 512, 4, 512], "scans": [512],
}
GRIDS = {"lookback": (4, 1), "nbody": (4, 1), "fdtd3d": (2, 4)}
# Buffers that start as zeros.
ZEROS = {"lookback": [0, 1], "hist": [0]}


def of_kernel(table, kernel, otherwise):
    return next((value for part, value in table.items() if part in kernel), otherwise)


def launch(path, kernel, left_out):
    """Launches a kernel, with a line left out unless that is negative, and prints what its buffers hold afterwards."""
    text = Path(path).read_text()
    lines = text.split("\n")
    if left_out >= 0:
        lines[left_out] = "// " + lines[left_out]
    entry = re.search(r"\.entry " + kernel + r"\((.*?)\)(.*?)\n\{", text, re.S)
    declared = re.search(r"\.reqntid (\d+)(?:, (\d+))?", entry[2])
    given = of_kernel(BLOCKS, kernel, "128").split(",")
    block = [int(n or 1) for n in declared.groups()] if declared else [int(n) for n in given] + [1]
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(name, *arguments):
        if error := getattr(cuda, name)(*arguments):
            print("error", name, error)
            sys.exit()

    device, context, module, function = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuCtxCreate_v2", ctypes.byref(context), 0, device)
    call("cuModuleLoadData", ctypes.byref(module), "\n".join(lines).encode() + b"\0")
    call("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
    # Moderate numbers as halves, floats and integers.
    bits = random.Random(7)
    numbers = array("H", [0x3800 | bits.getrandbits(10) for _ in range(BYTES // 2)]).tobytes()
    left, zeros = list(of_kernel(NUMBERS, kernel, [])), of_kernel(ZEROS, kernel, [])
    arguments, buffers = [], []
    for n, param in enumerate(entry[1].split(",")):
        if ".u64" in param:
            address = ctypes.c_uint64()
            call("cuMemAlloc_v2", ctypes.byref(address), BYTES)
            buffers.append((address, bytes(BYTES) if n in zeros else numbers))
            arguments.append(address)
        elif ".f32" in param:
            arguments.append(ctypes.c_float(0.5))
        else:
            arguments.append(ctypes.c_uint32(left.pop(0) if left else 4))
    pointers = (ctypes.c_void_p * len(arguments))(
        *[ctypes.cast(ctypes.pointer(argument), ctypes.c_void_p) for argument in arguments]
    )
    dynamic = 96 * 1024 if ".extern .shared" in text else 0
    if dynamic and cuda.cuFuncSetAttribute(function, 8, dynamic):
        dynamic = 0
    width, height = of_kernel(GRIDS, kernel, (2, 2))
    for _ in range(LAUNCHES):
        for address, start in buffers:
            call("cuMemcpyHtoD_v2", address, start, BYTES)
        call("cuLaunchKernel", function, width, height, 1, block[0], block[1], 1, dynamic, None, pointers, None)
        call("cuCtxSynchronize")
        after = hashlib.md5()
        for address, _ in buffers:
            held = ctypes.create_string_buffer(BYTES)
            call("cuMemcpyDtoH_v2", held, address, BYTES)
            after.update(held.raw)
        print(after.hexdigest()[:8], end=" ")


def run(job):
    arguments = [sys.executable, __file__, "--launch", *map(str, job)]
    try:
        return subprocess.run(arguments, capture_output=True, text=True, timeout=40).stdout.strip()
    except subprocess.TimeoutExpired:
        return "hangs"


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    jobs = []
    for name in FILES:
        path, kernel, takes_maps = folder / f"{name}.ptx", "", False
        for n, line in enumerate(path.read_text().split("\n")):
            if entry := re.search(r"\.entry (\w+)", line):
                kernel, takes_maps = entry[1], False
            takes_maps |= ".param" in line and ".b8" in line and "[128]" in line
            if ORDERS.match(line.strip()) and not takes_maps and name != "triton-sm_90-tma_matmul":
                jobs.append((path, kernel, n, line.strip()))
    with ThreadPoolExecutor(8) as pool:
        kernels = sorted({job[:2] for job in jobs})
        right = dict(zip(kernels, pool.map(lambda of: set(run((*of, -1)).split()), kernels)))
        changed = list(pool.map(lambda job: run(job[:3]), jobs))
    apart = 0
    for (path, kernel, n, line), shown in zip(jobs, changed):
        if not set(shown.split()) <= right[path, kernel]:
            apart += 1
            print(f"{path.stem}:{n + 1}: {line}  ({kernel[:40]}): {shown[:40]}")
    print(f"{apart} of {len(jobs)}")


if sys.argv[1:2] == ["--launch"]:
    launch(sys.argv[2], sys.argv[3], int(sys.argv[4]))
else:
    main()
