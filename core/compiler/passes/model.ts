/**
 * Chooses single work-item or NDRange (spec: J. Lambert, 2.2.3.1). A region with num_gangs(1), num_workers(1) and
 * vector_length(1), or `serial`, is one work-item whose loops the compiler pipelines:
 *
 *     parallel num_gangs(1) num_workers(1) vector_length(1)   =>   spmd serial
 */

import { plainAtomic } from "../../../targets/shared/lower/plain-atomic.ts";
import { asNode, type Spmd, type Task } from "../../ir/model/ir.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { evaluateInteger, mapStmt, walkStmt } from "../../lang/index.ts";
import type { Expr, Stmt } from "../../lang/tree/ast.ts";
import { modelAxis } from "./axes.ts";
import { Illegal, type Pass, type PassInput, type PassResult, passing, type Remark } from "./rewrite/pass.ts";
import { loopStmt, loopsIn, mapLoops, withSpmd } from "./rewrite/region.ts";
import { hasTimeLoop } from "./time-loop.ts";

export const model: Pass = {
  name: "model",
  description: "one work-item with pipelined loops, or many work-items",
  axes: [modelAxis],
  run: (input) => passing(() => run(input)),
};

/** The region after only this pass; unchanged if the pass refuses. */
export function afterModel(input: PassInput): Task {
  const result = model.run(input);
  return "task" in result ? result.task : input.task;
}

const isOne = (e: Expr | undefined) => e !== undefined && evaluateInteger(e) === 1n;

function run({ task, choice, inOrder }: PassInput): PassResult {
  const spmd = spmdOf(task);
  const { loc } = task.site;
  const sizes = sizesOf(spmd);
  const ones = sizes.filter(([, e]) => isOne(e)).map(([name]) => name);
  const reduces = reducesArray(spmd.body);
  const required = spmd.serial === true || ones.length === 3 || reduces;
  const windowed = loopsIn(spmd.body).flatMap((l) => l.hints?.windows ?? [])[0];
  const remark = (applied: boolean, message: string): Remark => ({ pass: "model", applied, message, loc });

  const requested = choice.model ?? "auto";
  const sized = sizes.find(([, e]) => e !== undefined && !isOne(e));
  const chained = Number(choice["time-steps"] ?? 1) > 1 && hasTimeLoop(spmd.body);
  const ordered = windowed !== undefined || chained;
  const single =
    required || inOrder === true || requested === "swi" || (requested === "auto" && ordered && !sized);
  if (single) {
    const why = required
      ? spmd.serial
        ? "the directive says serial"
        : reduces
          ? "it reduces an array, whose elements one data path combines in order"
          : "the directive asks for one gang, one worker and one lane"
      : requested === "swi"
        ? "the variant asks for it"
        : inOrder === true
          ? "the target's kernels have no work-items"
          : `${windowed ? "a window needs" : "stages of time steps need"} it and the directive leaves the sizes open`;
    const ignored = inOrder === true && requested === "nd";
    return {
      task: withSpmd(task, singleWorkItem),
      remarks: [
        remark(true, `single work-item kernel: ${why}`),
        ...(ignored ? [remark(false, "model nd: this target's kernels have no work-items")] : []),
      ],
    };
  }
  if (windowed) {
    const missing = ["num_gangs(1)", "num_workers(1)", "vector_length(1)"].filter(
      (c) => !ones.includes(c.slice(0, -3)),
    );
    throw new Illegal({
      code: "window-needs-single-work-item",
      loc: windowed.loc,
      message: sized
        ? `a window needs a single work-item kernel, and ${sized[0]} asks for several`
        : "a window needs a single work-item kernel, and the variant asks for model nd",
      why: "a delay line passes values from one iteration to the next in order",
      remedy: `add ${missing.join(" ")} to the directive, or choose model: swi`,
    });
  }
  const remarks = [remark(false, "NDRange kernel: nothing asks for a single work-item")];
  if (ones.length > 0)
    remarks.push(
      remark(
        false,
        `NDRange kernel although ${ones.join(" and ")} ${ones.length > 1 ? "are" : "is"} 1: all of num_gangs, num_workers and vector_length must be 1`,
      ),
    );
  return { task, remarks };
}

function sizesOf(spmd: Spmd): readonly (readonly [string, Expr | undefined])[] {
  const loops = loopsIn(spmd.body);
  const from = (key: "gangs" | "workers" | "lanes") => loops.find((l) => l.parallel[key])?.parallel[key];
  return [
    ["num_gangs", spmd.numTeams ?? from("gangs")],
    ["num_workers", spmd.numUnits ?? from("workers")],
    ["vector_length", spmd.numLanes ?? from("lanes")],
  ];
}

function reducesArray(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt(s) {
      if (asNode(s, "atomic")?.reduction) found = true;
    },
  });
  return found;
}

/** Loops keep what is known about their independence: it proves that arrays do not overlap. */
function singleWorkItem(spmd: Spmd): Spmd {
  const { numTeams: _g, numUnits: _w, numLanes: _l, ...rest } = spmd;
  const ordered = mapLoops(spmd.body, (loop, at) => {
    const { gangs: _a, workers: _b, lanes: _c, tile: _t, ...parallel } = loop.parallel;
    // Iterations read elements that others combined, so they must run in order.
    const independence = reducesArray(loop.body) ? "seq" : parallel.independence;
    return loopStmt({ ...loop, parallel: { ...parallel, levels: [], independence } }, at);
  });
  const body = mapStmt(ordered, {
    stmt(s) {
      const atomic = asNode(s, "atomic");
      return atomic?.reduction ? plainAtomic(atomic) : s;
    },
  });
  // With a single gang, its copies of reduction variables are the variables themselves.
  return { ...rest, serial: true, reductions: [], body };
}
