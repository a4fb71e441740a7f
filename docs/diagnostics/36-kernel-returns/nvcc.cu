__global__ float k() {
    return 1.0f;
}
