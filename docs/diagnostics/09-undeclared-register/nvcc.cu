__global__ void k(float *out) {
    float f0 = 1.0f, f1 = 2.0f;
    *out = f0 + f1 + f2;
}
