import tilelang
import tilelang.language as T

@T.macro
def axpy(a, x, y):
    y[0] = a[0] * x[0] + y[0]

@T.prim_func
def k(a: T.Tensor((1,), "float32"), x: T.Tensor((1,), "float32")):
    with T.Kernel(1, threads=32):
        axpy(a, x)

tilelang.compile(k, target={"kind": "cuda", "arch": "sm_90a"})
