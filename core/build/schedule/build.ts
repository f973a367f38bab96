/** One build: walks the graph, decides each action when its inputs are known, and runs what must run. */
import { setMaxListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import { allInTheWay } from "../files/occupied.ts";
import { ActionStates } from "../graph/action-states.ts";
import { ActionTable } from "../graph/action-table.ts";
import type { BuildResult } from "../graph/build-result.ts";
import { Graph, type Node } from "../graph/graph.ts";
import { type Produced, type ResolvedInput, resolveInputs } from "../graph/inputs.ts";
import { BuildOutcomes } from "../graph/outcome-table.ts";
import { type Targets, Wanted } from "../graph/wanted.ts";
import { partsOf } from "../key/key.ts";
import type { ActionResult } from "../key/result.ts";
import { type Action, type Address, type Registry, type Step, titleOf } from "../model/action.ts";
import { monotonicMs } from "../model/clock.ts";
import { EngineError } from "../model/error.ts";
import type { Event, Reason } from "../model/event.ts";
import type { RemoteCache } from "../remote/remote.ts";
import { type Execution, execute, type Placed } from "../run/execute.ts";
import type { Sandboxes } from "../run/sandbox.ts";
import { type Decision, decide, type Knowledge, MustWait, placesInTheWay } from "../state/decide.ts";
import { Durations } from "../state/durations.ts";
import { Leftovers } from "../state/leftovers.ts";
import type { Materializer } from "../store/output-tree.ts";
import { CacheHits } from "./cache-hits.ts";
import { Cancellations } from "./cancellations.ts";
import { Completion } from "./completion.ts";
import { Priorities } from "./critical-path.ts";
import { Delivery } from "./delivery.ts";
import { DependencyTracker } from "./dependency-tracker.ts";
import type { DetachedRun, DetachedRuns } from "./detached-runs.ts";
import { Dispatch, type DispatchSite, type Started } from "./dispatch.ts";
import { DryRun } from "./dry-run.ts";
import { Finishing } from "./finishing.ts";
import { GraphExpander } from "./graph-expander.ts";
import { HitChecks } from "./hit-check.ts";
import { type Ready, ReadyActions } from "./ready-queue.ts";
import type { BuildRequests } from "./requests.ts";
import { Retries } from "./retry.ts";
import { mayShare, SameKeys } from "./same-keys.ts";
import { WorkLeft } from "./work-left.ts";

export interface BuildOptions {
  /** What to bring up to date; everything when absent. */
  readonly targets?: Targets;
  /** Decides and reports (`planned` events), but runs nothing. */
  readonly dryRun?: boolean;
  /** After a failure, continues with everything that does not depend on it. */
  readonly keepGoing?: boolean;
  /** The compiled native/tracer.c; set to report what actions read, look for and write beside what they declare. */
  readonly tracer?: string;
  /** The fraction of cache hits, 0 to 1, that are run again and compared; default none. */
  readonly checkHits?: number;
  /** Whether an action that cannot run here counts as failed; default: it is skipped. */
  readonly mustHave?: (address: Address) => boolean;
  /** Runs actions although nothing changed: all wanted ones, or these. */
  readonly force?: boolean | readonly Address[];
  readonly signal?: AbortSignal;
  /**
   * Aborted when a newer build is wanted: everything stops as by `signal`, except actions marked `finish`, which go on
   * beside the newer build.
   */
  readonly giveWay?: AbortSignal;
  readonly onEvent?: (event: Event) => void;
  /** Requests to cancel or retry single actions; if given, the build also reports the work that is left. */
  readonly requests?: BuildRequests;
}

export interface BuildSite extends Knowledge, DispatchSite {
  readonly registry: Registry;
  readonly sandboxes: Sandboxes;
  readonly materializer: Materializer;
  readonly remote?: RemoteCache;
  readonly background: DetachedRuns;
  /** The program that confines processes. */
  readonly bwrap?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How long decisions go on before ready actions are started, in ms. */
const SLICE_MS = 20;

/** `finished`: actions outside the graph that are already done, if the graph is a part of a larger one. */
export async function build(
  actions: Iterable<Action>,
  options: BuildOptions,
  site: BuildSite,
  finished?: ReadonlyMap<Address, Produced>,
): Promise<BuildResult> {
  return new Build(actions, options, site, finished).run();
}

class Build {
  readonly #options: BuildOptions;
  readonly #site: BuildSite;
  readonly #graph: Graph;
  readonly #states = new ActionStates();
  readonly #wanted: Wanted;
  readonly #tracker: DependencyTracker;
  readonly #priorities: Priorities;
  readonly #durations: Durations;
  readonly #dispatch: Dispatch;
  readonly #delivery: Delivery;
  readonly #retries: Retries;
  readonly #dryRun: DryRun | undefined;
  readonly #leftovers: Leftovers;
  readonly #completion: Completion;
  readonly #abort = new AbortController();
  /** Stops all actions except those marked `finish`. */
  readonly #giveWay = new AbortController();
  readonly #finishing: Finishing;
  readonly #startedAt = monotonicMs();
  readonly #ready: ReadyActions;
  readonly #sameKeys: SameKeys;
  readonly #forced: ReadonlySet<Address>;
  readonly #hits: CacheHits;
  readonly #cancellations: Cancellations;
  readonly #workLeft: WorkLeft | undefined;
  /** Number of expansions and shared-cache requests under way. */
  #under = 0;
  #stopped = false;
  #reportedPlaces = false;
  #end: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor(
    actions: Iterable<Action>,
    options: BuildOptions,
    site: BuildSite,
    finished: ReadonlyMap<Address, Produced> | undefined,
  ) {
    this.#options = options;
    this.#site = site;
    // One listener for each running process.
    setMaxListeners(0, this.#abort.signal, this.#giveWay.signal);
    const emit = (event: Event): void => this.#emit(event);
    this.#cancellations = new Cancellations(options.requests !== undefined);
    this.#forced = new Set(Array.isArray(options.force) ? options.force : []);
    const outside = finished && new Map([...finished].map(([address, { action }]) => [address, action]));
    this.#graph = new Graph(outside, ActionTable.of(actions));
    this.#delivery = new Delivery(site, emit);
    const growth = new GraphExpander(this.#graph, site, this.#delivery);
    growth.checkRegistered(0);
    this.#wanted = new Wanted(this.#graph, this.#states, options.targets);
    const outcomes = new BuildOutcomes(
      this.#graph,
      this.#states,
      (address) => site.state.action(address)?.result,
    );
    this.#tracker = new DependencyTracker(
      this.#graph,
      this.#states,
      this.#wanted,
      finished ?? new Map(),
      emit,
      outcomes,
    );
    this.#sameKeys = new SameKeys(this.#states, (index) => this.#tracker.decide(index));
    this.#ready = new ReadyActions((index) => this.#restore(index));
    this.#retries = new Retries(this.#graph, this.#tracker, site, emit);
    this.#dryRun = options.dryRun ? new DryRun(this.#graph, this.#tracker, emit) : undefined;
    this.#durations = new Durations(site.state);
    this.#priorities = new Priorities(this.#graph, {
      recorded: (address) => this.#durations.recorded(address),
      step: (name) => site.registry.steps.get(name),
      isOver: (index) => outcomes.isOver(index) || !this.#wanted.has(index),
    });
    this.#dispatch = new Dispatch(site, this.#graph, this.#priorities);
    this.#finishing = new Finishing(site.background, {
      abort: this.#abort.signal,
      giveWay: this.#giveWay.signal,
    });
    this.#leftovers = new Leftovers({
      ...site,
      writerOf: (path) => this.#graph.placedBy(path),
      isPart: finished !== undefined,
    });
    this.#completion = new Completion({
      state: site.state,
      graph: this.#graph,
      states: this.#states,
      progress: this.#tracker,
      wanted: this.#wanted,
      growth,
      priorities: this.#priorities,
      delivery: this.#delivery,
      leftovers: this.#leftovers,
      retries: this.#retries,
      dryRun: this.#dryRun,
      emit,
      after: (work) => this.#after(work),
      onFailure: (address) => this.#stopUnlessGoing(address),
    });
    this.#hits = new CacheHits(new HitChecks(options.checkHits ?? 0), site, {
      completion: this.#completion,
      delivery: this.#delivery,
      emit,
      awaitedBy: (address) => this.#awaitedBy(address),
      runAgain: (node, decision) => {
        this.#ready.add(node, decision);
        this.#enqueue(node);
      },
    });
    const [{ capacity }] = site.executors;
    if (options.requests !== undefined) this.#workLeft = new WorkLeft(this.#priorities, capacity.cpu);
  }

  async run(): Promise<BuildResult> {
    const { signal, giveWay } = this.#options;
    const onAbort = (): void => this.#interrupt();
    const onGiveWay = (): void => this.#stopForNewer();
    const served = this.#options.requests?.serve({
      cancel: (address) => this.#cancel(address),
      retry: (address) => this.#retry(address),
    });
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
        for (const address of first) this.#tracker.activate(address);
        this.#advance();
      });
    } catch (error) {
      // A bug or a broken graph: nothing started may outlive the build.
      this.#interrupt();
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      giveWay?.removeEventListener("abort", onGiveWay);
      served?.();
    }
    const { outcomes } = this.#tracker;
    const counts = outcomes.counts();
    const interrupted = this.#giveWay.signal.aborted;
    const ok = counts.failed === 0 && !interrupted;
    const seconds = (monotonicMs() - this.#startedAt) / 1000;
    this.#emit({ type: "end", ok, interrupted, seconds, counts });
    return { ok, interrupted, seconds, counts, outcomes, graph: this.#graph };
  }

  // --- The walk -------------------------------------------------------------------------------------

  /** Decides what can be decided, starts what can be started, and ends when nothing is left. */
  #advance(): void {
    try {
      const until = monotonicMs() + SLICE_MS;
      while (!this.#stopped) {
        const index = this.#tracker.takeDecidable();
        if (index === undefined) break;
        this.#decide(this.#graph.at(index));
        if (monotonicMs() > until) break;
      }
      this.#startReady();
      if (!this.#stopped && this.#tracker.hasDecidable) setImmediate(() => this.#advance());
      else if (this.#isIdle()) this.#end?.resolve();
    } catch (error) {
      this.#end?.reject(error);
    }
  }

  #isIdle(): boolean {
    return this.#under === 0 && !this.#dispatch.isRunning && (this.#stopped || this.#tracker.isComplete);
  }

  #startReady(): void {
    while (!this.#stopped) {
      const started = this.#dispatch.take();
      if (started === undefined) break;
      const ready = this.#ready.take(started.index);
      if (ready === undefined || this.#isLeftToOthers(ready)) {
        started.release();
        if (ready === undefined) this.#tracker.decide(started.index);
        continue;
      }
      this.#sameKeys.alone(ready.decision, this.#start(ready, started)).then(
        () => this.#advance(),
        (error) => this.#end?.reject(error),
      );
    }
  }

  /** Advances the build when background work is over. */
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

  /** Whether an action with the same key runs now, or ran since this one was decided; then it is decided again. */
  #isLeftToOthers({ node, decision }: Ready): boolean {
    if (this.#sameKeys.wait(node.index, decision)) return true;
    if (!mayShare(decision) || !this.#hits.wasMadeMeanwhile(node.action, decision)) return false;
    this.#tracker.decide(node.index);
    return true;
  }

  /** Finds the action that still has to write a path where the action's headers may be. */
  #awaitedBy(address: Address): (path: string) => Address | undefined {
    return (path) => this.#tracker.awaited(address, path);
  }

  // --- Decisions ------------------------------------------------------------------------------------

  #decide(node: Node): void {
    const { action, index } = node;
    const { address, skip } = action;
    if (skip !== undefined && this.#dryRun === undefined && this.#options.mustHave?.(address))
      return this.#completion.fail(action, { message: skip });
    if (skip !== undefined) {
      this.#emit({ type: "skipped", address, reason: skip });
      this.#tracker.settle(index, { address, status: "skipped", message: skip });
      return;
    }
    const unknown = node.needs.find((need) => !this.#tracker.isKnown(need));
    if (unknown !== undefined) {
      // In a dry run it would run; otherwise it is being made again.
      this.#waitFor(action, unknown);
      return;
    }
    let decision: Decision;
    try {
      const inputs = this.#resolve(node);
      decision = decide(
        action,
        this.#step(action),
        inputs,
        this.#isForced(node),
        this.#site,
        this.#awaitedBy(address),
      );
    } catch (error) {
      if (error instanceof MustWait) this.#waitFor(action, error.producer);
      else this.#completion.failBy(action, this.#withAllInTheWay(error));
      return;
    }
    if (this.#dryRun === undefined) this.#follow(node, decision);
    else {
      const outcome = this.#dryRun.decided(action, decision);
      if (outcome !== undefined) this.#completion.finish(action, outcome);
    }
  }

  /** The first error about an occupied place names all of them, so that the user can move them away at once. */
  #withAllInTheWay(error: unknown): unknown {
    if (!(error instanceof EngineError) || error.code !== "place-occupied" || this.#reportedPlaces)
      return error;
    this.#reportedPlaces = true;
    const { actions, size } = this.#graph;
    const wanted = Array.from({ length: size }, (_, index) => index).filter((index) =>
      this.#wanted.has(index),
    );
    const all = placesInTheWay(
      wanted.map((index) => actions.get(index)),
      this.#site,
    );
    const others = all.filter((place) => !error.message.startsWith(`${place} `));
    return others.length === 0 ? error : allInTheWay(error, others, all);
  }

  #resolve({ action, parent }: Node): ResolvedInput[] {
    const inputs = resolveInputs(
      action,
      this.#site.files,
      (address, output) => this.#tracker.output(address, output),
      parent,
    );
    for (const { input, content } of inputs)
      if ("file" in input.from)
        this.#leftovers.refuseSource(input.from.file, content.kind === "folder", action.address);
    return inputs;
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
    if (verdict.kind === "up-to-date")
      this.#completion.take(action, decision, verdict.result, "up-to-date", undefined);
    else if (verdict.kind === "cached") {
      this.#hits.take(node, decision, { result: verdict.result, how: "cached" }, verdict.reason);
    } else if (verdict.kind === "failed") {
      this.#completion.failFor(action, decision, verdict.result, verdict.reason, true);
    } else {
      const { base } = decision;
      if (this.#sameKeys.wait(node.index, decision)) return;
      const run = this.#site.background.find(base);
      if (run !== undefined) {
        this.#after(this.#sameKeys.alone(decision, this.#join(action, decision, run, verdict.reason)));
        return;
      }
      this.#ready.add(node, decision);
      const { remote } = this.#site;
      const mayAsk = mayShare(decision) && remote?.isUsable && !this.#sameKeys.wasMissed(base);
      if (!mayAsk) return this.#enqueue(node);
      this.#states.move(node.index, "asking");
      this.#after(this.#sameKeys.alone(decision, this.#askRemote(node, decision, verdict.reason, remote)));
    }
  }

  #enqueue(node: Node): void {
    try {
      this.#dispatch.add(node);
      this.#states.move(node.index, "queued");
      this.#emit({ type: "ready", address: node.action.address });
    } catch (error) {
      this.#completion.failBy(node.action, error);
    }
  }

  /** Takes a result from the shared cache, or lets the action run. */
  async #askRemote(node: Node, decision: Decision, reason: Reason, remote: RemoteCache): Promise<void> {
    const { action } = node;
    const result = await this.#hits.fetch(action, decision, remote);
    if (this.#stopped) return;
    if (result === undefined) {
      this.#sameKeys.noteMiss(decision.base);
      this.#enqueue(node);
    } else {
      this.#hits.take(node, decision, { result, how: "remote" }, reason);
    }
  }

  /** Whether the action is forced, or keyed on one that was: its bytes may differ under the same key. */
  #isForced(node: Node): boolean {
    if (this.#tracker.isLost(node.index)) return true;
    if (this.#cancellations.isRetried(node.index)) return true;
    if (this.#options.force === true || this.#forced.has(node.action.address)) return true;
    return node.needs.some((need) => {
      const producer = this.#graph.actions.numberOf(need);
      if (producer === undefined || this.#tracker.outcomes.reason(producer)?.kind !== "forced") return false;
      const { deterministic, cache } = this.#graph.actions.shapeOf(producer);
      return deterministic === false && cache !== false;
    });
  }

  #waitFor(action: Action, producer: Address): void {
    // Finished with an unknown result, which happens only in a dry run: what it would write is not known.
    if (this.#dryRun !== undefined && this.#tracker.outcomes.has(producer)) {
      this.#dryRun.plan(action, { verdict: "unknown", because: producer });
    } else this.#tracker.waitFor(this.#indexOf(action), producer);
  }

  // --- Running --------------------------------------------------------------------------------------

  async #start({ node, decision }: Ready, { executor, release, ahead }: Started): Promise<void> {
    const { action, index } = node;
    const { address } = action;
    this.#states.move(index, "running");
    const reason = this.#reasonToRun(action, decision);
    const recorded = this.#durations.expected(address, this.#step(action));
    this.#announce(node, reason, recorded);
    const startedAt = monotonicMs();
    const checked = this.#hits.checkedBy(index);
    const finishes = action.finish === true || this.#step(action).finish === true;
    const abort = finishes ? new AbortController() : undefined;
    const stop = this.#cancellations.begin(index, this.#giveWay.signal, abort);
    const sink = { emit: (event: Event) => this.#emit(event) };
    const { moment } = this.#tracker;
    if (checked === undefined) this.#delivery.claim(action);
    const running = execute(action, this.#step(action), decision.base, decision.inputs, {
      files: this.#site.files,
      store: this.#site.store,
      sandboxes: this.#site.sandboxes,
      executor,
      ahead,
      // An action that goes on beside a newer build must not write to the same places.
      ...(abort !== undefined || checked !== undefined
        ? {}
        : { placeScratch: this.#site.materializer.scratch }),
      ...(recorded === undefined ? {} : { expectedSeconds: recorded }),
      environment: this.#site.environment,
      ...(this.#options.tracer === undefined ? {} : { tracer: this.#options.tracer }),
      ...(this.#site.bwrap === undefined ? {} : { bwrap: this.#site.bwrap }),
      signal: stop.signal,
      emit: (event) => sink.emit(event),
      awaited: this.#awaitedBy(address),
      writtenMeanwhile: (path) => this.#tracker.writtenSince(address, path, moment),
    });
    const execution =
      abort !== undefined
        ? await this.#finishing.orLeave(
            Object.assign(sink, {
              action,
              base: decision.base,
              executor,
              startedAt: Date.now(),
              abort,
              execution: running,
            }),
            (result) => {
              if (action.cache !== false) this.#delivery.cache(result);
            },
          )
        : await running;
    stop.release();
    this.#workLeft?.ended(index);
    release();
    if (execution === undefined) return;
    if (checked !== undefined) {
      if (this.#stopped) return;
      this.#cancellations.forget(index);
      return this.#hits.endCheck(action, decision, checked, execution);
    }
    if (execution.kind === "done") this.#dispatch.note(execution.result.seconds);
    const seconds = (monotonicMs() - startedAt) / 1000;
    if (execution.kind === "done" && action.cache !== false) this.#delivery.cache(execution.result);
    this.#conclude(action, decision, execution, reason, seconds);
  }

  /** Reports that an action starts, with what is known of its duration. */
  #announce({ action, index }: Node, reason: Reason, recorded: number | undefined): void {
    const expected = recorded ?? this.#priorities.typical(action.step);
    const work = this.#workLeft?.seconds();
    this.#emit({
      type: "running",
      address: action.address,
      step: action.step,
      title: titleOf(action),
      reason,
      time: Date.now(),
      ...(expected === undefined ? {} : { expected, behind: this.#priorities.behind(index) }),
      ...(recorded === undefined && expected !== undefined ? { guess: true } : {}),
      ...(work === undefined ? {} : { work }),
    });
    this.#workLeft?.started(index, expected ?? 0, action.resources?.cpu ?? 1);
  }

  /**
   * Retries when the file's stamp is trustworthy: a file written a moment ago would seem to have changed at every try.
   */
  async #rerunWhenSettled(action: Action, file: string): Promise<void> {
    const wait = this.#site.files.settlesIn(file);
    if (wait > 0) await setTimeout(wait, undefined, { signal: this.#abort.signal }).catch(() => undefined);
    if (!this.#stopped) this.#completion.failIf(action, this.#retries.inputMoved(action, file));
  }

  /** Handles the outcome of a run. */
  #conclude(action: Action, decision: Decision, execution: Execution, reason: Reason, seconds: number): void {
    switch (execution.kind) {
      case "interrupted":
        if (!this.#stopped && this.#cancellations.wasCancelled(this.#indexOf(action)))
          this.#completion.fail(action, { message: "cancelled", seconds });
        return;
      case "must-wait":
        // If the other one has ended meanwhile, no event would follow.
        if (this.#tracker.outcomes.has(execution.producer))
          return this.#tracker.decide(this.#indexOf(action));
        return this.#waitFor(action, execution.producer);
      case "moved":
        return this.#after(this.#rerunWhenSettled(action, execution.file));
      case "machine-lost":
        return this.#completion.failIf(action, this.#retries.machineLost(action, execution.message), seconds);
      case "lost":
        return this.#completion.failIf(action, this.#retries.inputsLost(action));
      case "failed":
        return this.#completion.fail(action, { ...execution, seconds });
      case "done":
        return this.#finishRun(action, decision, execution, reason);
    }
  }

  /** Waits for a run that an earlier build left, as if this build had started it. */
  async #join(action: Action, decision: Decision, run: DetachedRun, reason: Reason): Promise<void> {
    const { address, step } = action;
    this.#states.move(this.#indexOf(action), "running");
    this.#emit({ type: "running", address, step, title: titleOf(action), reason, time: run.startedAt });
    const index = this.#indexOf(action);
    const leave = this.#cancellations.join(index, run.abort);
    const execution = await this.#finishing.share(run, (event) => this.#emit(event));
    leave();
    if (this.#stopped || execution === undefined) return;
    const seconds = (Date.now() - run.startedAt) / 1000;
    if (execution.kind === "interrupted" && !this.#cancellations.wasCancelled(index))
      this.#tracker.decide(index);
    else this.#conclude(action, decision, execution, reason, seconds);
  }

  /** Reserves the memory and tokens of an action that runs beside this build. */
  #lendTo({ executor, action, execution }: DetachedRun): void {
    const giveBack = this.#dispatch.lend(executor, action);
    const onEnd = (): void => {
      giveBack();
      if (this.#end !== undefined && !this.#stopped) this.#advance();
    };
    execution.then(onEnd, onEnd);
  }

  #reasonToRun(action: Action, { verdict }: Decision): Reason {
    if (this.#tracker.isLost(this.#indexOf(action))) {
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
    if (action.cache !== false && result.failure === undefined) this.#site.remote?.publish(result);
    this.#priorities.note(action.step, result.seconds);
    if (result.failure === undefined) this.#completion.take(action, decision, result, "ran", reason, placed);
    else this.#completion.failFor(action, decision, result, reason, false);
  }

  // --- Requests -------------------------------------------------------------------------------------

  #cancel(address: Address): boolean {
    const index = this.#graph.actions.numberOf(address);
    return index !== undefined && this.#cancellations.cancel(index);
  }

  #retry(address: Address): boolean {
    const index = this.#graph.actions.numberOf(address);
    if (index === undefined || this.#stopped || !this.#states.is(index, "failed")) return false;
    this.#cancellations.tryAgain(index);
    const freed = this.#tracker.retry(index);
    this.#emit({ type: "retried", address, freed });
    this.#advance();
    return true;
  }

  // --- Stops ----------------------------------------------------------------------------------------

  /** Stops the build after a failure, but not for an action that was cancelled on request. */
  #stopUnlessGoing(address: Address): void {
    const index = this.#graph.actions.numberOf(address);
    if (this.#options.keepGoing || (index !== undefined && this.#cancellations.forget(index))) return;
    this.#stopped = true;
    this.#dispatch.clear();
  }

  #interrupt(): void {
    this.#abort.abort();
    this.#stop();
  }

  #stopForNewer(): void {
    for (const { action } of this.#finishing.runs) {
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
