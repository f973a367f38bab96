/**
 * A chain of stages, each of which performs one time step on a stream of elements and passes its result to the next
 * (combined spatial and temporal blocking without blocks: H. R. Zohouri et al., FPGA 2018):
 *
 *     for (p...) {
 *       delayline(w0) takes a[p + h];   s0 = position p is an iteration ? f(w0) : w0[place of p];
 *       delayline(w1) takes s0;         s1 = position p - h is an iteration ? f(w1) : ...;
 *       ...                             and the result of the last stage is stored
 *     }
 *
 * Stage k is behind stage k - 1 by as many positions as its neighbourhood reaches ahead, so that everything it needs
 * was computed before. Elements that a sweep does not set pass through. Arrays that the sweep only reads use one delay
 * line for all stages.
 */
import { firstOf, itemAt } from "../../../checked/access.ts";
import { usesOf } from "../../../ir/analysis/access.ts";
import { type DelayLine, idiom } from "../../../ir/model/idioms.ts";
import type { Apart, Loop, LoopHeader, Task } from "../../../ir/model/ir.ts";
import { copyWithFreshLocals, evaluateInteger, INT, LONG, mapStmt, substitute } from "../../../lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  cond,
  convert,
  declare,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
  stripImplicit,
} from "../../../lang/tree/build.ts";
import {
  checkedInput,
  guardOf,
  type Input,
  isUnaliased,
  type Line,
  leadOf,
  lineOver,
  moveOf,
  readingLines,
  type Step,
  tapsOf,
} from "./delay-lines.ts";
import { add, atLeast, conj, constant, less } from "./folding.ts";
import { Illegal } from "./pass.ts";
import { loopStmt } from "./region.ts";
import { firstTurn, nextTurn, type Turn } from "./turns.ts";
import { type Walk, walkThrough } from "./walk.ts";

export interface Chain {
  readonly task: Task;
  /** Its iterations read `input` around their place, and set an element of `output`. */
  readonly sweep: Loop;
  readonly input: Symbol;
  readonly output: Symbol;
  /** Whether the last stage stores into `input`. */
  readonly inPlace: boolean;
  /**
   * Set if elements that the sweep does not set alternate between those of `output` (after the first step) and of
   * `input`.
   */
  readonly turns?: { readonly extent: NonNullable<Input["extent"]> };
  /** Distance from the place of an iteration in `input` to the element that gets its value in the next step. */
  readonly set: bigint;
  readonly stages: number;
  /** Whether a stage performs a step or passes all elements through; undefined: it does. */
  active(stage: number): Expr | undefined;
  /** Stores the last stage's result of an iteration, in the variables of `sweep`. */
  store(value: Expr): readonly Stmt[];
  readonly loc: Loc;
}

export interface Built {
  readonly code: Stmt;
  /** Elements of `input` and of arrays that are only read, in delay lines. */
  readonly lines: readonly { readonly array: Symbol; readonly length: number }[];
  /** Elements of `input` from the first to the last that an iteration sets; undefined: some between are not set. */
  readonly sets?: { readonly first: Expr; readonly length: Expr };
  /** Arrays that each stage loads separately, and why. */
  readonly apart: readonly { readonly array: Symbol; readonly why: string; readonly loc: Loc }[];
}

/** Throws `Illegal` if the sweep cannot be a stage. */
export function stageChain(chain: Chain, at: Stmt): Built {
  const { task, sweep, input, output, set, stages, loc } = chain;
  const state = checkedInput(task, sweep, { input, outputs: [output], loc });
  const { served, apart } = readOnly(chain, state);
  const { walk, courses } = walkThrough(sweep, [state, ...served]);
  const way = (k: number) => ({ by: "rows", course: itemAt(courses, k) }) as const;
  if (courses[0]?.direction !== 1n)
    state.refuse("the sweep walks through it downwards", loc, "count upwards, or choose time-steps: 1");

  const line = lineOver(state, way(0), 1, [set]);
  const skew = line.ahead - set;
  const numbers = Array.from({ length: stages }, (_, k) => k);
  const shared = served.map((other, k) => {
    const own = other.n.accesses.flatMap(({ range }) => [range.min, range.max]);
    const besides = numbers.flatMap((stage) => own.map((d) => d - BigInt(stage) * skew));
    return { line: lineOver(other, way(k + 1), 1, besides), warm: warmUp(lineOver(other, way(k + 1), 1)) };
  });
  const step: Step = {
    position: freshSymbol("arc_p", LONG),
    lane: freshSymbol("arc_lane", INT),
    factor: 1,
    warm: Math.max(warmUp(line), ...shared.map((s) => s.warm)),
  };
  const first = add(firstOf(courses).base, constant(set));
  const frame: Frame = { chain, walk, step, line, skew, shared: shared.map((s) => s.line), first, at };
  const built: Stage[] = [];
  for (const k of numbers) built.push(stage(frame, k, built.at(-1)));
  const loop = overPositions(frame, [
    ...frame.shared.map((s) => moveOf(s, walk, step, at).move),
    ...built.flatMap((m) => m.code),
  ]);
  const isCounter = (s: Stmt) => s.kind === "decl" && sweep.headers.some((h) => h.var === s.decls[0]?.sym);
  const code = compound(
    [
      ...walk.before.filter((s) => !isCounter(s)),
      ...frame.shared.map((s) => declare(s.line)),
      ...built.flatMap((m) => m.before),
      loopStmt(loop, at),
    ],
    at.span,
  );
  return {
    code,
    ...(walk.inside.length === 0 && { sets: { first, length: walk.end } }),
    lines: [line, ...frame.shared].map((l) => ({ array: l.input, length: l.length })),
    apart,
  };
}

/** What all stages have in common. */
interface Frame {
  readonly chain: Chain;
  readonly walk: Walk;
  readonly step: Step;
  /** The delay line over `input` and over the stages' results. */
  readonly line: Line;
  /** Positions from one stage to the next. */
  readonly skew: bigint;
  /** Delay lines over arrays that are only read, for all stages. */
  readonly shared: readonly Line[];
  /** The element of `output` that the first iteration sets. */
  readonly first: Expr;
  readonly at: Stmt;
}

interface Stage {
  readonly before: readonly Stmt[];
  readonly code: readonly Stmt[];
  /** The stage's result for an element. */
  readonly value: Symbol;
  readonly turn?: Turn;
}

/** Positions of the walk by which a stage is behind the first one. */
const behind = ({ skew }: Frame, k: number): bigint => BigInt(k) * skew;

function stage(frame: Frame, k: number, before: Stage | undefined): Stage {
  const { chain, walk, step, line, at } = frame;
  const { sweep, input, output, set } = chain;
  const isLast = k === chain.stages - 1;
  const own: Line = before
    ? { ...line, line: freshSymbol(`${line.line.name}_${k + 1}`, line.line.type) }
    : line;
  const value = freshSymbol(`arc_${input.name}_step_${k + 1}`, line.element);
  const late = behind(frame, k);
  const others = frame.shared.map((s): Line => ({ ...s, behind: s.behind - late }));
  const body = readingLines(settingValue(sweep, output, value), [own, ...others], constant(0n));
  const computed = compound([
    ...sweep.privates.map((p) => declare(p)),
    ...flat(body),
    ...(isLast ? chain.store(ident(value)) : []),
  ]);
  const started = atLeast(ident(step.position), constant(late)) as Expr;
  const iteration = [
    ...(isLast ? [] : [less(ident(step.position), add(walk.end, constant(late)))]),
    ...walk.inside,
  ];
  const inside = conj([...iteration, chain.active(k)]);
  const counted = compound([inside ? ifStmt(inside, computed) : computed, ...walk.advance]);

  const counters = sweep.headers.map((h) => freshSymbol(`arc_${h.var.name}_${k + 1}`, h.var.type));
  const renamed = new Map(sweep.headers.map((h, n) => [h.var, ident(itemAt(counters, n))] as const));
  const passing = index(ident(own.line), constant(own.behind + set));
  const turn =
    chain.turns && !isLast
      ? turnOf(frame, k, before?.turn, passing, conj([started, ...iteration]) as Expr)
      : undefined;
  return {
    before: [
      ...sweep.headers.map((h, n) => declare(itemAt(counters, n), h.lower)),
      declare(own.line),
      ...(turn?.before ?? []),
    ],
    code: [
      before ? handedOn(own, before.value, at) : moveOf(own, walk, step, at).move,
      ...(turn?.code ?? []).map((s) => substitute(s, renamed)),
      declare(value, turn?.value ?? passing),
      copyWithFreshLocals(substitute(ifStmt(started, counted), renamed)),
    ],
    value,
    ...(turn && { turn }),
  };
}

function turnOf(
  { chain, step, skew, line, first, at }: Frame,
  k: number,
  before: Turn | undefined,
  own: Expr,
  iteration: Expr,
): Turn {
  const active = chain.active(k);
  if (before) return nextTurn(k, before, skew, line.element, own, active, at);
  const { from, length } = (chain.turns as NonNullable<Chain["turns"]>).extent;
  const place = add(first, ident(step.position));
  const exists = conj([atLeast(place, from), less(place, add(from, length))]);
  return firstTurn({ array: chain.output, place, exists, iteration }, line.element, own, active);
}

/** Arrays that the sweep reads and no step writes: those that can have a delay line, and the others. */
function readOnly(
  { task, sweep, input, output, loc }: Chain,
  state: Input,
): { readonly served: readonly Input[]; readonly apart: Built["apart"] } {
  const uses = usesOf(sweep.body);
  const served: Input[] = [];
  const apart: { array: Symbol; why: string; loc: Loc }[] = [];
  for (const [sym, use] of uses.of) {
    if (sym === input || sym === output || uses.declared.has(sym) || !use.elementsRead) continue;
    try {
      const other = checkedInput(task, sweep, { input: sym, outputs: [output], loc });
      const { walk, courses } = walkThrough(sweep, [state, other]);
      const course = itemAt(courses, 1);
      if (course.direction !== 1n) other.refuse("the sweep walks through it downwards");
      guardOf(lineOver(other, { by: "rows", course }, 1), walk, ident(sym));
      served.push(other);
    } catch (problem) {
      if (!(problem instanceof Illegal)) throw problem;
      apart.push({ array: sym, why: problem.diagnostic.message, loc: problem.diagnostic.loc });
    }
  }
  return { served, apart };
}

/** Positions from the first element that the line needs to the first iteration, if there are any. */
const warmUp = (line: Line): number => Math.max(0, Math.min(line.length - 1, leadOf(line)));

/** The line of a stage takes the results of the stage before. */
const handedOn = (line: Line, value: Symbol, at: Stmt): Stmt =>
  idiom<DelayLine>(
    {
      kind: "delayline",
      line: ident(line.line),
      type: line.element,
      length: line.length,
      shift: 1,
      taps: tapsOf(line, 1),
      value: ident(value),
    },
    at,
  );

/** The body with an assignment to the stage's value instead of the element that it sets. */
function settingValue(sweep: Loop, output: Symbol, value: Symbol): Loop {
  const root = (e: Expr) => (e.kind === "index" ? stripImplicit(e.base) : e);
  const body = mapStmt(sweep.body, {
    expr: (e) => {
      const target = e.kind === "assign" ? root(stripImplicit(e.left)) : undefined;
      return e.kind === "assign" && target?.kind === "ident" && target.sym === output
        ? assign(ident(value), e.right)
        : e;
    },
  });
  return { ...sweep, body };
}

/** The loop over all positions of the first stage at which any stage has work. */
function overPositions(frame: Frame, body: readonly Stmt[]): Loop {
  const { chain, walk, step, line, at } = frame;
  const { sweep, input, output, inPlace, turns } = chain;
  const late = behind(frame, chain.stages - 1);
  const last = add(walk.end, constant(late));
  const nothing = intLit(-step.warm);
  const known = evaluateInteger(walk.end);
  const bound =
    known === undefined
      ? cond(binary(">", walk.end, constant(0n)), last, nothing)
      : known > 0n
        ? last
        : nothing;
  const header: LoopHeader = {
    var: step.position,
    declares: true,
    lower: convert(nothing, LONG),
    relation: "<",
    bound: convert(bound, LONG),
    step: intLit(1),
    span: at.span,
  };
  // An element is loaded by the first stage before the last one stores it; elements read from `output` are never set.
  const distance = Number(line.ahead - chain.set + late);
  const updated: Apart = distance > 0 ? { array: input, distance, loadsFirst: true } : { array: input };
  const stored = inPlace ? [updated] : turns ? [{ array: output }] : [];
  return {
    ...sweep,
    headers: [header],
    parallel: { levels: [], independence: "seq" },
    privates: [],
    hints: stored.length > 0 && stored.every((a) => isUnaliased(sweep, a.array)) ? { apart: stored } : {},
    body: compound(body),
  };
}

const flat = (s: Stmt): readonly Stmt[] => (s.kind === "compound" && !s.pragmas?.length ? s.body : [s]);
