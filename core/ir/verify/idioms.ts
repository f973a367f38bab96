/** Conditions on hardware idioms, so that emitters can print them. */

import { canonical, compatibleUnqualified, elementType, mapChildren } from "../../lang/index.ts";
import type { CType, Diagnostic, Expr, Stmt } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { DelayLine, Idiom } from "../model/idioms.ts";
import { asIdiom } from "../model/idioms.ts";
import type { Task } from "../model/ir.ts";
import { asNode } from "../model/ir.ts";

export function idioms(task: Task): Diagnostic[] {
  const found: Diagnostic[] = [];
  const spmd = asNode(task.body, "spmd");
  const visit = (s: Stmt, registers: readonly Expr[]): Stmt => {
    const report = (code: string, message: string) =>
      found.push({ severity: "error", code, loc: s.span.start, message });
    const n = anyIdiom(s);
    if (n && !spmd?.serial)
      report("idiom-in-parallel", `'${n.kind}' stands in a region that is no single work-item`);
    for (const message of n ? problems(n, registers) : []) report(n?.kind ?? "", message);
    const inside = n?.kind === "accumulator" ? [...registers, n.register] : registers;
    return mapChildren(s, (child) => visit(child, inside));
  };
  if (spmd) visit(spmd.body, []);
  return found;
}

function anyIdiom(s: Stmt): Idiom | undefined {
  return (
    asIdiom(s, "delayline") ??
    asIdiom(s, "accumulator") ??
    asIdiom(s, "accumulate") ??
    asIdiom(s, "channel-write") ??
    asIdiom(s, "channel-read")
  );
}

/** `registers`: the registers of enclosing accumulators. */
function problems(n: Idiom, registers: readonly Expr[]): readonly string[] {
  switch (n.kind) {
    case "delayline":
      return [...array(n.line, n.length, n.type), ...delayLine(n)];
    case "accumulator":
      return [
        ...array(n.register, n.depth + 1, n.type),
        ...(n.depth < 1 || n.lanes < 1 ? ["it has no partial result"] : []),
      ];
    case "accumulate":
      return [
        ...array(n.register, n.depth + 1, n.partial.type),
        ...(registers.some((r) => same(r, n.register))
          ? []
          : ["no accumulator of its register is around it"]),
      ];
    default:
      return n.channel === "" ? ["its channel has no name"] : [];
  }
}

function delayLine(n: DelayLine): readonly string[] {
  const found: string[] = [];
  if (n.shift < 1 || n.shift > n.length) found.push(`it moves by ${n.shift} of ${n.length} places`);
  if (n.taps !== "all" && n.taps.some((tap) => tap < 0 || tap >= n.length))
    found.push(`a tap of ${n.taps.join(", ")} is none of its ${n.length} places`);
  if (n.written?.some((place) => place < 0 || place >= n.length))
    found.push(`one of ${n.written.join(", ")} is written and none of its ${n.length} places`);
  if (n.shift > 1 !== (n.lane !== undefined))
    found.push(n.lane ? "it moves by one and counts lanes" : "it moves by several and counts no lanes");
  return found;
}

/** A local array with `length` elements of the type. */
function array(e: Expr, length: number, type: CType): readonly string[] {
  const variable = stripImplicit(e);
  const seen = canonical(e.type);
  if (variable.kind !== "ident" || seen.kind !== "array") return ["its register is no array"];
  const found: string[] = [];
  if (seen.size !== length) found.push(`its register has ${String(seen.size)} places, and it uses ${length}`);
  if (!compatibleUnqualified(elementType(seen) ?? type, type)) found.push("its register is of another type");
  return found;
}

function same(a: Expr, b: Expr): boolean {
  const [x, y] = [stripImplicit(a), stripImplicit(b)];
  return x.kind === "ident" && y.kind === "ident" && x.sym === y.sym;
}
