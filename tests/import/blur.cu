// nvcc -ptx -arch=sm_80 -o blur.ptx blur.cu

struct Config {
    float gain;
    int steps;
    double bias;
    unsigned char mode;
};

__constant__ float TAPS[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
__constant__ Config DEFAULTS = {1.5f, 4, 0.25, 2};
__device__ unsigned launches = 7;
__managed__ int counter;
__device__ const char* const names[2] = {"rows", "columns"};
__device__ int type[3];
extern __shared__ float4 scratch[];

namespace {
__device__ __noinline__ float weigh(const float* from, int at, int n) {
    float sum = 0;
    for (int i = -2; i <= 2; i++) {
        int j = min(max(at + i, 0), n - 1);
        sum += TAPS[i + 2] * from[j];
    }
    return sum;
}
}

namespace image {
__global__ void __launch_bounds__(256) rows(const float* src, float* dst, Config config, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) launches++;
    if (i < n) dst[i] = config.gain * weigh(src, i, n) + float(config.bias + DEFAULTS.bias);
}
}

template <typename T, int N>
__global__ void fill(T* to, T value) {
    for (int i = threadIdx.x; i < N; i += blockDim.x) to[i] = value;
}
template __global__ void fill<float, 64>(float*, float);
template __global__ void fill<int, 32>(int*, int);

__global__ void columns(float4* data, unsigned long long texture) {
    __shared__ float row[64];
    scratch[threadIdx.x] = data[threadIdx.x];
    row[threadIdx.x % 64] = tex2D<float>(texture, 0.5f, float(threadIdx.x));
    __syncthreads();
    float4 x = scratch[threadIdx.x ^ 1];
    x.x += row[(threadIdx.x + 1) % 64] + names[threadIdx.x % 2][0] + type[threadIdx.x % 3];
    data[threadIdx.x] = x;
    counter = 1;
}
