import { describe, expect, it } from "vitest";
import { explain } from "../../../../core/compiler/driver/explain.ts";
import { translateKernels } from "../../../../core/compiler/driver/translate.ts";
import { intelFpgaEmitter } from "../../../../targets/intel-fpga/emit.ts";
import { stratixV } from "../passes/harness.ts";

const source = (index: string) => `
void work(const float *restrict in, float *restrict out) {
#pragma acc parallel loop num_gangs(1) num_workers(1) vector_length(1) copyin(in[0:50])
#pragma openarc transform window(in, out)
  for (int x = 1; x < 24; x++) out[x] = in[${index} - 1] + in[${index} + 1];
}`;
const explained = (index: string, code = false) => {
  const shaping = { device: stratixV, all: { hoist: true }, named: [] };
  const { stories } = translateKernels(
    { file: "a.c", text: source(index) },
    intelFpgaEmitter,
    undefined,
    shaping,
  );
  return explain(stories, { code });
};

describe("the story of a region", () => {
  it("names each pass, what it did and where", () => {
    const lines = explained("x");
    expect(lines[0]).toMatch(/^a\.c:3: region work_/);
    expect(lines[1]).toBe(
      "  model: single work-item kernel: the directive asks for one gang, one worker and one lane (a.c:3:13)",
    );
    expect(
      lines.some((l) => /^ {2}window: 'in' is read through a window of 3 elements .* \(a\.c:4:27\)$/.test(l)),
    ).toBe(true);
  });

  it("ends with the refusal and the access that caused it", () => {
    expect(explained("2 * x").at(-1)).toMatch(
      /refused: no window over 'in': 'in\[2 \* x - 1\]' moves by 2 elements.* \(a\.c:5:41\)/,
    );
  });

  it("shows the region between passes on demand", () => {
    expect(explained("x", true).some((l) => l.includes("#pragma upir delayline line("))).toBe(true);
    expect(explained("x").some((l) => l.includes("#pragma upir"))).toBe(false);
  });
});

describe("pipes on FPGA targets", () => {
  const piped = (read: string) => `
void work(const float *restrict a, float *restrict b, int n) {
  float t[40];
#pragma acc data copyin(a[0:40]) copyout(b[0:40]) pipe(t)
  {
#pragma acc serial loop pipeout(t)
    for (int i = 1; i < 40; i++) t[i] = a[i] * 2;
#pragma acc serial loop pipein(t)
    for (int i = 1; i < 40; i++) b[i] = ${read};
  }
}`;
  const found = (read: string) =>
    translateKernels({ file: "a.c", text: piped(read) }, intelFpgaEmitter, undefined, {
      device: stratixV,
      all: {},
      named: [],
    }).diagnostics;

  it("are refused where a channel would hand on the wrong elements", () => {
    expect(found("t[i - 1]")).toMatchObject([{ severity: "error", code: "pipe", loc: { line: 9 } }]);
  });

  it("join the regions where they are right", () => {
    expect(found("t[i] + 1")).toEqual([]);
  });
});
