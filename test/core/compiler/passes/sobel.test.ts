import { describe, expect, it } from "vitest";
import { outputs } from "./harness.ts";

const sobel = (model: string, unroll = "") => `
#define ROWS 13
#define COLS 11
void work(unsigned char *restrict in, unsigned char *restrict out) {
#pragma acc parallel loop collapse(2) ${model} copyin(in[0:ROWS*COLS]) copyout(out[0:ROWS*COLS])
#pragma openarc transform window(in, out)
${unroll}
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++) {
      int x = i * COLS + j;
      int g = 0;
      if (i > 0 && i < ROWS - 1 && j > 0 && j < COLS - 1) {
        int gx = -in[x - COLS - 1] + in[x - COLS + 1] - 2 * in[x - 1] + 2 * in[x + 1] - in[x + COLS - 1] + in[x + COLS + 1];
        int gy = -in[x - COLS - 1] - 2 * in[x - COLS] - in[x - COLS + 1] + in[x + COLS - 1] + 2 * in[x + COLS] + in[x + COLS + 1];
        g = abs(gx) + abs(gy);
        if (g > 255) g = 255;
      }
      out[x] = g;
    }
}`;
const main = `
  unsigned char in[13 * 11], out[13 * 11];
  for (int k = 0; k < 13 * 11; k++) { in[k] = (k * 7919u + 13) % 251; out[k] = 99; }
  WORK(in, out);
  for (int k = 0; k < 13 * 11; k++) printf("%d ", out[k]);
`;
const single = "num_gangs(1) num_workers(1) vector_length(1)";

describe("Sobel", () => {
  it.each(["", "#pragma unroll 2", "#pragma unroll 3", "#pragma unroll 16"])(
    "gives the serial result with a window, %s",
    (unroll) => {
      const { serial, kernel } = outputs({
        source: `extern int abs(int);${sobel(single, unroll)}`,
        main,
      });
      expect(kernel).toBe(serial);
    },
  );
});
