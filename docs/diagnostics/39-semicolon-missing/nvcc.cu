__global__ void k(float *out) {
    float x = 1.0f
    *out = x + x;
}
