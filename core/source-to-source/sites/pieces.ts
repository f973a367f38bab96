/** Sections that are not contiguous memory, which some clauses of the other language do not accept. */
import type { VarRef } from "../../ir/directives/directive.ts";
import { canonical, elementType, evaluateInteger, printExpr } from "../../lang/index.ts";
import type { CType } from "../../lang/tree/ast.ts";
import { CannotSay } from "./rewrite.ts";

/** Refuses elements with gaps between them, and rows reached through several pointers. */
export function refusePieces(vars: readonly VarRef[], language: string): void {
  const found = vars.find(inPieces);
  if (found)
    throw new CannotSay(
      found.loc,
      `'${found.written}' is not one piece of memory, which ${language}'s clauses need`,
      "move each piece by itself, or all of the array",
    );
}

function inPieces({ object, section }: VarRef): boolean {
  let type: CType | undefined = object.type;
  let several = false;
  for (const { start, length, stride } of section) {
    const seen: CType | undefined = type && canonical(type);
    const extent = seen?.kind === "array" ? seen.size : undefined;
    const counted = length && evaluateInteger(length);
    const isEntire =
      (start === undefined || evaluateInteger(start) === 0n) &&
      (length === undefined ||
        (typeof extent === "number" && counted === BigInt(extent)) ||
        (typeof extent === "object" && printExpr(extent) === printExpr(length)));
    if (several && (seen?.kind === "pointer" || !isEntire)) return true;
    if (stride && evaluateInteger(stride) !== 1n) return true;
    several ||= counted !== 1n;
    type = type && elementType(type);
  }
  return false;
}
