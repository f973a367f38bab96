typedef struct {
  float x, y, vx, vy, mass;
} body;

__kernel void move(int first, int count, int device, __global const body *all, __global body *moved) {
  int i = get_global_id(0);
  if (i >= count) return;
  body b = all[first + i];
  float ax = 0, ay = 0;
  for (int k = 0; k < 128; k++) {
    float dx = all[k].x - b.x, dy = all[k].y - b.y;
    float d = dx * dx + dy * dy + 1;
    ax += all[k].mass * dx / d;
    ay += all[k].mass * dy / d;
  }
  b.vx += ax / 64, b.vy += ay / 64;
  b.x += b.vx / 64, b.y += b.vy / 64;
  moved[i] = b;
}
