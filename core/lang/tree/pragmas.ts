/** All pragmas of a unit: at file scope, of functions, and of the statements in them. */
import type { External, Pragma } from "./ast.ts";
import { statementsIn } from "./children.ts";

export const pragmasIn = (externals: readonly External[]): readonly Pragma[] =>
  externals.flatMap((external) => {
    if (external.kind === "pragma") return [external];
    if (external.kind !== "function") return [];
    return [...(external.pragmas ?? []), ...[...statementsIn(external.body)].flatMap((s) => s.pragmas ?? [])];
  });
