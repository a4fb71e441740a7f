// Jump tables, a stack machine, and functions of the mathematical library.
__global__ void sw(int* out, int op) {
  int a = out[threadIdx.x], b = threadIdx.x;
  switch (op) {
    case 0: a += b; break;
    case 1: a = a * b ^ 3; break;
    case 2: a = __brev(a); break;
    case 3: a = __clz(a) + out[7]; break;
    case 4: a = __popc(a) * out[2]; break;
    case 5: for (int i = 0; i < b; i++) a = a * 3 + 1; break;
    case 6: a = min(a, b) - out[3]; break;
    case 7: __nanosleep(100); a ^= b; break;
    case 8: a = __funnelshift_l(a, b, 5); break;
    case 9: a = sqrtf(a); break;
    case 10: a = sinf(a) * 100; break;
    case 11: a = a / (b + 1); break;
    case 12: a = a % (b + 3); break;
    default: a = -1;
  }
  out[threadIdx.x] = a;
}

__global__ void interp(const unsigned char* code, float* stack, int n) {
  float s[16];
  int sp = 0;
  for (int pc = 0; pc < n; pc++) switch (code[pc]) {
    case 0: s[sp++ & 15] = stack[pc]; break;
    case 1: sp--; s[(sp - 1) & 15] += s[sp & 15]; break;
    case 2: sp--; s[(sp - 1) & 15] *= s[sp & 15]; break;
    case 3: s[(sp - 1) & 15] = -s[(sp - 1) & 15]; break;
    case 4: pc += code[pc + 1]; break;
    case 5: s[(sp - 1) & 15] = expf(s[(sp - 1) & 15]); break;
    case 6: sp++; break;
    case 7: s[sp & 15] = pow(s[(sp - 1) & 15], 2.5); break;
    default: return;
  }
  stack[0] = s[(sp - 1) & 15];
}

__global__ void maths(double* d, float* f) {
  int i = threadIdx.x;
  d[i] = sin(d[i]) + log(d[i + 1]) / cbrt(d[i + 2]) + fmod(d[i], 3.0);
  f[i] = sinf(f[i] * 1e6f) + erff(f[i]) + powf(f[i], 1.7f) + tgammaf(f[i]);
}
