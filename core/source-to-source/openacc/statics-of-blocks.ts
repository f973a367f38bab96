/** Variables of device code that are static in a block, which OpenACC has not (3.3, section 2.15.1). */
import type { Program } from "../../ir/model/program.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";

export const staticsOfBlocks = ({ statics }: Program): readonly Diagnostic[] =>
  [...(statics?.moved ?? [])].map(([{ name, span }]) => ({
    severity: "error",
    code: "not-translatable",
    loc: span.start,
    message: `'${name}' is static in device code, and OpenACC 3.3, section 2.15.1, does not support this`,
    remedy: `move '${name}' to file scope, and declare it for devices`,
  }));
