/** Ready actions with the executor that will run each; every executor has a schedule of its own. */

import type { Graph, Node } from "../graph/graph.ts";
import type { Action, Resources } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import type { Executor } from "../run/executor.ts";
import { Schedule } from "../run/resource-pool.ts";
import type { Priorities } from "./critical-path.ts";

export interface DispatchSite {
  /** The first executor runs everything that `executorOf` does not assign to another. */
  readonly executors: readonly [Executor, ...Executor[]];
  /** Name of the executor for an action's processes. */
  readonly executorOf?: (action: Action) => string | undefined;
}

export interface Started {
  /** The action's position in the graph. */
  readonly index: number;
  readonly executor: Executor;
  /** Releases its resources. */
  readonly release: () => void;
  /** It waits in the executor for another action to end. */
  readonly ahead: boolean;
}

/**
 * Actions count as short below this average duration in seconds, so that waiting for the next one would matter; and how
 * many runs the average needs.
 */
const SHORT_SECONDS = 0.05;
const SHORT_RUNS = 16;

const NONE: Resources = {};

export class Dispatch {
  readonly #site: DispatchSite;
  readonly #graph: Graph;
  readonly #priorities: Priorities;
  readonly #schedules: ReadonlyMap<Executor, Schedule>;
  /** Moving average of durations, in seconds. */
  #recentSeconds = 0;
  #runs = 0;

  constructor(site: DispatchSite, graph: Graph, priorities: Priorities) {
    this.#site = site;
    this.#graph = graph;
    this.#priorities = priorities;
    this.#schedules = new Map(site.executors.map((executor) => [executor, new Schedule(executor.capacity)]));
  }

  get isRunning(): boolean {
    for (const schedule of this.#schedules.values()) if (schedule.running > 0) return true;
    return false;
  }

  /** Reserves what a run beside this build holds, until the returned function is called. */
  lend(executor: Executor, { resources = {} }: Action): () => void {
    return this.#schedules.get(executor)?.lend(resources) ?? (() => {});
  }

  /** Throws `unsatisfiable` and `unknown-executor`. */
  add({ action, index }: Node): void {
    const { address, resources = NONE } = action;
    const executor = this.#executorOf(action);
    const schedule = this.#schedules.get(executor) as Schedule;
    schedule.add(address, resources, this.#priorities.of(index), index, mayWait(action, executor));
  }

  /** Takes the most urgent action that fits an executor's free resources; undefined when there is none. */
  take(): Started | undefined {
    for (const [executor, schedule] of this.#schedules) {
      const fitting = schedule.take();
      const address = fitting ?? (this.#areShort ? schedule.takeAhead() : undefined);
      if (address === undefined) continue;
      const index = this.#graph.actions.numberOf(address) as number;
      return { index, executor, release: () => schedule.release(address), ahead: fitting === undefined };
    }
    return undefined;
  }

  /** Records the duration of an action. */
  note(seconds: number): void {
    this.#recentSeconds += (seconds - this.#recentSeconds) / Math.min(SHORT_RUNS, this.#runs + 1);
    this.#runs += 1;
  }

  get #areShort(): boolean {
    return this.#runs >= SHORT_RUNS && this.#recentSeconds < SHORT_SECONDS;
  }

  /** Forgets everything that has not started. */
  clear(): void {
    for (const schedule of this.#schedules.values()) schedule.clear();
  }

  #executorOf(action: Action): Executor {
    const { executors, executorOf } = this.#site;
    const name = executorOf?.(action) ?? action.executor;
    const found = name === undefined ? executors[0] : executors.find((executor) => executor.name === name);
    if (found !== undefined) return found;
    throw new EngineError(
      "unknown-executor",
      `${action.address}: there is no executor ${name}`,
      "declare it",
      [action.address],
    );
  }
}

/** Whether an action can be started ahead: it is one command, and its time is not limited. */
function mayWait({ command, outputs, finish }: Action, { startsAhead, limits }: Executor): boolean {
  return (
    startsAhead === true &&
    command !== undefined &&
    !command.inProject &&
    command.timeoutSeconds === undefined &&
    limits?.timeoutSeconds === undefined &&
    finish !== true &&
    outputs.every(({ kind }) => kind === "file")
  );
}
