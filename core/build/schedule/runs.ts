/** Runs single actions, or joins runs of an earlier build, and draws the consequences of their outcomes. */

import { setTimeout } from "node:timers/promises";
import type { ActionStates } from "../graph/action-states.ts";
import type { Graph, Node } from "../graph/graph.ts";
import type { ActionResult } from "../key/result.ts";
import { type Action, type Address, titleOf } from "../model/action.ts";
import { monotonicMs } from "../model/clock.ts";
import type { Event, Reason } from "../model/event.ts";
import { type Execution, execute, type Placed } from "../run/execute.ts";
import type { Decision } from "../state/decide.ts";
import type { Durations } from "../state/durations.ts";
import { type BuildOptions, type BuildSite, stepOf } from "./build-options.ts";
import type { CacheHits } from "./cache-hits.ts";
import type { Cancellations } from "./cancellations.ts";
import type { Completion } from "./completion.ts";
import type { Priorities } from "./critical-path.ts";
import type { Delivery } from "./delivery.ts";
import type { DependencyTracker } from "./dependency-tracker.ts";
import type { DetachedRun } from "./detached-runs.ts";
import type { Dispatch, Started } from "./dispatch.ts";
import type { Finishing } from "./finishing.ts";
import type { Ready } from "./ready-queue.ts";
import type { Retries } from "./retry.ts";
import type { WorkLeft } from "./work-left.ts";

interface RunningBuild {
  readonly options: BuildOptions;
  readonly site: BuildSite;
  readonly graph: Graph;
  readonly states: ActionStates;
  readonly tracker: DependencyTracker;
  readonly priorities: Priorities;
  readonly durations: Durations;
  readonly dispatch: Dispatch;
  readonly delivery: Delivery;
  readonly retries: Retries;
  readonly completion: Completion;
  readonly finishing: Finishing;
  readonly hits: CacheHits;
  readonly cancellations: Cancellations;
  readonly workLeft: WorkLeft | undefined;
  /** Aborted when everything is to stop. */
  readonly abort: AbortSignal;
  /** Aborted when everything is to stop except actions marked `finish`. */
  readonly giveWay: AbortSignal;
  readonly emit: (event: Event) => void;
  readonly isStopped: () => boolean;
  /** Makes the build wait for background work. */
  readonly after: (work: Promise<void>) => void;
  readonly waitFor: (action: Action, producer: Address) => void;
}

export class Runs {
  readonly #build: RunningBuild;

  constructor(build: RunningBuild) {
    this.#build = build;
  }

  async start({ node, decision }: Ready, { executor, release, ahead }: Started): Promise<void> {
    const { action, index } = node;
    const { address } = action;
    this.#build.states.move(index, "running");
    const reason = this.#reasonToRun(action, decision);
    const recorded = this.#build.durations.expected(address, stepOf(this.#build.site.registry, action));
    this.#announce(node, reason, recorded);
    const startedAt = monotonicMs();
    const checked = this.#build.hits.checkedBy(index);
    const finishes = action.finish === true || stepOf(this.#build.site.registry, action).finish === true;
    const abort = finishes ? new AbortController() : undefined;
    const stop = this.#build.cancellations.begin(index, this.#build.giveWay, abort);
    const sink = { emit: (event: Event) => this.#build.emit(event) };
    const { moment } = this.#build.tracker;
    if (checked === undefined) this.#build.delivery.claim(action);
    const running = execute(
      action,
      stepOf(this.#build.site.registry, action),
      decision.base,
      decision.inputs,
      {
        files: this.#build.site.files,
        store: this.#build.site.store,
        sandboxes: this.#build.site.sandboxes,
        executor,
        ahead,
        // An action that goes on beside a newer build must not write to the same places.
        ...(abort !== undefined || checked !== undefined
          ? {}
          : { placeScratch: this.#build.site.materializer.scratch }),
        ...(recorded === undefined ? {} : { expectedSeconds: recorded }),
        environment: this.#build.site.environment,
        given: this.#build.site.given,
        ...(this.#build.site.passes && { passes: true }),
        ...(this.#build.options.tracer === undefined ? {} : { tracer: this.#build.options.tracer }),
        ...(this.#build.site.bwrap === undefined ? {} : { bwrap: this.#build.site.bwrap }),
        signal: stop.signal,
        emit: (event) => sink.emit(event),
        awaited: this.#build.tracker.awaitedBy(address),
        writtenMeanwhile: (path) => this.#build.tracker.writtenSince(address, path, moment),
      },
    );
    const execution =
      abort !== undefined
        ? await this.#build.finishing.orLeave(
            Object.assign(sink, {
              action,
              base: decision.base,
              executor,
              startedAt: Date.now(),
              abort,
              execution: running,
            }),
            (result) => {
              if (action.cache !== false) this.#build.delivery.cache(result);
            },
          )
        : await running;
    stop.release();
    this.#build.workLeft?.ended(index);
    release();
    const { underWay } = this.#build.site;
    if (execution === undefined) {
      // Whoever receives the result stores it at once.
      const end = (): void => void setImmediate(() => underWay.end(decision.base));
      running.then(end, end);
      return;
    }
    if (checked !== undefined) {
      if (this.#build.isStopped()) return;
      this.#build.cancellations.forget(index);
      return this.#build.hits.endCheck(action, decision, checked, execution);
    }
    if (execution.kind === "done") this.#build.dispatch.note(execution.result.seconds);
    const seconds = (monotonicMs() - startedAt) / 1000;
    if (execution.kind === "done" && action.cache !== false) this.#build.delivery.cache(execution.result);
    underWay.end(decision.base);
    this.#conclude(action, decision, execution, reason, seconds);
  }

  /** Reports that an action starts, with what is known of its duration. */
  #announce({ action, index }: Node, reason: Reason, recorded: number | undefined): void {
    const expected = recorded ?? this.#build.priorities.typical(action.step);
    const work = this.#build.workLeft?.seconds();
    this.#build.emit({
      type: "running",
      address: action.address,
      step: action.step,
      title: titleOf(action),
      reason,
      time: Date.now(),
      ...(expected === undefined ? {} : { expected, behind: this.#build.priorities.behind(index) }),
      ...(recorded === undefined && expected !== undefined ? { guess: true } : {}),
      ...(work === undefined ? {} : { work }),
    });
    this.#build.workLeft?.started(index, expected ?? 0, action.resources?.cpu ?? 1);
  }

  /**
   * Retries when the file's stamp is trustworthy: a file written a moment ago would seem to have changed at every try.
   */
  async #rerunWhenSettled(action: Action, file: string): Promise<void> {
    const wait = this.#build.site.files.settlesIn(file);
    if (wait > 0) await setTimeout(wait, undefined, { signal: this.#build.abort }).catch(() => undefined);
    if (!this.#build.isStopped())
      this.#build.completion.failIf(action, this.#build.retries.inputMoved(action, file));
  }

  /** Handles the outcome of a run. */
  #conclude(action: Action, decision: Decision, execution: Execution, reason: Reason, seconds: number): void {
    switch (execution.kind) {
      case "interrupted":
        if (
          !this.#build.isStopped() &&
          this.#build.cancellations.wasCancelled(this.#build.graph.indexOf(action.address))
        )
          this.#build.completion.fail(action, { message: "cancelled", seconds });
        return;
      case "must-wait":
        // If the other one has ended meanwhile, no event would follow.
        if (this.#build.tracker.outcomes.has(execution.producer))
          return this.#build.tracker.decide(this.#build.graph.indexOf(action.address));
        return this.#build.waitFor(action, execution.producer);
      case "moved":
        return this.#build.after(this.#rerunWhenSettled(action, execution.file));
      case "machine-lost":
        return this.#build.completion.failIf(
          action,
          this.#build.retries.machineLost(action, execution.message),
          seconds,
        );
      case "lost":
        return this.#build.completion.failIf(action, this.#build.retries.inputsLost(action));
      case "failed":
        return this.#build.completion.fail(action, { ...execution, seconds });
      case "done":
        return this.#finishRun(action, decision, execution, reason);
    }
  }

  /** Waits for a run that an earlier build left, as if this build had started it. */
  async join(action: Action, decision: Decision, run: DetachedRun, reason: Reason): Promise<void> {
    const { address, step } = action;
    this.#build.states.move(this.#build.graph.indexOf(action.address), "running");
    this.#build.emit({ type: "running", address, step, title: titleOf(action), reason, time: run.startedAt });
    const index = this.#build.graph.indexOf(action.address);
    const leave = this.#build.cancellations.join(index, run.abort);
    const execution = await this.#build.finishing.share(run, (event) => this.#build.emit(event));
    leave();
    if (this.#build.isStopped() || execution === undefined) return;
    const seconds = (Date.now() - run.startedAt) / 1000;
    if (execution.kind === "interrupted" && !this.#build.cancellations.wasCancelled(index))
      this.#build.tracker.decide(index);
    else this.#conclude(action, decision, execution, reason, seconds);
  }

  #reasonToRun(action: Action, { verdict }: Decision): Reason {
    if (this.#build.tracker.isLost(this.#build.graph.indexOf(action.address))) {
      return { kind: "output-missing", output: action.outputs[0]?.name ?? "" };
    }
    if (verdict.kind === "run") return verdict.reason;
    return verdict.kind === "cached" ? { kind: "hit-checked" } : { kind: "forced" };
  }

  #finishRun(
    action: Action,
    decision: Decision,
    { result, placed }: { readonly result: ActionResult; readonly placed: Placed },
    reason: Reason,
  ): void {
    if (action.cache !== false && result.failure === undefined) this.#build.site.remote?.publish(result);
    this.#build.priorities.note(action.step, result.seconds);
    if (result.failure === undefined)
      this.#build.completion.take(action, decision, result, "ran", reason, placed);
    else this.#build.completion.failFor(action, decision, result, reason, false);
  }
}
