__global__ void copy(const float *src, float *dst) {
    dst[threadIdx.x] = src[threadIdx.x];
}

void run(const float *src, const float *dst) {
    copy<<<1, 128>>>(src, dst);
}
