/**
 * Which kernels of one group the last group of the kernel in front runs; what they compute is tried in
 * test/programs/combinations/tails.test.ts.
 */
import { describe, expect, it } from "vitest";
import { findStatement, LONG, printStmt } from "../../../../core/lang/index.ts";
import type { Stmt } from "../../../../core/lang/tree/ast.ts";
import { binary, compound, declare, freshSymbol } from "../../../../core/lang/tree/build.ts";
import { type Kernel, type LoweredRegion, workItemId } from "../../../../targets/shared/device/device.ts";
import { withTails } from "../../../../targets/shared/lower/tails/last-group.ts";
import { seenBy } from "../../opencl/compilers.ts";
import { count, diagnosticsFor, hostOf, kernelOf } from "../../translate.ts";

const region = (body: string, around = "for (int k = 0; k < n; k++)") => `
float a[4096], b[4096], c[64];
void f(int n, int m) {
#pragma acc parallel
  ${around} {
${body}
  }
}`;
const wide = "#pragma acc loop\nfor (int i = 0; i < m; i++) a[i] += b[i] * c[0];";
const lanes = "#pragma acc loop vector\nfor (int i = 0; i < m; i++) b[i] = a[i];";

interface Part {
  readonly text: string;
  readonly grid: string;
  readonly params: readonly string[];
}

/** The kernels of a translation, with what the launch knows of each. */
function partsOf(source: string, kind: "cuda" | "hip" = "cuda"): { parts: Part[]; manifest: string } {
  const { text, manifest } = kernelOf(source, kind);
  const texts = text.split(/(?=extern "C" __global__)/).slice(1);
  const parts = manifest
    .split(/^kernel /m)
    .slice(1)
    .map(
      (of, k): Part => ({
        text: texts[k] as string,
        grid: (/^grid (.*)$/m.exec(of) as RegExpExecArray)[1] as string,
        params: [...of.matchAll(/^param (.*)$/gm)].map((m) => m[1] as string),
      }),
    );
  return { parts, manifest };
}
const counts = ({ text }: Part) => text.includes("arc_arrived");

describe.each(["cuda", "hip"] as const)("on %s, the last group of a kernel", (kind) => {
  it("runs the code behind, which the launch starts where there are many groups", () => {
    const { parts, manifest } = partsOf(region(`${wide}\nc[0] = a[m - 1];`), kind);
    const [all, one] = parts as [Part, Part];
    expect(all.text).toMatch(
      /__threadfence\(\);\s+__syncthreads\(\);[\s\S]*arc_arrived[\s\S]*__threadfence\(\);[\s\S]*a\[m - 1\]/,
    );
    const few = all.params.find((p) => p.startsWith("i cu 2 *"))?.slice(2);
    expect(few).toBeDefined();
    expect(one.grid).toBe(`${few} 0 1 ? ; 1 ; 1`);
    expect(manifest).toMatch(/scratch 4\nzeroed 0 \w+_last\n/);
  });

  it("runs the beginning of the next iteration, unless there is none", () => {
    const { parts } = partsOf(region(`c[0] = b[k];\n${wide}`), kind);
    const [one, all] = parts as [Part, Part];
    expect(one.grid).toMatch(/^n0 cu 2 \* .* \* 0 1 \? ; 1 ; 1$/);
    expect(all.params).toContain("i n0 1 +");
    expect(all.params).toContainEqual(expect.stringMatching(/^i t\d n0 1 \+ - 0 max cu 2 \* .* \*$/));
  });

  it("runs several, one after the other", () => {
    const { parts } = partsOf(region(`${lanes}\n${wide}\nc[0] = a[m - 1];`), kind);
    expect(parts.map(counts)).toEqual([false, true, false]);
    expect(parts[1]?.text).toMatch(/a\[m - 1\][\s\S]*arc_more[\s\S]*b\[i\w*\] = /);
  });

  it("runs what combines the groups' sums", () => {
    const source = region(
      `float s = 0;\n#pragma acc loop independent reduction(+:s)\nfor (int i = 0; i < m; i++) s += a[i];\nc[0] = s * c[0];`,
    ).replace("acc parallel", "acc kernels");
    expect(
      partsOf(source, kind).parts.some((p) => /arc_arrived[\s\S]*s_partial\w*\[arc_t\]/.test(p.text)),
    ).toBe(true);
  });

  it("is told of in a note", () => {
    const codes = diagnosticsFor(region(`${wide}\nc[0] = a[m - 1];`), kind).map(
      (d) => `${d.loc.line} ${d.code}`,
    );
    expect(codes).toContain("5 last-group");
  });
});

describe("by OpenCL", () => {
  const source = region(`${wide}\nc[0] = a[m - 1];`);
  const { text, manifest } = kernelOf(source, "opencl");

  it("NVIDIA's compiler gets the last group's code and a kernel that says so", () => {
    const own = seenBy(text, true);
    expect(own).toMatch(/membar\.gl;[\s\S]*barrier[\s\S]*atomic_add_uint[\s\S]*membar\.gl;[\s\S]*a\[m - 1\]/);
    expect(own).toMatch(/__kernel void (\w+)_last\(void\) \{\}/);
  });

  it("others get neither, since OpenCL C 1.2 does not say what groups see of each other", () => {
    const others = seenBy(text, false);
    expect(others).not.toMatch(/_last\(|membar|if \(arc_counts\)/);
  });

  it("the launch asks for that kernel before it leaves anything to the last group", () => {
    const name = (/zeroed 0 (\w+)/.exec(manifest) as RegExpExecArray)[1];
    expect(text).toContain(`__kernel void ${name}(void)`);
    expect(manifest).toMatch(/^param i lg cu 16 \* .* \/ \*$/m);
    expect(manifest).toMatch(/^grid lg cu 16 \* .* \/ \* 0 1 \? ; 1 ; 1$/m);
  });
});

describe("the launch starts kernels of one group", () => {
  it("of another size than the one in front", () => {
    const columns = region(
      `#pragma acc loop\nfor (int i = 0; i < m; i++) { float s = 0; for (int j = 0; j < 4096; j++) s += a[j * 32 + i] * b[j]; c[i] = s; }\n${lanes}`,
    );
    const { manifest } = partsOf(columns.replace("a[4096]", "a[4096 * 32]"));
    expect(manifest).toContain("group 1024 ;");
    expect(manifest).not.toContain("zeroed");
  });

  it("behind a loop, which may have no iteration", () => {
    const inner = `for (int o = 0; o < n; o++) {\n${wide}\n}\nc[0] = a[m - 1];`;
    expect(count(partsOf(region(inner)).manifest, "zeroed")).toBe(0);
  });

  it("without a sequential loop around, as one kernel", () => {
    expect(count(kernelOf(region(wide, ""), "cuda").manifest, "\nkernel ")).toBe(1);
  });
});

describe("groups of a loop whose length depends on the iteration around it", () => {
  const source = (from: string, to: string, around?: string) =>
    region(
      `#pragma acc loop\nfor (int i = ${from}; i < ${to}; i++) a[i] += b[i] * c[0];\nc[0] = a[m - 1];`,
      around,
    );
  /** The number of groups, and the trip counts that the host passes. */
  const launch = (...of: Parameters<typeof source>) => ({
    grid: partsOf(source(...of)).parts[0]?.grid,
    trips: /trips\[\] = \{(.*)\};/.exec(hostOf(source(...of)))?.[1],
  });

  it.each([
    ["k + 1", "m", undefined, "(long)m - 1l"],
    ["0", "k", undefined, "(long)(int)((long)n - 1l)"],
    ["k", "m", "for (int k = n; k > 0; k--)", "(long)m - (long)(int)((long)n + ((long)n - 1l) * -1l)"],
  ])("are as many as its longest iteration needs: from %s to %s", (from, to, around, longest) => {
    const { grid, trips } = launch(from, to, around);
    expect(grid).toMatch(/^1 t1 0 max /);
    expect(trips).toBe(`(long)n, ${longest}`);
  });

  it("are a few for each multiprocessor where the host does not know how long", () => {
    expect(launch("(int)b[0]", "m").grid).toBe("1 cu 8 * max 2147483647 min ; 1 ; 1");
  });
});

it("pointers keep `restrict` where only one of the kernels uses them, or nothing stores", () => {
  const { parts } = partsOf(region(`${wide.replace("c[0]", "c[1]")}\nc[0] = a[m - 1];`));
  const [head] = (parts[0] as Part).text.split("{");
  expect(head).toContain("__restrict__ b");
  expect(head).not.toContain("__restrict__ a");
});

it("code that asks for its group finds that it is the only one", () => {
  const kernel = (name: string, grid: string, body: Stmt[]): Kernel => ({
    name,
    params: [],
    group: [32, 1],
    grid: [grid, "1"],
    shared: [],
    body,
  });
  const asked = freshSymbol("asked", LONG);
  const region: LoweredRegion = {
    region: "r",
    site: { file: "a.c", line: 1, what: "parallel" },
    functions: [],
    kernels: [
      kernel("r_0", "7", []),
      kernel("r_1", "1", [declare(asked, binary("+", workItemId("group"), workItemId("groups")))]),
    ],
    arguments: [],
    globals: [],
    scratch: [],
    trips: [],
  };
  const { region: made, tails } = withTails(region, { most: 1 });
  expect(tails).toBe(1);
  const declared = findStatement(
    compound(made.kernels[0]?.body ?? []),
    (s) => s.kind === "decl" && s.decls[0]?.sym === asked,
  );
  expect(declared && printStmt(declared)).toContain("asked = 0l + 1l");
  expect(printStmt(made.kernels[1]?.body[0] as Stmt)).toContain("arc_group + arc_groups");
});
