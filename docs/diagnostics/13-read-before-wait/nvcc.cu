#include <cuda_pipeline.h>
__global__ void k(const float4 *data, float *out) {
    __shared__ float4 row[64];
    __pipeline_memcpy_async(row, data, 16);
    __pipeline_commit();
    *out = row[0].x;
}
