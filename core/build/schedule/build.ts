/** One build: walks the graph, decides each action when its inputs are known, and runs what must run. */
import { setMaxListeners } from "node:events";
import { describeHolder } from "../files/lock-owner.ts";
import { ActionStates } from "../graph/action-states.ts";
import { ActionTable } from "../graph/action-table.ts";
import type { BuildResult } from "../graph/build-result.ts";
import { Graph, type Node } from "../graph/graph.ts";
import type { Produced } from "../graph/inputs.ts";
import { BuildOutcomes } from "../graph/outcome-table.ts";
import { Wanted } from "../graph/wanted.ts";
import { type Action, type Address, type Digest, titleOf } from "../model/action.ts";
import { monotonicMs } from "../model/clock.ts";
import type { Event, Reason } from "../model/event.ts";
import type { RemoteCache } from "../remote/remote.ts";
import type { Decision } from "../state/decide.ts";
import { Durations } from "../state/durations.ts";
import { Leftovers } from "../state/leftovers.ts";
import type { BuildOptions, BuildSite } from "./build-options.ts";
import { CacheHits } from "./cache-hits.ts";
import { Cancellations } from "./cancellations.ts";
import { Completion } from "./completion.ts";
import { Priorities } from "./critical-path.ts";
import { Decisions } from "./decisions.ts";
import { Delivery } from "./delivery.ts";
import { DependencyTracker } from "./dependency-tracker.ts";
import type { DetachedRun } from "./detached-runs.ts";
import { Dispatch } from "./dispatch.ts";
import { DryRun } from "./dry-run.ts";
import { Finishing } from "./finishing.ts";
import { GraphExpander } from "./graph-expander.ts";
import { HitChecks } from "./hit-check.ts";
import { type Ready, ReadyActions } from "./ready-queue.ts";
import { Retries } from "./retry.ts";
import { Runs } from "./runs.ts";
import { mayShare, SameKeys } from "./same-keys.ts";
import { WorkLeft } from "./work-left.ts";

/** An action that is expected to take as long is left to another process that runs it already. */
const LONG_SECONDS = 0.1;

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
  readonly #dryRun: DryRun | undefined;
  readonly #completion: Completion;
  readonly #abort = new AbortController();
  /** Stops all actions except those marked `finish`. */
  readonly #giveWay = new AbortController();
  readonly #finishing: Finishing;
  readonly #startedAt = monotonicMs();
  readonly #ready: ReadyActions;
  readonly #sameKeys: SameKeys;
  readonly #hits: CacheHits;
  readonly #cancellations: Cancellations;
  readonly #decisions: Decisions;
  readonly #runs: Runs;
  /** Number of expansions and shared-cache requests under way. */
  #under = 0;
  #stopped = false;
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
    this.#ready = new ReadyActions((index) => this.#decisions.restore(index));
    const retries = new Retries(this.#graph, this.#tracker, site, emit);
    this.#dryRun = options.dryRun ? new DryRun(this.#graph, this.#tracker, emit) : undefined;
    this.#durations = new Durations(site.state);
    this.#priorities = this.#prioritiesIn(site);
    this.#dispatch = new Dispatch(site, this.#graph, this.#priorities);
    this.#finishing = new Finishing(site.background, {
      abort: this.#abort.signal,
      giveWay: this.#giveWay.signal,
    });
    const leftovers = new Leftovers({
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
      leftovers,
      retries,
      dryRun: this.#dryRun,
      emit,
      after: (work) => this.#after(work),
      onFailure: (address) => this.#stopUnlessGoing(address),
    });
    this.#hits = this.#hitsIn(site);
    const parts = {
      options,
      site,
      graph: this.#graph,
      states: this.#states,
      wanted: this.#wanted,
      tracker: this.#tracker,
      dryRun: this.#dryRun,
      cancellations: this.#cancellations,
      leftovers,
      completion: this.#completion,
      emit,
    };
    const decisions = new Decisions(parts);
    this.#decisions = decisions;
    const [{ capacity }] = site.executors;
    this.#runs = new Runs({
      ...parts,
      priorities: this.#priorities,
      durations: this.#durations,
      dispatch: this.#dispatch,
      delivery: this.#delivery,
      retries,
      finishing: this.#finishing,
      hits: this.#hits,
      workLeft: options.requests && new WorkLeft(this.#priorities, capacity.cpu),
      abort: this.#abort.signal,
      giveWay: this.#giveWay.signal,
      isStopped: () => this.#stopped,
      after: (work) => this.#after(work),
      waitFor: (action, producer) => decisions.waitFor(action, producer),
    });
  }

  #prioritiesIn({ registry }: BuildSite): Priorities {
    return new Priorities(this.#graph, {
      recorded: (address) => this.#durations.recorded(address),
      step: (name) => registry.steps.get(name),
      isOver: (index) => this.#tracker.outcomes.isOver(index) || !this.#wanted.has(index),
    });
  }

  #hitsIn(site: BuildSite): CacheHits {
    return new CacheHits(new HitChecks(this.#options.checkHits ?? 0), site, {
      completion: this.#completion,
      delivery: this.#delivery,
      emit: (event) => this.#emit(event),
      awaitedBy: (address) => this.#tracker.awaitedBy(address),
      runAgain: (node, decision) => {
        this.#ready.add(node, decision);
        this.#enqueue(node);
      },
    });
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
        const node = this.#graph.at(index);
        const decision = this.#decisions.decide(node);
        if (decision !== undefined) this.#follow(node, decision);
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
      this.#sameKeys.alone(ready.decision, this.#runs.start(ready, started)).then(
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
    if (!mayShare(decision)) return false;
    const { underWay } = this.#site;
    const { base } = decision;
    // Announced before the store is asked: otherwise another process could end its run between the two.
    const isLong = this.#priorities.expected(node.index) >= LONG_SECONDS;
    const holder = isLong ? underWay.begin(base) : undefined;
    if (holder !== undefined) this.#waitForProcess(node, base, holder);
    else if (this.#hits.wasMadeMeanwhile(node.action, decision)) {
      underWay.end(base);
      this.#tracker.decide(node.index);
    } else return false;
    return true;
  }

  #waitForProcess({ action, index }: Node, base: Digest, holder: string): void {
    const { address } = action;
    this.#states.move(index, "sharing");
    this.#emit({ type: "elsewhere", address, title: titleOf(action), by: describeHolder(holder) });
    const ended = this.#site.underWay.ended(base, holder, () => this.#stopped);
    this.#after(ended.then(() => this.#tracker.decide(index)));
  }

  // --- Decisions ------------------------------------------------------------------------------------

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
        this.#after(this.#sameKeys.alone(decision, this.#runs.join(action, decision, run, verdict.reason)));
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

  /** Reserves the memory and tokens of an action that runs beside this build. */
  #lendTo({ executor, action, execution }: DetachedRun): void {
    const giveBack = this.#dispatch.lend(executor, action);
    const onEnd = (): void => {
      giveBack();
      if (this.#end !== undefined && !this.#stopped) this.#advance();
    };
    execution.then(onEnd, onEnd);
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
}
