/**
 * Temporal blocking: a time loop takes T steps at once, in a chain of T stages, so that memory is read and written once
 * for all of them.
 *
 *     for (t...) { b = sweep(a); a = b; }   =>   for (t...; t += T) a = sweep(sweep(...sweep(a)))
 *
 * The number of steps need not be a multiple of T: in the last pass the first stages pass elements through. The array
 * left behind by the copy is set only in the last pass.
 */

import { tripCount } from "../../../targets/shared/loops/trips.ts";
import type { Loop, LoopHeader, Task } from "../../ir/model/ir.ts";
import { node } from "../../ir/model/node-shapes.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { evaluateInteger, LONG, mapChildren } from "../../lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
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
} from "../../lang/tree/build.ts";
import { timeStepsAxis } from "./axes.ts";
import { extentOf } from "./rewrite/delay-lines.ts";
import { constant } from "./rewrite/folding.ts";
import { Illegal, type Pass, type PassInput, type PassResult, passing, type Remark } from "./rewrite/pass.ts";
import { isSingle, loopStmt, withBody, withSpmd } from "./rewrite/region.ts";
import { type Built, type Chain, stageChain } from "./rewrite/stage-chain.ts";
import { hasTimeLoop, launchedStep, type TimeLoop, timeLoop } from "./time-loop.ts";

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
  const report = (input: Symbol, loc: Loc, { lines, apart }: Built, most: number, launches = "") => {
    const through = lines.map(({ array, length }, k) =>
      k === 0 ? `${most} windows of ${length} elements` : `a delay line of ${length} for '${array.name}'`,
    );
    note(
      true,
      `${launches}${most} steps over '${input.name}' in one pass over memory, through ${through.join(" and ")}`,
      loc,
    );
    for (const { array, why, loc: at } of apart)
      note(false, `each of the ${most} stages loads '${array.name}' by itself: ${why}`, at);
  };
  if (!isSingle(task)) {
    note(false, "the kernel is not a single work-item", task.site.loc);
    return { task, remarks };
  }
  if (!hasTimeLoop(body)) {
    try {
      const merged = ofLaunches(task, stages, choice);
      if (merged) {
        const launches = "launches that take turns are one: up to ";
        report(merged.step.input, merged.step.loc, merged.built, merged.most, launches);
        return { task: merged.task, remarks };
      }
      note(false, "the region is neither a time loop nor a step of one", task.site.loc);
    } catch (problem) {
      if (!(problem instanceof Illegal)) throw problem;
      note(false, problem.diagnostic.message, problem.diagnostic.loc);
    }
    return { task, remarks };
  }
  const mapped = mapTimeLoops(body, (time, at) => {
    refuseOthers(choice, time.loc);
    const { code, built } = inPasses(time, stages, task, at);
    report(time.input, time.loc, built, stages);
    return code;
  });
  return { task: withBody(task, mapped), remarks };
}

/**
 * A region that the program launches once per step, alternately from `a` to `b` and from `b` to `a`, performs several
 * steps in one launch: libarcrt delays launches until it has enough of them, or something else happens. Undefined: it
 * is not such a region.
 */
function ofLaunches(task: Task, stages: number, choice: PassInput["choice"]) {
  const step = launchedStep(task);
  if (!step) return undefined;
  const { sweep, input, output, set, element, loc } = step;
  refuseOthers(choice, loc);
  const count = freshSymbol("arc_steps", LONG);
  const chain = (most: number, turns?: Chain["turns"]) =>
    chained(() =>
      stageChain(
        {
          task,
          sweep,
          input,
          output,
          inPlace: false,
          set,
          stages: most,
          active: (stage) =>
            stage === most - 1 ? undefined : binary(">", ident(count), constant(BigInt(most - 1 - stage))),
          store: (value) => [exprStmt(assign(element, value))],
          loc,
          ...(turns && { turns }),
        },
        spmdOf(task).body,
      ),
    );
  const [extent, other] = [extentOf(input, task), extentOf(output, task)];
  const longest = chain(stages);
  const odd = stages % 2 === 0 ? stages - 1 : stages;
  const [most, built] =
    covers(longest, extent) && covers(longest, other)
      ? ([stages, longest] as const)
      : // Launches go from one array to the other: if elements differ between them, each launch must take an odd number of steps.
        ([odd, odd > 1 && extent && alike(extent, other) ? chain(odd, { extent }) : undefined] as const);
  if (!built)
    throw new Illegal({
      code: "time-steps",
      loc,
      message:
        odd > 1
          ? `the time steps stay one by one: '${input.name}' and '${output.name}' are not known to have the same extent`
          : `the time steps stay one by one: the sweep is not known to set every element of '${output.name}'`,
      why: "elements that no step sets keep the values that each of the two arrays has there",
      remedy:
        odd > 1
          ? "give both the same section with constant bounds in a data clause of the region"
          : "choose time-steps: 3, set them in the sweep, or put the time loop into the region and copy the result back",
    });
  const rewritten = withSpmd(task, (spmd) => ({
    ...spmd,
    hints: { ...spmd.hints, steps: { most, input, output } },
    body: compound([declare(count), built.code], spmd.body.span),
  }));
  return { task: rewritten, step, most, built };
}

type Extent = NonNullable<ReturnType<typeof extentOf>>;

function alike(a: Extent, b: Extent | undefined): boolean {
  const [from, length, ...others] = [a.from, a.length, b?.from, b?.length].map(
    (e) => e && evaluateInteger(e),
  );
  return from !== undefined && from === others[0] && length !== undefined && length === others[1];
}

/** Whether the sweep sets exactly the elements of an array with that extent. */
function covers({ sets }: Built, extent: Extent | undefined): boolean {
  const ends = [sets?.first, extent?.from, sets?.length, extent?.length].map((e) => e && evaluateInteger(e));
  const [first, from, length, all] = ends;
  return first !== undefined && first === from && length !== undefined && length === all;
}

function mapTimeLoops(s: Stmt, change: (time: TimeLoop, at: Stmt) => Stmt): Stmt {
  const time = timeLoop(s);
  return time ? change(time, s) : mapChildren(s, (child) => mapTimeLoops(child, change));
}

/** Refuses axes that cannot be combined with a chain of stages. */
function refuseOthers(choice: PassInput["choice"], loc: Loc): void {
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
        inPlace: true,
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

/** Reports what prevents a window as what prevents a chain of windows. */
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
