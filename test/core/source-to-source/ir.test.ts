/**
 * The IR as text is a source: programs of test/programs/acc, printed as IR and read again, have the same kernels as before, and
 * as OpenACC and OpenMP the same regions. In every run a few; with ARC_SLOW_TESTS all.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { frontEnd } from "../../../core/compiler/driver/front-end.ts";
import { irTexts } from "../../../core/compiler/driver/ir-text.ts";
import { translateKernels } from "../../../core/compiler/driver/translate.ts";
import { translateIr } from "../../../core/source-to-source/ir/translate-ir.ts";
import { findKind } from "../../../targets/registry.ts";
import { programsIn } from "../../programs/catalogue.ts";
import { start } from "../../programs/process.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const home = path.join(root, "test/programs/acc");
const folder = mkdtempSync(path.join(tmpdir(), "arc-ir-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** IR that OpenACC cannot express, or that its rules change. */
const refused = new Set(["reduction-of-loop-kept"]);

const often = `api-async-test data-capture data-present-or-copy-nested enter-exit-data firstprivate-scalar
  gang-dimensions kernels-mixed-code kernels-nested-loops reduction-array-nested reduction-array-on-parallel
  reduction-of-loop-kept reduction-three-levels-nested routine-named sieve wait-modifiers`.split(/\s+/);
const programs = programsIn(home)
  .filter(({ sources }) => sources.length === 1)
  .filter(({ name }) => process.env.ARC_SLOW_TESTS !== undefined || often.includes(name));

function preprocessed(file: string): string {
  const headers = path.join(root, "targets/runtime/include");
  const args = ["-E", "-dD", "-iquote", path.dirname(file), "-D_OPENACC=202211", "-isystem", headers, file];
  return execFileSync("gcc", args, { encoding: "utf8", maxBuffer: 2 ** 28 });
}

const wishes = { openmp: "5.1", map: "default" } as const;

describe.each(programs)("$name", (program) => {
  const [file = ""] = program.sources;
  const source = { file, text: preprocessed(file) };
  const [text = ""] = irTexts([source]);
  const ir = { file: "program.upir", text };

  it("has the same kernels", async () => {
    const emitter = await findKind("opencl")?.emitter({});
    if (!emitter) throw new Error("there is a kind opencl");
    const [before, after] = [translateKernels(source, emitter), translateKernels(ir, emitter)];
    expect(after.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(after.kernels.map((kernel) => kernel.text)).toEqual(before.kernels.map((kernel) => kernel.text));
  });

  it("is OpenACC again, or refused", () => {
    const { diagnostics } = translateIr(frontEnd(ir).program, { to: "openacc", ...wishes });
    const messages = diagnostics.map(({ loc, message }) => `${loc.line} ${message}`);
    if (refused.has(program.name)) expect(messages).not.toEqual([]);
    else expect(messages).toEqual([]);
  });

  it.skipIf(refused.has(program.name) || program.gccCannot || program.aborts !== undefined)(
    "is right by gcc in OpenMP, where OpenMP has words for it",
    async () => {
      const made = translateIr(frontEnd(ir).program, { to: "openmp", ...wishes, openmp: "5.0" });
      if (made.diagnostics.length > 0) return;
      const name = path.join(folder, `${program.name}.c`);
      writeFileSync(name, made.text);
      const built = await start("gcc", ["-O1", "-w", "-fopenmp", name, "-o", `${name}.exe`, "-lm"]);
      expect(built.status, built.err).toBe(0);
      const ran = await start(`${name}.exe`, program.args, { env: { OMP_NUM_THREADS: "3" } });
      expect(ran.status, ran.out + ran.err).toBe(0);
    },
  );
});

it("declares the function by which images are told apart", () => {
  const of = (declaration: string) => `${declaration}void f(int *a) {
#pragma omp target teams distribute parallel for map(from: a[0:10])
  for (int i = 0; i < 10; i++) {
#pragma omp metadirective when(device={arch(nvptx)}: atomic) default(nothing)
    a[i] += 2;
  }
}
`;
  for (const declaration of ["", "int acc_on_device(int device);\n"]) {
    const [text = ""] = irTexts([{ file: "images.c", text: of(declaration) }]);
    expect(text.match(/^int acc_on_device\(/gm)).toHaveLength(1);
    const { program } = frontEnd({ file: "images.upir", text });
    expect(program.diagnostics).toEqual([]);
    expect(translateIr(program, { to: "openacc", ...wishes }).text).toContain("if (acc_on_device(4))");
  }
});

it("has places in what it refuses", () => {
  const text =
    readFileSync(path.join(import.meta.dirname, "ir.test.ts"), "utf8").length > 0 ? "int f(;\n" : "";
  const { program } = frontEnd({ file: "wrong.upir", text });
  const { diagnostics } = translateIr(program, { to: "openacc", ...wishes });
  expect(diagnostics[0]?.loc).toMatchObject({ file: "wrong.upir", line: 1 });
});
