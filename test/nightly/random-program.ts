/** Programs of the one generator of random programs (`test/targets/fuzz`), a few functions each, as OpenACC or OpenMP. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { frontEnd } from "../../core/compiler/driver/front-end.ts";
import { translateSource } from "../../core/source-to-source/translate.ts";
import type { Source } from "../targets/fuzz/build.ts";
import { makeFunction } from "../targets/fuzz/program.ts";
import { sourceOf } from "../targets/fuzz/source.ts";
import { longTapes, Tape, tapes } from "../targets/fuzz/tape.ts";
import { equivalent } from "./equivalent.ts";

/** Functions of a program: compilers start once for all of them. */
const PER_PROGRAM = 8;

const tapesOf = (seed: number): number[][] => fc.sample(longTapes, { seed, numRuns: PER_PROGRAM });

const programOf = (all: readonly (readonly number[])[]): readonly Source[] => [
  { file: "a.c", text: sourceOf(all.map((tape, k) => makeFunction(new Tape(tape), `f${k}`))) },
];

export const randomProgram = (seed: number): readonly Source[] => programOf(tapesOf(seed));

/** One function: hardware of each region takes seconds to make. */
export const oneFunction = (seed: number): readonly Source[] => programOf(tapesOf(seed).slice(0, 1));

/** What does the same, with other regions around and beside. */
export const equivalentProgram = (seed: number): readonly Source[] =>
  equivalent(randomProgram(seed), fc.sample(longTapes, { seed, numRuns: 1 })[0] ?? []);

/** The same in OpenMP's words. */
export function inOpenMp(sources: readonly Source[]): readonly Source[] {
  return sources.map(({ file, text }) => ({ file, text: openMp(file, text) }));
}

function openMp(file: string, text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-openmp-"));
  try {
    writeFileSync(path.join(folder, file), text);
    const preprocessed = execFileSync("gcc", ["-E", "-dD", "-D_OPENACC=202211", file], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    const { parsed, program } = frontEnd({ file, text: preprocessed });
    const made = translateSource(
      { file, text, parsed, program },
      { to: "openmp", openmp: "5.1", map: "default" },
    );
    const error = made.diagnostics.find(({ severity }) => severity === "error");
    // Where a directive has no words in OpenMP, it stays the program of OpenACC's.
    return error || /#pragma acc/.test(made.text) ? text : made.text;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How long to look for a simpler program, in milliseconds. */
export const PATIENCE = Number(process.env.ARC_NIGHTLY_PATIENCE ?? 90) * 1000;

/** Functions are removed while the fault persists, then the choices of each are simplified. */
export const simplest =
  (language: "acc" | "omp") =>
  (seed: number, isWrong: (sources: readonly Source[]) => boolean): readonly Source[] => {
    const inLanguage = (all: readonly (readonly number[])[]) =>
      language === "omp" ? inOpenMp(programOf(all)) : programOf(all);
    const all = tapesOf(seed);
    const one = all.find((tape) => isWrong(inLanguage([tape])));
    if (!one) return inLanguage(all);
    const { counterexample } = fc.check(
      fc.property(tapes, (tape) => !isWrong(inLanguage([tape]))),
      { examples: [[one]], numRuns: 1, endOnFailure: false, interruptAfterTimeLimit: PATIENCE },
    );
    return inLanguage([counterexample?.[0] ?? one]);
  };
