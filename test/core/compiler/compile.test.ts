/** The compiler alone: no project, no actions, no store. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../core/compiler/compile.ts";
import { openclEmitter } from "../../../targets/opencl/emit.ts";

const compiled = (text: string) =>
  compile({ file: "a.c", text, preprocessed: `# 1 "a.c"\n${text}` }, openclEmitter);

describe("the compiler without a build", () => {
  it("makes kernels and host code that name the same region", () => {
    const { host, kernels, diagnostics } = compiled(
      "void f(int n, float *x) {\n#pragma acc parallel loop copy(x[0:n])\n  for (int i = 0; i < n; i++) x[i] *= 2;\n}\n",
    );
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(kernels).toHaveLength(1);
    const [kernel] = kernels;
    expect(kernel?.text).toContain("__kernel void f_");
    expect(host).toContain(`arc_launch(&arc_here, "${kernel?.region}"`);
    expect(host).not.toContain("#pragma acc");
  });

  it("names what it refuses, once, and makes nothing of it", () => {
    const { host, kernels, diagnostics } = compiled(
      "void f(int n, float *x) {\n#pragma acc parallel loop copy(y[0:n])\n  for (int i = 0; i < n; i++) x[i] *= 2;\n}\n",
    );
    expect(diagnostics.map(({ code, loc }) => `${loc.line}:${loc.col} ${code}`)).toEqual([
      "2:32 undeclared-identifier",
    ]);
    expect(kernels).toEqual([]);
    expect(host).toBe("");
  });
});
