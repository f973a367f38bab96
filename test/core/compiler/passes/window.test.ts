import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../../core/lang/tree/ast.ts";
import { intelFpgaEmitter } from "../../../../targets/intel-fpga/emit.ts";
import { emulatedEmitter as emulatedHls } from "../../../../targets/vitis/emulate.ts";
import { emit, outputs, type Ready, runAll, runAllHls, stratixV, translate } from "./harness.ts";
import { fivePoint, inner, main, ones, type Stencil, stencil, stencils } from "./stencils.ts";

const inPlaceMain = (size = 90) => `
  float *a = malloc(${size} * sizeof(float));
  for (int k = 0; k < ${size}; k++) a[k] = (k * 7919u) % 97;
  WORK(a);
  for (int k = 0; k < ${size}; k++) printf("%g ", a[k]);
  free(a);
`;

function sizes(text: string): { line: number; warm: number } {
  const line = Number(/arc_\w+_window\[(\d+)\];/.exec(text)?.[1]);
  return { line, warm: Number(/long arc_p = -?(\d+)/.exec(text)?.[1]) };
}

/** As one of several cases of a program. */
const numbered = (source: string, k: number): string =>
  source.replace("void work(", `void work${k}(`).replace(/#define (\w+) (.*)/g, "#undef $1\n#define $1 $2");

describe("a window", () => {
  it("spans the five-point stencil's neighbourhood: two rows and one element", () => {
    const { text } = emit(stencil({ loops: "for (int x = COLS; x < SIZE - COLS; x++)", body: fivePoint }));
    expect(sizes(text)).toEqual({ line: 19, warm: 18 });
    expect(text).toContain("arc_in_window[18] = in[");
  });

  it.each([1, 2, 4])("loads %i elements per step and reads the input nowhere else", (unroll) => {
    const { text } = emit(
      stencil({ loops: "for (int x = COLS; x < SIZE - COLS; x++)", body: fivePoint, unroll }),
    );
    expect(text.match(/\bin\[/g)).toHaveLength(1);
    expect(sizes(text).line).toBe(19 + unroll - 1);
    if (unroll > 1) expect(text).toContain(`arc_in_window[arc_k + ${unroll}]`);
  });

  it("unrolls every loop of the delay line and of the lanes", () => {
    const { text } = emit(
      stencil({ loops: "for (int x = COLS; x < SIZE - COLS; x++)", body: fivePoint, unroll: 4 }),
    );
    expect(text.match(/#pragma unroll\n/g)).toHaveLength(4);
    expect(text.match(/for \(/g)).toHaveLength(5);
  });

  it.each(stencils.flatMap(([name, s]) => [1, 2, 3, 8].map((unroll) => [name, unroll, s] as const)))(
    "gives the serial result for %s, unrolled by %i",
    (_name, unroll, s) => {
      const { serial, kernel } = outputs({ source: stencil({ ...s, unroll }), main: main() });
      expect(kernel).toBe(serial);
    },
  );

  it.each([2, 4, 8])(
    "stores nothing behind the last element where the factor %i divides the count but not the warm-up",
    (unroll) => {
      // 8 x 5 elements on the heap: the address sanitizer sees a store or load outside.
      const source = stencil({
        size: 40,
        unroll,
        loops: "for (int x = 0; x < SIZE; x++)",
        body: "float s = in[x]; if (x >= 5) s += in[x - 5]; if (x < SIZE - 5) s += in[x + 5]; out[x] = s;",
      });
      const { serial, kernel } = outputs({ source, main: main(40) });
      expect(kernel).toBe(serial);
    },
  );

  it("stores several arrays side by side, each after the computation", () => {
    const source = `
#define R 11
#define C 13
void work(const float *restrict J, float *restrict dN, float *restrict dS, float *restrict c) {
#pragma acc parallel loop collapse(2) ${ones} copyin(J[0:R*C]) copyout(dN[0:R*C], dS[0:R*C], c[0:R*C])
#pragma openarc transform window(J[0:R*C], c[0:R*C])
#pragma unroll 4
  for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) {
    int k = i * C + j;
    float jc = J[k];
    float n = J[i > 0 ? k - C : k] - jc, s = J[i < R - 1 ? k + C : k] - jc;
    float q;
    q = (n * n + s * s) / (jc * jc + 1);
    dN[k] = n; dS[k] = s;
    c[k] = 1 / (1 + q);
    if (c[k] < 0) c[k] = 0;
  }
}`;
    const run = `
  float a[4][143]; for (int k = 0; k < 143; k++) a[0][k] = (k * 7919u) % 97;
  WORK(a[0], a[1], a[2], a[3]);
  for (int k = 0; k < 572; k++) printf("%g ", a[k / 143][k % 143]);`;
    const { serial, kernel, emitted } = outputs({ source, main: run });
    expect(kernel).toBe(serial);
    const compute = emitted.text.slice(
      emitted.text.indexOf("float jc"),
      emitted.text.lastIndexOf("#pragma unroll"),
    );
    expect(compute).not.toMatch(/\bd[NS]\[/);
    // c is read again after it was stored, so its stores stay in place, and the remark says so.
    expect(emitted.remarks.filter((r) => !r.applied && r.message.includes("'c'"))).toHaveLength(1);
  });

  it("flattens arrays of several dimensions by itself", () => {
    const source = `
#define R 7
#define C 9
static float in[R][C], out[R][C];
void work(void) {
#pragma acc parallel loop collapse(2) ${ones} copyin(in) copy(out)
#pragma openarc transform window(in, out)
#pragma unroll 2
  for (int i = 1; i < R - 1; i++) for (int j = 1; j < C - 1; j++)
    out[i][j] = in[i - 1][j] + 2 * in[i + 1][j] + 3 * in[i][j - 1] + 4 * in[i][j + 1];
}`;
    const run =
      'for (int k = 0; k < 63; k++) { in[k / 9][k % 9] = k * k % 31; out[k / 9][k % 9] = 0; } WORK(); for (int k = 0; k < 63; k++) printf("%g ", out[k / 9][k % 9]);';
    const { serial, kernel } = outputs({ source, main: run });
    expect(kernel).toBe(serial);
  });

  it("includes the neighbouring loop in the nest if the directive does not exclude it", () => {
    const s = stencil({
      loops: "for (int i = 1; i < 9; i++) for (int j = 1; j < COLS - 1; j++)",
      body: inner,
    });
    const { serial, kernel, emitted } = outputs({ source: s, main: main() });
    expect(kernel).toBe(serial);
    expect(emitted.text.match(/for \(long/g)).toHaveLength(1);
  });

  it("works inside a sequential loop", () => {
    const source = `
void work(float *restrict in, float *restrict out) {
#pragma acc serial copy(in[0:60], out[0:60])
  for (int t = 0; t < 3; t++) {
#pragma openarc transform window(in, out)
    for (int x = 1; x < 19; x++) out[20 * t + x] = in[20 * t + x - 1] + in[20 * t + x + 1];
  }
}`;
    const { serial, kernel } = outputs({ source, main: main(60) });
    expect(kernel).toBe(serial);
  });

  it("combines with a reduction", () => {
    const source = `
static float acc;
void work(const float *restrict in, float *restrict out) {
#pragma acc parallel loop ${ones} reduction(+:acc) copyin(in[0:60]) copyout(out[0:60])
#pragma openarc transform window(in, out)
#pragma unroll 4
  for (int x = 1; x < 59; x++) { float d = in[x - 1] - in[x + 1]; out[x] = d; acc += d * d; }
}`;
    const run = `float in[60], out[60]; for (int k = 0; k < 60; k++) { in[k] = k * k % 17; out[k] = 0; } acc = 1; WORK(in, out);
      for (int k = 0; k < 60; k++) printf("%g ", out[k]); printf("%.9g", acc);`;
    const { serial, kernel, emitted } = outputs({ source, main: run });
    expect(kernel).toBe(serial);
    expect(emitted.text).toContain("arc_acc_register[33]");
  });

  it("windows the named array only", () => {
    const { text } = emit(
      stencil({
        params: "const float *restrict in, const float *restrict p, float *restrict out",
        clauses: "copyin(in[0:SIZE], p[0:SIZE]) copyout(out[0:SIZE])",
        loops: "for (int x = 1; x < SIZE - 1; x++)",
        body: "out[x] = in[x - 1] + in[x + 1] * p[x];",
      }),
    );
    expect(text).toContain("* p[x]");
  });

  it("does not depend on the order of the pragmas", () => {
    const lines = [
      `#pragma acc parallel loop ${ones} copyin(in[0:50])`,
      "#pragma openarc transform window(in, out)",
      "#pragma unroll 2",
    ];
    const texts = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ].map(
      (order) =>
        emit(`
void work(const float *restrict in, float *restrict out) {
${order.map((k) => lines[k]).join("\n")}
  for (int x = 1; x < 49; x++) out[x] = in[x - 1] + in[x + 1];
}`).text,
    );
    expect(new Set(texts).size).toBe(1);
  });

  it("is omitted if the variant says so, and unrolled as it says", () => {
    const source = stencil({ loops: "for (int x = COLS; x < SIZE - COLS; x++)", body: fivePoint });
    expect(emit(source, { window: 0 }).text).not.toContain("_window");
    expect(sizes(emit(source, { window: 16 }).text).line).toBe(34);
  });
});

describe("a window's warm-up", () => {
  const first = (loops: string, body: string): number => {
    const { text } = emit(stencil({ loops, body }));
    return Number(/for \(long arc_p\w* = (-?\d+)/.exec(text)?.[1]);
  };
  it("begins where the array does", () => {
    const guarded = "out[x] = (x >= COLS ? in[x - COLS] : 0) + (x < SIZE - COLS ? in[x + COLS] : 0);";
    expect(first("for (int x = COLS; x < SIZE - COLS; x++)", fivePoint)).toBe(-18);
    expect(first("for (int x = 0; x < SIZE; x++)", guarded)).toBe(-9);
    expect(first("for (int x = SIZE - 1; x >= 0; x--)", guarded)).toBe(-9);
    expect(first("for (int x = 4; x < SIZE; x++)", guarded)).toBe(-13);
    expect(first("for (int x = 9; x < SIZE; x++)", "out[x] = in[x - 9] + in[x - 1];")).toBe(-8);
  });
});

describe("windows over several arrays of one loop", () => {
  /** Two inputs and an output of SIZE elements in rows of COLS. */
  const both = (loops: string, body: string, { depth = 1, unroll = 1, windows = ["in", "p"] } = {}) => `
#define SIZE 90
#define COLS 9
void work(const float *restrict in, float *restrict p, float *restrict out) {
#pragma acc parallel loop ${ones} ${depth > 1 ? `collapse(${depth})` : ""} copyin(in[0:SIZE]) copy(p[0:SIZE], out[0:SIZE])
${windows.map((w) => `#pragma openarc transform window(${w}, out)`).join("\n")}
#pragma unroll ${unroll}
  ${loops} { ${body} }
}`;
  const run = `
  float *a[3]; for (int k = 0; k < 3; k++) { a[k] = malloc(90 * sizeof(float)); for (int x = 0; x < 90; x++) a[k][x] = (x * 7919u + k * 31) % 97; }
  WORK(a[0], a[1], a[2]);
  for (int k = 0; k < 3; k++) { for (int x = 0; x < 90; x++) printf("%g ", a[k][x]); free(a[k]); }`;
  const line = "for (int x = COLS; x < SIZE - COLS; x++)";
  const nest = "for (int i = 1; i < 9; i++) for (int j = 1; j < COLS - 1; j++)";
  const cases: readonly (readonly [string, string, number, string])[] = [
    ["one longer than the other", line, 1, "out[x] = in[x - COLS] + in[x + COLS] + p[x - 1] * p[x + 2];"],
    ["one only behind, one only ahead", line, 1, "out[x] = in[x - 9] + in[x - 4] + p[x + 9] + p[x + 3];"],
    ["one walked the other way", line, 1, "out[x] = in[x - 1] + in[x + 1] + p[SIZE - 1 - x] - p[SIZE - x];"],
    ["one updated in place", line, 1, "p[x] = p[x - 1] + in[x - 2] * in[x + 1]; out[x] = p[x - 2];"],
    [
      "one read in a branch",
      line,
      1,
      "out[x] = in[x - 1]; if (in[x + 1] > 40) out[x] += p[x + 4] - p[x - 4];",
    ],
    [
      "rows of a nest",
      nest,
      2,
      "int x = i * COLS + j; out[x] = in[x - COLS] + in[x + 1] + p[x + COLS] - p[x - 1];",
    ],
  ];
  it.each([
    ["as OpenCL", runAll, intelFpgaEmitter],
    ["as HLS C++", runAllHls, emulatedHls],
  ] as const)("give the serial result, %s", (_name, runs, emitter) => {
    const ready = cases.flatMap(([, loops, depth, body], k) =>
      [1, 3, 8].map((unroll): Ready => {
        const source = numbered(both(loops, body, { depth, unroll }), 10 * k + unroll);
        return { source, main: run, emitted: emit(source, {}, stratixV, emitter) };
      }),
    );
    runs(ready).forEach(({ serial, kernel }, k) => {
      const { emitted } = ready[k] as Ready;
      expect(emitted.text).toContain("arc_in_window");
      expect(emitted.text).toContain("arc_p_window");
      expect(kernel, `${cases[Math.floor(k / 3)]?.[0]}\n${emitted.text}`).toBe(serial);
    });
  });

  it("load each element of each array once per step", () => {
    const { text } = emit(both(line, "out[x] = in[x - 2] + in[x + 2] + p[x - 1] * p[x + 1];"));
    expect(text.match(/\bin\[/g)).toHaveLength(1);
    expect(text.match(/\bp\[/g)).toHaveLength(1);
    expect(text.match(/for \(long/g)).toHaveLength(1);
  });

  const uneven = nest.replace("COLS - 1", "7");
  const rows =
    "out[i * COLS + j] = in[i * COLS + j - 1] + in[i * COLS + j + 1] + p[i * 8 + j - 1] - p[i * 8 + j];";

  it("need rows of one length, and the refusal names the rows", () => {
    const { diagnostics } = translate(both(uneven, rows, { depth: 2 }));
    expect(diagnostics[0]).toMatchObject({ code: "window" });
    expect(diagnostics[0]?.message).toBe(
      "no window over 'p': rows of 'p' lie 8 elements apart and those of 'in' 9",
    );
    // Without the pragma the single window stays, and the story mentions the other.
    const { text, remarks } = emit(both(uneven, rows, { depth: 2, windows: ["in"] }), { stencil: true });
    expect(text).not.toContain("arc_p_window");
    expect(remarks.find((r) => r.pass === "stencil")?.message).toMatch(
      /'p'.* gets no window: .*8 elements apart/,
    );
  });

  it("serve rows of different length in blocks", () => {
    const ready = [1, 2, 3].flatMap((unroll) =>
      [1, 4].map((block): Ready => {
        const source = numbered(both(uneven, rows, { depth: 2, unroll }), unroll * 10 + block);
        return { source, main: run, emitted: emit(source, { "block-size": block }) };
      }),
    );
    for (const { serial, kernel } of runAll(ready)) expect(kernel).toBe(serial);
    expect(ready[0]?.emitted.text).toContain("arc_p_window");
  });

  it("are found without a directive if the variant requests stencils", () => {
    const body = "out[x] = in[x - COLS] + in[x + COLS] + p[x - 1] * p[x + 2];";
    const { remarks } = emit(both(line, body, { windows: [] }), { stencil: true, window: 2 });
    expect(remarks.filter((r) => r.pass === "window" && r.applied).map((r) => r.message)).toEqual([
      "'in' is read through a window of 20 elements (9 behind, 9 ahead, 2 iterations per step)",
      "'p' is read through a window of 5 elements (1 behind, 2 ahead, 2 iterations per step)",
    ]);
  });
});

describe("a window in place", () => {
  const inPlace = (loops: string, body: string, depth = 1, unroll = 1): Stencil => ({
    params: "float *restrict a",
    clauses: "copy(a[0:SIZE])",
    window: "a, a",
    loops,
    body,
    depth,
    unroll,
    directive: depth > 1 ? "parallel loop" : "serial loop",
  });
  it.each([
    ["reading what it has just written", "for (int x = 1; x < SIZE; x++)", "a[x] = a[x - 1] * 0.5f + a[x];"],
    [
      "reading ahead and behind",
      "for (int x = 3; x < SIZE - 3; x++)",
      "a[x] = a[x - 3] + a[x + 3] - a[x - 1];",
    ],
    ["only behind", "for (int x = 9; x < SIZE; x++)", "a[x] = a[x - 9] + a[x - 1];"],
    ["writing ahead", "for (int x = 0; x < SIZE - 4; x++)", "a[x + 4] = a[x] + a[x + 1];"],
    ["updating by +=", "for (int x = 2; x < SIZE; x++)", "if (x % 3) a[x] += a[x - 2];"],
    ["downwards", "for (int x = SIZE - 2; x >= 0; x--)", "a[x] = a[x + 1] * 0.5f + a[x];"],
  ])("sees its own values: %s", (_name, loops, body) => {
    for (const unroll of [1, 2, 5]) {
      const { serial, kernel, emitted } = outputs({
        source: stencil(inPlace(loops, body, 1, unroll)),
        main: inPlaceMain(),
      });
      expect(kernel).toBe(serial);
      if (unroll > 1) expect(emitted.remarks.map((r) => r.message).join()).toContain("wait for each other");
    }
  });

  it("handles the recurrence of sequence alignment", () => {
    const s = inPlace(
      "for (int i = 1; i < 10; i++) for (int j = 1; j < COLS; j++)",
      "int x = i * COLS + j; float d = a[x - COLS - 1] + (x % 5), u = a[x - COLS] - 2, l = a[x - 1] - 2; float m = d > u ? d : u; a[x] = m > l ? m : l;",
      2,
    );
    const { serial, kernel } = outputs({ source: stencil(s), main: inPlaceMain() });
    expect(kernel).toBe(serial);
  });
});

describe("a window is refused", () => {
  const refused = (s: Partial<Stencil>): Diagnostic | undefined =>
    translate(stencil({ loops: "for (int x = 4; x < 40; x++)", body: "", ...s })).diagnostics[0];
  it.each([
    ["an offset that is not constant", { body: "out[x] = in[x - 1] + in[x + x % 3];" }, "not a sum"],
    ["coefficient 2", { body: "out[x] = in[2 * x] + in[2 * x + 1];" }, "moves by 2 elements"],
    [
      "step 2",
      { loops: "for (int x = 4; x < 40; x += 2)", body: "out[x] = in[x - 1] + in[x + 1];" },
      "moves by 2 elements",
    ],
    ["mixed coefficients", { body: "out[x] = in[x - 1] + in[40 - x];" }, "constant distance"],
    [
      "an indirect index",
      {
        params: "const float *restrict in, float *restrict out, const int *restrict p",
        body: "out[x] = in[p[x]];",
      },
      "not a sum",
    ],
    [
      "a stride known only at run time",
      {
        params: "const float *restrict in, float *restrict out, int cols",
        body: "out[x] = in[x * cols] + in[x * cols + 1];",
      },
      "not a sum",
    ],
    ["an index that does not move with the loop", { body: "out[x] = in[3] + in[4];" }, "does not move"],
    [
      "rows that overlap",
      {
        depth: 2,
        loops: "for (int i = 0; i < 8; i++) for (int j = 0; j < 12; j++)",
        body: "out[i * COLS + j] = in[i * COLS + j] + in[i * COLS + j + 1];",
      },
      "rows overlap",
    ],
    ["an address that is passed on", { body: "const float *p = &in[x]; out[x] = *p;" }, "address"],
    [
      "an output that may be the input",
      {
        params: "const float *in, float *out",
        directive: "serial loop",
        body: "out[x] = in[x - 1] + in[x + 1];",
      },
      "same memory",
    ],
    [
      "a variable that changes in another way",
      {
        params: "const float *restrict in, float *restrict out, int k",
        body: "k += x; out[x] = in[k] + in[k + 1];",
      },
      "changes",
    ],
    [
      "an early exit",
      { directive: "serial loop seq", body: "if (in[x] > 3) break; out[x] = in[x - 1] + in[x + 1];" },
      "break",
    ],
  ] as const)("for %s", (_name, s, message) => {
    const diagnostic = refused(s);
    expect(diagnostic?.message).toContain(message);
    expect(diagnostic?.remedy).toBeTruthy();
    expect(diagnostic?.loc.line).toBeGreaterThan(1);
  });
});

describe("windows in C of an older style", () => {
  it("work with loop variables that are declared outside and used again", () => {
    const source = `
void work(const float *restrict in, float *restrict out) {
  int i, j, x;
#pragma acc parallel ${ones} copyin(in[0:SIZE]) copy(out[0:SIZE])
  {
#pragma acc loop collapse(2) private(x)
#pragma openarc transform window(in, out)
    for (i = 1; i < 9; i++)
      for (j = 1; j < 8; j++) {
        x = i * 9 + j;
        out[x] = in[x - 9] + in[x + 9] + in[x - 1];
      }
#pragma acc loop
#pragma openarc transform window(in, out)
#pragma unroll 3
    for (i = 2; i < 9; i++) out[i * 1] = in[i - 2] + in[i + 1];
  }
}`;
    const { serial, kernel, emitted } = outputs({ source: `#define SIZE 90\n${source}`, main: main() });
    expect(kernel).toBe(serial);
    expect(emitted.text.match(/float arc_in_window\[/g)).toHaveLength(2);
  });

  it("are refused twice over one array, not dropped", () => {
    const { diagnostics } = translate(`
void work(const float *restrict a, const float *restrict b, float *restrict c) {
#pragma acc parallel loop ${ones} copyin(a[0:9], b[0:9])
#pragma openarc transform window(a, c)
#pragma openarc transform window(a, b)
  for (int i = 1; i < 8; i++) c[i] = a[i - 1] + a[i + 1];
}`);
    expect(diagnostics[0]).toMatchObject({ code: "window-repeated", loc: { line: 5 } });
  });
});
