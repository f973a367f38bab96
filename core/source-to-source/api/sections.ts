/** Pointers and numbers of bytes, which calls have, as the objects and array sections that directives take. */
import { canonical, evaluateInteger, sizeOf } from "../../lang/index.ts";
import type { CType, Expr } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";

/** The object or the array section that a pointer and a number of bytes describe. */
export function sectionOf(object: Expr, pointer: string, bytes: Expr, size: string): string | undefined {
  const plain = /^\(\s*(?:const\s+)?(?:void|char)\s*\*\s*\)\s*(?=[\w&])/.exec(pointer)?.[0];
  if (object.kind === "cast" && plain !== undefined)
    return sectionOf(stripImplicit(object.arg), pointer.slice(plain.length), bytes, size);
  if (object.kind === "unary" && object.op === "&") {
    const lvalue = stripImplicit(object.arg);
    const objectSize = sizeOf(lvalue.type);
    if (objectSize === undefined) return undefined;
    const written = pointer.replace(/^&\s*/, "");
    if (evaluateInteger(bytes) === BigInt(objectSize)) return written;
    return lvalue.kind === "index" ? fromElement(lvalue, written, bytes, size) : undefined;
  }
  if (object.kind === "index") {
    const rowSize = isArray(object.type) ? sizeOf(object.type) : undefined;
    return rowSize !== undefined && evaluateInteger(bytes) === BigInt(rowSize) ? pointer : undefined;
  }
  const behind = /^(\w+)\s*\+\s*([^?<>=|&^]+)$/.exec(pointer);
  if (object.kind === "binary" && object.op === "+" && behind) {
    const base = stripImplicit(object.left);
    const from =
      base.kind === "ident" && isBalanced(behind[2] ?? "")
        ? sectionOf(base, behind[1] ?? "", bytes, size)
        : undefined;
    return from?.startsWith(`${behind[1]}[0:`) ? from.replace("[0:", `[${behind[2]}:`) : undefined;
  }
  if (object.kind !== "ident") return undefined;
  const type = canonical(object.type);
  const of = type.kind === "pointer" ? type.to : type.kind === "array" ? type.of : undefined;
  const one =
    of && canonical(of).kind !== "void" && canonical(of).kind !== "function" ? sizeOf(of) : undefined;
  if (one === undefined || one === 0) return undefined;
  if (type.kind === "array" && evaluateInteger(bytes) === BigInt(sizeOf(type) ?? -1)) return pointer;
  const count = elementsIn(bytes, size, BigInt(one), `*${pointer}`);
  return count === undefined ? undefined : `${pointer}[0:${count}]`;
}

/** `&a[i]`: the section that begins there. Sections of rows end with their row. */
function fromElement(
  { base, type }: Extract<Expr, { kind: "index" }>,
  written: string,
  bytes: Expr,
  size: string,
): string | undefined {
  const found = /^(\w+(?:\[[^[\]]*\])*)\[([^[\]]+)\]$/.exec(written);
  const one = sizeOf(type);
  const count = found && one ? elementsIn(bytes, size, BigInt(one), written) : undefined;
  const of = stripImplicit(base);
  if (!found || count === undefined || (of.kind === "index" && isArray(of.type))) return undefined;
  return `${found[1]}[${found[2]}:${count}]`;
}

const isArray = (type: CType): boolean => canonical(type).kind === "array";

/** The number of elements of size `one` in so many bytes, as text; `element`: one of them. */
function elementsIn(bytes: Expr, size: string, one: bigint, element: string): string | undefined {
  if (!isMultiple(bytes, one)) return undefined;
  const count = /^(.+?)\s*\*\s*sizeof\s*(?:\([^()]*\)|\*?[\w[\]]+)$/.exec(size)?.[1];
  if (count !== undefined && isBalanced(count) && factorIs(bytes, one)) return count;
  return `(${size}) / sizeof ${element.startsWith("*") ? element : `(${element})`}`;
}

function isMultiple(e: Expr, of: bigint): boolean {
  const inner = stripImplicit(e);
  const value = evaluateInteger(inner);
  if (value !== undefined) return value % of === 0n;
  if (inner.kind === "cast") return isMultiple(inner.arg, of);
  if (inner.kind !== "binary") return false;
  if (inner.op === "*") return isMultiple(inner.left, of) || isMultiple(inner.right, of);
  return (inner.op === "+" || inner.op === "-") && isMultiple(inner.left, of) && isMultiple(inner.right, of);
}

const factorIs = (e: Expr, of: bigint): boolean => {
  const inner = stripImplicit(e);
  return inner.kind === "binary" && inner.op === "*" && evaluateInteger(inner.right) === of;
};

const isBalanced = (text: string): boolean => {
  let depth = 0;
  for (const c of text) {
    if (c === "(") depth++;
    if (c === ")") depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
};
