/** The memory that an expression designates, followed through parameters and through pointers that are set once. */
import { canonical, elementType, evaluateInteger, isPointer, isScalar, sizeOf } from "../../lang/index.ts";
import type { CType, Expr, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Frame, MemoryLocation, Step, Term } from "./access.ts";
import { isBehind } from "./contents.ts";
import type { Facts } from "./facts.ts";
import type { Pointees } from "./pointees.ts";

/** The name of a step to whichever number of a union. */
export const anyOfUnion = "";

/** Limit for chains of pointers. */
const deepest = 8;

export class MemoryLocations {
  private readonly facts: Facts;
  private readonly pointees: Pointees;

  constructor(facts: Facts, pointees: Pointees) {
    this.facts = facts;
    this.pointees = pointees;
  }

  /** Undefined if unknown. */
  of(e: Expr, frame: Frame, depth = 0): MemoryLocation | undefined {
    const inner = stripImplicit(e);
    switch (inner.kind) {
      case "ident":
        return inner.sym.kind === "var" || inner.sym.kind === "param"
          ? { root: inner.sym, steps: [], relies: [] }
          : undefined;
      case "index": {
        const swapped = !isPointer(inner.base.type) && canonical(inner.base.type).kind !== "array";
        const [base, index] = swapped ? [inner.index, inner.base] : [inner.base, inner.index];
        const array = canonical(base.type).kind === "array" ? this.elements(base, frame, depth) : undefined;
        return moved(array ?? this.pointee(base, frame, depth), { expr: index, frame });
      }
      case "member":
        return plus(
          inner.arrow ? this.pointee(inner.base, frame, depth) : this.of(inner.base, frame, depth),
          { is: "field", name: isOneOfUnion(inner) ? anyOfUnion : inner.name },
        );
      case "unary":
        return inner.op === "*" ? this.pointee(inner.arg, frame, depth) : undefined;
      default:
        return undefined;
    }
  }

  /** The first element of an array. */
  private elements(array: Expr, frame: Frame, depth: number): MemoryLocation | undefined {
    return plus(this.of(array, frame, depth), { is: "index", terms: [] });
  }

  /** A pointer's target: its last step is an index. */
  pointee(e: Expr, frame: Frame, depth = 0): MemoryLocation | undefined {
    if (depth > deepest) return undefined;
    switch (e.kind) {
      case "cast":
        if (canonical(e.arg.type).kind === "array") return this.elements(e.arg, frame, depth);
        return isPointer(e.arg.type) && sameElements(e.arg.type, e.to)
          ? this.pointee(e.arg, frame, depth)
          : undefined;
      case "ident":
        return this.through(e.sym, frame, depth);
      case "binary": {
        if (e.op !== "+" && e.op !== "-") return undefined;
        const [pointer, offset] = isPointer(e.left.type) ? [e.left, e.right] : [e.right, e.left];
        const by: Term = { expr: offset, frame, ...(e.op === "-" && { negative: true as const }) };
        return isPointer(pointer.type) ? moved(this.pointee(pointer, frame, depth), by) : undefined;
      }
      case "unary": {
        if (e.op === "*") return this.loaded(e, frame, depth);
        const location = e.op === "&" ? this.of(e.arg, frame, depth) : undefined;
        return location?.steps.at(-1)?.is === "index" ? location : plus(location, { is: "index", terms: [] });
      }
      case "index":
      case "member":
        return this.loaded(e, frame, depth);
      default:
        return undefined;
    }
  }

  private through(sym: Symbol, frame: Frame, depth: number): MemoryLocation | undefined {
    const settings = this.facts.settings.get(sym) ?? [];
    const fixed = !this.facts.addressed.has(sym);
    const argument = frame.arguments.get(sym);
    if (argument) {
      return settings.length === 0 && fixed
        ? this.pointee(argument.expr, argument.frame, depth + 1)
        : undefined;
    }
    const moves = this.facts.moving.has(sym);
    const value = moves ? undefined : settings[0]?.value;
    if (value && fixed && sym.scope === "block") {
      const led = this.pointee(value, frame, depth + 1);
      if (led) return led;
    }
    const now = moves ? this.pointees.of(sym) : undefined;
    return now ?? { root: sym, steps: [{ is: "deref" }, { is: "index", terms: [] }], relies: [sym] };
  }

  /** `table[index]` of an array of pointers whose contents are known: where the row begins. */
  private row(e: Expr & { readonly kind: "index" }, frame: Frame, depth: number): MemoryLocation | undefined {
    const base = stripImplicit(e.base);
    if (base.kind !== "ident" || this.facts.addressed.has(base.sym) || depth > deepest) return undefined;
    const filled = this.facts.filled.get(base.sym);
    if (filled && isBehind(e, filled)) {
      const turn = [filled.header.var, { expr: e.index, frame, exact: true as const }] as const;
      return this.pointee(filled.value, { arguments: new Map([...frame.arguments, turn]) }, depth + 1);
    }
    const listed = this.facts.listed.get(base.sym);
    if (!listed || !isBehind(e, listed)) return undefined;
    const starts = new Map<number, number>();
    let all: ReturnType<typeof constantStart>;
    for (const [at, value] of listed.values) {
      const found = constantStart(this.pointee(value, frame, depth + 1));
      if (!found || (all && (all.root !== found.root || all.path !== found.path))) return undefined;
      all = found;
      starts.set(at, found.start);
    }
    const term: Term = { expr: e.index, frame, of: starts };
    return (
      all && { root: all.root, steps: [...all.steps, { is: "index", terms: [term] }], relies: all.relies }
    );
  }

  /** The target of a pointer stored in memory. */
  private loaded(e: Expr, frame: Frame, depth: number): MemoryLocation | undefined {
    const row = e.kind === "index" ? this.row(e, frame, depth) : undefined;
    if (row) return row;
    const at = this.of(e, frame, depth);
    const pointer = at && { ...at, relies: [...at.relies, at.root] };
    return plus(plus(pointer, { is: "deref" }), { is: "index", terms: [] });
  }
}

/** The constant that the last subscript adds, and the location without it. */
function constantStart(location: MemoryLocation | undefined) {
  const last = location?.steps.at(-1);
  if (!location || last?.is !== "index") return undefined;
  let start = 0;
  for (const { expr, negative } of last.terms) {
    const value = evaluateInteger(expr);
    if (value === undefined) return undefined;
    start += negative ? -Number(value) : Number(value);
  }
  const steps = location.steps.slice(0, -1);
  const isSimple = steps.every((step) => step.is !== "index" || step.terms.length === 0);
  const path = steps.map((step) => (step.is === "field" ? `.${step.name}` : step.is)).join();
  return isSimple ? { start, steps, path, root: location.root, relies: location.relies } : undefined;
}

/** Numbers in a union begin at one place. */
const isOneOfUnion = ({ base, arrow, type }: Expr & { readonly kind: "member" }): boolean => {
  const record = canonical(arrow ? (elementType(base.type) ?? base.type) : base.type);
  return record.kind === "record" && record.decl.union && isScalar(type);
};

const plus = (location: MemoryLocation | undefined, step: Step): MemoryLocation | undefined =>
  location && { ...location, steps: [...location.steps, step] };

/** The location moved by a number of elements. */
function moved(location: MemoryLocation | undefined, by: Term): MemoryLocation | undefined {
  const last = location?.steps.at(-1);
  if (!location || last?.is !== "index") return undefined;
  return {
    ...location,
    steps: [...location.steps.slice(0, -1), { is: "index", terms: [...last.terms, by] }],
  };
}

function sameElements(from: CType, to: CType): boolean {
  const [a, b] = [from, to].map((t) => elementType(t));
  if (!a || !b || canonical(a).kind === "void" || canonical(b).kind === "void") return false;
  return sizeOf(a) !== undefined && sizeOf(a) === sizeOf(b);
}
