/** The parameters of a function, whether it is defined or only declared. */

import { canonical } from "../../lang/index.ts";
import type { Symbol } from "../../lang/tree/ast.ts";

/** The parameters of the definition if there is one, else of the declaration, without unnamed ones. */
export function parametersOf(sym: Symbol): readonly Symbol[] {
  if (sym.definition) return sym.definition.params;
  const type = canonical(sym.type);
  return type.kind === "function" ? type.params.flatMap((param) => param.sym ?? []) : [];
}
