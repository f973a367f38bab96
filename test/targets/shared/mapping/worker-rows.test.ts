/** Workers around lanes become rows of a group's items; test/programs/acc/rows-of-workers.c runs them. */
import { describe, expect, it } from "vitest";
import { count, kernelOf } from "../../translate.ts";

const region = (
  rows: string,
  lanes: string,
  body = "a[i][j][k] += 1;",
  { columns = "m", before = "" } = {},
) => `
float a[64][64][64];
void f(int n, int m) {
#pragma acc parallel loop gang
  for (int i = 0; i < 64; i++) {
    float s = 0;
#pragma acc loop ${rows}
    for (int j = 0; j < n; j++) {
      ${before}
#pragma acc loop ${lanes}
      for (int k = 0; k < ${columns}; k++) { ${body} }
    }
    a[i][0][0] += s;
  }
}`;
const text = (source: string) => kernelOf(source, "cuda").text;
const hasRows = (source: string) => text(source).includes("arc_rows");

describe("a worker loop that holds only a vector loop", () => {
  it("is one nest with it: lanes do not wait between rows, and nothing is divided in an iteration", () => {
    const code = text(region("worker", "vector"));
    const waits = count(text(region("worker", "vector", undefined, { before: "s += j;" })), "__syncthreads");
    expect(count(code, "__syncthreads")).toBeLessThan(waits);
    expect(code).toContain("arc_item % arc_columns");
    expect(code).not.toMatch(/[/%] arc_n_k/);
  });

  it.each([
    ["with the same sum", region("worker reduction(+:s)", "vector reduction(+:s)", "s += a[i][j][k];"), true],
    ["with a variable of each row", region("worker", "vector", undefined, { before: "int r = j;" }), false],
    ["with rows of different lengths", region("worker", "vector", undefined, { columns: "j" }), false],
    ["as nested loops in order", region("seq", "vector"), false],
  ])("%s", (_, source, rows) => {
    expect(hasRows(source)).toBe(rows);
  });

  it("keeps the asked sizes", () => {
    const asked = region("worker", "vector").replace("gang", "gang num_workers(4) vector_length(32)");
    expect(text(asked)).toMatch(/__launch_bounds__\(128\)[\s\S]*arc_rows = 128l \/ arc_columns/);
  });
});
