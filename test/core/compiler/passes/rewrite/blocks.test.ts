import { describe, expect, it } from "vitest";
import { emit, outputs, type Ready, runAll } from "../harness.ts";

const ones = "num_gangs(1) num_workers(1) vector_length(1)";
const cube = (size: string, unroll = 1, bounds = ["NZ", "NY", "NX"], params = "") => `
#define R 2
#define NX ${size.split(",")[0]}
#define NY ${size.split(",")[1]}
#define NZ ${size.split(",")[2]}
void work(const float *restrict in, float *restrict out${params}) {
#pragma acc parallel loop collapse(3) ${ones} copyin(in[0:NX*NY*NZ]) copy(out[0:NX*NY*NZ])
#pragma openarc transform window(in, out)
#pragma unroll ${unroll}
  for (int k = R; k < ${bounds[0]} - R; k++)
    for (int j = R; j < ${bounds[1]} - R; j++)
      for (int i = R; i < ${bounds[2]} - R; i++) {
        int x = (k * NY + j) * NX + i;
        float s = in[x];
        for (int r = 1; r <= R; r++)
          s += in[x - r] + 2 * in[x + r] + 3 * in[x - r * NX] + 4 * in[x + r * NX] + 5 * in[x - r * NX * NY] + 6 * in[x + r * NX * NY];
        out[x] = s;
      }
}`;
const plane = (cols: number, unroll: number, clauses = "") => `
#define COLS ${cols}
#define ROWS 11
void work(const float *restrict in, float *restrict out) {
#pragma acc parallel loop collapse(2) ${ones} copyin(in[0:ROWS*COLS]) copy(out[0:ROWS*COLS]) ${clauses}
#pragma openarc transform window(in, out)
#pragma unroll ${unroll}
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++) {
      int x = i * COLS + j;
      float s = in[x];
      if (i > 0) s += 2 * in[x - COLS];
      if (i < ROWS - 1 && j > 1) s += 3 * in[x + COLS - 2];
      s += in[j < COLS - 1 ? x + 1 : x] * 4;
      out[x] = s;
    }
}`;
const main = (size: number, call = "WORK(in, out)") => `
  float *in = malloc(${size} * sizeof(float)), *out = malloc(${size} * sizeof(float));
  for (int k = 0; k < ${size}; k++) { in[k] = (k * 7919u) % 97; out[k] = -1; }
  ${call};
  for (int k = 0; k < ${size}; k++) printf("%g ", out[k]);
  free(in); free(out);
`;
const line = (text: string): number => Number(/arc_in_window\[(\d+)\];/.exec(text)?.[1]);

describe("blocks of a window", () => {
  it("give the serial result, whatever divides what", () => {
    const cases: { source: string; main: string; choice: { "block-size": number } }[] = [];
    for (const unroll of [1, 2, 3])
      for (const block of [1, 3, 4, 8, 40]) {
        cases.push({ source: plane(13, unroll), main: main(143), choice: { "block-size": block } });
        cases.push({ source: cube("9,8,7", unroll), main: main(504), choice: { "block-size": block } });
      }
    const ready = cases.map(({ source, main, choice }, k): Ready => {
      const named = source
        .replace("void work(", `void work${k}(`)
        .replace(/#define (\w+) (.*)/g, "#undef $1\n#define $1 $2");
      return { source: named, main, emitted: emit(named, choice) };
    });
    runAll(ready).forEach(({ serial, kernel }, k) => {
      expect(kernel, `${JSON.stringify(cases[k]?.choice)}\n${ready[k]?.emitted.text}`).toBe(serial);
    });
    expect(
      ready.every(({ emitted }) => emitted.remarks.some((r) => /blocks of/.test(r.message) && r.applied)),
    ).toBe(true);
  }, 120_000);

  it("bound the window of three dimensions by the block, not by the rows", () => {
    const long = cube("504,504,504");
    // Two planes on either side, in rows of 64 and a halo of 2 + 2.
    expect(line(emit(long, { "block-size": 64 }).text)).toBe(4 * 68 * 68 + 1);
    expect(line(emit(long).text)).toBe(4 * 504 * 504 + 1);
  });

  it("take inner trip counts that are known only at run time", () => {
    const source = cube("9,8,7", 2, ["NZ", "ny", "nx"], ", int nx, int ny");
    for (const [nx, ny] of [
      [9, 8],
      [7, 6],
      [4, 3],
    ]) {
      const { serial, kernel } = outputs({
        source,
        main: main(504, `WORK(in, out, ${nx}, ${ny})`),
        choice: { "block-size": 3 },
      });
      expect(kernel).toBe(serial);
    }
  });

  it.each([
    [
      "the order of iterations matters",
      plane(13, 1).replace("parallel loop", "serial loop").replace(ones, ""),
      "depend on each other",
    ],
    [
      "there is one loop",
      `
void work(const float *restrict in, float *restrict out) {
#pragma acc parallel loop ${ones} copyin(in[0:90]) copy(out[0:90])
#pragma openarc transform window(in, out)
  for (int i = 1; i < 89; i++) out[i] = in[i - 1] + in[i + 1];
}`,
      "there is one loop",
    ],
  ])("are not made where %s, and the remark says so", (_name, source, why) => {
    const { remarks } = emit(source, { "block-size": 4 });
    const remark = remarks.find((r) => r.message.startsWith("no blocks of 4"));
    expect(remark?.message).toContain(why);
  });
});
