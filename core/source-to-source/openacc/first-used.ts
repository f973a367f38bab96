/**
 * The element that stands for what a pointer without a clause leads to. OpenMP looks the memory up and never copies it;
 * OpenACC would copy the part that the region visibly uses, if it is not present. gcc takes a pointer without a section
 * for the pointer's own memory.
 */
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import type { DataItem } from "../../ir/model/ir.ts";
import { canonical, evaluateInteger, mapChildren, printExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Site } from "../sites/site.ts";

export const isBarePointer = ({ object, section, mapping, own, sym }: DataItem): boolean =>
  object.kind === "ident" &&
  section.length === 0 &&
  mapping.is === "present" &&
  mapping.vis === "implicit" &&
  own === undefined &&
  canonical(sym.type).kind === "pointer";

/**
 * A section of one element: the first that a loop over elements uses, as a pointer may lead to memory before the section
 * that is on the device; none if the loop has no iterations. The element it points to, if no loop tells.
 */
export function firstUsed({ stmt: construct, directive }: Site, pointer: Symbol): string {
  const { scope } = directive.pragma;
  const isVisible = (e: Expr): boolean => {
    let visible = e.kind === "ident" || evaluateInteger(e) !== undefined;
    if (e.kind === "ident") visible = scope.lookup(e.sym.name) === e.sym;
    return visible;
  };
  const visit = (s: Stmt): string | undefined => {
    const header = s.kind === "for" ? countedHeader(s) : undefined;
    if (s.kind === "for" && header && !("severity" in header) && usesElement(s.body, pointer, header.var)) {
      const [lower, upper] = [stripImplicit(header.lower), stripImplicit(header.bound)];
      const isUpward = header.relation === "<" && (evaluateInteger(header.step) ?? 0n) > 0n;
      if (!isUpward || !isVisible(lower) || !isVisible(upper)) return undefined;
      if (evaluateInteger(lower) === 0n) return "0:1";
      const isConstant = evaluateInteger(lower) !== undefined && evaluateInteger(upper) !== undefined;
      return `${printExpr(lower)}:${isConstant ? "1" : `${printExpr(upper)} > ${printExpr(lower)}`}`;
    }
    let found: string | undefined;
    mapChildren(s, (child) => {
      found ??= visit(child);
      return child;
    });
    return found;
  };
  return `[${(construct && visit(construct)) ?? "0:1"}]`;
}

/** Whether the iterations of a loop use the elements that its counter numbers. */
function usesElement(body: Stmt, pointer: Symbol, counter: Symbol): boolean {
  let found = false;
  walkStmt(body, {
    expr(e) {
      if (e.kind !== "index") return;
      const [base, index] = [stripImplicit(e.base), stripImplicit(e.index)];
      found ||=
        base.kind === "ident" && base.sym === pointer && index.kind === "ident" && index.sym === counter;
    },
  });
  return found;
}
