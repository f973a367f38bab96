/** Objects that stand for their device addresses in a block: the effect of `use_device` and similar clauses. */
import {
  canonical,
  decay,
  evaluateInteger,
  mapStmt,
  pointerTo,
  printDecl,
  printExpr,
  sizeOf,
} from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { deref, freshSymbol, ident, index, intLit, stripImplicit } from "../../lang/tree/build.ts";
import { rootOf } from "../analysis/access.ts";
import type { DeviceObject, DeviceSection, HostData } from "../model/ir.ts";
import type { VarRef } from "./directive.ts";

/**
 * In the block, arrays and pointers become device pointers, and any other object becomes the target of such a pointer.
 */
export function deviceAddresses(
  vars: readonly VarRef[],
  body: Stmt,
): Pick<HostData, "variables" | "sections" | "objects" | "body"> {
  const isVariable = (v: VarRef) => v.object.kind === "ident" && leads(v.object);
  const objects = vars.filter((v) => !isVariable(v)).map(deviceObject);
  const variables = vars.filter(isVariable).map((v) => v.sym);
  const sections = vars.filter(isVariable).flatMap((v): DeviceSection[] => {
    const first = firstOf(v);
    return first ? [{ variable: v.sym, first }] : [];
  });
  const named = { variables, ...(sections.length > 0 && { sections }) };
  const { body: own, written } = withSizes(body, variables);
  if (objects.length === 0 && written) return { ...named, body };
  return { ...named, objects, body: onDevice(own, objects) };
}

/** Sizes of arrays stay those of the host's, although their names are pointers in the block. */
function withSizes(body: Stmt, variables: readonly Symbol[]): { body: Stmt; written: boolean } {
  let written = true;
  const own = mapStmt(body, {
    expr(e) {
      const arg = e.kind === "sizeof" && e.arg ? stripImplicit(e.arg) : undefined;
      if (arg?.kind !== "ident" || !variables.includes(arg.sym)) return e;
      const size = canonical(arg.sym.type).kind === "array" ? sizeOf(arg.sym.type) : undefined;
      if (size === undefined) return e;
      written = false;
      return intLit(size, e.type, e.span);
    },
  });
  return { body: own, written };
}

/** The object's own value is an address. */
export const leads = ({ type }: Expr): boolean => ["array", "pointer"].includes(canonical(type).kind);

function deviceObject({ object, written }: VarRef): DeviceObject {
  const type = leads(object) ? decay(object.type) : pointerTo(object.type);
  const pointer = freshSymbol(`arc_device_${written.replaceAll(/\W+/g, "_")}`, type);
  return { object, pointer, leads: leads(object) };
}

/** The first element of a section that begins behind its object. */
function firstOf({ object, section }: VarRef): Expr | undefined {
  const starts = section.map(({ start }) => start ?? intLit(0));
  if (starts.every((start) => evaluateInteger(start) === 0n)) return undefined;
  return starts.reduce<Expr>((of, start) => index(of, start), object);
}

function onDevice(body: Stmt, objects: readonly DeviceObject[]): Stmt {
  const known = new Map(objects.map((o) => [key(o.object), o] as const));
  const pointers = new Set(objects.map((o) => o.pointer));
  return mapStmt(body, {
    expr: (e) => {
      // An array was converted to a pointer here, and is one now.
      if (e.kind === "cast" && e.implicit && e.arg.kind === "ident" && pointers.has(e.arg.sym))
        return printDecl(e.to) === printDecl(e.arg.type) ? e.arg : e;
      const found = ["ident", "member", "index", "unary"].includes(e.kind) ? known.get(key(e)) : undefined;
      if (!found) return e;
      return found.leads ? ident(found.pointer) : deref(ident(found.pointer));
    },
  });
}

/** Equal for expressions that name the same object of the same variable. */
const key = (e: Expr): string => `${rootOf(e)?.sym.id} ${printExpr(e)}`;
