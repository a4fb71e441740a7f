__device__ float axpy(float a, float x, float y) {
    return a * x + y;
}

__global__ void k(float *out) {
    *out = axpy(1.0f, 2.0f);
}
