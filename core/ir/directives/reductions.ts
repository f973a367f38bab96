/** Reduction clauses: scalars, and arrays and structs as atomic updates of their elements and members. */

import { canonical, printDecl } from "../../lang/index.ts";
import type { CType, Diagnostic, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import { elementUpdates, isAtomic } from "../analysis/elements.ts";
import type { Reduction } from "../model/ir.ts";
import { type Directive, site, type VarRef } from "./directive.ts";
import type { Reading } from "./read-state.ts";

export class Reductions {
  private readonly reading: Reading;
  private readonly structs: boolean;
  /** Arrays in reduction clauses since the last compute construct. */
  private arraysReduced: VarRef[] = [];
  /** Reduced arrays that are also used in other ways: each lane would need a private copy. */
  private arraysUsed: VarRef[] = [];

  /** `structs`: the language reduces each member of a struct. */
  constructor(reading: Reading, structs: boolean) {
    this.reading = reading;
    this.structs = structs;
  }

  /** The arrays that a construct reduces, without its own, and whether it must run serially for them. */
  takeArrays(body: Stmt, privates: readonly Symbol[], serial = false): readonly [readonly VarRef[], boolean] {
    const { declared } = usesOf(body);
    const named = new Map(this.arraysReduced.map((v) => [v.sym, v]));
    const arrays = [...named.values()].filter((v) => !declared.has(v.sym) && !privates.includes(v.sym));
    const used = this.arraysUsed;
    this.arraysReduced = [];
    this.arraysUsed = [];
    if (!serial) for (const v of used) this.reading.diagnostics.push(runsSerially(v));
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
            (type.kind === "array" ||
              (type.kind === "record" && this.structs) ||
              (type.kind === "pointer" && v.section.length > 0))
          ) {
            const unfit = partsOf(v.sym.type, this.structs).find(
              (part) => !isReduced(part, c.op as Reduction["op"]),
            );
            if (unfit) this.unfit(v, unfit, c.op as Reduction["op"]);
            else array(c.op as Reduction["op"], v);
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
              v.object.kind === "ident"
                ? this.reducible()
                : "reduce the whole variable, or a variable of its own",
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

  private unfit(v: VarRef, { type }: Part, op: Reduction["op"]): void {
    this.reading.report(
      "reduction-type",
      v.loc,
      `'${v.written}' cannot be reduced by '${op}': it has parts of type '${printDecl(type)}'`,
      this.reducible(),
    );
  }

  private reducible = (): string =>
    `reduce variables of arithmetic type, and arrays ${this.structs ? "and structs " : ""}of them`;
}

interface Part {
  readonly type: CType;
  readonly isBitField?: true;
}

/** The scalars that a variable consists of: a reduction applies to each (OpenACC 3.3, 2.5.15). */
function partsOf(type: CType, structs = true, behindPointer = true): readonly Part[] {
  const is = canonical(type);
  if (is.kind === "array") return partsOf(is.of, structs, false);
  // The section of a pointer.
  if (is.kind === "pointer" && behindPointer) return partsOf(is.to, structs, false);
  if (is.kind !== "record" || is.decl.union || !structs) return [{ type }];
  return (is.decl.fields ?? [])
    .filter((f) => f.name || !f.bits)
    .flatMap((f): readonly Part[] =>
      f.bits ? [{ type: f.type, isBitField: true }] : partsOf(f.type, structs, false),
    );
}

function isReduced({ type }: Part, op: Reduction["op"]): boolean {
  const { kind } = canonical(type);
  if (kind === "int" || kind === "enum") return true;
  if (op === "&" || op === "|" || op === "^") return false;
  return kind === "float" || (kind === "complex" && op !== "max" && op !== "min");
}

function runsSerially({ sym, written, loc }: VarRef): Diagnostic {
  const [what, parts] =
    canonical(sym.type).kind === "record" ? ["the struct", "members"] : ["the array", "elements"];
  const unfit = partsOf(sym.type).find((part) => part.isBitField || !isAtomic(part.type));
  const has = unfit?.isBitField ? "bit-fields" : unfit && `parts of type '${printDecl(unfit.type)}'`;
  return {
    severity: "warning",
    code: "serial-array-reduction",
    loc,
    message: has
      ? `the region runs serially: it reduces ${what} '${written}', which has ${has}`
      : `the region runs serially: it does more with ${what} '${written}' than to reduce its ${parts}`,
    why: has
      ? `no device combines ${unfit?.isBitField ? "these" : "values of this type"} atomically, and every lane would need a copy`
      : `every lane would need a copy of ${what}`,
    remedy: has
      ? "reduce parts of other types, such as the real and the imaginary parts of complex numbers, in variables of their own"
      : `only combine ${parts} with the reduction's operator, each in a statement of its own`,
  };
}
