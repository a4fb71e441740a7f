"""Triton kernels, compiled without a GPU. usage: triton_kernels.py FOLDER [NAME..]

Writes FOLDER/triton-sm_NN-NAME.ptx, where pointers and integers are multiples of 16, and
triton-sm_90-NAME_any.ptx, where they are any.
"""
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget

JOBS = []


def job(signature, constants, archs=(80, 90), **options):
    """Compiles a kernel for parameters of these types and constants of these values."""
    def add(kernel):
        JOBS.append((kernel, signature, constants, archs, options))
        return kernel
    return add


@job({"x": "*fp32", "y": "*fp32", "o": "*fp32", "n": "i32"}, {"B": 1024})
@triton.jit
def vadd(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@job({"o": "*fp32", "x": "*fp32", "so": "i32", "sx": "i32", "rows": "i32", "cols": "i32"},
     {"B": 2048})
@triton.jit
def softmax(o, x, so, sx, rows, cols, B: tl.constexpr):
    for r in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=2):
        c = tl.arange(0, B)
        v = tl.load(x + r * sx + c, mask=c < cols, other=-float("inf"))
        v = tl.exp(v - tl.max(v, axis=0))
        tl.store(o + r * so + c, v / tl.sum(v, axis=0), mask=c < cols)


@job({"x": "*fp16", "y": "*fp16", "w": "*fp16", "b": "*fp16", "mean": "*fp32", "rstd": "*fp32",
      "s": "i32", "n": "i32", "eps": "fp32"}, {"B": 1024}, num_warps=8)
@triton.jit
def layernorm(x, y, w, b, mean, rstd, s, n, eps, B: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros([B], tl.float32)
    for off in range(0, n, B):
        c = off + tl.arange(0, B)
        acc += tl.load(x + row * s + c, mask=c < n, other=0.).to(tl.float32)
    m = tl.sum(acc, axis=0) / n
    acc = tl.zeros([B], tl.float32)
    for off in range(0, n, B):
        c = off + tl.arange(0, B)
        v = tl.where(c < n, tl.load(x + row * s + c, mask=c < n, other=0.).to(tl.float32) - m, 0.)
        acc += v * v
    r = 1 / tl.sqrt(tl.sum(acc, axis=0) / n + eps)
    tl.store(mean + row, m)
    tl.store(rstd + row, r)
    for off in range(0, n, B):
        c = off + tl.arange(0, B)
        v = (tl.load(x + row * s + c, mask=c < n, other=0.).to(tl.float32) - m) * r
        tl.store(y + row * s + c,
                 v * tl.load(w + c, mask=c < n) + tl.load(b + c, mask=c < n), mask=c < n)


@triton.jit
def matmul_body(a, b, c, M, N, K, am, ak, bk, bn, cm, cn,
                BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    grid_n = tl.cdiv(N, BN)
    rm = (pid // grid_n) * BM + tl.arange(0, BM)
    rn = (pid % grid_n) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    pa = a + (rm % M)[:, None] * am + rk[None, :] * ak
    pb = b + rk[:, None] * bk + (rn % N)[None, :] * bn
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        va = tl.load(pa, mask=rk[None, :] < K - k * BK, other=0.0)
        vb = tl.load(pb, mask=rk[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(va, vb, acc)
        pa += BK * ak
        pb += BK * bk
    tl.store(c + rm[:, None] * cm + rn[None, :] * cn, acc.to(c.dtype.element_ty),
             mask=(rm[:, None] < M) & (rn[None, :] < N))


MM = {"M": "i32", "N": "i32", "K": "i32", "am": "i32", "bk": "i32", "cm": "i32"}


@job({"a": "*fp16", "b": "*fp16", "c": "*fp16", **MM}, {}, num_stages=3)
@triton.jit
def matmul_fp16(a, b, c, M, N, K, am, bk, cm):
    matmul_body(a, b, c, M, N, K, am, 1, bk, 1, cm, 1, 128, 64, 32)


@job({"a": "*fp8e4nv", "b": "*fp8e4nv", "c": "*fp16", **MM}, {}, archs=(90,), num_stages=3,
     num_warps=8)
@triton.jit
def matmul_fp8(a, b, c, M, N, K, am, bk, cm):
    matmul_body(a, b, c, M, N, K, am, 1, 1, bk, cm, 1, 128, 128, 64)


@job({"a": "*fp32", "b": "*fp32", "c": "*fp32", **MM}, {}, num_stages=2)
@triton.jit
def matmul_tf32(a, b, c, M, N, K, am, bk, cm):
    matmul_body(a, b, c, M, N, K, am, 1, bk, 1, cm, 1, 64, 64, 32)


@job({"q": "*fp16", "k": "*fp16", "v": "*fp16", "o": "*fp16", "lse": "*fp32", "n": "i32",
      "scale": "fp32"}, {"BM": 64, "BN": 64, "D": 64}, num_stages=2)
@triton.jit
def flash(q, k, v, o, lse, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rd = tl.arange(0, D)
    base = tl.program_id(1) * n * D
    vq = tl.load(q + base + rm[:, None] * D + rd[None, :], mask=rm[:, None] < n, other=0.)
    m = tl.full([BM], -float("inf"), tl.float32)
    l = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for s in range(0, (tl.program_id(0) + 1) * BM, BN):
        rn = s + tl.arange(0, BN)
        vk = tl.load(k + base + rn[None, :] * D + rd[:, None], mask=rn[None, :] < n, other=0.)
        t = tl.dot(vq, vk) * scale
        t = tl.where(rm[:, None] >= rn[None, :], t, -float("inf"))
        m2 = tl.maximum(m, tl.max(t, 1))
        p = tl.exp2(t - m2[:, None])
        a = tl.exp2(m - m2)
        l = l * a + tl.sum(p, 1)
        acc = acc * a[:, None]
        vv = tl.load(v + base + rn[:, None] * D + rd[None, :], mask=rn[:, None] < n, other=0.)
        acc = tl.dot(p.to(tl.float16), vv, acc)
        m = m2
    tl.store(lse + tl.program_id(1) * n + rm, m + tl.log2(l), mask=rm < n)
    tl.store(o + base + rm[:, None] * D + rd[None, :], (acc / l[:, None]).to(tl.float16),
             mask=rm[:, None] < n)


@job({"x": "*fp32", "i": "*i32", "o": "*fp32", "h": "*fp16", "n": "i32"}, {"B": 512})
@triton.jit
def atomics(x, i, o, h, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    m = r < n
    v = tl.load(x + r, mask=m, other=0.)
    k = tl.load(i + r, mask=m, other=0)
    tl.atomic_add(o + k, v, mask=m)
    tl.atomic_add(h + k, v.to(tl.float16), mask=m, sem="relaxed")
    tl.atomic_max(i + n, tl.max(k, 0))
    old = tl.atomic_cas(i + n + 1, 0, 1)
    tl.atomic_xchg(i + n + 2, old)


@job({"x": "*fp32", "o": "*fp32", "p": "*i32", "s": "i32"}, {"M": 16, "N": 256})
@triton.jit
def scans(x, o, p, s, M: tl.constexpr, N: tl.constexpr):
    rm = tl.arange(0, M)
    rn = tl.arange(0, N)
    v = tl.load(x + rm[:, None] * s + rn[None, :])
    tl.store(o + rm[:, None] * s + rn[None, :], tl.cumsum(v, 1) + tl.cumprod(v, 0))
    tl.store(p + rm, tl.argmax(v, 1))
    tl.store(p + M + rn, tl.argmin(v, 0))
    tl.store(p + M + N + rn, tl.sort(v.to(tl.int32), 1).to(tl.int32).sum(0))


@job({"x": "*fp16", "i": "*i64", "o": "*fp16", "n": "i32", "d": "i32"}, {"B": 128})
@triton.jit
def gather(x, i, o, n, d, B: tl.constexpr):
    row = tl.load(i + tl.program_id(0))
    for c in range(0, d, B):
        r = c + tl.arange(0, B)
        tl.store(o + tl.program_id(0) * d + r, tl.load(x + row * d + r, mask=r < d), mask=r < d)


@job({"x": "*fp32", "o": "*fp32", "M": "i32", "N": "i32"}, {"B": 64})
@triton.jit
def transpose(x, o, M, N, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    c = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(x + r[:, None] * N + c[None, :], mask=(r[:, None] < M) & (c[None, :] < N))
    tl.store(o + c[:, None] * M + r[None, :], tl.trans(v), mask=(c[:, None] < N) & (r[None, :] < M))


@job({"x": "*i32", "o": "*i32", "n": "i32"}, {"B": 128}, debug=True)
@triton.jit
def asserts(x, o, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + r, mask=r < n, other=1)
    tl.device_assert(v > 0, "positive")
    tl.device_print("v", v)
    tl.store(o + r, n // v, mask=r < n)


@job({"x": "*bf16", "o": "*bf16", "n": "i32", "p": "fp32", "seed": "i32"}, {"B": 1024})
@triton.jit
def dropout(x, o, n, p, seed, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + r, mask=r < n)
    keep = tl.rand(seed, r) > p
    tl.store(o + r, tl.where(keep, v / (1 - p), 0.0).to(tl.bfloat16), mask=r < n)


@job({"x": "*fp32", "e4": "*fp8e4nv", "e5": "*fp8e5", "bf": "*bf16", "u": "*u8", "n": "i32"},
     {"B": 512}, archs=(90,))
@triton.jit
def formats(x, e4, e5, bf, u, n, B: tl.constexpr):
    r = tl.program_id(0) * B + tl.arange(0, B)
    m = r < n
    v = tl.load(x + r, mask=m)
    tl.store(e4 + r, v.to(tl.float8e4nv), mask=m)
    tl.store(e5 + r, v.to(tl.float8e5), mask=m)
    tl.store(bf + r, v.to(tl.bfloat16), mask=m)
    tl.store(u + r, tl.load(e4 + r, mask=m).to(tl.float32).to(tl.uint8), mask=m)


@job({"a": "*fp16", "b": "*fp16", "c": "*fp16", "M": "i32", "N": "i32", "K": "i32"}, {},
     archs=(90,), num_stages=3, num_warps=4)
@triton.jit
def tma_matmul(a, b, c, M, N, K):
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [128, 64])
    db = tl.make_tensor_descriptor(b, [K, N], [N, 1], [64, 64])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [128, 64])
    m = tl.program_id(0) * 128
    n = tl.program_id(1) * 64
    acc = tl.zeros((128, 64), tl.float32)
    for k in range(0, K, 64):
        acc = tl.dot(da.load([m, k]), db.load([k, n]), acc)
    dc.store([m, n], acc.to(tl.float16))


@job({"a": "tensordesc<fp16[128, 64]>", "b": "tensordesc<fp16[64, 64]>", "c": "*fp16",
      "K": "i32", "N": "i32"}, {}, archs=(90,), num_stages=3)
@triton.jit
def host_tma(a, b, c, K, N):
    m = tl.program_id(0) * 128
    n = tl.program_id(1) * 64
    acc = tl.zeros((128, 64), tl.float32)
    for k in range(0, K, 64):
        acc = tl.dot(a.load([m, k]), b.load([k, n]), acc)
    rm = m + tl.arange(0, 128)
    rn = n + tl.arange(0, 64)
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(tl.float16))


def compile_ptx(kernel, signature, constants, arch, options, is_multiple):
    """The PTX of a kernel, whose pointers and integers are multiples of 16, or any."""
    types = {**signature, **{name: "constexpr" for name in constants}}
    values = {(list(types).index(name),): value for name, value in constants.items()}
    attributes = {}
    if is_multiple:
        for i, kind in enumerate(signature.values()):
            if kind.startswith("*") or kind == "i32":
                attributes[(i,)] = [["tt.divisibility", 16]]
    source = triton.compiler.ASTSource(
        fn=kernel, signature=types, constexprs=values, attrs=attributes)
    return triton.compile(source, target=GPUTarget("cuda", arch, 32), options=options).asm["ptx"]


def main():
    folder, only = sys.argv[1], sys.argv[2:]
    is_whole = True
    for kernel, signature, constants, archs, options in JOBS:
        name = kernel.fn.__name__
        if only and name not in only:
            continue
        for arch in archs:
            for is_multiple in [False, True] if arch == 90 else [True]:
                try:
                    ptx = compile_ptx(kernel, signature, constants, arch, options, is_multiple)
                except Exception as error:
                    said = str(error).strip().splitlines()
                    print(f"Triton refuses {name} for sm_{arch}: {type(error).__name__}:",
                          said[0] if said else "", file=sys.stderr)
                    is_whole = False
                    continue
                suffix = "" if is_multiple else "_any"
                with open(f"{folder}/triton-sm_{arch}-{name}{suffix}.ptx", "w") as file:
                    file.write(ptx)
    sys.exit(not is_whole)


if __name__ == "__main__":
    main()
