/* A PID controller in fixed point, with saturation and a simulated plant. */
typedef struct { int kp, ki, kd, sum, last; } pid;
static int limited(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
static int control(pid *p, int error) {
  p->sum = limited(p->sum + error, -100000, 100000);
  int d = error - p->last;
  p->last = error;
  return limited((p->kp * error + p->ki * p->sum + p->kd * d) >> 8, -4096, 4095);
}
void work(const short *want, int *reached) {
#pragma acc serial copyin(want[0:64]) copyout(reached[0:64])
  {
    pid p = {.kp = 300, .ki = 20, .kd = 40};
    int now = 0;
    for (int t = 0; t < 64; t++) {
      now += control(&p, want[t] - now) - (now >> 5);
      reached[t] = now;
    }
  }
}
