#!/usr/bin/env python3
"""Leaves out each line that orders what threads do (barriers, waits, fences, arrivals and commits) in kernels that
`build.sh` makes, and prints what `ptx check` finds in each. Launches are those that the sources are for.

usage: tests/real/orders.py [--strict] [PTX]     (target/release/ptx; of target/real/ptx)
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent / "../../target/real/ptx"
ORDERS = re.compile(
    r"^(@!?%\w+\s+)?(bar|barrier|mbarrier|fence|membar|wgmma\.(fence|commit_group|wait_group)|"
    r"cp\.async(\.bulk)?\.(commit_group|wait_group|wait_all|mbarrier)\S*)[.\s;]"
)
# What declares no block, by a part of the kernel's name.
BLOCKS = {
    "transpose": "32,8", "reduce_f4": "256", "reduce6IiLi256": "256", "reduce6IdLi512": "512", "reduce6IfLi128": "128",
    "mixed": "128", "sgemm_blocked": "256", "sgemm": "32,32", "fdtd3d": "32,16", "bitonic": "512", "nbody": "256", "dct8x8": "8,8",
    "prescan": "256", "lookback": "256", "hist256": "192", "hist64": "64", "softmax_block": "256", "layernorm": "256",
    "hmma": "128", "pipe": "128", "arrive_wait": "128", "pipeline": "128", "cgcopy": "32", "tile_inc": "128",
    "stages": "160", "_Z2wg": "128", "barriers": "128", "reduce_bulk": "128",
}
FILES = [
    "nvcc-sm_90a-transpose", "nvcc-sm_90a-reduce", "nvcc-sm_90a-sgemm", "nvcc-sm_90a-stencil", "nvcc-sm_90a-scan",
    "nvcc-sm_90a-histogram", "nvcc-sm_90a-softmax", "nvcc-sm_90a-mma_async", "nvcc-sm_90a-barrier80", "nvcc-sm_90a-tma",
    "nvcc-sm_90a-wgmma", "triton-sm_90-flash", "triton-sm_90-matmul_fp16", "triton-sm_90-layernorm",
    "triton-sm_90-softmax", "triton-sm_90-scans", "triton-sm_90-tma_matmul",
]


def findings(ptx, text, options):
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([ptx, "check", file.name, *options], capture_output=True, text=True)
        return re.findall(r"error\[(\w+)\]", done.stdout + done.stderr)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--strict"]
    strict = ["--strict"] if "--strict" in sys.argv else []
    ptx = arguments[0] if arguments else "target/release/ptx"
    all_found = all_lines = 0
    for name in FILES:
        lines = (FOLDER / f"{name}.ptx").read_text().split("\n")
        kernel, before, found, missed = "", {}, 0, []
        for n, line in enumerate(lines):
            entry = re.search(r"\.entry (\w+)", line)
            kernel = entry[1] if entry else kernel
            if not ORDERS.match(line.strip()):
                continue
            block = next((block for part, block in BLOCKS.items() if part in kernel), None)
            options = strict + (["--block", block, "--kernel", kernel] if block and name.startswith("nvcc") else [])
            key = " ".join(options)
            if key not in before:
                before[key] = findings(ptx, "\n".join(lines), options)
            left_out = lines[:n] + ["// " + line] + lines[n + 1 :]
            now = findings(ptx, "\n".join(left_out), options)
            is_found = sorted(now) != sorted(before[key]) and len(now) > len(before[key])
            found += is_found
            if not is_found:
                missed.append(f"    {n + 1}: {line.strip()}  ({kernel[:40]}, {key})")
        print(f"{name}: {found} of {found + len(missed)}", *missed, sep="\n", flush=True)
        all_found, all_lines = all_found + found, all_lines + found + len(missed)
    print(f"{all_found} of {all_lines}")


if __name__ == "__main__":
    main()
