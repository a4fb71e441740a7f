#include <cuda_fp8.h>
__global__ void k(const __nv_fp8x2_e5m2 *src, __half2_raw *dst) {
    *dst = __nv_cvt_fp8x2_to_halfraw2(src->__x, __NV_E4M3);
}
