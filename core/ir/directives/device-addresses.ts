/** Variables that stand for their device addresses in a block: the effect of `use_device` and similar clauses. */
import { canonical, pointerTo, substitute } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import { deref, freshSymbol, ident } from "../../lang/tree/build.ts";
import type { HostData } from "../model/ir.ts";
import type { VarRef } from "./directive.ts";

/**
 * In the block, arrays and pointers become device pointers, and any other object becomes the target of such a pointer.
 */
export function deviceAddresses(
  vars: readonly VarRef[],
  body: Stmt,
): Pick<HostData, "variables" | "objects" | "body"> {
  const isObject = ({ sym }: VarRef) => !["array", "pointer"].includes(canonical(sym.type).kind);
  const objects = vars.filter(isObject).map(({ sym }) => ({
    sym,
    pointer: freshSymbol(`arc_device_${sym.name}`, pointerTo(sym.type)),
  }));
  const variables = vars.filter((v) => !isObject(v)).map((v) => v.sym);
  if (objects.length === 0) return { variables, body };
  return {
    variables,
    objects,
    body: substitute(body, new Map(objects.map(({ sym, pointer }) => [sym, deref(ident(pointer))]))),
  };
}
