// targets: sm_75 sm_80 sm_90a sm_120a
// Textures and surfaces through handles.
__global__ void tex_read(float* out, cudaTextureObject_t t1, cudaTextureObject_t t2,
                         cudaTextureObject_t t3, cudaTextureObject_t tl, cudaTextureObject_t tc,
                         int w) {
  int x = threadIdx.x, y = blockIdx.x;
  float u = x / (float)w;
  float4 a = tex2D<float4>(t2, u, y);
  float b = tex1Dfetch<float>(t1, x);
  uchar4 c = tex3D<uchar4>(t3, u, u, 0.5f);
  float d = tex2DLayered<float>(tl, u, u, 2) + texCubemap<float>(tc, 1.f, u, 0.f)
    + tex2DLod<float>(t2, u, u, 1.f);
  float4 g = tex2Dgather<float4>(t2, u, u, 1);
  out[y * w + x] = a.x + b + c.w + d + g.y;
}

__global__ void surf_copy(cudaSurfaceObject_t s, cudaSurfaceObject_t d, cudaSurfaceObject_t v) {
  int x = threadIdx.x, y = blockIdx.x;
  uchar4 c;
  surf2Dread(&c, s, x * 4, y);
  c.x ^= 255;
  surf2Dwrite(c, d, x * 4, y, cudaBoundaryModeClamp);
  float2 f;
  surf3Dread(&f, v, x * 8, y, 0, cudaBoundaryModeZero);
  f.x += 1;
  surf3Dwrite(f, v, x * 8, y, 1);
  float h;
  surf1Dread(&h, s, x * 4);
  surf1Dwrite(h, d, x * 4);
}

__constant__ cudaTextureObject_t handles[4];
__global__ void tex_table(float* out, int k) {
  out[threadIdx.x] = tex2D<float>(handles[k & 3], threadIdx.x, 0.f);
}
