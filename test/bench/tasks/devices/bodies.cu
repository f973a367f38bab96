typedef struct {
  float x, y, z, mass;
} place;
typedef struct {
  float x, y, z;
} speed;

/* A step of `count` bodies from `first`: all others pull. */
__global__ void move(int bodies, int first, int count, const place *all, speed *v, place *moved) {
  __shared__ place near[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  place b = all[first + i];
  float ax = 0, ay = 0, az = 0;
  for (int k = 0; k < bodies; k += 256) {
    near[threadIdx.x] = all[k + threadIdx.x];
    __syncthreads();
#pragma unroll 16
    for (int j = 0; j < 256; j++) {
      float dx = near[j].x - b.x, dy = near[j].y - b.y, dz = near[j].z - b.z;
      float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), s = near[j].mass * r * r * r;
      ax += s * dx, ay += s * dy, az += s * dz;
    }
    __syncthreads();
  }
  v[i].x += ax * 1e-3f, v[i].y += ay * 1e-3f, v[i].z += az * 1e-3f;
  moved[i] = {b.x + v[i].x * 1e-3f, b.y + v[i].y * 1e-3f, b.z + v[i].z * 1e-3f, b.mass};
}
