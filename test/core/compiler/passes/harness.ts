/**
 * Runs what the passes make against the serial program. A case is a C function `work` with one compute
 * region; its kernel is emitted for Intel FPGAs and compiled as C through a small header, and both work
 * on copies of the same data. Only single work-item kernels can be run this way.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type PassesRun, runPasses } from "../../../../core/compiler/passes/pipeline.ts";
import { deviceFunctions, noOtherUnits } from "../../../../core/ir/analysis/routines.ts";
import type { DeviceProfile } from "../../../../core/ir/model/device-profile.ts";
import { spmdOf } from "../../../../core/ir/model/region.ts";
import { normalise, tasksOf } from "../../../../core/ir/normalise/normalise.ts";
import { readOpenarc } from "../../../../core/ir/openarc/read.ts";
import { readDirectives } from "../../../../core/ir/read/read.ts";
import { parse, printExpr } from "../../../../core/lang/index.ts";
import type { Diagnostic } from "../../../../core/lang/tree/ast.ts";
import type { Assignment } from "../../../../schema/document/axis.ts";
import { findDevice } from "../../../../targets/devices/devices.ts";
import { intelFpgaEmitter } from "../../../../targets/intel-fpga/emit.ts";
import type { LoweredRegion } from "../../../../targets/shared/device/device.ts";
import { manifest } from "../../../../targets/shared/kind/launch.ts";
import { lower } from "../../../../targets/shared/lower/lower.ts";

export const stratixV = findDevice("stratix-v") as DeviceProfile;
const runtimeInclude = path.resolve(import.meta.dirname, "../../../../targets/runtime/include");
export const arria10 = findDevice("arria-10") as DeviceProfile;

export interface Emitted extends PassesRun {
  readonly text: string;
  readonly manifest: string;
  readonly region: LoweredRegion;
}

interface Translated {
  readonly regions: readonly Emitted[];
  readonly diagnostics: readonly Diagnostic[];
}

/** All regions of a source through the passes and the emitter. The source has been preprocessed. */
export function translate(
  source: string,
  choice: Assignment = {},
  device = stratixV,
  emitter = intelFpgaEmitter,
): Translated {
  const text = expanded(source);
  const { unit, diagnostics } = parse(text, { file: "case.c" });
  const program = normalise(readOpenarc(readDirectives(unit)), { kind: "whole", others: noOtherUnits });
  const found: Diagnostic[] = [...diagnostics, ...program.diagnostics].filter((d) => d.severity === "error");
  if (found.length > 0) return { regions: [], diagnostics: found };
  const regions = tasksOf(program).flatMap(({ task }): Emitted[] => {
    const run = runPasses(task, choice, device, emitter.model.inOrder);
    found.push(...run.diagnostics);
    if (run.diagnostics.length > 0) return [];
    const { functions } = deviceFunctions(program, spmdOf(run.task).body, {
      kind: "whole",
      others: noOtherUnits,
    });
    const region = lower({ task: run.task, functions, model: emitter.model });
    const emitted = emitter.emit(region);
    found.push(...emitted.diagnostics);
    return [{ ...run, text: emitted.text, manifest: manifest(region), region }];
  });
  return { regions, diagnostics: found };
}

/** The only region, which must have no diagnostics. */
export function emit(
  source: string,
  choice: Assignment = {},
  device = stratixV,
  emitter = intelFpgaEmitter,
): Emitted {
  const { regions, diagnostics } = translate(source, choice, device, emitter);
  if (diagnostics.length > 0)
    throw new Error(diagnostics.map((d) => `${d.loc.line}:${d.loc.col} ${d.code}: ${d.message}`).join("\n"));
  if (regions.length !== 1) throw new Error(`${regions.length} regions`);
  return regions[0] as Emitted;
}

function expanded(source: string): string {
  if (!/^\s*#\s*(define|include)/m.test(source)) return source;
  return execFileSync("gcc", ["-E", "-dD", "-P", "-x", "c", "-"], { input: source, encoding: "utf8" });
}

const emulation = path.resolve(import.meta.dirname, "../../../../targets/runtime/emulation");
/** OpenCL C as GNU C, as far as single work-item kernels go. */
const asC = readFileSync(path.join(emulation, "arc_opencl_c.h"), "utf8");

interface Case {
  /** Declares macros and globals and defines `void work(...)` with one region. */
  readonly source: string;
  readonly choice?: Assignment;
  readonly device?: DeviceProfile;
  /** C statements that set up data, call CALL and print results: run once with each version. */
  readonly main: string;
}

/**
 * Output of the serial program and of the emitted kernel. In `main` the word WORK stands for the function;
 * the kernel runs behind one of the same parameters.
 */
export function outputs({ source, choice = {}, device = stratixV, main }: Case): {
  serial: string;
  kernel: string;
  emitted: Emitted;
} {
  const emitted = emit(source, choice, device);
  return { ...runBoth(source, emitted, main), emitted };
}

function runBoth(source: string, emitted: Emitted, main: string): { serial: string; kernel: string } {
  return runAll([{ source, emitted, main }])[0] as { serial: string; kernel: string };
}

export interface Ready {
  /** Defines `void work(...)`, or `void workN(...)` where several run together. */
  readonly source: string;
  readonly emitted: Emitted;
  readonly main: string;
}

/** One of several cases as C: the serial function, and one of the same parameters that runs the kernel. */
interface Part {
  readonly source: string;
  /** Between the source and what calls the kernel. */
  readonly kernel: string;
  readonly call: string;
  readonly main: string;
}

/** Many cases in one program: compiling is what takes the time. */
export function runAll(cases: readonly Ready[]): { serial: string; kernel: string }[] {
  const parts = cases.map(({ source, emitted, main }): Part => {
    const { functions } = emitted.region;
    // Device copies of functions are beside the program's own.
    const kernel = [
      ...functions.map((f) => `#define ${f.sym.name} device_${f.sym.name}`),
      emitted.text,
      ...functions.map((f) => `#undef ${f.sym.name}`),
    ].join("\n");
    return { source, kernel, call: callOf(emitted.region), main };
  });
  // The only case may have macros that the header's own words would meet.
  const [only] = parts;
  return outputsOf(parts, parts.length === 1 && only ? [only.source, asC] : [asC]);
}

/** As `runAll`, for kernels emitted for Vitis, which run as C++ beside the serial program. */
export function runAllHls(cases: readonly Ready[]): { serial: string; kernel: string }[] {
  const isInclude = (line: string) => line.startsWith("#include");
  const lines = cases.map(({ emitted }) => emitted.text.split("\n"));
  const kernels = lines.map(
    (text, k) => `namespace case${k} {\n${text.filter((l) => !isInclude(l)).join("\n")}\n}`,
  );
  const includes = new Set(lines.flat().filter(isInclude));
  const parts = cases.map(({ source, emitted, main }): Part => {
    const [kernel] = emitted.region.kernels;
    if (!kernel) throw new Error("the case has no kernel");
    const args = kernel.params.map((p) => {
      if (p.source.from !== "argument") throw new Error("the kernel takes more than the region's arguments");
      const { how, item } = p.source.argument;
      const object = printExpr(item.object);
      return how === "buffer" ? `(void *)${object}` : `(void *)&${object}`;
    });
    return {
      source,
      kernel: `void ${kernel.name}(const void *, void *const *);`,
      call: `void *args[] = {${args.join(", ")}}; ${kernel.name}(0, args);`,
      main,
    };
  });
  return outputsOf(parts, [], [...includes, ...kernels].join("\n"));
}

/** The output of the parts; `head` precedes them and contains the source of a single part. */
function outputsOf(
  parts: readonly Part[],
  head: readonly string[],
  cpp?: string,
): { serial: string; kernel: string }[] {
  const texts = parts.map(({ source, kernel, call, main }, k) => {
    const signature = /void (work\d*)\(([^)]*)\)/.exec(source);
    if (!signature) throw new Error("the case defines no function work");
    const version = (name: string, callee: string) =>
      `static void ${name}${k}(void) {\n${main.replaceAll("WORK", callee)}\n}`;
    return [
      ...(head.includes(source) ? [] : [source]),
      kernel,
      `static void launch${k}(${signature[2]}) { ${call} }`,
      version("serial", signature[1] as string),
      version("kernel", `launch${k}`),
    ].join("\n");
  });
  const calls = parts.map((_, k) => `serial${k}(); printf("\\n@@\\n"); kernel${k}(); printf("\\n@@\\n");`);
  const text = [
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>",
    ...head,
    ...texts,
    `int main(void) { ${calls.join("\n")} return 0; }`,
  ].join("\n");
  const output = runC(text, sanitizers, cpp).split("\n@@\n");
  return parts.map((_, k) => ({ serial: output[2 * k] ?? "", kernel: output[2 * k + 1] ?? "" }));
}

function callOf(region: LoweredRegion): string {
  const [kernel] = region.kernels;
  if (!kernel || region.kernels.length !== 1) throw new Error("the region has several kernels");
  const args = kernel.params.flatMap((p) => {
    if (p.source.from !== "argument") throw new Error("the kernel takes more than the region's arguments");
    const { how, item } = p.source.argument;
    const object = printExpr(item.object);
    if (how === "buffer") return [`(char *)${object}`, "0L"];
    if (how === "object") return [`(char *)&${object}`, "0L"];
    return [object];
  });
  return `${kernel.name}(${args.join(", ")});`;
}

const sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/**
 * Compiles with the sanitizers and runs; `cpp` is linked to the program. Not optimised: compiling takes nearly all of the
 * time, and the sanitizers see more.
 */
function runC(text: string, flags: readonly string[] = sanitizers, cpp?: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-passes-"));
  const compile = (compiler: string, ...args: string[]) =>
    execFileSync(compiler, ["-O0", "-w", "-ffp-contract=off", ...flags, ...args], {
      cwd: folder,
      stdio: "pipe",
    });
  try {
    writeFileSync(path.join(folder, "program.c"), text);
    if (cpp === undefined) compile("gcc", "-std=gnu11", "program.c", "-o", "program", "-lm");
    else {
      writeFileSync(path.join(folder, "kernels.cpp"), cpp);
      compile("gcc", "-std=gnu11", "-c", "program.c");
      compile("g++", "-std=gnu++17", `-I${runtimeInclude}`, "kernels.cpp", "program.o", "-o", "program");
    }
    return execFileSync(path.join(folder, "program"), { encoding: "utf8", stdio: "pipe", timeout: 20_000 });
  } catch (problem) {
    const { stderr, message } = problem as { stderr?: Buffer | string; message: string };
    throw new Error(`${message}\n${stderr ?? ""}\n${text}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
