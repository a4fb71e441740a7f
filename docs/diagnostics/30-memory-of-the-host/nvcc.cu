__global__ void fill(float *dst, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = 1.0f;
}

int main() {
    float data[100];
    fill<<<1, 128>>>(data, 100);
}
