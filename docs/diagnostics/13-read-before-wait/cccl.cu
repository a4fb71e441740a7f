#include <cuda/pipeline>
__global__ void k(const float4 *data, float *out) {
    __shared__ float4 row[64];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(row, data, cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
    *out = row[0].x;
}
