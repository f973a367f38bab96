/** What functions of C's library write and read through their arguments: the first element at least. */
import { canonical, elementType, evaluateInteger } from "../../lang/index.ts";
import type { Expr } from "../../lang/tree/ast.ts";
import { intLit } from "../../lang/tree/build.ts";
import type { Access } from "./access.ts";

const written = /^(memset|memcpy|memmove|strcpy|strncpy|sprintf|fgets|fread)$/;
const read = /^(memcpy|memmove|strcpy|strncpy)$/;

type Use = readonly [element: Expr, mode: Access["mode"]];

export function usedByLibrary(name: string, args: readonly Expr[]): readonly Use[] {
  const [to, from, size] = args;
  // Nothing is moved.
  if (!written.test(name) || (size && evaluateInteger(size) === 0n)) return [];
  const uses: Use[] = [];
  const [target, source] = [to && first(to), from && read.test(name) ? first(from) : undefined];
  if (source) uses.push([source, "read"]);
  if (target) uses.push([target, "write"]);
  return uses;
}

/** `p[0]`; undefined: what it points to is unknown. */
function first(pointer: Expr): Expr | undefined {
  const base = pointer.kind === "cast" && pointer.implicit ? pointer.arg : pointer;
  const array = canonical(base.type);
  const type = array.kind === "array" ? array.of : elementType(base.type);
  if (!type || ["void", "array", "record"].includes(canonical(type).kind)) return undefined;
  return { kind: "index", base, index: intLit(0), type, span: base.span };
}
