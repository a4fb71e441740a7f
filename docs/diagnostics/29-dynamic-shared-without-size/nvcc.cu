__global__ void k() {
    extern __shared__ float row[];
    row[threadIdx.x] = 0.0f;
}

int main() {
    k<<<1, 128>>>();
}
