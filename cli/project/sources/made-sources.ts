/**
 * C that arc makes of CUDA sources before anything else reads them, and the mapping of its positions to the originals.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { isCuda, type ReadCuda, readCuda } from "../../../core/source-to-source/cuda/read.ts";
import type { SourceFile } from "../../../rules/plan/whole-program.ts";
import type { Diagnostic } from "../../../schema/document/diagnostic.ts";
import { refuseMissing } from "./missing-source.ts";

export interface MadeSource extends SourceFile {
  readonly cuda?: ReadCuda;
}

/** `pathOf`: the engine's name of a file. */
export function madeSources(
  files: readonly string[],
  cwd: string,
  pathOf: (file: string) => string,
): readonly MadeSource[] {
  return files.map((file) => {
    const at = path.resolve(cwd, file);
    refuseMissing(file, cwd);
    if (!isCuda(file)) return { file, path: pathOf(file) };
    const cuda = readCuda(readFileSync(at, "utf8"), file);
    return { file, path: pathOf(file), text: cuda.text, cuda };
  });
}

export const refusalsOf = (sources: readonly MadeSource[]): readonly Diagnostic[] =>
  sources.flatMap(({ cuda }) => cuda?.diagnostics ?? []);

/** Moves findings in the generated C to the lines of the CUDA source. */
export function placedInCuda(
  findings: readonly Diagnostic[],
  sources: readonly MadeSource[],
): readonly Diagnostic[] {
  return findings.map((finding) => {
    const { loc } = finding;
    const translated = sources.find(({ file, cuda }) => cuda !== undefined && file === loc.file)?.cuda;
    const line = translated?.lines[loc.line - 1];
    if (line === undefined) return finding;
    const { end: _, ...rest } = finding;
    return { ...rest, loc: { ...loc, line, col: 1 } };
  });
}

/** Name of the file for a source's translation. */
export const asC = (file: string): string => file.replace(/\.(cu|upir)$/, ".c");
