#!/usr/bin/env python3
"""Loads each file of docs/differences with the driver, which has an assembler of its own, runs its kernel `k`, and
prints what becomes of it: `docs/differences/gpu.py > docs/differences/gpu.txt`. Needs a GPU and nothing else."""

import ctypes
import os
import re
import subprocess
import sys

HOME = os.path.dirname(os.path.abspath(__file__))


def cuda():
    library = ctypes.CDLL("libcuda.so.1")
    library.cuGetErrorName.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
    return library


def name(library, code):
    text = ctypes.c_char_p()
    library.cuGetErrorName(code, ctypes.byref(text))
    return text.value.decode() if text.value else str(code)


def start(library):
    assert library.cuInit(0) == 0, "no GPU"
    device, context = ctypes.c_int(), ctypes.c_void_p()
    assert library.cuDeviceGet(ctypes.byref(device), 0) == 0
    assert library.cuDevicePrimaryCtxRetain(ctypes.byref(context), device) == 0
    assert library.cuCtxSetCurrent(context) == 0
    return device


def fields(folder, field):
    with open(os.path.join(folder, "about.md"), encoding="utf-8") as file:
        return re.findall(rf"^- {field}: (.*)$", file.read(), re.M)


def has_null(folder):
    with open(os.path.join(folder, "module.ptx"), "rb") as file:
        return b"\0" in file.read()


def launch(library, module, text):
    kernel = ctypes.c_void_p()
    if library.cuModuleGetFunction(ctypes.byref(kernel), module, b"k") != 0:
        return None
    # Each parameter is of at most eight bytes.
    words = [ctypes.c_uint64(5) for _ in range(text.split("k(", 1)[1].split(")", 1)[0].count(".param"))]
    arguments = (ctypes.c_void_p * max(len(words), 1))(*[ctypes.addressof(word) for word in words])
    code = library.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, None, arguments, None)
    if code != 0:
        return f"`k` cannot be launched, `{name(library, code)}`"
    code = library.cuCtxSynchronize()
    return "`k` runs" if code == 0 else f"`k` fails, `{name(library, code)}`"


def bytes_of(library, module, variable):
    address, size = ctypes.c_uint64(), ctypes.c_size_t()
    if library.cuModuleGetGlobal_v2(ctypes.byref(address), ctypes.byref(size), module, variable.encode()) != 0:
        return None
    data = (ctypes.c_uint8 * size.value)()
    if library.cuMemcpyDtoH_v2(data, address, size) != 0:
        return None
    return f"`{variable} = {bytes(data).hex(' ')}`"


def one(folder):
    library = cuda()
    start(library)
    with open(os.path.join(folder, "module.ptx"), "rb") as file:
        data = file.read()
    module = ctypes.c_void_p()
    log, size = ctypes.create_string_buffer(4096), ctypes.c_void_p(4096)
    # CU_JIT_ERROR_LOG_BUFFER and CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES.
    options = (ctypes.c_int * 2)(5, 6)
    values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), size)
    code = library.cuModuleLoadDataEx(ctypes.byref(module), data + b"\0", 2, options, values)
    if code != 0:
        words = [line.split(" : ", 1)[-1].strip() for line in log.value.decode("latin1").splitlines()]
        words = [line.split(": ", 1)[-1] for line in words if line and "aborted" not in line]
        why = f": {words[0]}" if words else ""
        print(f"the driver refuses it, `{name(library, code)}`{why}")
        return
    seen = ["it loads", launch(library, module, data.decode("latin1"))]
    for field in ("expected", "run"):
        for value in fields(folder, field):
            seen.append(bytes_of(library, module, value.split(" = ")[0]))
    print(", ".join(part for part in seen if part))


def main():
    library = cuda()
    device = start(library)
    text = ctypes.create_string_buffer(100)
    library.cuDeviceGetName(text, 100, device)
    driver = "an unknown driver"
    if os.path.exists("/proc/driver/nvidia/version"):
        with open("/proc/driver/nvidia/version", encoding="utf-8") as file:
            driver = "driver " + re.search(r"\d+\.\d+\.?\d*", file.read().split("Module")[1]).group()
    print(f"{text.value.decode()}, {driver}", flush=True)
    for entry in sorted(os.listdir(HOME)):
        folder = os.path.join(HOME, entry)
        # The driver refuses targets that the GPU does not run, and its texts end at a null character.
        if not os.path.isdir(folder) or fields(folder, "arch") not in ([], ["sm_80"]) or has_null(folder):
            continue
        # A crash of the driver ends the process.
        ended = subprocess.run([sys.executable, __file__, folder], capture_output=True, text=True, timeout=60)
        seen = ended.stdout.strip()
        if ended.returncode < 0:
            seen = f"the driver ends the process, signal {-ended.returncode}"
        print(f"{entry}: {seen or ended.stderr.strip().splitlines()[-1]}", flush=True)


if len(sys.argv) == 2:
    one(sys.argv[1])
else:
    main()
