/**
 * OpenMP's query routines in regions, computed from the position in the launch. Teams are groups; inside loops shared by
 * a team's threads, threads are the group's items. Functions get the values from their callers.
 */
import { type DeviceRoutine, routineCalled, sameAnswer } from "../../../core/ir/model/device-routines.ts";
import { asNode, type Loop, type Threads } from "../../../core/ir/model/ir.ts";
import { INT, LONG, mapChildren, walkStmt } from "../../../core/lang/index.ts";
import type { Expr, Stmt } from "../../../core/lang/tree/ast.ts";
import { binary, cast, freshSymbol, ident, intLit } from "../../../core/lang/tree/build.ts";
import { workItemId } from "../device/device.ts";
import { type Geometry, groupSize, isItemLoop } from "./geometry/geometry.ts";

export type Answer = (routine: DeviceRoutine) => Expr;

/** The results differ between the first thread of a team and threads that share a loop. */
export interface Answers {
  readonly first: Answer;
  readonly threads: Answer;
  readonly isOfThreads: (loop: Loop) => boolean;
}

/** Only `distribute` and `simd`: their lanes belong to one thread. */
const hasThreads = ({ site }: Loop): boolean => /\b(parallel|for)\b/.test(site.what);

/** The device number, passed by the launch if a kernel needs it. */
export const deviceNumber = freshSymbol("arc_device_number", LONG);

export function answersOfRegion(geometry: Geometry, serial: boolean): Answers {
  const items = groupSize(geometry);
  const number = geometry.atLaunch ? cast(INT, workItemId("items")) : intLit(items);
  const common = (routine: DeviceRoutine): Expr => {
    const same = sameAnswer(routine);
    if (same !== undefined) return intLit(same);
    if (routine === "omp_get_num_procs") return number;
    if (routine === "omp_get_team_num") return serial ? intLit(0) : cast(INT, workItemId("group"));
    if (routine === "omp_get_num_teams") return serial ? intLit(1) : cast(INT, workItemId("groups"));
    if (routine === "omp_get_device_num") return cast(INT, ident(deviceNumber));
    if (routine === "omp_get_max_threads" || routine === "omp_get_thread_limit") return number;
    return intLit(routine === "omp_get_num_threads" ? 1 : 0);
  };
  const threads = (routine: DeviceRoutine): Expr => {
    const many = items > 1;
    switch (routine) {
      case "omp_get_thread_num":
        return many ? cast(INT, workItemId("item")) : intLit(0);
      case "omp_get_num_threads":
        return number;
      case "omp_get_level":
        return intLit(1);
      case "omp_get_active_level":
      case "omp_in_parallel":
        return intLit(many ? 1 : 0);
      // A team that a thread started here would consist of that thread.
      case "omp_get_max_threads":
        return intLit(1);
      default:
        return common(routine);
    }
  };
  return {
    first: common,
    threads,
    isOfThreads: (loop) => hasThreads(loop) && (items === 1 || isItemLoop(geometry, loop)),
  };
}

/** Inside a function only `parallel` loops have threads. */
export function answersOfFunction(byCaller: Answer): Answers {
  const answer = (routine: DeviceRoutine): Expr => {
    const same = sameAnswer(routine);
    return same === undefined ? byCaller(routine) : intLit(same);
  };
  return {
    first: answer,
    threads(routine) {
      if (routine === "omp_get_thread_num") return intLit(0);
      if (routine === "omp_get_num_threads") return intLit(1);
      return routine === "omp_get_level" ? binary("+", answer(routine), intLit(1)) : answer(routine);
    },
    isOfThreads: ({ site }) => /\bparallel\b/.test(site.what),
  };
}

/** `s` with calls of the routines replaced; `by` rewrites a whole statement for one set of results. */
export function answered(s: Stmt, answers: Answers, by: (s: Stmt, answer: Answer) => Stmt): Stmt {
  const inThreads = (child: Stmt): Stmt => {
    const block = asNode(child, "threads");
    if (block && child.kind === "ext") {
      const ext: Threads = { ...block, body: by(block.body, answers.threads) };
      return { ...child, ext };
    }
    const loop = asNode(child, "loop");
    if (!loop || child.kind !== "ext" || !answers.isOfThreads(loop)) return mapChildren(child, inThreads);
    const ext: Loop = { ...loop, body: by(loop.body, answers.threads) };
    return { ...child, ext };
  };
  return by(inThreads(s), answers.first);
}

/** The routines that the code calls directly. */
export function routinesIn(body: Stmt): readonly DeviceRoutine[] {
  const found = new Set<DeviceRoutine>();
  walkStmt(body, {
    expr(e) {
      const routine = routineCalled(e);
      if (routine && sameAnswer(routine) === undefined) found.add(routine);
    },
  });
  return [...found];
}
