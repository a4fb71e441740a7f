__global__ void __launch_bounds__(2048) k() {}

int main() {
    k<<<1, 2048>>>();
}
