// What CUDA's headers make of every `float`: `nvcc -cubin -arch sm_90 tests/gpu_cvt.cu -o FILE`.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#define KERNEL(name, conversion)                                              \
    extern "C" __global__ void name(unsigned *results, unsigned base)         \
    {                                                                         \
        unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;              \
        float x = __uint_as_float(base + thread);                             \
        results[thread] = conversion;                                         \
    }

KERNEL(ue8m0_rz_satfinite, __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundZero))
KERNEL(ue8m0_rp_satfinite, __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf))
KERNEL(ue8m0_rz, __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundZero))
KERNEL(ue8m0_rp, __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf))
KERNEL(e2m1_rn, __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest))
KERNEL(e2m3_rn, __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest))
KERNEL(e3m2_rn, __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest))
KERNEL(e4m3_rn, __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3))
KERNEL(e5m2_rn, __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2))
KERNEL(e4m3_rn_satfinite, __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3))
KERNEL(e5m2_rn_satfinite, __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2))
