__global__ void k(float *out) {
    float x = 1.0f;
    add.f32 x, x, 1.0f;
    *out = x;
}
