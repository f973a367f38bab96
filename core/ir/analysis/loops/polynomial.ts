/** Polynomials with integer coefficients over variables, for subscripts, bounds and distances. */

/** A variable: one symbol, or one symbol in one iteration. Equal ids are one variable. */
export type Variable = string;

/** Variables of a product, sorted and joined; the empty product is the constant. */
type Monomial = string;

export type Polynomial = ReadonlyMap<Monomial, bigint>;

export const constant = (value: bigint | number): Polynomial =>
  BigInt(value) === 0n ? new Map() : new Map([["", BigInt(value)]]);

export const variable = (v: Variable): Polynomial => new Map([[v, 1n]]);

const SEPARATOR = "*";

const factors = (m: Monomial): readonly Variable[] => (m === "" ? [] : m.split(SEPARATOR));
const product = (list: readonly Variable[]): Monomial => [...list].sort().join(SEPARATOR);

export function add(a: Polynomial, b: Polynomial, times = 1n): Polynomial {
  const sum = new Map(a);
  for (const [m, c] of b) {
    const value = (sum.get(m) ?? 0n) + c * times;
    if (value === 0n) sum.delete(m);
    else sum.set(m, value);
  }
  return sum;
}

export const subtract = (a: Polynomial, b: Polynomial): Polynomial => add(a, b, -1n);
export const negate = (p: Polynomial): Polynomial => add(constant(0), p, -1n);

export function multiply(a: Polynomial, b: Polynomial): Polynomial {
  let result: Polynomial = new Map();
  for (const [m, c] of a) {
    const row = new Map<Monomial, bigint>();
    for (const [n, d] of b) {
      const key = product([...factors(m), ...factors(n)]);
      row.set(key, (row.get(key) ?? 0n) + c * d);
    }
    result = add(result, row);
  }
  return result;
}

export const isZero = (p: Polynomial): boolean => p.size === 0;
export const same = (a: Polynomial, b: Polynomial): boolean => isZero(subtract(a, b));

/** The value, if no variable is left. */
export function constantValue(p: Polynomial): bigint | undefined {
  if (p.size === 0) return 0n;
  return p.size === 1 ? p.get("") : undefined;
}

export function variables(p: Polynomial): Set<Variable> {
  return new Set([...p.keys()].flatMap(factors));
}

/** `p = slope * v + rest`; undefined if `v` occurs in a higher power. */
export function splitAt(p: Polynomial, v: Variable): { slope: Polynomial; rest: Polynomial } | undefined {
  const slope = new Map<Monomial, bigint>();
  const rest = new Map<Monomial, bigint>();
  for (const [m, c] of p) {
    const list = factors(m);
    const others = list.filter((f) => f !== v);
    if (list.length - others.length > 1) return undefined;
    if (others.length === list.length) rest.set(m, c);
    else slope.set(product(others), c);
  }
  return { slope, rest };
}

/** `p` with `v` replaced; undefined if `v` occurs in a higher power. */
export function replace(p: Polynomial, v: Variable, by: Polynomial): Polynomial | undefined {
  const parts = splitAt(p, v);
  return parts && add(multiply(parts.slope, by), parts.rest);
}

/** `p` with variables renamed. */
export function rename(p: Polynomial, to: (v: Variable) => Variable): Polynomial {
  let result: Polynomial = new Map();
  for (const [m, c] of p) result = add(result, new Map([[product(factors(m).map(to)), c]]));
  return result;
}

/** The greatest common divisor of all coefficients except the constant's; 0 if there are none. */
export function content(p: Polynomial): bigint {
  let result = 0n;
  for (const [m, c] of p) if (m !== "") result = gcd(result, c < 0n ? -c : c);
  return result;
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

/** Known facts about variables: polynomials that are not negative. */
export type Facts = readonly Polynomial[];

/** Whether `p` is proved to be at least 0. */
export function notNegative(p: Polynomial, facts: Facts): boolean {
  const value = constantValue(p);
  if (value !== undefined) return value >= 0n;
  const bounds = lowerBounds(facts);
  // Measured from its lower bound, a variable is not negative.
  const goal = shifted(p, bounds);
  const known = facts.map((f) => shifted(f, bounds));
  const plain = (q: Polynomial) =>
    [...q].every(([m, c]) => c >= 0n && factors(m).every((v) => bounds.has(v)));
  if (plain(goal)) return true;
  // One fact, or the sum of two, may compensate for the negative part.
  return known.some((f, i) => {
    const left = subtract(goal, f);
    return plain(left) || known.slice(i).some((g) => plain(subtract(left, g)));
  });
}

/** Lower bounds from facts of the form `v - c`. */
function lowerBounds(facts: Facts): ReadonlyMap<Variable, bigint> {
  const bounds = new Map<Variable, bigint>();
  for (const f of facts) {
    const names = [...f.keys()].filter((m) => m !== "");
    const [v] = names;
    if (names.length !== 1 || v === undefined || f.get(v) !== 1n || v.includes(SEPARATOR)) continue;
    const least = -(f.get("") ?? 0n);
    const known = bounds.get(v);
    if (known === undefined || least > known) bounds.set(v, least);
  }
  return bounds;
}

/** `p` in terms of each variable's distance from its lower bound. */
function shifted(p: Polynomial, bounds: ReadonlyMap<Variable, bigint>): Polynomial {
  let result: Polynomial = new Map();
  for (const [m, c] of p) {
    const terms = factors(m).map((v) => add(variable(v), constant(bounds.get(v) ?? 0n)));
    result = add(result, terms.reduce(multiply, constant(c)));
  }
  return result;
}

/** The range of a variable; either end may be unknown. */
export interface Range {
  readonly low?: Polynomial;
  readonly high?: Polynomial;
}

/**
 * The least or greatest value of `p` over the variables' ranges, as a polynomial in the variables without a range.
 * `order`: a variable whose range depends on others precedes those.
 */
export function extreme(
  which: "least" | "greatest",
  p: Polynomial,
  order: readonly (readonly [Variable, Range])[],
  facts: Facts,
): Polynomial | undefined {
  let result: Polynomial | undefined = p;
  for (const [v, range] of order) {
    const parts = splitAt(result, v);
    if (!parts) return undefined;
    if (isZero(parts.slope)) continue;
    const rising = notNegative(parts.slope, facts);
    if (!rising && !notNegative(negate(parts.slope), facts)) return undefined;
    const end: Polynomial | undefined = (which === "greatest") === rising ? range.high : range.low;
    if (!end) return undefined;
    result = add(multiply(parts.slope, end), parts.rest);
  }
  return result;
}
