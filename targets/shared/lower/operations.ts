/** A launch's floating-point operations, counted from the source, as image-file expressions: for profiles. */
import type { DeviceFunction } from "../../../core/ir/analysis/routines.ts";
import type { LoopHeader, Spmd } from "../../../core/ir/model/ir.ts";
import type { Argument } from "../../../core/ir/model/region.ts";
import { pipelineOf } from "../../../core/ir/pipeline/build.ts";
import { floatOperationsIn } from "../../../core/ir/pipeline/float-operations.ts";
import type { Pipeline } from "../../../core/ir/pipeline/pipeline.ts";
import { canonical, evaluateInteger } from "../../../core/lang/index.ts";
import type { Expr, Symbol } from "../../../core/lang/tree/ast.ts";

/** Longer expressions would cost the launch more than they are worth. */
const LONGEST = 2000;

/**
 * Undefined: there are none, or a trip count does not follow from the launch's arguments (rows of a sparse
 * matrix). A trip count that depends on an enclosing loop is taken at that loop's middle iteration.
 */
export function operationsOf(
  spmd: Spmd,
  functions: ReadonlyMap<Symbol, DeviceFunction>,
  args: readonly Argument[],
): readonly [string, string] | undefined {
  const called = new Map([...functions].map(([sym, f]) => [sym, f.def]));
  const pipeline = pipelineOf({ body: spmd.body, single: false, privates: spmd.privates, functions: called });
  const values = new Map(
    args.flatMap(({ sym, how }, k): [Symbol, string][] =>
      how === "value" && isInteger(sym) ? [[sym, `a${k}`]] : [],
    ),
  );
  const count = (p: Pipeline, known: ReadonlyMap<Symbol, string>): [string, string] | undefined => {
    const { trips, inside } = tripsOf(p, known);
    const { single, wide } = floatOperationsIn(p);
    let sums: readonly [string, string] = [`${single}`, `${wide}`];
    for (const inner of p.inner) {
      const more = count(inner, inside);
      if (!more) return undefined;
      sums = [plus(sums[0], more[0]), plus(sums[1], more[1])];
    }
    if (sums.every((sum) => sum === "0")) return ["0", "0"];
    return trips === undefined ? undefined : [times(trips, sums[0]), times(trips, sums[1])];
  };
  const all = count(pipeline, values);
  return all?.some((sum) => sum !== "0") && all.join("").length <= LONGEST ? all : undefined;
}

function isInteger({ type }: Symbol): boolean {
  const { kind } = canonical(type);
  return kind === "int" || kind === "enum";
}

function tripsOf(
  p: Pipeline,
  known: ReadonlyMap<Symbol, string>,
): { readonly trips: string | undefined; readonly inside: ReadonlyMap<Symbol, string> } {
  if (p.uncounted) return { trips: undefined, inside: known };
  const inside = new Map(known);
  let product: string | undefined = "1";
  for (const header of p.headers) {
    const trips = tripsOfLoop(header, (e) => inWords(e, inside, p.definitions));
    const lower = inWords(header.lower, inside, p.definitions);
    const step = inWords(header.step, inside, p.definitions);
    product = product !== undefined && trips !== undefined ? times(product, trips) : undefined;
    inside.delete(header.var);
    if (trips !== undefined && lower !== undefined && step !== undefined)
      inside.set(header.var, plus(lower, times(step, halfOf(trips))));
  }
  return { trips: product, inside };
}

function tripsOfLoop(
  { lower, bound, step, relation }: LoopHeader,
  words: (e: Expr) => string | undefined,
): string | undefined {
  const [from, to, by] = [lower, bound, step].map(words);
  if (from === undefined || to === undefined || by === undefined) return undefined;
  const span = minus(to, from);
  if (relation === "!=") return atLeastZero(by === "1" ? span : `${span} ${by} /`);
  const inclusive = relation.endsWith("=");
  const steps = by === "1" ? span : `${span} ${by} ${inclusive ? "/" : "ceildiv"}`;
  return atLeastZero(inclusive ? plus(steps, "1") : steps);
}

const isNumber = (text: string): boolean => /^-?\d+$/.test(text);

function folded(op: string, a: string, b: string, of: (x: bigint, y: bigint) => bigint): string {
  return isNumber(a) && isNumber(b) ? `${of(BigInt(a), BigInt(b))}` : `${a} ${b} ${op}`;
}

const plus = (a: string, b: string): string =>
  a === "0" ? b : b === "0" ? a : folded("+", a, b, (x, y) => x + y);
const minus = (a: string, b: string): string => (b === "0" ? a : folded("-", a, b, (x, y) => x - y));
const times = (a: string, b: string): string =>
  a === "1" || b === "0" ? b : b === "1" || a === "0" ? a : folded("*", a, b, (x, y) => x * y);
const atLeastZero = (a: string): string => folded("max", a, "0", (x, y) => (x > y ? x : y));
/** The distance to the last iteration. */
const halfOf = (trips: string): string => folded("/", minus(trips, "1"), "2", (x, y) => x / y);

/** An integer expression of known values, in postfix form. */
function inWords(
  e: Expr,
  known: ReadonlyMap<Symbol, string>,
  definitions: ReadonlyMap<Symbol, Expr>,
): string | undefined {
  const constant = evaluateInteger(e);
  if (constant !== undefined) return `${constant}`;
  const own = (sub: Expr) => inWords(sub, known, definitions);
  switch (e.kind) {
    case "ident": {
      const value = known.get(e.sym);
      const definition = value === undefined ? definitions.get(e.sym) : undefined;
      return definition ? own(definition) : value;
    }
    case "cast":
      return canonical(e.to).kind === "int" && canonical(e.arg.type).kind === "int" ? own(e.arg) : undefined;
    case "unary": {
      const arg = e.op === "-" || e.op === "+" ? own(e.arg) : undefined;
      return arg === undefined || e.op === "+" ? arg : minus("0", arg);
    }
    case "binary": {
      if (!/^[-+*/%]$/.test(e.op) || canonical(e.type).kind !== "int") return undefined;
      const [a, b] = [own(e.left), own(e.right)];
      if (a === undefined || b === undefined) return undefined;
      if (e.op === "+") return plus(a, b);
      if (e.op === "-") return minus(a, b);
      return e.op === "*" ? times(a, b) : `${a} ${b} ${e.op}`;
    }
    default:
      return undefined;
  }
}
