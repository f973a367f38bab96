/** One build: walks the graph, decides each action when its inputs are known, and runs what must run. */
import { setMaxListeners } from "node:events";
import { type Action, type Address, type Json, type Registry, type Step, titleOf } from "./action.ts";
import { ActionTable } from "./actiontable.ts";
import type { Background, LongRun } from "./background.ts";
import { monotonicMs } from "./clock.ts";
import { type Decision, decide, type Knowledge, MustWait, stillHolds } from "./decide.ts";
import { Delivery } from "./delivery.ts";
import { Dispatch, type DispatchSite, type Started } from "./dispatch.ts";
import { DryRun } from "./dryrun.ts";
import { Durations } from "./durations.ts";
import { describeError, EngineError, errnoOf, isBlobLost } from "./error.ts";
import type { Event, Reason } from "./event.ts";
import { type Execution, execute, type Placed } from "./execute.ts";
import { Graph, type Node } from "./graph.ts";
import { Growth } from "./growth.ts";
import { type Produced, type ResolvedInput, resolveInputs } from "./inputs.ts";
import { partsOf } from "./key.ts";
import type { ActionOutcome, BuildResult } from "./outcome.ts";
import { BuildOutcomes } from "./outcomes.ts";
import type { Placer } from "./place.ts";
import { Priorities } from "./priority.ts";
import { Progress } from "./progress.ts";
import { type Ready, ReadyActions } from "./ready.ts";
import type { RemoteCache } from "./remote/remote.ts";
import { type ActionResult, outputOf } from "./result.ts";
import { Retries } from "./retry.ts";
import type { Rooms } from "./room.ts";
import { type Targets, Wanted } from "./wanted.ts";

export interface BuildOptions {
  /** What to bring up to date; everything when absent. */
  readonly targets?: Targets;
  /** Decide and tell (`planned` events), run nothing. */
  readonly dryRun?: boolean;
  /** After a failure go on with all that does not depend on it. */
  readonly keepGoing?: boolean;
  /** Run though nothing changed: all wanted actions, or these. */
  readonly force?: boolean | readonly Address[];
  readonly signal?: AbortSignal;
  /** A newer build is wanted: all is stopped as by `signal`, but actions that are to `finish` go on beside it. */
  readonly giveWay?: AbortSignal;
  readonly onEvent?: (event: Event) => void;
}

export interface BuildSite extends Knowledge, DispatchSite {
  readonly registry: Registry;
  readonly rooms: Rooms;
  readonly placer: Placer;
  readonly remote?: RemoteCache;
  readonly background: Background;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Decisions go on for so long before what was found ready is started, in ms. */
const SLICE_MS = 20;

/** `given`: actions outside the graph that are done, for a graph that is part of a larger one. */
export async function build(
  actions: Iterable<Action>,
  options: BuildOptions,
  site: BuildSite,
  given?: ReadonlyMap<Address, Produced>,
): Promise<BuildResult> {
  return new Build(actions, options, site, given).run();
}

interface Failure {
  readonly message: string;
  readonly log?: string;
  /** Known from before. */
  readonly cached?: boolean;
  readonly seconds?: number;
  readonly diagnostics?: Json;
  readonly read?: readonly string[];
}

class Build {
  readonly #options: BuildOptions;
  readonly #site: BuildSite;
  readonly #graph: Graph;
  readonly #wanted: Wanted;
  readonly #progress: Progress;
  readonly #priorities: Priorities;
  readonly #durations: Durations;
  readonly #dispatch: Dispatch;
  readonly #delivery: Delivery;
  readonly #growth: Growth;
  readonly #retries: Retries;
  readonly #dryRun: DryRun | undefined;
  readonly #abort = new AbortController();
  /** Of all but what is to finish. */
  readonly #giveWay = new AbortController();
  /** What runs, and is to finish. */
  readonly #finishing = new Set<LongRun>();
  readonly #startedAt = monotonicMs();
  readonly #ready: ReadyActions;
  readonly #forced: ReadonlySet<Address>;
  /** Expansions and questions to the shared cache under way. */
  #under = 0;
  #stopped = false;
  #end: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor(
    actions: Iterable<Action>,
    options: BuildOptions,
    site: BuildSite,
    given: ReadonlyMap<Address, Produced> | undefined,
  ) {
    this.#options = options;
    this.#site = site;
    // One for each process that runs.
    setMaxListeners(0, this.#abort.signal, this.#giveWay.signal);
    const emit = (event: Event): void => this.#emit(event);
    this.#forced = new Set(Array.isArray(options.force) ? options.force : []);
    const outside = given && new Map([...given].map(([address, { action }]) => [address, action]));
    this.#graph = new Graph(outside, ActionTable.of(actions));
    this.#delivery = new Delivery(site, emit);
    this.#growth = new Growth(this.#graph, site, this.#delivery);
    this.#growth.checkRegistered(0);
    this.#wanted = new Wanted(this.#graph, options.targets);
    const outcomes = new BuildOutcomes(this.#graph, (address) => site.state.action(address)?.result);
    this.#progress = new Progress(this.#graph, this.#wanted, given ?? new Map(), emit, outcomes);
    this.#ready = new ReadyActions((index) => this.#restore(index));
    this.#retries = new Retries(this.#graph, this.#progress, site, emit);
    this.#dryRun = options.dryRun ? new DryRun(this.#graph, this.#progress, emit) : undefined;
    this.#durations = new Durations(site.state);
    this.#priorities = new Priorities(this.#graph, {
      recorded: (address) => this.#durations.recorded(address),
      step: (name) => site.registry.steps.get(name),
      isOver: (index) => outcomes.isOver(index) || !this.#wanted.has(index),
    });
    this.#dispatch = new Dispatch(site, this.#graph, this.#priorities);
  }

  async run(): Promise<BuildResult> {
    const { signal, giveWay } = this.#options;
    const onAbort = (): void => this.#interrupt();
    const onGiveWay = (): void => this.#stopForNewer();
    signal?.addEventListener("abort", onAbort, { once: true });
    giveWay?.addEventListener("abort", onGiveWay, { once: true });
    if (signal?.aborted) this.#interrupt();
    else if (giveWay?.aborted) this.#stopForNewer();
    try {
      for (const run of this.#site.background.runs) this.#lendTo(run);
      const first = this.#wanted.first();
      this.#emit({ type: "start", total: this.#wanted.size, time: Date.now() });
      await new Promise<void>((resolve, reject) => {
        this.#end = { resolve, reject };
        for (const address of first) this.#progress.activate(address);
        this.#advance();
      });
    } catch (error) {
      // A bug or a broken graph: nothing started may outlive the build.
      this.#interrupt();
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      giveWay?.removeEventListener("abort", onGiveWay);
    }
    const { outcomes } = this.#progress;
    const counts = outcomes.counts();
    const interrupted = this.#giveWay.signal.aborted;
    const ok = counts.failed === 0 && !interrupted;
    const seconds = (monotonicMs() - this.#startedAt) / 1000;
    this.#emit({ type: "end", ok, interrupted, seconds, counts });
    return { ok, interrupted, seconds, counts, outcomes, graph: this.#graph };
  }

  // --- The walk -------------------------------------------------------------------------------------

  /** Decides what can be decided, starts what can be started, ends when nothing is left. */
  #advance(): void {
    try {
      const until = monotonicMs() + SLICE_MS;
      while (!this.#stopped) {
        const index = this.#progress.takeDecidable();
        if (index === undefined) break;
        this.#decide(this.#graph.at(index));
        if (monotonicMs() > until) break;
      }
      this.#startReady();
      if (!this.#stopped && this.#progress.hasDecidable) setImmediate(() => this.#advance());
      else if (this.#isIdle()) this.#end?.resolve();
    } catch (error) {
      this.#end?.reject(error);
    }
  }

  #isIdle(): boolean {
    return this.#under === 0 && !this.#dispatch.isRunning && (this.#stopped || this.#progress.isComplete);
  }

  #startReady(): void {
    while (!this.#stopped) {
      const started = this.#dispatch.take();
      if (started === undefined) break;
      const ready = this.#ready.take(started.index);
      if (ready === undefined) {
        started.release();
        this.#progress.decide(started.index);
        continue;
      }
      this.#start(ready, started).then(
        () => this.#advance(),
        (error) => this.#end?.reject(error),
      );
    }
  }

  /** Goes on when something that runs beside the actions is over. */
  #after(work: Promise<void>): void {
    this.#under += 1;
    work
      .finally(() => {
        this.#under -= 1;
      })
      .then(
        () => this.#advance(),
        (error) => this.#end?.reject(error),
      );
  }

  // --- Decisions ------------------------------------------------------------------------------------

  #decide(node: Node): void {
    const { action, index } = node;
    const { address, skip } = action;
    if (skip !== undefined) {
      this.#emit({ type: "skipped", address, reason: skip });
      this.#progress.settle(index, { address, status: "skipped", message: skip });
      return;
    }
    const unknown = node.needs.find((need) => !this.#progress.isKnown(need));
    if (unknown !== undefined) {
      // In a dry run it would run; else it is being made again.
      this.#waitFor(action, unknown);
      return;
    }
    let decision: Decision;
    try {
      const inputs = this.#resolve(node);
      const awaited = (path: string): Address | undefined => this.#progress.awaited(address, path);
      decision = decide(action, this.#step(action), inputs, this.#isForced(node), this.#site, awaited);
    } catch (error) {
      if (error instanceof MustWait) this.#waitFor(action, error.producer);
      else this.#failBy(action, error);
      return;
    }
    if (this.#dryRun === undefined) this.#follow(node, decision);
    else {
      const outcome = this.#dryRun.decided(action, decision);
      if (outcome !== undefined) this.#finish(action, outcome);
    }
  }

  #resolve({ action, parent }: Node): ResolvedInput[] {
    return resolveInputs(
      action,
      this.#site.files,
      (address, output) => this.#progress.output(address, output),
      parent,
    );
  }

  #restore(index: number): { readonly node: Node } & Pick<Decision, "inputs" | "parts"> {
    const node = this.#graph.at(index);
    const inputs = this.#resolve(node);
    const keyed = inputs.map((input) => input.keyed);
    return { node, inputs, parts: partsOf(node.action, this.#step(node.action), keyed) };
  }

  #follow(node: Node, decision: Decision): void {
    const { action } = node;
    const { verdict } = decision;
    if (verdict.kind === "up-to-date") this.#take(action, decision, verdict.result, "up-to-date", undefined);
    else if (verdict.kind === "cached") {
      this.#take(action, decision, verdict.result, "cached", verdict.reason);
    } else if (verdict.kind === "failed") {
      this.#failFor(action, decision, verdict.result, verdict.reason, true);
    } else {
      const run = this.#site.background.find(decision.base);
      if (run !== undefined) {
        this.#after(this.#join(action, decision, run, verdict.reason));
        return;
      }
      this.#ready.add(node, decision);
      const { remote } = this.#site;
      const mayAsk = action.cache !== false && verdict.reason.kind !== "forced" && remote?.isUsable;
      if (mayAsk) this.#after(this.#askRemote(node, decision, verdict.reason, remote));
      else this.#enqueue(node);
    }
  }

  #enqueue(node: Node): void {
    try {
      this.#dispatch.add(node);
      this.#emit({ type: "ready", address: node.action.address });
    } catch (error) {
      this.#failBy(node.action, error);
    }
  }

  /** Takes a result from the shared cache, or lets the action run. */
  async #askRemote(node: Node, decision: Decision, reason: Reason, remote: RemoteCache): Promise<void> {
    const { action } = node;
    const result = await this.#fetch(action, decision, remote);
    if (this.#stopped) return;
    if (result === undefined) this.#enqueue(node);
    else {
      this.#delivery.cache(result);
      this.#take(action, decision, result, "remote", reason);
    }
  }

  async #fetch(action: Action, { base }: Decision, remote: RemoteCache): Promise<ActionResult | undefined> {
    const awaited = (path: string): Address | undefined => this.#progress.awaited(action.address, path);
    for (const result of await remote.candidates(action, base)) {
      if (stillHolds(result, this.#site.files, awaited) && (await remote.fetch(result))) return result;
    }
    return undefined;
  }

  /** Forced itself, or keyed on an action that was: its bytes may differ under the same key. */
  #isForced(node: Node): boolean {
    if (this.#progress.isLost(node.index)) return true;
    if (this.#options.force === true || this.#forced.has(node.action.address)) return true;
    return node.needs.some((need) => {
      const producer = this.#graph.actions.numberOf(need);
      if (producer === undefined || this.#progress.outcomes.reason(producer)?.kind !== "forced") return false;
      const { deterministic, cache } = this.#graph.actions.shapeOf(producer);
      return deterministic === false && cache !== false;
    });
  }

  #waitFor(action: Action, producer: Address): void {
    // Over though not known: only in a dry run. It would run, so what it writes is not known.
    if (this.#dryRun !== undefined && this.#progress.outcomes.has(producer)) {
      this.#dryRun.plan(action, { verdict: "unknown", because: producer });
    } else this.#progress.waitFor(this.#indexOf(action), producer);
  }

  // --- Running --------------------------------------------------------------------------------------

  async #start({ node, decision }: Ready, { executor, release, ahead }: Started): Promise<void> {
    const { action, index } = node;
    const { address } = action;
    const reason = this.#reasonToRun(action, decision);
    const expected = this.#durations.expected(address, this.#step(action));
    this.#emit({
      type: "running",
      address,
      step: action.step,
      title: titleOf(action),
      reason,
      time: Date.now(),
      ...(expected === undefined ? {} : { expected, behind: this.#priorities.behind(index) }),
    });
    const startedAt = monotonicMs();
    const finishes = action.finish === true || this.#step(action).finish === true;
    const abort = finishes ? new AbortController() : undefined;
    const sink = { emit: (event: Event) => this.#emit(event) };
    this.#delivery.claim(action);
    const running = execute(action, this.#step(action), decision.base, decision.inputs, {
      files: this.#site.files,
      store: this.#site.store,
      rooms: this.#site.rooms,
      executor,
      ahead,
      // What goes on beside a newer build must not write where that one does.
      ...(abort !== undefined ? {} : { placeScratch: this.#site.placer.scratch }),
      ...(expected === undefined ? {} : { expectedSeconds: expected }),
      environment: this.#site.environment,
      signal: abort?.signal ?? this.#giveWay.signal,
      emit: (event) => sink.emit(event),
      awaited: (path) => this.#progress.awaited(address, path),
    });
    const execution =
      abort !== undefined
        ? await this.#orLeave(
            Object.assign(sink, {
              action,
              base: decision.base,
              executor,
              startedAt: Date.now(),
              abort,
              execution: running,
            }),
          )
        : await running;
    release();
    if (execution === undefined) return;
    if (execution.kind === "done") this.#dispatch.note(execution.result.seconds);
    const seconds = (monotonicMs() - startedAt) / 1000;
    if (execution.kind === "done" && action.cache !== false) this.#delivery.cache(execution.result);
    this.#conclude(action, decision, execution, reason, seconds);
  }

  /** What a run came to. */
  #conclude(action: Action, decision: Decision, execution: Execution, reason: Reason, seconds: number): void {
    switch (execution.kind) {
      case "interrupted":
        return;
      case "must-wait":
        return this.#waitFor(action, execution.producer);
      case "moved":
        return this.#failIf(action, this.#retries.inputMoved(action, execution.file));
      case "machine-lost":
        return this.#failIf(action, this.#retries.machineLost(action, execution.message), seconds);
      case "lost":
        return this.#failIf(action, this.#retries.inputsLost(action));
      case "failed":
        return this.#fail(action, { ...execution, seconds });
      case "done":
        return this.#finishRun(action, decision, execution, reason);
    }
  }

  // --- What is to finish ----------------------------------------------------------------------------

  /** Undefined when the build gave way: the run goes on without it. */
  async #orLeave(run: LongRun): Promise<Execution | undefined> {
    const { signal } = this.#giveWay;
    const { action } = run;
    this.#finishing.add(run);
    const left = new Promise<undefined>((resolve) => {
      const leave = (): void => {
        if (this.#abort.signal.aborted) run.abort.abort();
        else {
          const keep = (result: ActionResult): void => {
            if (action.cache !== false) this.#delivery.cache(result);
          };
          this.#site.background.add(run, keep);
          resolve(undefined);
        }
      };
      signal.addEventListener("abort", leave, { once: true });
    });
    const execution = await Promise.race([run.execution, left]);
    this.#finishing.delete(run);
    return execution;
  }

  /** Waits for a run that an earlier build left, as if this one had started it. */
  async #join(action: Action, decision: Decision, run: LongRun, reason: Reason): Promise<void> {
    const { address } = action;
    const { signal } = this.#giveWay;
    run.emit = (event) => this.#emit(event);
    this.#emit({
      type: "running",
      address,
      step: action.step,
      title: titleOf(action),
      reason,
      time: run.startedAt,
    });
    const gaveWay = new Promise<undefined>((resolve) => {
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    const execution = await Promise.race([run.execution, gaveWay]);
    run.emit = () => {};
    if (this.#stopped || execution === undefined) return;
    const seconds = (Date.now() - run.startedAt) / 1000;
    if (execution.kind === "interrupted") this.#progress.decide(this.#indexOf(action));
    else this.#conclude(action, decision, execution, reason, seconds);
  }

  #lendTo({ executor, action, execution }: LongRun): void {
    const giveBack = this.#dispatch.lend(executor, action);
    const onEnd = (): void => {
      giveBack();
      if (this.#end !== undefined && !this.#stopped) this.#advance();
    };
    execution.then(onEnd, onEnd);
  }

  #reasonToRun(action: Action, { verdict }: Decision): Reason {
    if (this.#progress.isLost(this.#indexOf(action))) {
      return { kind: "output-missing", output: action.outputs[0]?.name ?? "" };
    }
    return verdict.kind === "run" ? verdict.reason : { kind: "forced" };
  }

  #finishRun(
    action: Action,
    decision: Decision,
    { result, placed }: { readonly result: ActionResult; readonly placed: Placed },
    reason: Reason,
  ): void {
    if (action.cache !== false && result.failure === undefined) this.#site.remote?.publish(result);
    this.#priorities.note(action.step, result.seconds);
    if (result.failure === undefined) this.#take(action, decision, result, "ran", reason, placed);
    else this.#failFor(action, decision, result, reason, false);
  }

  // --- Ends -----------------------------------------------------------------------------------------

  /** Puts a result in place and goes on. */
  #take(
    action: Action,
    decision: Decision,
    result: ActionResult,
    how: "ran" | "cached" | "remote" | "up-to-date",
    why: Reason | undefined,
    placed?: Placed,
  ): void {
    const { address } = action;
    const { key, seconds, diagnostics } = result;
    const reason = why === undefined ? {} : { reason: why };
    let unchanged = false;
    if (how !== "up-to-date") {
      const before = this.#site.state.action(address)?.result;
      unchanged = how === "ran" && before !== undefined && sameOutputs(before, result);
      const log = how === "ran" ? "" : this.#delivery.readLog(result);
      if (log !== "") this.#emit({ type: "log", address, text: log });
      try {
        if (how !== "ran") this.#delivery.claim(action);
        this.#delivery.place(action, result, placed);
      } catch (error) {
        // The store lost it between the look and the copy, or it was damaged: it is made again.
        if (how !== "ran" && isBlobLost(error)) this.#progress.decide(this.#indexOf(action));
        else this.#failBy(action, error, seconds);
        return;
      }
      this.#delivery.remember(action, decision, result, why);
    }
    this.#emit({
      type: "done",
      address,
      key,
      how,
      seconds,
      ...(unchanged ? { unchanged } : {}),
      ...(diagnostics === undefined ? {} : { diagnostics }),
    });
    this.#finish(action, { address, status: "done", how, result, ...reason });
  }

  /** Settles an action, after what its outputs add to the graph is added. */
  #finish(action: Action, outcome: ActionOutcome): void {
    if (action.expand === undefined) this.#progress.settle(this.#indexOf(action), outcome);
    else this.#after(this.#expand(action, outcome));
  }

  async #expand(action: Action, outcome: ActionOutcome): Promise<void> {
    const { address } = action;
    let nodes: Node[] | undefined;
    try {
      nodes = await this.#growth.expand(action, outcome.result as ActionResult);
    } catch (error) {
      if (isBlobLost(error)) this.#failIf(action, this.#retries.outputsLost(action, error));
      else this.#failBy(action, error);
      return;
    }
    if (nodes !== undefined) {
      const actions = nodes.map((node) => node.action);
      const fresh = this.#wanted.grown(actions.map((added) => added.address));
      this.#priorities.forget();
      this.#emit({ type: "expanded", address, actions, total: this.#wanted.size });
      for (const added of fresh) this.#progress.activate(added);
    }
    this.#progress.settle(this.#indexOf(action), outcome);
  }

  /** Turns an error of the engine or the file system into a failure; anything else is a bug. */
  #failBy(action: Action, error: unknown, seconds = 0): void {
    if (!(error instanceof EngineError) && errnoOf(error) === undefined) throw error;
    this.#fail(action, { message: describeError(error), seconds });
  }

  #failIf(action: Action, message: string | undefined, seconds = 0): void {
    if (message !== undefined) this.#fail(action, { message, seconds });
  }

  /** Fails for a result that says so. */
  #failFor(action: Action, decision: Decision, result: ActionResult, why: Reason, cached: boolean): void {
    this.#delivery.remember(action, decision, result, why);
    const { failure, seconds, discovered } = result;
    const read = [...(discovered?.missing ?? []), ...(discovered?.files ?? []).map(([file]) => file)];
    this.#fail(action, {
      message: "",
      ...failure,
      log: this.#delivery.readLog(result),
      cached,
      seconds,
      read,
    });
  }

  #fail(action: Action, failure: Failure): void {
    const { address } = action;
    const { message, log = "", cached = false, seconds = 0, diagnostics, read = [] } = failure;
    if (this.#dryRun !== undefined) {
      this.#dryRun.plan(action, { verdict: "failed", message });
      return;
    }
    this.#emit({
      type: "failed",
      address,
      title: titleOf(action),
      message,
      log,
      cached,
      seconds,
      ...(diagnostics === undefined ? {} : { diagnostics }),
    });
    this.#progress.settle(this.#indexOf(action), {
      address,
      status: "failed",
      message,
      ...(read.length === 0 ? {} : { read }),
    });
    if (this.#options.keepGoing) return;
    this.#stopped = true;
    this.#dispatch.clear();
  }

  #interrupt(): void {
    this.#abort.abort();
    this.#stop();
  }

  #stopForNewer(): void {
    for (const { action } of this.#finishing) {
      this.#emit({ type: "warning", message: `${action.address} goes on beside newer builds` });
    }
    this.#stop();
  }

  #stop(): void {
    this.#stopped = true;
    this.#dispatch.clear();
    this.#giveWay.abort();
    if (this.#isIdle()) this.#end?.resolve();
  }

  // --- Small questions ------------------------------------------------------------------------------

  #emit(event: Event): void {
    this.#options.onEvent?.(event);
  }

  #indexOf(action: Action): number {
    return this.#graph.actions.numberOf(action.address) as number;
  }

  #step(action: Action): Step {
    return this.#site.registry.steps.get(action.step) as Step;
  }
}

function sameOutputs(before: ActionResult, after: ActionResult): boolean {
  return (
    before.outputs.length === after.outputs.length &&
    after.outputs.every((output) => outputOf(before, output.name)?.digest === output.digest)
  );
}
