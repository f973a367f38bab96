/** Emitted text for a piece of C, through the real preprocessor and the compiler as the build rules call it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";
import { translateHost, translateKernels } from "../../core/compiler/driver/translate.ts";
import { cudaEmitter } from "../../targets/cuda/emit.ts";
import { hipEmitter } from "../../targets/hip/emit.ts";
import { hostEmitter } from "../../targets/host/emit.ts";
import { intelFpgaEmitter } from "../../targets/intel-fpga/emit.ts";
import { openclEmitter } from "../../targets/opencl/emit.ts";
import { vitisEmitter } from "../../targets/vitis/emit.ts";

const emitters = {
  cuda: cudaEmitter,
  hip: hipEmitter,
  host: hostEmitter,
  opencl: openclEmitter,
  "intel-fpga": intelFpgaEmitter,
  vitis: vitisEmitter,
};

function preprocess(source: string): { file: string; text: string } {
  const folder = mkdtempSync(join(tmpdir(), "arc-translate-"));
  try {
    writeFileSync(join(folder, "a.c"), source);
    const text = execFileSync("gcc", ["-E", "-dD", "-D_OPENACC=202211", "a.c"], {
      cwd: folder,
      maxBuffer: 1 << 28,
    });
    return { file: "a.c", text: text.toString() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function refuseErrors(diagnostics: readonly { severity: string; code: string; message: string }[]): void {
  const error = diagnostics.find((d) => d.severity === "error");
  if (error) throw new Error(`${error.code}: ${error.message}`);
}

/** `LINE:COL CODE` of each. */
export function diagnosticsOf(source: string, kind: keyof typeof emitters): readonly string[] {
  const { diagnostics } = translateKernels(preprocess(source), emitters[kind]);
  return diagnostics
    .filter(({ severity }) => severity !== "note")
    .map(({ loc, code }) => `${loc.line}:${loc.col} ${code}`);
}

/** All that is said of a source. */
export function diagnosticsFor(source: string, kind: keyof typeof emitters) {
  return translateKernels(preprocess(source), emitters[kind]).diagnostics;
}

/** Likewise of what lowering decided for the device, with the severity of all that are not notes. */
export function remarksOf(source: string, kind: keyof typeof emitters): readonly string[] {
  const { diagnostics } = translateKernels(preprocess(source), emitters[kind]);
  const decided = [
    "levels-kept",
    "shared-by-teams",
    "kept-in-register",
    "lanes-along",
    "tiled",
    "crossed-tiles",
    "gathered-by-groups",
    "staged-by-groups",
    "repeated-by-host",
    "not-repeated",
    "one-after-the-other",
    "gangs-do-not-wait",
    "not-tiled",
    "tile-small",
    "not-cached",
    "scan-by-blocks",
    "scan-by-lanes",
    "scan-in-order",
  ];
  return diagnostics
    .filter((d) => decided.includes(d.code))
    .map((d) => `${d.loc.line}:${d.loc.col} ${d.severity === "note" ? "" : `${d.severity} `}${d.code}`);
}

export function kernelsOf(source: string, kind: keyof typeof emitters): readonly TranslatedKernel[] {
  const { kernels, diagnostics } = translateKernels(preprocess(source), emitters[kind]);
  refuseErrors(diagnostics);
  return kernels;
}

/** The one kernel file of a source with one region. */
export function kernelOf(source: string, kind: keyof typeof emitters): TranslatedKernel {
  const kernels = kernelsOf(source, kind);
  if (kernels.length !== 1) throw new Error(`${kernels.length} regions`);
  return kernels[0] as TranslatedKernel;
}

export function hostOf(source: string): string {
  const { text, diagnostics } = translateHost(preprocess(source), source);
  refuseErrors(diagnostics);
  return text;
}

export const count = (text: string, what: string | RegExp): number =>
  text.split(what instanceof RegExp ? new RegExp(what, "g") : what).length - 1;
