#!/usr/bin/env bash
# Compiles the kernels of this folder to target/real/ptx: every .cu with nvcc for its targets, and
# triton_kernels.py with Triton. Needs python3 with pip and venv, and g++; fetches the compilers
# once.
# usage: tests/real/build.sh [NAME..]
set -euo pipefail
cd "$(dirname "$0")"
out=$PWD/../../target/real
mkdir -p "$out/ptx" "$out/log"

if [ ! -e "$out/cuda/.complete" ]; then
  rm -rf "$out/cuda"
  python3 -m pip install --quiet --no-deps --target "$out/cuda" \
    nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 \
    nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85
  touch "$out/cuda/.complete"
fi
if [ ! -e "$out/triton/.complete" ]; then
  rm -rf "$out/triton"
  python3 -m venv "$out/triton"
  "$out/triton/bin/python" -m pip install --quiet triton==3.5.0
  touch "$out/triton/.complete"
fi

toolkit=$out/cuda/nvidia/cu13
chmod +x "$toolkit"/bin/* "$toolkit"/nvvm/bin/*
export PATH=$toolkit/bin:$toolkit/nvvm/bin:$PATH
export toolkit out

# In its first lines a file may name targets other than these two, and options of nvcc.
compile() { # NAME TARGET
  local options name=$2-$1
  options=$(sed -n 's,^// nvcc: ,,p' "$1.cu")
  # shellcheck disable=SC2086 # several options
  if ! nvcc -ptx -arch="$2" -std=c++17 $options -I"$toolkit/include" -I"$toolkit/include/cccl" \
    -w "$1.cu" -o "$out/ptx/nvcc-$name.ptx" 2> "$out/log/$name.txt"; then
    rm -f "$out/ptx/nvcc-$name.ptx"
    echo "nvcc refuses $1 for $2: $(grep -m1 -E 'error|fatal' "$out/log/$name.txt")" >&2
    return 1
  fi
}
export -f compile

is_wanted() { # NAME WANTED..
  local name=$1
  shift
  [ $# = 0 ] || [[ " $* " == *" $name "* ]]
}
for file in *.cu; do
  name=${file%.cu}
  is_wanted "$name" "$@" || continue
  targets=$(sed -n 's,^// targets: ,,p' "$file")
  for target in ${targets:-sm_80 sm_90a}; do
    echo "$name $target"
  done
done | xargs -r -P "$(nproc)" -L 1 bash -c 'compile "$@"' _

if is_wanted triton_kernels "$@"; then
  TRITON_CACHE_DIR=$out/triton/cache "$out/triton/bin/python" triton_kernels.py "$out/ptx"
fi
echo "$(find "$out/ptx" -name '*.ptx' | wc -l) files in target/real/ptx"
