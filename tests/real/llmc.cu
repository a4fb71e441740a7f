// In the style of llm.c: packets of 128 bits, shared memory carved from pointers.
#include <cuda_bf16.h>

template <class T> struct alignas(16) Pack {
  T v[16 / sizeof(T)];
  __device__ T& operator[](int i) { return v[i]; }
};
template <class T> __device__ Pack<T> ldcs(const T* p) {
  int4 b = __ldcs((const int4*)p);
  Pack<T> r;
  memcpy(&r, &b, 16);
  return r;
}
template <class T> __device__ void stcg(T* p, Pack<T> v) {
  int4 b;
  memcpy(&b, &v, 16);
  __stcg((int4*)p, b);
}
typedef __nv_bfloat16 X;
typedef Pack<X> x128;
typedef Pack<float> f128;

__global__ void ln6(X* __restrict__ out, float* mean, const X* __restrict__ in, const X* w,
                    const X* b, int N, int C) {
  extern __shared__ char* params[];
  x128* sw = (x128*)params;
  x128* sb = sw + C / 8;
  x128* si = sw + C / 8 * 2 + threadIdx.y * C / 8;
  int sidx = (threadIdx.x + 32 * threadIdx.y) * 8;
  for (int i = sidx; i < C; i += blockDim.y * 32 * 8) {
    sw[i / 8] = ldcs(w + i);
    sb[i / 8] = ldcs(b + i);
  }
  __syncthreads();
  int idx = blockIdx.x * blockDim.y + threadIdx.y;
  if (idx >= N) return;
  in += idx * C;
  out += idx * C;
  float s = 0;
  for (int c = threadIdx.x * 8; c < C; c += 256) {
    x128 d = ldcs(in + c);
    for (int k = 0; k < 8; k++) s += (float)d[k];
    si[c / 8] = d;
  }
  for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
  for (int c = threadIdx.x * 8; c < C; c += 256) {
    x128 d = si[c / 8], ww = sw[c / 8], bb = sb[c / 8], o;
    for (int k = 0; k < 8; k++) o[k] = (X)(((float)d[k] - s / C) * (float)ww[k] + (float)bb[k]);
    stcg(out + c, o);
  }
  if (threadIdx.x == 0 && mean) mean[idx] = s;
}

__global__ void gelu(X* o, const X* x) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  x128 v = ldcs(x + i), r;
  for (int k = 0; k < 8; k++) {
    float a = (float)v[k];
    r[k] = (X)(0.5f * a * (1.f + tanhf(0.79788456f * (a + 0.044715f * a * a * a))));
  }
  stcg(o + i, r);
}

struct SP { float scale, offset; };
template <bool W> __global__ void __launch_bounds__(1024)
classifier(X* logits, float* losses, const int* t, int V, int P) {
  __shared__ float sh[2][32];
  long idx = gridDim.x - (blockIdx.x + 1);
  const X* x = logits + idx * P;
  float m = -1e30f, s = 0;
  int i = (V + 7) / 8 + threadIdx.x - blockDim.x;
  while ((i + 1) * 8 > V && i >= 0) {
    for (int k = 0; k < 8; k++) if (i * 8 + k < V) {
      float v = (float)x[i * 8 + k], o = m;
      m = fmaxf(m, v);
      s = s * expf(o - m) + expf(v - m);
    }
    i -= blockDim.x;
  }
  for (; i >= 0; i -= blockDim.x) {
    x128 p = ldcs(x + i * 8);
    for (int k = 0; k < 8; k++) {
      float v = (float)p[k], o = m;
      m = fmaxf(m, v);
      s = s * expf(o - m) + expf(v - m);
    }
  }
  sh[0][threadIdx.x / 32] = m;
  sh[1][threadIdx.x / 32] = s;
  __syncthreads();
  m = sh[0][threadIdx.x % 32];
  s = sh[1][threadIdx.x % 32];
  if (!threadIdx.x) losses[idx] -= logf(s) + m - (float)x[t[idx]];
  if (W)
    for (int k = threadIdx.x; k < V; k += blockDim.x)
      logits[idx * P + k] = (X)(expf((float)x[k] - m) / s);
}
template __global__ void classifier<true>(X*, float*, const int*, int, int);
template __global__ void classifier<false>(X*, float*, const int*, int, int);

__global__ void encoder_bwd(X* dw, const int4* bucket, const int* widx, const X* dout,
                            unsigned seed, int C) {
  __shared__ float acc[8 * 256];
  int b = blockIdx.x, w = threadIdx.x / 32, l = threadIdx.x % 32;
  int4 bi = bucket[b];
  float a[8] = {};
  for (int i = bi.x + w; i < bi.x + bi.y; i += 8) {
    x128 d = ldcs(dout + widx[i] * C + bi.w + l * 8);
    for (int k = 0; k < 8; k++) a[k] += (float)d[k];
  }
  if (w)
    for (int k = 0; k < 8; k++) acc[threadIdx.x + k * 256] = a[k];
  __syncthreads();
  if (!w) {
    for (int i = threadIdx.x + 32; i < min(256, bi.y * 32); i += 32)
      for (int k = 0; k < 8; k++) a[k] += acc[i + k * 256];
    x128 o;
    for (int k = 0; k < 8; k++) o[k] = (X)a[k];
    stcg(dw + bi.z * C + bi.w + l * 8, o);
  }
}
