/**
 * Temporal blocking: a time loop takes T steps at once, in a chain of T stages, and memory is read and written once for
 * all of them.
 *
 *     for (t...) { b = sweep(a); a = b; }   =>   for (t...; t += T) a = sweep(sweep(...sweep(a)))
 *
 * The number of steps need not be a multiple of T: in the last pass the first stages hand on what they get. The array
 * that the copy leaves behind is set in the last pass alone.
 */
import { type Loop, type LoopHeader, node } from "../../core/ir/ir.ts";
import { spmdOf } from "../../core/ir/region.ts";
import type { Expr, Loc, Stmt } from "../../core/lang/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
} from "../../core/lang/build.ts";
import { evaluateInteger, LONG, mapChildren } from "../../core/lang/index.ts";
import { tripCount } from "../../targets/shared/trips.ts";
import { timeStepsAxis } from "./axes.ts";
import { constant } from "./folding.ts";
import { Illegal, type Pass, type PassInput, type PassResult, passing, type Remark } from "./pass.ts";
import { isSingle, loopStmt, withBody } from "./region.ts";
import { type Built, stageChain } from "./stage-chain.ts";
import { hasTimeLoop, type TimeLoop, timeLoop } from "./time-loop.ts";

export const timeSteps: Pass = {
  name: "time-steps",
  description: "several steps of a time loop in one pass over memory",
  axes: [timeStepsAxis],
  run: (input) => passing(() => run(input)),
};

function run({ task, choice }: PassInput): PassResult {
  const stages = Number(choice["time-steps"] ?? 1);
  if (stages === 1) return { task, remarks: [] };
  const remarks: Remark[] = [];
  const note = (applied: boolean, message: string, loc: Loc) =>
    remarks.push({ pass: "time-steps", applied, message, loc });
  const { body } = spmdOf(task);
  if (!isSingle(task) || !hasTimeLoop(body)) {
    const why = hasTimeLoop(body)
      ? "the kernel is not a single work-item"
      : "no loop of the region sweeps over an array and copies the result back, again and again";
    note(false, why, task.site.loc);
    return { task, remarks };
  }
  const mapped = mapTimeLoops(body, (time, at) => {
    refuseOthers(choice, time);
    const { code, built } = inPasses(time, stages, task, at);
    note(
      true,
      `${stages} steps over '${time.input.name}' in one pass over memory, through ${built.lines
        .map(({ array, length }, k) =>
          k === 0
            ? `${stages} windows of ${length} elements`
            : `a delay line of ${length} for '${array.name}'`,
        )
        .join(" and ")}`,
      time.loc,
    );
    for (const { array, why, loc } of built.apart)
      note(false, `each of the ${stages} stages loads '${array.name}' by itself: ${why}`, loc);
    return code;
  });
  return { task: withBody(task, mapped), remarks };
}

function mapTimeLoops(s: Stmt, change: (time: TimeLoop, at: Stmt) => Stmt): Stmt {
  const time = timeLoop(s);
  return time ? change(time, s) : mapChildren(s, (child) => mapTimeLoops(child, change));
}

/** Axes that a chain of stages does not go together with. */
function refuseOthers(choice: PassInput["choice"], { loc }: TimeLoop): void {
  const [axis] = [
    ...(Number(choice["block-size"] ?? 0) > 0 ? ["block-size: 0"] : []),
    ...(Number(choice.window ?? 1) > 1 ? ["window: 1"] : []),
  ];
  if (axis === undefined) return;
  throw new Illegal({
    code: "time-steps",
    loc,
    message: `time-steps does not go together with ${axis.replace(/: .*/, "")}`,
    why: "the stages of a chain walk whole rows, one element at a time",
    remedy: `choose ${axis} or time-steps: 1`,
  });
}

function inPasses(
  { header, sweep, input, output, elements, set, loc }: TimeLoop,
  stages: number,
  task: PassInput["task"],
  at: Stmt,
): { readonly code: Stmt; readonly built: Built } {
  const trips = tripCount(header);
  const known = evaluateInteger(trips);
  const steps = freshSymbol("arc_steps", LONG);
  const count = known === undefined ? ident(steps) : constant(known);
  const done = freshSymbol("arc_step", LONG);
  const left = binary("-", count, ident(done));
  const always = known !== undefined && known % BigInt(stages) === 0n;
  const isLast = binary("<=", left, constant(BigInt(stages)));
  const store = (element: Expr, value: Expr): Stmt => exprStmt(assign(element, value));
  const built = chained(() =>
    stageChain(
      {
        task,
        sweep,
        input,
        output,
        set,
        stages,
        active: (stage) =>
          always || stage === stages - 1
            ? undefined
            : binary(">", left, constant(BigInt(stages - 1 - stage))),
        store: (value) => [store(elements.input, value), ifStmt(isLast, store(elements.output, value))],
        loc,
      },
      at,
    ),
  );
  const passes: LoopHeader = {
    var: done,
    declares: true,
    lower: intLit(0, LONG),
    relation: "<",
    bound: count,
    step: intLit(stages, LONG),
    span: header.span,
  };
  const loop = node<Loop>({
    kind: "loop",
    headers: [passes],
    parallel: { levels: [], independence: "seq" },
    privates: [],
    reductions: [],
    body: built.code,
    site: sweep.site,
  });
  const code = compound(
    [...(known === undefined ? [declare(steps, trips)] : []), loopStmt(loop, at)],
    at.span,
  );
  return { code, built };
}

/** What stands in the way of a window stands in the way of a chain of them. */
function chained(build: () => Built): Built {
  try {
    return build();
  } catch (problem) {
    if (!(problem instanceof Illegal) || problem.diagnostic.code === "time-steps") throw problem;
    const { severity: _, ...diagnostic } = problem.diagnostic;
    throw new Illegal({
      ...diagnostic,
      code: "time-steps",
      message: `the time steps stay one by one: ${diagnostic.message}`,
      remedy: "write the sweep so that this holds, or choose time-steps: 1",
    });
  }
}
