/**
 * Scalar replacement across the loops of a team: elements of a row that several of them access stay in the registers of
 * the lane that has the iteration.
 *
 *     for (j...) most = fmax(most, a[i][j]);
 *     for (j...) { b[i][j] = exp(a[i][j] - most); sum += b[i][j]; }        a[i][j] is loaded once,
 *     for (j...) b[i][j] /= sum;                                           b[i][j] is stored once
 *
 * Nothing else may meet the element's array between its first and its last loop. Of pointers that are not `restrict` the
 * launch says whether they overlap.
 */
import { isArray, rootOf, usesOf } from "../../../../core/ir/analysis/access.ts";
import { hasLoop } from "../../../../core/ir/analysis/control.ts";
import type { Loop, LoopHeader } from "../../../../core/ir/model/ir.ts";
import {
  evaluateInteger,
  LONG,
  mapStmt,
  sizeOf,
  substituteExpr,
  walkStmt,
} from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import { freshSymbol, ident, stripImplicit } from "../../../../core/lang/tree/build.ts";
import { canInterleave } from "../../loops/interleave.ts";
import { distinct } from "../../mapping/accumulators.ts";
import { keyOf } from "../../mapping/same-expression.ts";
import { mentions } from "../../mapping/slopes.ts";
import type { SharedLoop, Step } from "../../mapping/team-steps.ts";
import type { TeamLoop } from "../../mapping/teams.ts";
import { boundsOf } from "./lanes-per-team.ts";
import { wideScan } from "./wide-scans.ts";

/** An element, with `place` for the loops' variables. */
export interface Held {
  readonly element: Expr;
  /** The step that has it first, and whether that loads it. */
  readonly from: number;
  readonly isLoaded: boolean;
  /** The last step that stores it. */
  readonly stored: number | undefined;
}

export interface HeldLoop {
  /** Its number among the steps. */
  readonly at: number;
  /** Iterations that the longest of the loops has before this one's first. */
  readonly behind: number;
  /** Other elements of its own, by key, which a lane accesses 16 bytes at a time. */
  readonly loads: ReadonlyMap<string, Expr>;
  readonly stores: ReadonlyMap<string, Expr>;
}

export interface HeldElements {
  /** The longest of the loops. */
  readonly header: LoopHeader;
  readonly loops: ReadonlyMap<SharedLoop, HeldLoop>;
  /** By key. */
  readonly elements: ReadonlyMap<string, Held>;
  /** Bytes of each element. */
  readonly size: number;
  /** Pointers that must not point to the same memory. */
  readonly pairs: readonly (readonly [Symbol, Symbol])[];
}

/** Stands for a loop's variable in an element. */
const place = freshSymbol("arc_place", LONG);

/** An element's name in all of the loops. `counter`: the loop's variable. */
export const heldKey = (e: Expr, counter: Symbol): string => keyOf(placed(e, counter));

const placed = (e: Expr, counter: Symbol): Expr => substituteExpr(e, new Map([[counter, ident(place)]]));

/** The element at `value` of the loops' variables. */
export const heldAt = (e: Expr, value: Expr): Expr => substituteExpr(e, new Map([[place, value]]));

interface Candidate extends HeldLoop {
  readonly step: SharedLoop;
}

/** What lanes of a team hold; undefined: nothing. `isBuffer`: the launch can say where it points to. */
export function heldElements(team: TeamLoop, isBuffer: (sym: Symbol) => boolean): HeldElements | undefined {
  const { steps, along } = team;
  const all = along === "inner" ? candidates(team) : [];
  const [base] = [...all].sort((a, b) => Number(start(a) - start(b)));
  if (!base) return undefined;
  const joined = all.flatMap((c) => {
    const behind = joins(c, base);
    return behind === undefined ? [] : [{ ...c, behind }];
  });
  const asked = new Map<string, readonly [Symbol, Symbol]>();
  const elements = new Map<string, Held>();
  for (const [key, element] of new Map(joined.flatMap((c) => [...c.loads, ...c.stores]))) {
    const held = heldIn(key, element, joined);
    const pairs = held && obstacles(held, { key, steps, joined, isBuffer });
    if (!held || !pairs) continue;
    elements.set(key, held);
    for (const [a, b] of pairs) asked.set([a.id, b.id].sort().join(" "), [a, b]);
  }
  const [size, ...others] = new Set([...elements.values()].map((h) => sizeOf(h.element.type)));
  if (!size || others.length > 0) return undefined;
  const first = Math.min(...[...elements.values()].map((h) => h.from));
  const changed = changedBy(steps.slice(first));
  const own = (found: ReadonlyMap<string, Expr>, { behind }: Candidate) =>
    new Map(
      [...found].filter(
        ([key, e]) =>
          behind === 0 &&
          !elements.has(key) &&
          sizeOf(e.type) === size &&
          isPlain(e) &&
          !mentions(e, changed),
      ),
    );
  const loops = new Map(
    joined.map((c) => [c.step, { ...c, loads: own(c.loads, c), stores: own(c.stores, c) }] as const),
  );
  return { header: base.step.header, loops, elements, size, pairs: [...asked.values()] };
}

/** Variables that are not the same in all of the steps. */
function changedBy(steps: readonly Step[]): ReadonlySet<Symbol> {
  const uses = usesOf(...steps.map(codeOf));
  const written = [...uses.of].flatMap(([sym, use]) => (use.written ? [sym] : []));
  return new Set([...written, ...uses.declared]);
}

/** The loops whose accesses are known. */
function candidates({ steps, loop }: TeamLoop): readonly Candidate[] {
  return steps.flatMap((step, at) => {
    if (step.is !== "loop" || step.scan || step.position || hasLoop(step.body)) return [];
    const { header } = step;
    if (!isAlike(header, loop) || !canInterleave(step.body, [header.var])) return [];
    const wide = wideScan(step);
    if (!wide) return [];
    const keyed = (list: readonly Expr[]) =>
      new Map(list.map((e) => [heldKey(e, header.var), placed(e, header.var)] as const));
    return [{ step, at, behind: 0, loads: keyed(wide.loads), stores: keyed(wide.stores) }];
  });
}

const isAlike = (header: LoopHeader, loop: Loop): boolean => boundsOf(header, loop) === "alike";

const start = ({ step }: Candidate): bigint => evaluateInteger(step.header.lower) ?? 0n;

/** Iterations of `base` before the first of `c`; undefined: the loops do not go through the same elements. */
function joins(c: Candidate, base: Candidate): number | undefined {
  const [one, other] = [c.step.header, base.step.header];
  if (one.relation !== other.relation || keyOf(one.bound) !== keyOf(other.bound)) return undefined;
  if (keyOf(one.lower) === keyOf(other.lower)) return 0;
  const [from, first] = [evaluateInteger(one.lower), evaluateInteger(other.lower)];
  return from !== undefined && first !== undefined && c.stores.size === 0 ? Number(from - first) : undefined;
}

/** An element that several loops have. */
function heldIn(key: string, element: Expr, joined: readonly Candidate[]): Held | undefined {
  const users = joined.filter((c) => c.loads.has(key) || c.stores.has(key));
  const [first] = users;
  // What lies in front of a shorter loop's elements may be no element.
  if (!first || users.length < 2 || !users.some((c) => c.behind === 0)) return undefined;
  const stored = users.findLast((c) => c.stores.has(key))?.at;
  return { element, from: first.at, isLoaded: first.loads.has(key), stored };
}

const codeOf = (s: Step): Stmt => (s.is === "loop" ? s.body : s.stmt);

/** Pairs of pointers that must not meet; undefined: the element is accessed in other ways, too. */
function obstacles(
  { element, from, stored }: Held,
  {
    key,
    steps,
    joined,
    isBuffer,
  }: {
    readonly key: string;
    readonly steps: readonly Step[];
    readonly joined: readonly Candidate[];
    readonly isBuffer: (sym: Symbol) => boolean;
  },
): readonly (readonly [Symbol, Symbol])[] | undefined {
  const root = rootOf(element)?.sym;
  const last = joined.findLast((c) => has(key, c.step))?.at ?? from;
  const range = steps.slice(from, last + 1);
  if (!root || !isPlain(element)) return undefined;
  const pairs: (readonly [Symbol, Symbol])[] = [];
  for (const step of range) {
    const known = joined.find((c) => c.step === step);
    const code = known ? without(key, known.step) : codeOf(step);
    const uses = usesOf(code);
    if (uses.indirectCall || (!known && uses.calls.size > 0)) return undefined;
    for (const [sym, use] of uses.of) {
      if (use.written && mentions(element, new Set([sym]))) return undefined;
      const isMet = use.elementsWritten || (stored !== undefined && use.elementsRead);
      if (!isMet || uses.declared.has(sym)) continue;
      if (sym === root) return undefined;
      if (distinct(sym, root)) continue;
      if (!isBuffer(sym) || !isBuffer(root)) return undefined;
      pairs.push([sym, root]);
    }
  }
  return pairs;
}

function has(key: string, { header, body }: SharedLoop): boolean {
  let found = false;
  walkStmt(body, {
    expr(e) {
      found ||= e.kind === "index" && heldKey(e, header.var) === key;
    },
  });
  return found;
}

/** A loop's body without its accesses to an element. */
function without(key: string, { header, body }: SharedLoop): Stmt {
  const own = freshSymbol("arc_held", LONG);
  return mapStmt(body, {
    expr: (e) => (e.kind === "index" && heldKey(e, header.var) === key ? ident(own) : e),
  });
}

/** Whether only variables say where an element is, and no values in memory. */
function isPlain(e: Expr): boolean {
  const bare = stripImplicit(e);
  if (bare.kind !== "index") return bare.kind === "ident";
  const base = stripImplicit(bare.base);
  const isDirect = base.kind === "ident" || (isArray(base) && isPlain(base));
  return isDirect && !loads(bare.index);
}

function loads(e: Expr): boolean {
  const uses = usesOf({ kind: "expr", expr: e, span: e.span });
  return [...uses.of.values()].some((use) => use.elementsRead) || uses.calls.size > 0;
}
