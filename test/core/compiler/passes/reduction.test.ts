import { describe, expect, it } from "vitest";
import { arria10, emit, outputs, stratixV, translate } from "./harness.ts";

const ones = "num_gangs(1) num_workers(1) vector_length(1)";
const work = (type: string, op: string, body: string, unroll = "", clauses = ones) => `
void work(int n, const ${type} *restrict x, ${type} *restrict out) {
  ${type} acc = out[0];
#pragma acc parallel loop ${clauses} reduction(${op}:acc) copyin(x[0:n])
${unroll}
  for (int i = 0; i < n; i++) ${body}
  out[0] = acc;
}`;

/** The kernel takes `&acc`: a separate case, since the enclosing function has code of its own. */
const region = (type: string, op: string, body: string, unroll = "") => `
static ${type} acc;
void work(int n, const ${type} *restrict x) {
#pragma acc parallel loop ${ones} reduction(${op}:acc) copyin(x[0:n])
${unroll}
  for (int i = 0; i < n; i++) ${body}
}`;
const main = (
  type: string,
  fill: string,
  first: string,
  format: string,
  lengths = [0, 1, 3, 7, 8, 9, 100],
) => `
  static ${type} x[128];
  for (int k = 0; k < 128; k++) x[k] = ${fill};
  int lengths[] = {${lengths.join(", ")}};
  for (int l = 0; l < ${lengths.length}; l++) { acc = ${first}; WORK(lengths[l], x); printf("${format} ", acc); }
`;

function depths(text: string): number[] {
  return [...text.matchAll(/(?<!= )arc_\w+_register\[(\d+)\];/g)].map((m) => Number(m[1]) - 1);
}

describe("a reduction in a single work-item", () => {
  it("has as many partial results as the operator has stages, times the unroll factor", () => {
    expect(depths(emit(work("float", "+", "acc += x[i];")).text)).toEqual([8]);
    expect(depths(emit(work("float", "+", "acc += x[i];", "#pragma unroll 4")).text)).toEqual([32]);
    expect(depths(emit(work("double", "*", "acc *= x[i];", "#pragma unroll 2")).text)).toEqual([32]);
    expect(depths(emit(work("float", "+", "acc += x[i];", "#define N 4\n#pragma unroll N")).text)).toEqual([
      32,
    ]);
  });

  it("has half of them if the variant says so, or as many as it names", () => {
    const source = work("float", "+", "acc += x[i];", "#pragma unroll 4");
    expect(depths(emit(source, { "half-depth": true }).text)).toEqual([16]);
    expect(depths(emit(source, { "reduction-depth": 5 }).text)).toEqual([5]);
    expect(depths(emit(work("float", "+", "acc += x[i];"), { reduction: 2 }).text)).toEqual([16]);
    expect(depths(emit(source, { reduction: 0 }).text)).toEqual([]);
  });

  it.each([
    ["int", "+", "acc += x[i];", "k * 31 - 500", "17", "%d"],
    ["int", "*", "acc *= x[i];", "k % 9 == 3 ? -2 : 1", "-5", "%d"],
    ["int", "max", "if (x[i] > acc) acc = x[i];", "-1 - (k * 37) % 101", "-2000000000", "%d"],
    ["int", "min", "acc = x[i] < acc ? x[i] : acc;", "1 + (k * 37) % 101", "2000000000", "%d"],
    ["unsigned char", "max", "if (x[i] > acc) acc = x[i];", "(k * 37) % 101", "3", "%d"],
    ["float", "max", "if (x[i] > acc) acc = x[i];", "-1.5f - (k * 37) % 101", "-1e30f", "%g"],
    ["double", "min", "acc = fmin(acc, x[i]);", "1.5 + (k * 37) % 101", "1e300", "%g"],
    ["float", "+", "acc += x[i];", "k % 16", "0.5f", "%.9g"],
    ["double", "*", "acc *= x[i];", "(k % 4 == 3 ? 0.5 : 2)", "-3", "%.17g"],
    ["float", "+", "{ if (i % 3 == 1) continue; acc += x[i]; }", "k % 16", "0.5f", "%.9g"],
    ["float", "+", "{ if (i % 3 == 1) acc += x[i]; else acc = acc + 2; }", "k % 16", "0.5f", "%.9g"],
  ])("of %s over %s gives what the serial loop gives: %s", (type, op, body, fill, first, format) => {
    // Values are such that floating-point results are exact in any order.
    for (const unroll of ["", "#pragma unroll 3"]) {
      const source = `${type === "double" ? "double fmin(double, double);" : ""}${region(type, op, body, unroll)}`;
      const { serial, kernel, emitted } = outputs({
        source,
        choice: { reduction: unroll ? 3 : 1 },
        main: main(type, fill, first, format),
      });
      expect(depths(emitted.text)).toHaveLength(1);
      expect(kernel).toBe(serial);
    }
  });

  it("stays within rounding of the serial sum", () => {
    const { serial, kernel } = outputs({
      source: region("float", "+", "acc += x[i];"),
      main: main("float", "sinf(k) * 100", "0", "%.9g", [100]),
    });
    const bound = 100 * 2 ** -23 * 100 * 100;
    expect(Math.abs(Number(kernel) - Number(serial))).toBeLessThan(bound);
  });

  it("has a register for each variable", () => {
    const source = `
static float a, b;
void work(int n, const float *restrict x) {
#pragma acc parallel loop ${ones} reduction(+:a, b) copyin(x[0:n])
  for (int i = 0; i < n; i++) { a += x[i]; b += x[i] * x[i]; }
}`;
    const { serial, kernel, emitted } = outputs({
      source,
      main: 'static float x[50]; for (int k = 0; k < 50; k++) x[k] = k % 8; a = 1; b = 2; WORK(50, x); printf("%.9g %.9g", a, b);',
    });
    expect(depths(emitted.text)).toEqual([8, 8]);
    expect(kernel).toBe(serial);
  });

  it("works with a collapsed nest", () => {
    const source = `
static float acc;
void work(int n, const float *restrict x) {
#pragma acc parallel loop collapse(2) ${ones} reduction(+:acc) copyin(x[0:n*7])
  for (int i = 0; i < n; i++) for (int j = 0; j < 7; j++) acc += x[i * 7 + j] * (i - j);
}`;
    const { serial, kernel, emitted } = outputs({
      source,
      main: 'static float x[77]; for (int k = 0; k < 77; k++) x[k] = k % 8; acc = 0; WORK(11, x); printf("%.9g", acc);',
    });
    expect(depths(emitted.text)).toEqual([8]);
    expect(emitted.text).not.toMatch(/[/%]/);
    expect(kernel).toBe(serial);
  });

  it("reduces once where both loops of a nest name the variable", () => {
    const source = `
static float acc;
void work(int n, const float *restrict x) {
#pragma acc parallel loop gang ${ones} reduction(+:acc) copyin(x[0:n*7])
  for (int i = 0; i < n; i++) {
#pragma acc loop vector reduction(+:acc)
    for (int j = 0; j < 7; j++) acc += x[i * 7 + j];
  }
}`;
    const { serial, kernel, emitted } = outputs({
      source,
      main: 'static float x[77]; for (int k = 0; k < 77; k++) x[k] = k % 8; acc = 5; WORK(11, x); printf("%.9g", acc);',
    });
    expect(depths(emitted.text)).toEqual([8]);
    expect(kernel).toBe(serial);
  });

  it("keeps the variables of both loops of a nest apart where an accumulation takes one cycle", () => {
    const source = `
static long acc;
void work(int n, const int *restrict x) {
#pragma acc parallel loop gang ${ones} reduction(+:acc) copyin(x[0:n*7])
  for (int i = 0; i < n; i++) {
#pragma acc loop vector reduction(+:acc)
    for (int j = 0; j < 7; j++) acc += x[i * 7 + j];
  }
}`;
    const { serial, kernel, emitted } = outputs({
      source,
      main: 'static int x[77]; for (int k = 0; k < 77; k++) x[k] = k % 8; acc = 5; WORK(11, x); printf("%ld", acc);',
    });
    expect(depths(emitted.text)).toEqual([]);
    expect(kernel).toBe(serial);
  });

  it.each([
    ["&&", "acc = acc && x[i];", "1"],
    ["^", "acc ^= x[i];", "0"],
    ["|", "acc |= x[i];", "4"],
  ])("over %s runs in order and says so", (op, body, first) => {
    const { serial, kernel, emitted } = outputs({
      source: region("int", op, body),
      main: main("int", "k % 5 + 1", first, "%d"),
    });
    expect(depths(emitted.text)).toEqual([]);
    expect(kernel).toBe(serial);
    expect(emitted.remarks.find((r) => r.pass === "reduction")).toMatchObject({ applied: false });
  });

  it("unrolls the shift and the final combination fully", () => {
    const { text } = emit(work("float", "+", "acc += x[i];"));
    expect(text.match(/#pragma unroll\n/g)).toHaveLength(3);
  });

  it("is a plain accumulation where the device does it in one cycle, with the condition", () => {
    const { text, remarks } = emit(work("float", "+", "acc += x[i];"), {}, arria10);
    expect(depths(text)).toEqual([]);
    // Its condition: the sum starts at 0, and the previous value is added after the loop.
    expect(text).toMatch(/float arc_acc_partial = \(float\)0\.0;/);
    expect(remarks.find((r) => r.pass === "reduction")?.message).toContain("innermost loop");
    const source = region("float", "+", "acc += x[i];");
    const both = outputs({ source, device: arria10, main: main("float", "k % 7", "3", "%g") });
    expect(both.kernel).toBe(both.serial);
    expect(depths(emit(work("float", "+", "acc += x[i];"), { reduction: 1 }, arria10).text)).toEqual([5]);
  });

  it("says when the device's latency is assumed", () => {
    const unknown = { ...stratixV, operators: [] };
    const message = emit(work("float", "+", "acc += x[i];"), {}, unknown).remarks.find(
      (r) => r.pass === "reduction",
    )?.message;
    expect(message).toContain("no entry for float +; 8 cycles are assumed");
  });
});

describe("a reduction in an NDRange kernel", () => {
  it("goes over a tree, without a shift register", () => {
    const { regions } = translate(work("float", "+", "acc += x[i];", "", ""));
    expect(regions[0]?.text).not.toContain("_register");
    expect(regions[0]?.text).toContain("arc_half");
  });
});
