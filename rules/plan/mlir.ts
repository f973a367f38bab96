/** Prints regions of preprocessed sources as MLIR. Not a build step: nothing is compiled from it. */
import type { Preprocessed } from "../../core/compiler/driver/read-source.ts";
import { translateKernels } from "../../core/compiler/driver/translate.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { mlirEmitter } from "../../targets/mlir/emit.ts";

interface MlirText {
  readonly file: string;
  /** One module per region. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

export function mlirTexts(sources: readonly Preprocessed[]): readonly MlirText[] {
  return sources.map((source) => {
    const others = { kind: "whole", others: sources.filter((other) => other !== source) } as const;
    const { kernels, diagnostics } = translateKernels(source, mlirEmitter, others);
    const text = kernels.map((kernel) => kernel.text).join("\n");
    return { file: source.file, text, diagnostics };
  });
}
