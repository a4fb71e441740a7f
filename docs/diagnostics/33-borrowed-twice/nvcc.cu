__global__ void copy(const float *__restrict__ src, float *__restrict__ dst) {
    dst[threadIdx.x] = src[threadIdx.x];
}

void run(float *data) {
    copy<<<1, 128>>>(data, data);
}
