/** The numbers that represent pointer variables: the object, and the offset into it. */

import { itemAt } from "../../../checked/access.ts";
import { arrayOf, elementType, evaluateInteger, INT, isArray } from "../../../lang/index.ts";
import type { CType, Expr, Symbol } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  convert,
  freshSymbol,
  ident,
  incdec,
  index,
  intLit,
} from "../../../lang/tree/build.ts";
import { elementsIn, innermost } from "../scope/extents.ts";
import { unknownTarget } from "../scope/refusals.ts";
import { holds, pure } from "../scope/syntax.ts";
import { after, choice, elementAt, sequence } from "./expressions.ts";
import { type Known, type Leaf, type Pointer, selectLeaf } from "./points-to.ts";

/** A pointer variable, or an element of an array of them. */
export interface Slot {
  readonly p: Symbol;
  readonly known: Known;
  readonly at: Expr | undefined;
}

export class PointerVariables {
  private readonly numbers = new Map<Symbol, Map<string, Symbol>>();
  /** Stores a value in a temporary. */
  private readonly keep: (name: string, e: Expr) => { readonly first: Expr; readonly value: Expr };

  constructor(keep: PointerVariables["keep"]) {
    this.keep = keep;
  }

  /** The variable as in the source. */
  lvalue({ p, at }: Slot): Expr {
    return at ? elementAt(ident(p), at, at.span) : ident(p);
  }

  value(slot: Slot): Pointer {
    if (slot.at && !pure(slot.at)) {
      const { first, value: index } = this.keep("arc_at", slot.at);
      return { kind: "after", effect: first, then: this.value({ ...slot, at: index }) };
    }
    return selectLeaf(this.leaves(slot), (k) => binary("==", this.number(slot, "of"), intLit(k)));
  }

  /** The variable's possible targets, by number. */
  leaves(slot: Slot): readonly Leaf[] {
    const leaves: Leaf[] = [...slot.known.targets.values()].map(({ to, at }) => ({
      kind: "local",
      to,
      at: at.map((place, k) =>
        place === "varies" ? this.number(slot, placeName(at.length, k)) : intLit(place),
      ),
    }));
    if (slot.known.null) leaves.push({ kind: "null" });
    if (slot.known.other) leaves.push({ kind: "other", e: this.number(slot, "memory") });
    return leaves;
  }

  /** The variables that replace the pointer or the array of pointers. */
  symbols(p: Symbol, known: Known): readonly Symbol[] {
    const places = [...known.targets.values()].flatMap(({ at }) =>
      at.flatMap((place, k) => (place === "varies" ? [placeName(at.length, k)] : [])),
    );
    const several = known.targets.size + Number(known.null) + Number(known.other) > 1;
    const names = [...(several ? ["of"] : []), ...new Set(places), ...(known.other ? ["memory"] : [])];
    return names.map((name) => this.symbol(p, name));
  }

  /** Sets the variable to a value; undefined if nothing has to be done. */
  setting(slot: Slot, value: Pointer): Expr | undefined {
    if (slot.at && !pure(slot.at)) {
      const { first, value: index } = this.keep("arc_at", slot.at);
      const set = this.setting({ ...slot, at: index }, value);
      return set ? after(first, set) : first;
    }
    switch (value.kind) {
      case "choice": {
        const then = this.setting(slot, value.then);
        const otherwise = this.setting(slot, value.otherwise);
        const none = intLit(0);
        if (then || otherwise) return choice(value.test, then ?? none, otherwise ?? none);
        return pure(value.test) ? undefined : value.test;
      }
      case "after": {
        const then = this.setting(slot, value.then);
        return then ? after(value.effect, then) : value.effect;
      }
      default: {
        const sets = this.sets(slot, value);
        if (sets.length < 2 || !sets.some(([, e]) => this.mentions(e, slot.p)))
          return sequence(sets.map(([to, e]) => assign(to, e)));
        const temporaries = sets.map(([to, e]) => [to, this.keep(slot.p.name, e)] as const);
        return sequence([
          ...temporaries.map(([, { first }]) => first),
          ...temporaries.map(([to, { value: temporary }]) => assign(to, temporary)),
        ]);
      }
    }
  }

  /** The numbers to set for a target. */
  sets(slot: Slot, value: Leaf): readonly (readonly [Expr, Expr])[] {
    const leaves = this.leaves(slot);
    const isIt = (leaf: Leaf) =>
      leaf.kind === value.kind &&
      (leaf.kind !== "local" || (value.kind === "local" && leaf.to.key === value.to.key));
    const k = leaves.findIndex(isIt);
    const ownLeaf = leaves[k];
    if (!ownLeaf) throw unknownTarget(slot.p);
    const of = leaves.length > 1 ? [[this.number(slot, "of"), intLit(k)] as const] : [];
    if (value.kind === "other") return [...of, [this.number(slot, "memory"), value.e]];
    if (value.kind === "null" || ownLeaf.kind !== "local") return of;
    const places = ownLeaf.at.flatMap((place, j) =>
      evaluateInteger(place) === undefined ? [[place, itemAt(value.at, j)] as const] : [],
    );
    return [
      ...of,
      ...places.filter(([to, e]) => to.kind !== "ident" || e.kind !== "ident" || e.sym !== to.sym),
    ];
  }

  /** Pointer arithmetic changes the same number for all targets. */
  offsetPointer(slot: Slot, op: "+" | "-", by: Expr): Expr | undefined {
    const places = this.leaves(slot).flatMap((leaf) => (leaf.kind === "local" ? leaf.at.slice(-1) : []));
    const place = places.find((e) => evaluateInteger(e) === undefined);
    const stride = elementsIn(elementType(innermost(slot.p.type)) as CType);
    const elements = stride === 1 ? convert(by, INT) : binary("*", convert(by, INT), intLit(stride));
    const step = (to: Expr, size: Expr): Expr =>
      evaluateInteger(size) === 1n ? incdec(op === "+" ? "++" : "--", true, to) : assign(to, size, `${op}=`);
    return sequence([
      ...(place ? [step(place, elements)] : []),
      ...(slot.known.other ? [step(this.number(slot, "memory"), by)] : []),
    ]);
  }

  private number({ p, at }: Slot, name: string): Expr {
    const sym = this.symbol(p, name);
    return at ? index(ident(sym), at) : ident(sym);
  }

  private symbol(p: Symbol, name: string): Symbol {
    const symbols = this.numbers.get(p) ?? new Map<string, Symbol>();
    this.numbers.set(p, symbols);
    const type = name === "memory" ? innermost(p.type) : INT;
    const symbolType = isArray(p.type) ? arrayOf(type, elementsIn(p.type)) : type;
    const sym = symbols.get(name) ?? freshSymbol(`${p.name}_${name}`, symbolType);
    symbols.set(name, sym);
    return sym;
  }

  private mentions(e: Expr, p: Symbol): boolean {
    const symbols = new Set(this.numbers.get(p)?.values());
    return holds(e, (part) => part.kind === "ident" && symbols.has(part.sym));
  }
}

/** Named by depth from the end: arithmetic changes the last one. */
const placeName = (length: number, k: number): string => `at${k === length - 1 ? "" : length - 1 - k}`;
