/** Whether the subscripts of two references can be equal in different iterations. */
import {
  add,
  constant,
  constantValue,
  content,
  extreme,
  type Facts,
  isZero,
  multiply,
  negate,
  notNegative,
  type Polynomial,
  type Range,
  rename,
  same,
  splitAt,
  subtract,
  type Variable,
  variable,
} from "../analysis/loops/polynomial.ts";
import type { Counter } from "./memory-location.ts";
import type { Reference } from "./references.ts";

/**
 * Equations between the subscripts of two references. The second has its own copy of every variable that changes: `v`
 * and `v'`. The equations hold where the references overlap.
 */
export class System {
  private readonly nest: readonly Counter[];
  /** Counters that both references have, whose two copies may be forced equal. */
  private readonly pairs: readonly Counter[];
  private readonly first: readonly Counter[];
  private readonly second: readonly Counter[];
  private readonly unsigned: ReadonlySet<Variable>;
  private readonly equal = new Set<Variable>();

  constructor(a: Reference, b: Reference, nest: readonly Counter[], unsigned: ReadonlySet<Variable>) {
    this.nest = nest;
    this.first = [...nest, ...a.loops];
    this.second = [...nest, ...b.loops];
    this.pairs = this.first.filter((c) => this.second.includes(c));
    this.unsigned = unsigned;
  }

  /**
   * Forces variables equal until nothing changes. The references may overlap only if some loop variable is not forced.
   */
  solve(equations: readonly (readonly [Polynomial, Polynomial])[]): Meeting {
    let distance: bigint | undefined;
    for (let changed = true; changed; ) {
      changed = false;
      for (const [p, q] of equations) {
        const difference = subtract(p, rename(q, this.copy));
        if (this.neverZero(difference)) return "never";
        for (const c of this.pairs) {
          if (this.equal.has(c.id)) continue;
          const found = this.apart(difference, c);
          if (found === "equal") {
            this.equal.add(c.id);
            changed = true;
            break;
          }
          if (this.nest.includes(c)) distance ??= found;
        }
      }
    }
    if (this.nest.every((c) => this.equal.has(c.id))) return "never";
    return distance === undefined ? {} : { distance };
  }

  private readonly copy = (v: Variable): Variable =>
    this.second.some((c) => c.id === v) && !this.equal.has(v) ? prime(v) : v;

  private primed(c: Counter): readonly [Variable, Range] {
    const { low, high } = c.range;
    return [
      this.copy(c.id),
      { ...(low && { low: rename(low, this.copy) }), ...(high && { high: rename(high, this.copy) }) },
    ];
  }

  /** Ranges of all variables, those of inner loops first. */
  private order(): (readonly [Variable, Range])[] {
    const inner = (list: readonly Counter[]) => list.slice(this.nest.length).reverse();
    return [
      ...inner(this.second).map((c) => this.primed(c)),
      ...inner(this.first).map((c) => [c.id, c.range] as const),
      ...[...this.nest].reverse().flatMap((c) => [this.primed(c), [c.id, c.range] as const]),
    ];
  }

  /** The loops around both references run, so no range is empty. */
  private facts(): Facts {
    const facts: Polynomial[] = [...this.unsigned].map((v) => variable(v));
    for (const [v, { low, high }] of this.order()) {
      if (low && high) facts.push(subtract(high, low));
      if (low) facts.push(subtract(variable(v), low));
      if (high) facts.push(subtract(high, variable(v)));
    }
    return facts;
  }

  private neverZero(difference: Polynomial): boolean {
    const stepped = this.inSteps(difference);
    const divisor = content(stepped);
    const offset = stepped.get("") ?? 0n;
    if (divisor === 0n ? offset !== 0n : offset % divisor !== 0n) return true;
    const [order, facts] = [this.order(), this.facts()];
    const least = extreme("least", difference, order, facts);
    if (least && notNegative(subtract(least, constant(1)), facts)) return true;
    const greatest = extreme("greatest", difference, order, facts);
    return greatest !== undefined && notNegative(subtract(negate(greatest), constant(1)), facts);
  }

  /** `v` as its first value plus a multiple of its step, which distinguishes even from odd. */
  private inSteps(difference: Polynomial): Polynomial {
    let result = difference;
    const counters = [
      ...this.first.map((c) => [c, c.id] as const),
      ...this.second.map((c) => [c, this.copy(c.id)] as const),
    ];
    for (const [c, id] of counters) {
      if (!c.lower || c.step === undefined || c.step === 1n) continue;
      const parts = splitAt(result, id);
      if (!parts || isZero(parts.slope)) continue;
      const lower = id === c.id ? c.lower : rename(c.lower, this.copy);
      const value = add(lower, multiply(constant(c.step), variable(`${id} steps`)));
      result = add(multiply(parts.slope, value), parts.rest);
    }
    return result;
  }

  /**
   * `difference = slope * (v - v') + rest`: if `rest` is always smaller than one step of `v`, only `v = v'` solves it.
   * Otherwise, if it is constant, the number of steps by which `v'` trails `v`.
   */
  private apart(difference: Polynomial, c: Counter): "equal" | bigint | undefined {
    const one = splitAt(difference, c.id);
    const two = one && splitAt(one.rest, prime(c.id));
    if (!one || !two || isZero(one.slope) || !same(one.slope, negate(two.slope))) return undefined;
    const size = c.step === undefined || !this.sameRange(c) ? 1n : c.step < 0n ? -c.step : c.step;
    const [order, facts] = [this.order(), this.facts()];
    const up = multiply(one.slope, constant(size));
    const unit = notNegative(subtract(up, constant(1)), facts) ? up : negate(up);
    if (!notNegative(subtract(unit, constant(1)), facts)) return undefined;
    const rest = constantValue(two.rest);
    const by = constantValue(unit);
    if (rest !== undefined && rest !== 0n && by !== undefined && rest % by === 0n)
      return (rest / by) * (unit === up ? 1n : -1n) * (c.step !== undefined && c.step < 0n ? -1n : 1n);
    const least = extreme("least", two.rest, order, facts);
    const greatest = extreme("greatest", two.rest, order, facts);
    const below = greatest && notNegative(subtract(subtract(unit, greatest), constant(1)), facts);
    const above = least && notNegative(subtract(add(unit, least), constant(1)), facts);
    return below && above ? "equal" : undefined;
  }

  /** Both copies of the counter start at the same value and have the same step. */
  private sameRange(c: Counter): boolean {
    return c === this.nest[0] || (c.lower !== undefined && same(c.lower, rename(c.lower, this.copy)));
  }
}

// ---------------------------------------------------------------- memory
/** Result of comparing two references. */
export type Meeting = "never" | { readonly distance?: bigint };

export const prime = (v: Variable): Variable => `${v}'`;
