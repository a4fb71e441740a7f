import tilelang
import tilelang.language as T

@T.prim_func
def k(out: T.Tensor((32,), "float32")):
    with T.Kernel(1, threads=32):
        row = T.alloc_sahred((32,), "float32")
        T.copy(row, out)

tilelang.compile(k, target={"kind": "cuda", "arch": "sm_90a"})
