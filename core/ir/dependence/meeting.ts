/** Whether two references reach the same memory in different iterations, and what to say of it. */
import { type CType, printExpr, sizeOf } from "../../lang/index.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import type { Polynomial } from "../analysis/loops/polynomial.ts";
import type { Refusal } from "./proof.ts";
import type { Reference, References } from "./references.ts";
import { type Meeting, System } from "./subscript-equations.ts";

/** The type for alias analysis; the members of a union share their memory. */
export function typeOf({ location, type }: Reference): CType | undefined {
  return location.steps.every((s) => s.is === "index" || s.apart) ? type : undefined;
}

/** Whether both have the same base variable or pointer. */
export function sameBase(a: Reference, b: Reference): boolean {
  const [x, y] = [a.location.base, b.location.base];
  if (x.is === "unknown" || y.is === "unknown") return a === b;
  if (x.is === "loaded") return y.is === "loaded" && x.text === y.text;
  return y.is !== "loaded" && x.is === y.is && x.sym === y.sym;
}

const text = (r: Reference): string => `'${printExpr(r.expr, { name: writtenName })}'`;

/** The variable's name in the source: arc's copies of it, which stand nowhere there, are called after it. */
const writtenName = ({ name, span }: Symbol): string =>
  span.start.line > 0 ? name : name.replace(/_own(_\d+)?$/, "");

export function aliased(write: Reference, other: Reference): Refusal {
  const notes = [{ message: `${text(write)} writes here`, loc: write.expr.span.start }];
  return {
    independent: false,
    why: `${text(other)} and ${text(write)} may be the same memory`,
    loc: other.expr.span.start,
    notes,
  };
}

/** `distance`: the number of iterations between the two, if known. */
export function carried(write: Reference, other: Reference, distance: bigint | undefined): Refusal {
  const loc = other.expr.span.start;
  const steps = distance !== undefined && distance < 0n ? -distance : distance;
  const far = steps === undefined ? "" : `, ${steps} ${steps === 1n ? "iteration" : "iterations"} apart`;
  if (write === other || (other.mode !== "read" && printExpr(write.expr) === printExpr(other.expr)))
    return { independent: false, why: `several iterations may write ${text(write)}`, loc };
  const does = other.mode === "read" ? "reads" : "writes";
  return {
    independent: false,
    why: `${text(other)} ${does} what another iteration writes as ${text(write)}${far}`,
    loc,
    notes: [{ message: `${text(write)} writes here`, loc: write.expr.span.start }],
  };
}

/** Whether both may reach the same location in different iterations of the nest. */
export function meet(a: Reference, b: Reference, { nest, unsigned }: References): Meeting {
  if (sizeOf(a.type) !== sizeOf(b.type) && a.location.steps.length === b.location.steps.length) return {};
  const system = new System(a, b, nest, unsigned);
  const depth = Math.min(a.location.steps.length, b.location.steps.length);
  const equations: [Polynomial, Polynomial][] = [];
  for (let k = 0; k < depth; k++) {
    const [s, t] = [a.location.steps[k], b.location.steps[k]];
    if (s?.is === "field" && t?.is === "field") {
      if (s.name === t.name) continue;
      if (s.apart && t.apart) return "never";
      break;
    }
    if (s?.is !== "index" || t?.is !== "index") break;
    if (s.at && t.at) equations.push([s.at, t.at]);
  }
  return system.solve(equations);
}
