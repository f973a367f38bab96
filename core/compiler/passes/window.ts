/**
 * Sliding window (J. Lambert, 2.2.4.4). The neighbourhood that an iteration reads is kept in a delay line that advances
 * by one element per iteration, so that each input element is loaded once:
 *
 *     for (x = l; x < u; x++) out[x] = f(in[x-C], in[x], in[x+C])
 * =>
 *     T w[2*C+1];
 *     for (p = -2*C; p < u-l; p++) {
 *       delayline(w, shift 1) takes in[l+p+C] where it exists;
 *       if (p >= 0) out[l+p] = f(w[0], w[C], w[2*C]);
 *     }
 *
 * Unrolled by U, the line advances by U, U elements are loaded and stored side by side, and only the computation is
 * repeated. Unlike the published listings, where they are wrong, it warms up over the neighbourhood as far as it
 * exists, guards every load by the array's extent, stores only the iterations' own results, and never stores beyond the
 * last iteration. Several arrays of one loop have a line each, which advance together: without blocks, their rows must
 * be equal.
 */

import { unrollPragma } from "../../../targets/shared/device/pragmas.ts";
import { firstOf, itemAt } from "../../checked/access.ts";
import { leavesEarly, withoutContinue } from "../../ir/analysis/control.ts";
import type { Apart, Loop, LoopHeader, Task, WindowRequest } from "../../ir/model/ir.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { evaluateInteger, INT, LONG } from "../../lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  cond,
  convert,
  declare,
  exprStmt,
  forStmt,
  freshSymbol,
  ident,
  ifStmt,
  incdec,
  index,
  intLit,
} from "../../lang/tree/build.ts";
import { blockAxis, windowAxis } from "./axes.ts";
import { type Blocks, blocksOf } from "./rewrite/blocks.ts";
import { type DeferredStore, deferredStores, laneStores, storingToLanes } from "./rewrite/deferred-stores.ts";
import {
  apartInSteps,
  checkedInput,
  type Input,
  type Line,
  leadOf,
  lineOver,
  moveOf,
  readingLines,
  type Step,
} from "./rewrite/delay-lines.ts";
import { windowFactor } from "./rewrite/factors.ts";
import { add, atLeast, conj, constant, less } from "./rewrite/folding.ts";
import { Illegal, type Pass, type PassInput, type PassResult, passing, type Remark } from "./rewrite/pass.ts";
import { isSingle, loopStmt, mapLoops, withBody } from "./rewrite/region.ts";
import { type Walk, walkThrough } from "./rewrite/walk.ts";

export const window: Pass = {
  name: "window",
  description: "neighbourhoods of stencils in delay lines",
  axes: [windowAxis, blockAxis],
  run: (input) => passing(() => run(input)),
};

function run({ task, choice }: PassInput): PassResult {
  const remarks: Remark[] = [];
  const { body } = spmdOf(task);
  const rewritten = mapLoops(body, (loop, at) => {
    const requests = loop.hints?.windows;
    if (!requests) return at;
    const factor = windowFactor(loop, choice);
    if (factor === 0 || !isSingle(task)) {
      const why = factor === 0 ? "the variant leaves it out" : "the kernel is not a single work-item";
      for (const { input, loc } of requests)
        remarks.push({
          pass: "window",
          applied: false,
          message: `no window over '${input.name}': ${why}`,
          loc,
        });
      const { windows: _, ...hints } = loop.hints ?? {};
      return loopStmt({ ...loop, hints }, at);
    }
    const block = Number(choice["block-size"] ?? 0);
    return windowed({ task, loop, factor, block }, at, (applied, message, loc) =>
      remarks.push({ pass: "window", applied, message, loc }),
    );
  });
  return { task: withBody(task, rewritten), remarks };
}

/** Why the loop cannot have the requested windows; undefined: it can. */
export function windowProblem(task: Task, loop: Loop, at: Stmt): string | undefined {
  try {
    windowed({ task, loop, factor: 1, block: 0 }, at, () => {});
    return undefined;
  } catch (problem) {
    if (!(problem instanceof Illegal)) throw problem;
    return problem.diagnostic.message;
  }
}

type Note = (applied: boolean, message: string, loc: Loc) => void;

/** The request for one loop. */
interface Request {
  readonly task: Task;
  readonly loop: Loop;
  /** Iterations per step. */
  readonly factor: number;
  /** Iterations of each inner loop in a block; 0: whole rows. */
  readonly block: number;
}

/** The loop with its windows; throws `Illegal` if one of them would be wrong. */
function windowed(request: Request, at: Stmt, note: Note): Stmt {
  const { task, factor } = request;
  const requests = request.loop.hints?.windows as readonly [WindowRequest, ...WindowRequest[]];
  const body = withoutContinue(request.loop.body);
  const loop: Loop = { ...request.loop, body };
  const early = leavesEarly(body);
  const inputs = requests.map((request) => checkedInput(task, loop, request));
  if (early) inputs[0]?.refuse(`control leaves the loop by '${early.kind}'`, early.span.start);

  const blocks = blocksFor(request, loop, inputs, note);
  const { walk, lines } = blocks ? blockLines(blocks, inputs, factor) : rowLines(loop, inputs, factor);
  const inPlace = lines.some((l) => l.inPlace);
  const position = freshSymbol("arc_p", LONG);
  const lane = freshSymbol("arc_lane", INT);
  const stores =
    factor > 1 && !inPlace && !blocks
      ? deferredStores(loop, new Set(inputs.map((i) => i.input)), walk, factor, (why, loc) =>
          note(false, why, loc),
        )
      : [];

  const warm = warmUp(lines, factor, blocks !== undefined);
  const step: Step = { position, lane, factor, warm };
  const moves = lines.map((line) => moveOf(line, walk, step, at));
  const reading = readingLines(loop, lines, factor === 1 ? constant(0n) : ident(lane));
  const counted = loopOver(loop, walk, step, at, apartInSteps(loop, lines, factor), [
    ...moves.flatMap((m) => [m.move, ...m.advance]),
    ...iterations(reading, loop, walk, step, stores),
  ]);
  for (const { input, loc, length, behind, ahead, inPlace: updated } of lines) {
    const name = `'${input.name}'`;
    const together = factor > 1 ? `, ${factor} iterations per step` : "";
    note(
      true,
      `${name} is read through a window of ${length} elements (${behind} behind, ${ahead} ahead${together})`,
      loc,
    );
    if (updated && factor > 1)
      note(true, `${name} is updated in place: the ${factor} iterations of a step wait for each other`, loc);
  }
  const rewritten = compound(
    [
      ...walk.before,
      ...stores.flatMap((s) => s.before),
      ...moves.flatMap((m) => m.before),
      ...lines.map((l) => declare(l.line)),
      loopStmt(counted, at),
    ],
    at.span,
  );
  return blocks ? compound([...blocks.before, blocks.around(rewritten)], at.span) : rewritten;
}

// ---------------------------------------------------------------- the walk

/** Blocks as requested by the variant, if possible. */
function blocksFor(
  { block, factor }: Request,
  loop: Loop,
  inputs: readonly Input[],
  note: Note,
): Blocks | undefined {
  if (block === 0) return undefined;
  const [{ loc }] = inputs as readonly [Input];
  const unknown = inputs.find((i) => !i.extent);
  const blocks = unknown
    ? `how many elements '${unknown.input.name}' has is not known`
    : blocksOf(loop, inputs, block, factor);
  if (typeof blocks === "string") {
    note(false, `no blocks of ${block}: ${blocks}`, loc);
    return undefined;
  }
  note(true, `blocks of ${block} iterations in rows of ${blocks.sizes.join(" x ")} with their halo`, loc);
  return blocks;
}

interface Lines {
  readonly walk: Walk;
  readonly lines: readonly Line[];
}

function rowLines(loop: Loop, inputs: readonly Input[], factor: number): Lines {
  const { walk, courses } = walkThrough(loop, inputs);
  const lines = inputs.map((input, k) => {
    const course = itemAt(courses, k);
    return lineOver(input, { by: "rows", course }, factor);
  });
  return { walk, lines };
}

/** All lanes of a step load from one row: loads of all arrays start at the same column of the lanes. */
function blockLines({ arrays, walk }: Blocks, inputs: readonly Input[], factor: number): Lines {
  let column: bigint | undefined;
  const lines = inputs.map((input, k) => {
    const array = itemAt(arrays, k);
    const line = lineOver(input, { by: "blocks", array, ...(column !== undefined && { column }) }, factor);
    column ??= line.ahead;
    return line;
  });
  return { walk, lines };
}

/**
 * Positions before the first iteration until every place of the lines has its element, if it exists: whole steps, or,
 * if rows of blocks are walked with several lanes, such that a step's loads start at a multiple of the lanes.
 */
function warmUp(lines: readonly Line[], factor: number, blocked: boolean): number {
  const places = Math.max(...lines.map((l) => Math.min(l.length - factor, leadOf(l))));
  if (!blocked) return Math.max(0, Math.ceil(places / factor)) * factor;
  const by = BigInt(factor);
  const over = (((firstOf(lines).ahead - BigInt(places)) % by) + by) % by;
  return places + Number(over);
}

// ---------------------------------------------------------------- the loop

/** What each lane of a step computes, followed by the stores. */
function iterations(
  body: Stmt,
  loop: Loop,
  walk: Walk,
  { position, lane, factor }: Step,
  stores: readonly DeferredStore[],
): readonly Stmt[] {
  const one: Expr = factor === 1 ? constant(0n) : ident(lane);
  const here = add(ident(position), one);
  const inside = conj(walk.inside);
  const computed = compound(
    [...loop.privates.map((p) => declare(p)), ...flat(storingToLanes(body, stores, lane))],
    loop.body.span,
  );
  const iteration = compound([inside ? ifStmt(inside, computed) : computed, ...walk.advance]);
  const started = atLeast(here, constant(0n)) as Expr;
  if (factor === 1) return [ifStmt(started, iteration)];
  const running = conj([started, less(here, walk.end)]) as Expr;
  const unset = stores.flatMap((s) => (s.set ? [exprStmt(assign(index(ident(s.set), one), intLit(0)))] : []));
  return [
    ...stores.flatMap((s) => [declare(s.values), ...(s.set ? [declare(s.set)] : [])]),
    lanes(compound([...unset, ifStmt(running, iteration)]), lane, factor),
    ...(stores.length > 0 ? [lanes(ifStmt(running, laneStores(stores, here, one)), lane, factor)] : []),
  ];
}

/** A fully unrolled loop over the lanes of a step. */
function lanes(body: Stmt, lane: Symbol, factor: number): Stmt {
  const v = ident(lane);
  const loop = forStmt(
    declare(lane, constant(0n)),
    binary("<", v, intLit(factor)),
    incdec("++", false, v),
    body,
  );
  return { ...loop, pragmas: [unrollPragma(0)] };
}

function loopOver(
  loop: Loop,
  { end }: Walk,
  { position, factor, warm }: Step,
  at: Stmt,
  apart: readonly Apart[],
  body: readonly Stmt[],
): Loop {
  const header: LoopHeader = {
    var: position,
    declares: true,
    lower: convert(intLit(-warm), LONG),
    relation: "<",
    bound: convert(bounded(end, warm), LONG),
    step: factor === 1 ? intLit(1) : convert(intLit(factor), LONG),
    span: at.span,
  };
  const { windows: _w, unroll: _u, apart: _a, ...hints } = loop.hints ?? {};
  return {
    ...loop,
    headers: [header],
    privates: [],
    hints: { ...hints, ...(apart.length > 0 && { apart }) },
    body: compound(body),
  };
}

/** Skips the warm-up if there are no iterations. */
function bounded(end: Expr, warm: number): Expr {
  const value = evaluateInteger(end);
  if (value !== undefined) return constant(value > 0n ? value : -BigInt(warm));
  return warm === 0 ? end : cond(binary(">", end, constant(0n)), end, intLit(-warm));
}

const flat = (s: Stmt): readonly Stmt[] => (s.kind === "compound" && !s.pragmas?.length ? s.body : [s]);
