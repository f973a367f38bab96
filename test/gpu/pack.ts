/**
 * Translates every construct program, example and GPU bench for a machine that has a GPU and no Node:
 * pack.sh runs it here, run.py compiles and runs what it wrote there. One folder per program:
 * host.c, and per region its manifest, CUDA and OpenCL text. `pack.sh FOLDER random FIRST COUNT` takes random programs instead,
 * `pack.sh FOLDER omp FILE...` programs with OpenMP's directives that include no file of their own, and
 * `pack.sh FOLDER files FILE...` programs that print what they must print as plain C, too.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { translateHost, translateKernels } from "../../core/compiler/driver/translate.ts";
import { hostThreadsMark } from "../../core/ir/model/host-threads.ts";
import { cudaEmitterFor } from "../../targets/cuda/emit.ts";
import { openclEmitter } from "../../targets/opencl/emit.ts";
import { randomProgram } from "../nightly/random-program.ts";
import { programsIn } from "../programs/catalogue.ts";
import { allRows, pairwise } from "../programs/combinations/covering.ts";
import { axes, functionOf, isMeaningful } from "../programs/combinations/data/variables.ts";
import { sourceOf } from "../targets/fuzz/source.ts";

interface Program {
  readonly name: string;
  readonly sources: readonly string[];
  /** Command lines to run it with. */
  readonly runs: readonly (readonly string[])[];
  /** The program must stop with a message that holds this word. */
  readonly aborts?: string;
  /** What it must print on every target. */
  readonly prints?: readonly string[];
}

const out = process.argv[2] ?? ".gpu";

function constructs(): Program[] {
  return programsIn("test/programs/acc").map(({ name, sources, args, aborts, prints }) => ({
    name: `acc/${name}`,
    sources: sources.map((file) => relative(".", file)),
    runs: [args],
    prints,
    ...(aborts !== undefined && { aborts }),
  }));
}

function examples(): Program[] {
  return readdirSync("examples").flatMap((name) => {
    const folder = join("examples", name, "src");
    if (!existsSync(folder)) return [];
    const sources = readdirSync(folder)
      .filter((f) => f.endsWith(".c"))
      .map((f) => join(folder, f));
    return [{ name: `examples/${name}`, sources, runs: [[]] }];
  });
}

function benches(): Program[] {
  const folder = "test/bench/gpu";
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { encoding: "utf8", recursive: true })
    .filter((f) => f.endsWith(".c"))
    .map((f) => ({ name: `bench/${basename(f, ".c")}`, sources: [join(folder, f)], runs: [[]] }));
}

/**
 * Variables of regions in all pairs of their properties, and some of the other combinations; what they print, the serial
 * programs say here.
 */
function combinations(): Program[] {
  const every = allRows(axes, isMeaningful);
  const rows = [...pairwise<typeof axes>(every), ...every.filter((_, k) => k % 61 === 0)];
  const folder = join(out, "combinations");
  mkdirSync(folder, { recursive: true });
  return Array.from({ length: Math.ceil(rows.length / PER_PROGRAM) }, (_, n): Program => {
    const batch = rows.slice(n * PER_PROGRAM, (n + 1) * PER_PROGRAM);
    const file = join(folder, `variables${n}.c`);
    writeFileSync(file, sourceOf(batch.map((row, k) => functionOf(row, `f${k}`))));
    return { name: `combinations/variables${n}`, sources: [file], runs: [[]], prints: printed(folder, file) };
  });
}

/** Random programs of these seeds: `test/nightly/programs.sh acc` runs the same here. */
function randoms(first: number, count: number): Program[] {
  const folder = join(out, "random");
  mkdirSync(folder, { recursive: true });
  return Array.from({ length: count }, (_, k): Program => {
    const file = join(folder, `seed${first + k}.c`);
    writeFileSync(file, randomProgram(first + k)[0]?.text ?? "");
    return { name: `random/seed${first + k}`, sources: [file], runs: [[]], prints: printed(folder, file) };
  });
}

/** The lines that the program prints as plain C. */
function printed(folder: string, file: string): string[] {
  const serial = join(folder, "serial");
  execFileSync("gcc", ["-w", "-O1", file, "-o", serial, "-lm"]);
  const lines = execFileSync(serial, { encoding: "utf8" }).trim().split("\n");
  rmSync(serial);
  return lines;
}

/** Functions of one program. */
const PER_PROGRAM = 24;

rmSync(out, { recursive: true, force: true });
let failed = 0;
const every = () => [...constructs(), ...combinations(), ...examples(), ...benches()];
const [only, ...rest] = process.argv.slice(3);
const files = (): Program[] =>
  rest.map((file) => ({ name: `omp/${basename(file, ".c")}`, sources: [file], runs: [[]] }));
const [first = "1", count = "50"] = rest;
const printing = (): Program[] =>
  rest.map((file) => ({
    name: `files/${basename(file, ".c")}`,
    sources: [file],
    runs: [[]],
    prints: printed(out, file),
  }));
const defines =
  only === "omp"
    ? ["-fopenmp", "-U_OPENMP", "-D_OPENMP=201811", `-D${hostThreadsMark}`]
    : ["-D_OPENACC=202211", ...(only === "files" ? ["-D_OPENMP=201811"] : [])];
const ways: Readonly<Record<string, () => Program[]>> = {
  random: () => randoms(Number(first), Number(count)),
  omp: files,
  files: printing,
};
mkdirSync(out, { recursive: true });
const chosen = (ways[only ?? ""] ?? every)();
for (const program of chosen) {
  const folder = join(out, program.name);
  mkdirSync(folder, { recursive: true });
  const units = program.sources.map((file) => ({
    file,
    text: execFileSync("gcc", ["-E", "-dD", ...defines, "-Itargets/runtime/include", file], {
      maxBuffer: 1 << 28,
    }).toString(),
  }));
  for (const [i, unit] of units.entries()) {
    const others = { kind: "whole", others: units.filter((u) => u !== unit) } as const;
    const host = translateHost(unit, readFileSync(unit.file, "utf8"), others);
    const kernels = [cudaEmitterFor("sm_90"), openclEmitter].map((e) => ({
      e,
      ...translateKernels(unit, e, others),
    }));
    const errors = [...host.diagnostics, ...kernels.flatMap((k) => k.diagnostics)].filter(
      (d) => d.severity === "error",
    );
    if (errors.length) {
      failed++;
      console.error(`${program.name}: ${errors[0]?.loc.line}: ${errors[0]?.message}`);
    }
    writeFileSync(join(folder, `host${i}.c`), host.text);
    for (const { e, kernels: list } of kernels)
      for (const k of list) {
        writeFileSync(join(folder, `${k.region}${e.extension}`), k.text);
        writeFileSync(join(folder, `${k.region}${e.extension}.manifest`), k.manifest);
      }
  }
  writeFileSync(
    join(folder, "program.json"),
    JSON.stringify({
      runs: program.runs,
      aborts: program.aborts,
      prints: program.prints ?? [],
      include: dirname(program.sources[0] as string),
    }),
  );
}
cpSync("targets/runtime", join(out, "runtime"), { recursive: true });
// Emitted host code includes the program's own headers by the names it always used.
for (const folder of ["test/programs/acc", "test/bench/gpu", "examples"])
  cpSync(folder, join(out, "include", folder), {
    recursive: true,
    filter: (f) => !/\.(c|ts|cu|sh)$/.test(basename(f)),
  });
console.log(`${failed} sources were refused`);
