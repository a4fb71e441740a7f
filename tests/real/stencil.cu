// FDTD-like 3D stencil, bitonic sort, nbody, a cosine transform: more of the samples' shapes.
#define R 4
__constant__ float stencil[R + 1];
__global__ void fdtd3d(float* out, const float* in, int dx, int dy, int dz) {
  __shared__ float tile[16 + 2 * R][32 + 2 * R];
  int gx = blockIdx.x * 32 + threadIdx.x, gy = blockIdx.y * 16 + threadIdx.y,
      sx = dx + 2 * R, ss = sx * (dy + 2 * R), idx = (gy + R) * sx + gx + R,
      tx = threadIdx.x + R, ty = threadIdx.y + R;
  float inf[R], beh[R], cur;
  for (int i = R - 2; i >= 0; i--) { beh[i] = in[idx]; idx += ss; }
  cur = in[idx];
  int o = idx;
  idx += ss;
  for (int i = 0; i < R; i++) { inf[i] = in[idx]; idx += ss; }
#pragma unroll 9
  for (int iz = 0; iz < dz; iz++) {
    for (int i = R - 1; i > 0; i--) beh[i] = beh[i - 1];
    beh[0] = cur;
    cur = inf[0];
    for (int i = 0; i < R - 1; i++) inf[i] = inf[i + 1];
    inf[R - 1] = in[idx];
    idx += ss;
    o += ss;
    __syncthreads();
    if (threadIdx.y < R) {
      tile[threadIdx.y][tx] = in[o - R * sx];
      tile[threadIdx.y + 16 + R][tx] = in[o + 16 * sx];
    }
    if (threadIdx.x < R) {
      tile[ty][threadIdx.x] = in[o - R];
      tile[ty][threadIdx.x + 32 + R] = in[o + 32];
    }
    tile[ty][tx] = cur;
    __syncthreads();
    float v = stencil[0] * cur;
    for (int i = 1; i <= R; i++)
      v += stencil[i] * (inf[i - 1] + beh[i - 1] + tile[ty - i][tx] + tile[ty + i][tx]
        + tile[ty][tx - i] + tile[ty][tx + i]);
    out[o] = v;
  }
}

__device__ inline void cmp(unsigned& a, unsigned& x, unsigned& b, unsigned& y, unsigned d) {
  if ((a > b) == d) {
    unsigned t = a;
    a = b;
    b = t;
    t = x;
    x = y;
    y = t;
  }
}
__global__ void bitonic(unsigned* k, unsigned* v, unsigned n, unsigned dir) {
  __shared__ unsigned sk[1024], sv[1024];
  k += blockIdx.x * 1024 + threadIdx.x;
  v += blockIdx.x * 1024 + threadIdx.x;
  sk[threadIdx.x] = k[0];
  sv[threadIdx.x] = v[0];
  sk[threadIdx.x + 512] = k[512];
  sv[threadIdx.x + 512] = v[512];
  for (unsigned s = 2; s < n; s <<= 1) {
    unsigned d = dir ^ ((threadIdx.x & (s / 2)) != 0);
    for (unsigned t = s / 2; t > 0; t >>= 1) {
      __syncthreads();
      unsigned p = 2 * threadIdx.x - (threadIdx.x & (t - 1));
      cmp(sk[p], sv[p], sk[p + t], sv[p + t], d);
    }
  }
  __syncthreads();
  k[0] = sk[threadIdx.x];
  v[0] = sv[threadIdx.x];
  k[512] = sk[threadIdx.x + 512];
  v[512] = sv[threadIdx.x + 512];
}

__global__ void nbody(float4* np, const float4* op, float4* vel, float dt, int tiles) {
  extern __shared__ float4 sp[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = op[i];
  float3 a = {0, 0, 0};
  for (int t = 0; t < tiles; t++) {
    sp[threadIdx.x] = op[t * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int c = 0; c < blockDim.x; c++) {
      float4 q = sp[c];
      float x = q.x - p.x, y = q.y - p.y, z = q.z - p.z, d = x * x + y * y + z * z + 1e-3f,
            s = q.w * rsqrtf(d * d * d);
      a.x += x * s;
      a.y += y * s;
      a.z += z * s;
    }
    __syncthreads();
  }
  float4 v = vel[i];
  v.x += a.x * dt;
  v.y += a.y * dt;
  v.z += a.z * dt;
  p.x += v.x * dt;
  p.y += v.y * dt;
  p.z += v.z * dt;
  np[i] = p;
  vel[i] = v;
}

__global__ void dct8x8(float* d, const float* s, int stride) {
  __shared__ float b[8][8 * 9 + 1];
  const float C[4] = {1.387f, 1.306f, 1.175f, 0.785f};
  for (int i = 0; i < 8; i++) b[i][threadIdx.x] = s[i * stride + threadIdx.x];
  __syncthreads();
  float v[8];
  for (int i = 0; i < 8; i++) v[i] = b[(threadIdx.x >> 3) & 7][(threadIdx.x & 7) * 9 + i];
  for (int i = 0; i < 8; i++) v[i] = v[i] * C[i & 3] + v[7 - i];
  for (int i = 0; i < 8; i++) d[i * stride + threadIdx.x] = v[i];
}
