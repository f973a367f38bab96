/** Reduction clauses: scalars, and arrays as atomic updates of their elements. */

import { canonical } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import { elementUpdates } from "../analysis/elements.ts";
import type { Reduction } from "../model/ir.ts";
import { type Directive, site, type VarRef } from "./directive.ts";
import type { Reading } from "./read-state.ts";

export class Reductions {
  private readonly reading: Reading;
  /** Arrays in reduction clauses since the last compute construct. */
  private arraysReduced: VarRef[] = [];
  /** Reduced arrays that are also used in other ways: each lane would need a private copy. */
  private arraysUsed: VarRef[] = [];

  constructor(reading: Reading) {
    this.reading = reading;
  }

  /** The arrays that a construct reduces, without its own, and whether it must run serially for them. */
  takeArrays(body: Stmt, privates: readonly Symbol[]): readonly [readonly VarRef[], boolean] {
    const { declared } = usesOf(body);
    const named = new Map(this.arraysReduced.map((v) => [v.sym, v]));
    const arrays = [...named.values()].filter((v) => !declared.has(v.sym) && !privates.includes(v.sym));
    const used = this.arraysUsed;
    this.arraysReduced = [];
    this.arraysUsed = [];
    for (const v of used)
      this.reading.diagnostics.push({
        severity: "warning",
        code: "serial-array-reduction",
        loc: v.loc,
        message: `the region runs serially: it does more with the array '${v.written}' than to reduce its elements`,
        why: "every lane would need a copy of the array",
        remedy: "only combine elements with the reduction's operator, each in a statement of its own",
      });
    return [arrays, used.length > 0];
  }

  /**
   * The scalars that a directive reduces, and its body with array reductions as atomic updates. `inOrder`: the
   * iterations of its loop are not distributed.
   */
  of(
    d: Directive,
    body: Stmt,
    source: Stmt,
    { inOrder = false }: { readonly inOrder?: boolean } = {},
  ): { reductions: Reduction[]; body: Stmt } {
    const arrays: { readonly op: Reduction["op"]; readonly ref: VarRef }[] = [];
    const reductions = this.scalars(d, (op, ref) => arrays.push({ op, ref }));
    // In order, elements are combined in place.
    if (inOrder || (d.name === "loop" && !this.reading.around.construct)) return { reductions, body };
    this.arraysReduced.push(...arrays.map(({ ref }) => ref));
    let rewritten = body;
    for (const { op, ref } of arrays) {
      const updates = elementUpdates(rewritten, ref.sym, op, site(d, source));
      if (updates) rewritten = updates;
      else this.arraysUsed.push(ref);
    }
    return { reductions, body: rewritten };
  }

  private scalars(d: Directive, array: (op: Reduction["op"], ref: VarRef) => void): Reduction[] {
    return d.clauses
      .filter((c) => c.name === "reduction")
      .flatMap((c) =>
        c.vars.flatMap((v) => {
          const type = canonical(v.sym.type);
          const integerOnly = ["&", "|", "^"].includes(c.op as string);
          if (
            v.object.kind === "ident" &&
            (type.kind === "array" || (type.kind === "pointer" && v.section.length > 0))
          ) {
            array(c.op as Reduction["op"], v);
            return [];
          }
          if (
            v.section.length > 0 ||
            v.object.kind !== "ident" ||
            (type.kind !== "int" && type.kind !== "float" && type.kind !== "enum" && type.kind !== "complex")
          ) {
            this.reading.report(
              "reduction-type",
              v.loc,
              `'${v.written}' cannot be reduced`,
              "reduce scalar variables of arithmetic type",
            );
            return [];
          }
          if (integerOnly && type.kind !== "int" && type.kind !== "enum") {
            this.reading.report(
              "reduction-type",
              v.loc,
              `operator '${c.op}' needs an integer, and '${v.written}' is not one`,
              "use + * max min && or ||",
            );
            return [];
          }
          if ((c.op === "max" || c.op === "min") && type.kind === "complex") {
            this.reading.report(
              "reduction-type",
              v.loc,
              `'${v.written}' is complex, and complex numbers have no order for '${c.op}'`,
              "reduce a real number, such as the absolute value",
            );
            return [];
          }
          return [{ op: c.op as Reduction["op"], sym: v.sym, loc: v.loc }];
        }),
      );
  }
}
