/** -ffp-contract=off, or a pragma of the source, reaches the kernels of every kind: products and sums round as in the serial program. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findKind } from "../../../../targets/registry.ts";
import { keepsApart } from "../../../../targets/shared/kind/contraction.ts";
import { arcProgram } from "../../../cli/rig.ts";
import { start } from "../../../programs/process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-contraction-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** At i = 10 the product is 17 only after it is rounded. */
const program = `
#include <stdio.h>
int main(void) {
  static int out[400];
  static double f[400];
  unsigned h = 0;
#pragma acc parallel loop copyout(out, f)
  for (int i = 0; i < 400; i++) { out[i] = (int)(i * 1.7f - 20); f[i] = (i * 0.37) * (i * 0.37) - i * 3.3 + 0.1; }
  for (int i = 0; i < 400; i++) { unsigned long w; __builtin_memcpy(&w, &f[i], 8); h = h * 31 + out[i] + (unsigned)(w ^ w >> 32); }
  printf("%d %u\\n", out[10], h);
}`;

const printed = async (compiler: readonly string[]) => {
  const [source, made] = [path.join(folder, "contracted.c"), path.join(folder, "made")];
  writeFileSync(source, program);
  const [tool = "", ...words] = compiler;
  const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  const built = await start(tool, [...words, "-O1", "-w", source, "-o", made], { env });
  expect(built.status, built.err).toBe(0);
  return (await start(made, [], { env })).out;
};

describe("-ffp-contract=off", () => {
  it.each(["host", "opencl", "opencl:form=spirv"])(
    "makes %s agree with the serial program to the last bit",
    async (kind) => {
      const serial = await printed(["gcc", "-ffp-contract=off"]);
      expect(serial).toMatch(/^-3 /);
      expect(await printed([arcProgram, "cc", "-acc", "-target", kind, "-ffp-contract=off"])).toBe(serial);
    },
  );

  it("is an option of the compilers of CUDA and HIP", () => {
    const args = (kind: string, cflags: readonly string[]) =>
      findKind(kind)?.toolchain({}, cflags).payloads[0]?.call?.args("in", "out", "") ?? [];
    expect(args("cuda", ["-ffp-contract=off"])).toContain("-fmad=false");
    expect(args("cuda", [])).not.toContain("-fmad=false");
    expect(args("hip", ["-ffp-contract=off"])).toContain("-ffp-contract=off");
    expect(args("hip", [])).not.toContain("-ffp-contract=off");
  });

  it.each([
    ["cuda", "-fmad=false"],
    ["hip", "-ffp-contract=off"],
    ["host", "-ffp-contract=off"],
  ] as const)(
    "is an option of the compiler of %s for kernels of a source that says so",
    async (kind, option) => {
      const compileOf = async (before: string) => {
        const made = path.join(folder, `${kind}-${before.length}`);
        const source = path.join(folder, "said.c");
        writeFileSync(source, `${before}\n${program}`);
        const done = await start(arcProgram, ["translate", source, "--to", kind, "-o", made, "--standalone"]);
        expect(done.status, done.err).toBe(0);
        return readFileSync(path.join(made, "Makefile"), "utf8");
      };
      expect(await compileOf("#pragma STDC FP_CONTRACT ON")).not.toContain(option);
      expect(await compileOf("#pragma STDC FP_CONTRACT OFF")).toContain(option);
      const args = findKind(kind)?.toolchain({}).payloads[0]?.call?.args("in", "out", "options") ?? [];
      expect(args).toContain("options");
    },
  );

  it("counts if it is the last of its sort", () => {
    expect(keepsApart(["-O2", "-ffp-contract=fast", "-ffp-contract=off"])).toBe(true);
    expect(keepsApart(["-ffp-contract=off", "-ffp-contract=fast"])).toBe(false);
    expect(keepsApart(["-O2"])).toBe(false);
  });
});
