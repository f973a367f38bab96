/* Frames of a Julia set in slices of lines; one frame is shown while the next one is made. */
#include <stdio.h>

enum { W = 64, H = 48, BS = 12, FRAMES = 4 };

struct context {
  int window_size[2];
  float re, im;
};

#pragma omp target device(opencl) ndrange(2, jc.window_size[0] / 4, lines, 16, 1) copy_deps file(programs.cl)
#pragma omp task out(slice[0; jc.window_size[0] * lines])
void julia(struct context jc, int first, int lines, unsigned *slice);

#ifdef SERIAL
void julia(struct context jc, int first, int lines, unsigned *slice) {
  int w = jc.window_size[0];
  for (int i = 0; i < lines * w; i++) {
    float x = (i % w - w / 2) / 16.0f, y = (first + i / w - jc.window_size[1] / 2) / 16.0f;
    unsigned n = 0;
    for (; n < 30 && x * x + y * y < 4; n++) {
      float next = x * x - y * y + jc.re;
      y = 2 * x * y + jc.im;
      x = next;
    }
    slice[i] = n;
  }
}
#endif

int main(void) {
  static unsigned frames[2][H * W];
  unsigned long total = 0;
  for (int f = 0; f < FRAMES; f++) {
    struct context jc = {{W, H}, -0.5f + f / 8.0f, 0.25f};
    unsigned *frame = frames[f % 2];
    for (int i = 0; i < H; i += BS) julia(jc, i, BS, frame + i * W);
    const unsigned *shown = frames[(f + 1) % 2];
#pragma omp task in(shown[0; H * W]) inout(total)
    for (int i = 0; i < H * W; i++) total = total * 31 % 1000003 + shown[i];
  }
#pragma omp taskwait
  printf("%lu %u\n", total, frames[(FRAMES - 1) % 2][H / 2 * W + W / 2]);
  return 0;
}
