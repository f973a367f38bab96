/** The compiler alone: no project, no actions, no store. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../core/compiler/compile.ts";
import { openclEmitter } from "../../../targets/opencl/emit.ts";
import type { Emitter } from "../../../targets/shared/kind/emit.ts";

const compiled = (text: string, emitter = openclEmitter) =>
  compile({ file: "a.c", text, preprocessed: `# 1 "a.c"\n${text}` }, emitter);

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

  it("reports what it refuses, once, and returns no code", () => {
    const { host, kernels, diagnostics } = compiled(
      "void f(int n, float *x) {\n#pragma acc parallel loop copy(y[0:n])\n  for (int i = 0; i < n; i++) x[i] *= 2;\n}\n",
    );
    expect(diagnostics.map(({ code, loc }) => `${loc.line}:${loc.col} ${code}`)).toEqual([
      "2:32 undeclared-identifier",
    ]);
    expect(kernels).toEqual([]);
    expect(host).toBe("");
  });

  it("names a region whose expressions an emitter cannot follow, and keeps the others", () => {
    const region = (name: string) =>
      `void ${name}(int n, float *x) {\n#pragma acc parallel loop copy(x[0:n])\n  for (int i = 0; i < n; i++) x[i] *= 2;\n}\n`;
    const endless = (): never => endless();
    const shallow: Emitter = {
      ...openclEmitter,
      emit: (lowered) => (lowered.site.line === 2 ? endless() : openclEmitter.emit(lowered)),
    };
    const { kernels, diagnostics } = compiled(region("f") + region("g"), shallow);
    expect(diagnostics.map(({ code, loc, severity }) => `${loc.line} ${severity} ${code}`)).toContain(
      "2 error nested-too-deep",
    );
    expect(kernels.map(({ site }) => site.line)).toEqual([6]);
  });
});
