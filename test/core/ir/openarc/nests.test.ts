/** OpenARC's nests of one level, barriers inside loops of workers, and `openarc cuda`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSource } from "../../../../core/compiler/driver/read-source.ts";
import { arcProgram } from "../../../cli/rig.ts";
import { hasOpenCl } from "../../../programs/devices.ts";
import { kernelOf } from "../../../targets/translate.ts";

const here = import.meta.dirname;
const folder = mkdtempSync(path.join(tmpdir(), "arc-openarc-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (body: string) => {
  const text = `void f(float *a, float *b, int n) {\n${body}\n}\n`;
  return readSource({ file: "x.c", text }).program.diagnostics.map(
    (d) => `${d.loc.line}: ${d.severity}[${d.code}] ${d.message}`,
  );
};

describe("programs with nests of one level", () => {
  const exe = (name: string) => path.join(folder, name);
  const kinds = ["host", ...(hasOpenCl ? ["opencl"] : [])];
  const env = { ...process.env, ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  beforeAll(() => {
    const targets = kinds.flatMap((kind) => ["-target", kind]);
    for (const name of ["listing5", "levels"])
      execFileSync(arcProgram, ["cc", "-acc", ...targets, path.join(here, `${name}.c`), "-o", exe(name)], {
        env,
      });
  }, 120_000);

  it.each(kinds)("compute what they must on %s", (kind) => {
    const own = { ...env, ARC_TARGET: kind, ARC_HOST_MEMORY: "separate", ARC_OPENCL_PLATFORM: "Portable" };
    expect(execFileSync(exe("listing5"), { env: own, encoding: "utf8" })).toBe("right\n");
    expect(execFileSync(exe("levels"), { env: own, encoding: "utf8" })).toBe("0\n");
  });

  it.skipIf(!hasOpenCl)("have no data race", () => {
    for (const name of ["listing5", "levels"]) {
      const args = ["--data-races", exe(name)];
      const output = execFileSync("oclgrind", args, {
        env: { ...env, ARC_TARGET: "opencl" },
        encoding: "utf8",
      });
      expect(output).toBe(name === "levels" ? "0\n" : "right\n");
    }
  });
});

it("makes one group of 16 x 16 threads for a tile of Listing 5, with its arrays in the group's memory and two barriers", () => {
  const kernel = kernelOf(readFileSync(path.join(here, "listing5.c"), "utf8"), "cuda").text;
  expect(kernel.match(/__shared__ float [AB]s\[16\]\[16\];/g)).toHaveLength(2);
  const loop = kernel.slice(kernel.indexOf("for (a = aBegin"), kernel.indexOf("= Csub"));
  expect(loop.match(/__syncthreads\(\)/g)).toHaveLength(2);
  expect(kernel).toContain("__launch_bounds__(256)");
});

describe("a nest that is not of one level", () => {
  const nest = (between: string, bound: string, level: string, inner = level) => `
#pragma acc parallel loop ${level} copy(a[0:n*n])
  for (int i = 0; i < n; i++) {
    ${between}
#pragma acc loop ${inner}
    for (int j = 0; j < ${bound}; j++) a[i * n + j] = 1;
  }`;
  it("is refused as OpenACC requires", () => {
    expect(read(nest("", "n", "gang"))).toEqual([]);
    expect(read(nest("a[0] = 1;", "n", "gang"))).toEqual([
      expect.stringContaining("6: error[level-nesting]"),
    ]);
    expect(read(nest("", "i", "gang"))).toEqual([expect.stringContaining("error[level-nesting]")]);
    expect(read(nest("", "n", "vector"))).toEqual([expect.stringContaining("error[level-nesting]")]);
    expect(read(nest("", "n", "worker", "gang"))).toEqual([expect.stringContaining("error[level-nesting]")]);
  });

  it("a barrier needs a constant number of workers, of 1024 at most", () => {
    const barrier = (bound: string) =>
      `#pragma acc parallel copy(a[0:n])\n{\n#pragma acc loop worker\nfor (int i = 0; i < ${bound}; i++) {\na[i] = 1;\n#pragma acc barrier\na[i] += 1;\n}\n}`;
    expect(read(barrier("64"))).toEqual([]);
    expect(read(barrier("n"))).toEqual([expect.stringContaining("error[barrier-in-loop]")]);
    expect(read(barrier("1025"))).toEqual([expect.stringContaining("error[barrier-in-loop]")]);
  });
});

describe("openarc cuda", () => {
  const cuda = (clauses: string) =>
    read(`#pragma acc parallel loop gang copy(a[0:n]) copyin(b[0:n])
#pragma openarc cuda ${clauses}
for (int i = 0; i < n; i++) { float t[4] = {0}; t[i % 4] = b[i]; a[i] = t[i % 4]; }`);

  it("has eleven clauses, and reports the effect of each", () => {
    const all =
      "global constant noconstant texture notexture sharedRO sharedRW noshared registerRO registerRW noregister";
    for (const clause of all.split(" "))
      expect(cuda(`${clause}(b)`), clause).toEqual([
        expect.stringMatching(/^3: note\[placement\] .* (is kept|has no effect)$/),
      ]);
    expect(cuda("sharedRW(t) noconstant(a, b[0:n]), notexture(b)")).toHaveLength(4);
    expect(cuda("sharedRW(t)")).toEqual(["3: note[placement] 'sharedRW(t)' is kept"]);
  });

  it("refuses contradictions, changes of read-only variables, and unknown clauses", () => {
    expect(cuda("constant(b) noconstant(b)")).toContain(
      "3: error[conflicting-clauses] 'noconstant(b)' contradicts 'constant(b)'",
    );
    expect(cuda("sharedRO(a)")[0]).toContain("error[read-only-placement]");
    expect(cuda("texture(c)")[0]).toContain("error[unknown-variable]");
    for (const wrong of ["", "shared(a)", "sharedRO", "sharedRO(", "sharedRO(a", "sharedRO(1)", "sharedRO()"])
      expect(cuda(wrong)[0], wrong).toContain("error[openarc-directive]");
  });
});

it("is not translated to OpenMP, which has no equivalent", () => {
  const run = () =>
    execFileSync(arcProgram, ["translate", path.join(here, "levels.c"), "--to", "openmp"], {
      encoding: "utf8",
      stdio: "pipe",
    });
  expect(run).toThrow(
    /levels.c:11:13: error\[not-translatable\]: OpenMP has no counterpart of a 'gang' loop inside a 'gang' loop/,
  );
});
