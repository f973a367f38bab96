/* Goertzel's power of some tones in float. */
void work(const float *x, float *power) {
#pragma acc serial copyin(x[0:40]) copyout(power[0:4])
  for (int t = 0; t < 4; t++) {
    static const float c[4] = {1.75f, 1.25f, 0.5f, -0.375f};
    float s1 = 0, s2 = 0;
    for (int n = 0; n < 40; n++) {
      float s = x[n] + c[t] * s1 - s2;
      s2 = s1;
      s1 = s;
    }
    power[t] = s1 * s1 + s2 * s2 - c[t] * s1 * s2;
  }
}
