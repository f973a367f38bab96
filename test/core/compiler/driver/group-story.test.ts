/** What `arc translate --explain` reports about kernels in groups. */
import { describe, expect, it } from "vitest";
import { explainGroups } from "../../../../core/compiler/driver/group-story.ts";
import { translateKernels } from "../../../../core/compiler/driver/translate.ts";
import type { Assignment } from "../../../../schema/document/axis.ts";
import { cudaEmitter } from "../../../../targets/cuda/emit.ts";

function described(text: string, all: Assignment = {}): readonly string[] {
  const source = { file: "a.c", text: `# 1 "a.c"\n${text}` };
  const { groups } = translateKernels(source, cudaEmitter, undefined, { all, named: [] });
  return explainGroups(groups);
}
const accesses = (lines: readonly string[]) => lines.filter((line) => /^ {2}(read|write|update)/.test(line));

const matrix = (body: string) =>
  `void f(int n, int m, const float *restrict a, const double *restrict b, float *restrict y) {\n#pragma acc parallel loop copyin(a[0:n*m], b[0:n]) copyout(y[0:n])\n${body}\n}\n`;

describe("the description of kernels in groups", () => {
  it("has the accesses of lanes that lie side by side, of all at one place, and apart", () => {
    const lines = described(matrix("for (int i = 0; i < n; i++) { y[i] = a[i] + a[0] + a[3 * i] + b[i]; }"));
    expect(lines[0]).toMatch(/^a\.c:2: region f_/);
    expect(lines[1]).toMatch(
      /^ {2}kernel f_\w+: groups of 256 items, 0 bytes of group memory each; .* room for 6 \(100 % of its items\), by items/,
    );
    expect([...accesses(lines)].sort()).toEqual([
      "  read a[0]: 1 x 32 bytes for 32 lanes along 'i', all lanes reach the same piece of memory",
      "  read a[3 * i]: 12 x 32 bytes for 32 lanes along 'i', lanes apart: 4 would do if they lay side by side",
      "  read a[i]: 4 x 32 bytes for 32 lanes along 'i', lanes side by side",
      "  read b[i]: 8 x 32 bytes for 32 lanes along 'i', lanes side by side",
      "  write y[i]: 4 x 32 bytes for 32 lanes along 'i', lanes side by side",
    ]);
  });

  it("follows the mapping: rows shared by teams lie side by side, and apart as written", () => {
    const rows = matrix(
      "for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < m; j++) s += a[i * m + j]; y[i] = s; }",
    );
    expect(described(rows).join("\n")).toContain(
      "read a[i * m + j]: 4 x 32 bytes for 32 lanes along 'j', lanes side by side",
    );
    expect(described(rows, { mapping: "as-written" }).join("\n")).toContain(
      "read a[i * m + j]: 32 x 32 bytes for 32 lanes along 'i', lanes apart: 4 would do",
    );
  });

  it("says how many groups fit a multiprocessor", () => {
    const plain = matrix("for (int i = 0; i < n; i++) y[i] = a[i];");
    expect(described(plain, { "vector-length": 1024 })[1]).toContain(
      "room for 1 (67 % of its items), by items",
    );
    expect(described(plain, { "vector-length": 32 })[1]).toContain(
      "room for 16 (33 % of its items), by groups",
    );
  });

  it("says that no loop has lanes", () => {
    const serial = matrix("for (int i = 0; i < n; i++) y[i] = a[i];").replace("parallel loop", "serial");
    expect(described(serial)).toContain(
      "  accesses: no estimate, since no loop has lanes or group memory is in between",
    );
  });
});
