#include <cuda/std/array>
__global__ void k(float *out) {
    __shared__ cuda::std::array<float, 32> row;
    *out = row[32];
}
