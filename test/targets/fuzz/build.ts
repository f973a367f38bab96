/** One program, built as plain C under sanitizers and by arc for several kinds of target, each in a separate folder. */
import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import { translateHost, translateKernels } from "../../../core/compiler/driver/translate.ts";
import type { Diagnostic } from "../../../core/lang/tree/ast.ts";
import { cudaEmitter } from "../../../targets/cuda/emit.ts";
import { hostEmitter } from "../../../targets/host/emit.ts";
import { openclEmitter } from "../../../targets/opencl/emit.ts";
import { findKind } from "../../../targets/registry.ts";
import type { Emitter } from "../../../targets/shared/kind/emit.ts";
import type { TargetKind } from "../../../targets/shared/kind/kind.ts";
import { image } from "../../../targets/shared/kind/launch.ts";
import { madeOnce, runtime } from "../runtime/harness.ts";
import { sized } from "../runtime/stand-in-code.ts";
import { distinct, joined, type Kernel } from "./joined.ts";

/**
 * `shared`: the host with the program's own memory; `host`: with separate memory. `oclgrind`: OpenCL on a simulator that
 * finds races between work-items and out-of-bounds accesses. `cuda`: clang compiles the text, nothing runs. `lanes`: the CUDA
 * text with fibers as threads, on a stub of the driver. `nvidia`: nvcc compiles the text, which runs on a GPU. `rtl`:
 * `arc cc` generates hardware for the regions, which Verilator simulates.
 */
export type Kind = "shared" | "host" | "opencl" | "oclgrind" | "cuda" | "lanes" | "nvidia" | "rtl";

export interface Source {
  readonly file: string;
  readonly text: string;
}

/** arc refuses the program: an error at a location in the source. */
export class Refused extends Error {
  readonly diagnostic: Pick<Diagnostic, "code" | "message" | "loc">;
  constructor(diagnostic: Pick<Diagnostic, "code" | "message" | "loc">) {
    super(`${diagnostic.loc.file}:${diagnostic.loc.line}: ${diagnostic.message}`);
    this.diagnostic = diagnostic;
  }
}

/** A kernel or host compiler rejects arc's output. */
export class Rejected extends Error {}

/** Time limits in seconds: for running a program, and for building its hardware. */
const TIME = 300;
const HARDWARE = 1200;

const command = path.resolve(import.meta.dirname, "../../../bin/arc");
const REFUSAL = /^(.+?):(\d+):(\d+): error\[([\w-]+)\]: (.*)$/m;

const defined = ["-D_OPENACC=202211", "-D_OPENMP=201811"];

export class Build {
  readonly folder = mkdtempSync(path.join(tmpdir(), "arc-fuzz-"));
  private readonly sources: readonly Source[];
  private readonly include: readonly string[];
  private readonly translated = new Map<Emitter, readonly TranslatedKernel[]>();
  private units: readonly { readonly file: string; readonly text: string }[] | undefined;

  constructor(sources: readonly Source[], include: readonly string[] = []) {
    this.sources = sources;
    this.include = include.map((folder) => `-I${folder}`);
    for (const { file, text } of sources) writeFileSync(this.at(file), text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private at(...names: string[]): string {
    return path.join(this.folder, ...names);
  }

  private compile(command: string, ...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(command, ["-w", ...args], {
      cwd: this.folder,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      timeout: 300_000,
    });
    if (status !== 0) throw new Rejected(`${command} ${args.join(" ")}\n${stderr.slice(0, 2000)}`);
    return stdout;
  }

  private run(exe: string, env: Record<string, string>, seconds = TIME): SpawnSyncReturns<string> {
    const environment = { PATH: process.env.PATH ?? "", HOME: this.folder, ...env };
    return spawnSync(this.at(exe), [], {
      encoding: "utf8",
      env: environment,
      timeout: seconds * 1000,
      maxBuffer: 1 << 28,
    });
  }

  /** As plain C; with `checked`, sanitizers stop it on undefined behaviour and out-of-bounds accesses. */
  serial(checked: boolean, seconds = TIME): SpawnSyncReturns<string> {
    const flags = checked
      ? ["-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"]
      : ["-O0", "-fwrapv", "-fno-strict-aliasing"];
    const files = this.sources.map(({ file }) => file);
    this.compile("gcc", ...flags, ...this.include, ...files, "-o", "serial", "-lm");
    return this.run("serial", { ASAN_OPTIONS: "detect_leaks=0" }, seconds);
  }

  private preprocessed() {
    this.units ??= this.sources.map(({ file }) => ({
      file,
      text: execFileSync("gcc", ["-E", "-dD", ...defined, ...this.include, file], {
        cwd: this.folder,
        maxBuffer: 1 << 28,
      }).toString(),
    }));
    return this.units;
  }

  private othersThan(unit: Source) {
    return { kind: "whole", others: this.preprocessed().filter((u) => u !== unit) } as const;
  }

  /** The program for every kind, linked with the runtime. */
  host(archive: string): void {
    const files = this.preprocessed().map((unit, k) => {
      const { text, diagnostics } = translateHost(
        unit,
        (this.sources[k] as Source).text,
        this.othersThan(unit),
      );
      refuse(diagnostics);
      writeFileSync(this.at(`host${k}.c`), text);
      return `host${k}.c`;
    });
    const include = [`-I${runtime}/include`, ...this.include];
    // The host's text may be the program's own, with its conditionals.
    this.compile(
      "gcc",
      "-O0",
      ...defined,
      ...include,
      ...files,
      archive,
      "-o",
      "exe",
      "-ldl",
      "-lpthread",
      "-lm",
    );
  }

  private kernels(kind: Kind): readonly TranslatedKernel[] {
    const { emitter, shaping } = kind === "rtl" ? rtl : { emitter: emitterOf(kind), shaping: undefined };
    const known = this.translated.get(emitter);
    if (known) return known;
    const made = this.preprocessed().flatMap((unit) => {
      const { kernels, diagnostics } = translateKernels(unit, emitter, this.othersThan(unit), shaping);
      refuse(diagnostics);
      return kernels;
    });
    this.translated.set(emitter, made);
    return made;
  }

  private images(kind: Kind): void {
    mkdirSync(this.at(kind), { recursive: true });
    const { texts, manifests } = distinct(this.kernels(kind));
    if (texts.length === 0) return;
    if (onOpenCl(kind)) {
      const head = {
        backend: "opencl",
        target: "opencl",
        variant: "default",
        options: "-cl-std=CL1.2",
      } as const;
      const payload = { kind: "source", bytes: Buffer.from(joined(texts)) } as const;
      writeFileSync(this.at(kind, "all.arci"), image(head, manifests, [payload]));
      return;
    }
    if (kind === "nvidia") {
      const payload = { kind: "cubin", bytes: this.cubin(texts) } as const;
      const head = { backend: "cuda", target: "cuda", variant: "default", options: "" } as const;
      writeFileSync(this.at(kind, "all.arci"), image(head, manifests, [payload]));
      return;
    }
    if (kind === "lanes") return this.lanes(texts, manifests);
    writeFileSync(this.at("kernels.c"), joined(texts));
    const include = `-I${runtime}/include`;
    this.compile(
      "gcc",
      "-std=gnu11",
      "-O0",
      "-fPIC",
      "-shared",
      include,
      "kernels.c",
      "-o",
      "kernels.so",
      "-lm",
    );
    const payload = { kind: "so", bytes: readFileSync(this.at("kernels.so")) } as const;
    const head = { backend: "host", target: "host", variant: "default", options: "" } as const;
    writeFileSync(this.at(kind, "all.arci"), image(head, manifests, [payload]));
  }

  private lanes(kernels: readonly Kernel[], of: readonly string[]): void {
    const tests = path.resolve(import.meta.dirname, "..");
    const driver = path.join(tests, "runtime/stand-ins/cuda_stand_in.c");
    symlinkSync(
      madeOnce("arc-lanes", [driver], (out) =>
        this.compile("gcc", "-fPIC", "-shared", driver, "-o", out, "-ldl", "-lpthread"),
      ),
      this.at("lanes", "libcuda.so.1"),
    );
    const texts = kernels.map(({ region, text, manifest }) => {
      const names = [...manifest.matchAll(/^kernel (\S+)$/gm)].map((m) => m[1] as string);
      const entries = names.map(
        (name) =>
          `extern "C" void run_${name}(void **p, const unsigned *g, const unsigned *b) { lanes::launch(&of_${region}::${name}, p, g, b); }\n` +
          `extern "C" { extern const lanes::table run_${name}_sizes; const lanes::table run_${name}_sizes = lanes::listed(&of_${region}::${name}); }\n`,
      );
      return `namespace of_${region} {\n${text.replaceAll('extern "C" ', "")}}\n${entries.join("")}`;
    });
    writeFileSync(this.at("lanes.cpp"), [`#include "${tests}/cuda/lanes.h"`, ...texts].join("\n"));
    this.compile("g++", "-std=c++17", "-O0", "-fwrapv", "-fPIC", "-shared", "lanes.cpp", "-o", "lanes.so");
    const payload = { kind: "cubin", bytes: sized(readFileSync(this.at("lanes.so"))) } as const;
    const manifests = of.map((manifest) => manifest.replace(/^kernel (\S+)$/gm, "kernel run_$1"));
    const head = { backend: "cuda", target: "lanes", variant: "default", options: "" } as const;
    writeFileSync(this.at("lanes", "all.arci"), image(head, manifests, [payload]));
  }

  /** Runs the command, whose steps know how to call Verilator; `ARC_STORE` keeps results that all designs share. */
  private hardware(): void {
    // A program that arc refuses is refused here, before any compilation.
    this.kernels("rtl");
    const args = ["cc", "-acc", "-target", "rtl", "-w", ...this.include];
    const files = this.sources.map(({ file }) => file);
    const { status, stderr } = spawnSync(command, [...args, ...files, "-o", "hardware", "-lm"], {
      cwd: this.folder,
      encoding: "utf8",
      maxBuffer: 1 << 28,
      timeout: HARDWARE * 1000,
    });
    if (status === 0) return;
    const [, file = "", line, col, code, message = ""] = REFUSAL.exec(stderr) ?? [];
    if (code === undefined || code === "failed")
      throw new Rejected(`arc cc: ${status} ${stderr.slice(0, 2000)}`);
    throw new Refused({ code, message, loc: { file, line: Number(line), col: Number(col) } });
  }

  /** Call `host` first. */
  runOn(kind: Exclude<Kind, "cuda">): SpawnSyncReturns<string> {
    if (kind === "rtl") {
      this.hardware();
      return this.run("hardware", { ARC_TARGET: "rtl" });
    }
    this.images(kind);
    const target = onOpenCl(kind)
      ? "opencl"
      : kind === "nvidia"
        ? "cuda"
        : kind === "lanes"
          ? "lanes"
          : "host";
    return this.run("exe", { ARC_IMAGES: this.at(kind), ARC_TARGET: target, ...this.environment(kind) });
  }

  private environment(kind: Kind): Record<string, string> {
    if (kind === "shared") return { ARC_HOST_MEMORY: "shared", OMP_NUM_THREADS: "5" };
    if (kind === "host") return { ARC_HOST_MEMORY: "separate", OMP_NUM_THREADS: "5" };
    if (kind === "lanes") return { LD_LIBRARY_PATH: this.at("lanes") };
    if (kind === "nvidia") return {};
    if (kind === "opencl") {
      const platform = process.env.ARC_OPENCL_PLATFORM;
      return {
        POCL_CACHE_DIR: this.at("pocl"),
        ...(platform !== undefined && { ARC_OPENCL_PLATFORM: platform }),
      };
    }
    return { ARC_OPENCL_LIBRARY: "/usr/lib/oclgrind/liboclgrind-rt.so", OCLGRIND_DATA_RACES: "1" };
  }

  private cubin(kernels: readonly Kernel[]): Buffer {
    const includes = new Set(kernels.flatMap(({ text }) => text.match(INCLUDE) ?? []));
    writeFileSync(this.at("kernels.cu"), inNamespaces(includes, kernels));
    const arch = process.env.ARC_CUDA_ARCH ?? "sm_90";
    this.compile("nvcc", `-arch=${arch}`, "-cubin", "kernels.cu", "-o", "kernels.cubin");
    return readFileSync(this.at("kernels.cubin"));
  }

  /** Compiles the CUDA text by clang, which needs no NVIDIA toolkit. */
  cuda(clang: string): void {
    const kernels = this.kernels("cuda");
    if (kernels.length === 0) return;
    const shim = path.resolve(import.meta.dirname, "../cuda/shim.h");
    writeFileSync(this.at("kernels.cu"), inNamespaces([`#include "${shim}"\n`], kernels));
    const flags = "-x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -std=c++17 -O0";
    this.compile(clang, ...flags.split(" "), "-Wno-c++11-narrowing", "-S", "-o", "kernels.ptx", "kernels.cu");
  }
}

/** The kernels as one text, with a namespace for each region's functions. */
const inNamespaces = (includes: Iterable<string>, kernels: readonly Kernel[]): string =>
  [
    ...includes,
    ...kernels.map(({ region, text }) => `namespace of_${region} {\n${text.replace(INCLUDE, "")}}\n`),
  ].join("");

const INCLUDE = /^#include .*\n/gm;

const emitterOf = (kind: Kind) =>
  ["cuda", "lanes", "nvidia"].includes(kind) ? cudaEmitter : onOpenCl(kind) ? openclEmitter : hostEmitter;

async function emitterOfHardware() {
  const kind = findKind("rtl") as TargetKind;
  const [emitter, device] = await Promise.all([kind.emitter({}), kind.profile?.({})]);
  return { emitter, shaping: device && { device, all: {}, named: [] } };
}

const rtl = await emitterOfHardware();

const onOpenCl = (kind: Kind): boolean => kind === "opencl" || kind === "oclgrind";

function refuse(diagnostics: readonly Diagnostic[]): void {
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error) throw new Refused(error);
}
