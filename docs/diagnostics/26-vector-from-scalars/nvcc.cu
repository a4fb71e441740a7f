__global__ void k(const float *src, float4 *out) {
    *out = *(const float4 *)src;
}
