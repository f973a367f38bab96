/** One build: walks the graph, decides each action when its inputs are known, and runs what must run. */
import { setMaxListeners } from "node:events";
import type { Action, Address, Digest, Json, Registry, Step } from "./action.ts";
import { canonicalJson } from "./canonical.ts";
import { type Decision, decide, type Knowledge, MustWait, stillHolds } from "./decide.ts";
import { EngineError, errnoOf, isBlobLost } from "./error.ts";
import type { Event, Reason, Verdict } from "./event.ts";
import { execute } from "./execute.ts";
import type { Executor } from "./executor.ts";
import { expandAction } from "./expansion.ts";
import { Graph, type Node } from "./graph.ts";
import { type Produced, resolveInputs } from "./inputs.ts";
import { type ActionOutcome, type BuildResult, countOutcomes } from "./outcome.ts";
import { isStored, type Placer, storeFromPlace } from "./place.ts";
import { Priorities } from "./priority.ts";
import type { RemoteCache } from "./remote/remote.ts";
import { type ActionResult, outputOf, type StoredOutput } from "./result.ts";
import type { Rooms } from "./room.ts";
import { Schedule } from "./schedule.ts";
import type { ContentStore } from "./store.ts";
import { type Targets, Wanted } from "./wanted.ts";

export type { ActionOutcome, BuildResult };

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
  readonly onEvent?: (event: Event) => void;
}

export interface BuildSite extends Knowledge {
  readonly registry: Registry;
  readonly rooms: Rooms;
  readonly placer: Placer;
  /** The first runs what `executorOf` does not give to another. */
  readonly executors: readonly [Executor, ...Executor[]];
  /** Name of the executor for an action's processes. */
  readonly executorOf?: (action: Action) => string | undefined;
  readonly remote?: RemoteCache;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** An action whose inputs keep changing or getting lost fails after so many tries. */
const TRIES = 3;
/** The result of a run that took at least so long survives a loss of power; what is quick is made again. */
const DURABLE_SECONDS = Number(process.env.ARC_DURABLE_SECONDS ?? 10);
/** Decisions go on for so long before what was found ready is started, in ms. */
const SLICE_MS = 20;

/** `given`: actions outside the graph that are done, for a graph that is part of a larger one. */
export async function build(
  actions: readonly Action[],
  options: BuildOptions,
  site: BuildSite,
  given: ReadonlyMap<Address, Produced> = new Map(),
): Promise<BuildResult> {
  return new Build(actions, options, site, given).run();
}

/** Part of a graph cannot be built alone: an action outside it must be done again. */
export class NeedsWholeGraph extends Error {
  constructor(address: Address) {
    super(`what ${address} made is lost`);
  }
}

interface Failure {
  readonly message: string;
  readonly log: string;
  readonly cached: boolean;
  readonly seconds: number;
  readonly diagnostics?: Json;
}

class Build {
  readonly #options: BuildOptions;
  readonly #site: BuildSite;
  readonly #given: ReadonlyMap<Address, Produced>;
  readonly #graph: Graph;
  readonly #wanted: Wanted;
  readonly #schedules: ReadonlyMap<Executor, Schedule>;
  readonly #priorities: Priorities;
  readonly #abort = new AbortController();
  readonly #startedAt = performance.now();
  /** For actions that wait: how many others are not done yet. */
  readonly #unfinished = new Map<Address, number>();
  /** Who waits for an action without naming it: found by what was discovered. */
  readonly #waiters = new Map<Address, Address[]>();
  #undecided: Address[] = [];
  readonly #decisions = new Map<Address, Decision>();
  readonly #outcomes = new Map<Address, ActionOutcome>();
  readonly #tries = new Map<Address, number>();
  /** What they made is lost: they must run, whatever is known of them. */
  readonly #lost = new Set<Address>();
  /** Done before in this build, so that those who name them were told already. */
  readonly #remade = new Set<Address>();
  readonly #forced: ReadonlySet<Address>;
  /** Wanted actions of the graph without an outcome. */
  #pending = 0;
  /** What expansions added, as text: an action that is made again must not add it again. */
  readonly #expanded = new Map<Address, string>();
  /** Expansions and questions to the shared cache under way. */
  #under = 0;
  #stopped = false;
  #warnedCache = false;
  #end: { resolve: () => void; reject: (error: unknown) => void } | undefined;

  constructor(
    actions: readonly Action[],
    options: BuildOptions,
    site: BuildSite,
    given: ReadonlyMap<Address, Produced>,
  ) {
    this.#options = options;
    this.#site = site;
    this.#given = given;
    // One for each process that runs.
    setMaxListeners(0, this.#abort.signal);
    this.#schedules = new Map(site.executors.map((executor) => [executor, new Schedule(executor.capacity)]));
    this.#forced = new Set(Array.isArray(options.force) ? options.force : []);
    this.#graph = new Graph(new Map([...given].map(([address, { action }]) => [address, action])));
    this.#graph.add(actions);
    for (const { action } of this.#graph.nodes.values()) this.#checkRegistered(action);
    this.#wanted = new Wanted(this.#graph, options.targets);
    this.#priorities = new Priorities(this.#graph, {
      recorded: (address) => site.state.action(address)?.result.seconds,
      step: (name) => site.registry.steps.get(name),
      isOver: (address) => this.#outcomes.has(address) || !this.#wanted.has(address),
    });
  }

  async run(): Promise<BuildResult> {
    const { signal } = this.#options;
    const onAbort = (): void => this.#interrupt();
    if (signal?.aborted) this.#interrupt();
    else signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const first = this.#wanted.first();
      this.#emit({ type: "start", total: this.#wanted.size, time: Date.now() });
      await new Promise<void>((resolve, reject) => {
        this.#end = { resolve, reject };
        for (const address of first) this.#activate(address);
        this.#advance();
      });
    } catch (error) {
      // A bug or a broken graph: nothing started may outlive the build.
      this.#interrupt();
      throw error;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
    const counts = countOutcomes(this.#outcomes.values());
    const interrupted = this.#abort.signal.aborted;
    const ok = counts.failed === 0 && !interrupted;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    this.#emit({ type: "end", ok, interrupted, seconds, counts });
    return { ok, interrupted, seconds, counts, outcomes: this.#outcomes, graph: this.#graph };
  }

  // --- The walk -------------------------------------------------------------------------------------

  /** Starts to wait for what an action needs, or lets it be decided. */
  #activate(address: Address): void {
    const node = this.#graph.nodes.get(address);
    if (node === undefined) return;
    this.#pending += 1;
    let unfinished = 0;
    for (const need of node.needs) {
      const outcome = this.#outcomes.get(need);
      if (outcome?.status === "failed" || outcome?.status === "skipped") {
        this.#unfinished.set(address, 0);
        this.#skip(address, outcome);
        return;
      }
      if (outcome === undefined && !this.#given.has(need)) unfinished += 1;
    }
    this.#unfinished.set(address, unfinished);
    if (unfinished === 0) this.#undecided.push(address);
  }

  /** Decides what can be decided, starts what can be started, ends when nothing is left. */
  #advance(): void {
    try {
      const until = performance.now() + SLICE_MS;
      let at = 0;
      while (!this.#stopped && at < this.#undecided.length) {
        this.#decide(this.#graph.node(this.#undecided[at] as Address));
        at += 1;
        if (performance.now() > until) break;
      }
      this.#undecided = this.#undecided.slice(at);
      this.#startReady();
      if (!this.#stopped && this.#undecided.length > 0) setImmediate(() => this.#advance());
      else if (this.#isIdle()) this.#end?.resolve();
    } catch (error) {
      this.#end?.reject(error);
    }
  }

  #isIdle(): boolean {
    if (this.#under > 0) return false;
    for (const schedule of this.#schedules.values()) if (schedule.running > 0) return false;
    return this.#stopped || this.#pending === 0;
  }

  #startReady(): void {
    for (const [executor, schedule] of this.#schedules) {
      while (!this.#stopped) {
        const address = schedule.take();
        if (address === undefined) break;
        this.#start(this.#graph.node(address), executor, schedule).then(
          () => this.#advance(),
          (error) => this.#end?.reject(error),
        );
      }
    }
  }

  #forgetReady(): void {
    for (const schedule of this.#schedules.values()) schedule.clear();
  }

  #executorOf(action: Action): Executor {
    const { executors, executorOf } = this.#site;
    const name = executorOf?.(action);
    const found = name === undefined ? executors[0] : executors.find((executor) => executor.name === name);
    if (found !== undefined) return found;
    throw new EngineError(
      "unknown-executor",
      `${action.address}: there is no executor ${name}`,
      "declare it",
      [action.address],
    );
  }

  #decide(node: Node): void {
    const { action } = node;
    const { address } = action;
    if (action.skip !== undefined) {
      this.#emit({ type: "skipped", address, reason: action.skip });
      this.#settle(action, { address, status: "skipped", message: action.skip });
      return;
    }
    const unknown = node.needs.find((need) => !this.#isKnown(need));
    if (unknown !== undefined) {
      // In a dry run it would run; else it is being made again.
      this.#waitFor(action, unknown);
      return;
    }
    let decision: Decision;
    try {
      const inputs = resolveInputs(action, this.#site.files, (need) => this.#produced(need));
      const awaited = (path: string): Address | undefined => this.#awaited(address, path);
      decision = decide(action, this.#step(action), inputs, this.#isForced(node), this.#site, awaited);
    } catch (error) {
      if (error instanceof MustWait) this.#waitFor(action, error.producer);
      else this.#failBy(action, error, 0);
      return;
    }
    if (this.#options.dryRun) this.#planDecision(action, decision);
    else this.#follow(node, decision);
  }

  #follow(node: Node, decision: Decision): void {
    const { action } = node;
    const { address } = action;
    const { verdict } = decision;
    if (verdict.kind === "up-to-date" || verdict.kind === "cached") {
      this.#take(
        action,
        decision,
        verdict.result,
        verdict.kind,
        verdict.kind === "cached" ? verdict.reason : undefined,
      );
      return;
    }
    if (verdict.kind === "failed") {
      this.#remember(action, decision, verdict.result, verdict.reason);
      const { failure, seconds } = verdict.result;
      this.#fail(action, {
        message: "",
        ...failure,
        log: this.#readLog(verdict.result),
        cached: true,
        seconds,
      });
      return;
    }
    this.#decisions.set(address, decision);
    if (action.cache !== false && verdict.reason.kind !== "forced" && this.#site.remote?.isUsable) {
      this.#askRemote(node, decision, this.#site.remote);
    } else this.#enqueue(node);
  }

  #enqueue({ action, index }: Node): void {
    const { address } = action;
    try {
      const schedule = this.#schedules.get(this.#executorOf(action)) as Schedule;
      schedule.add(address, action.resources ?? {}, this.#priorities.of(address), index);
      this.#emit({ type: "ready", address });
    } catch (error) {
      this.#failBy(action, error, 0);
    }
  }

  /** Takes a result from the shared cache, or runs the action. */
  #askRemote(node: Node, decision: Decision, remote: RemoteCache): void {
    const { action } = node;
    this.#under += 1;
    this.#fetch(action, decision, remote)
      .then((result) => {
        this.#under -= 1;
        if (this.#stopped) return;
        if (result === undefined) this.#enqueue(node);
        else {
          this.#cache(result);
          const reason = decision.verdict.kind === "run" ? decision.verdict.reason : undefined;
          this.#take(action, decision, result, "remote", reason);
        }
      })
      .then(
        () => this.#advance(),
        (error) => this.#end?.reject(error),
      );
  }

  async #fetch(action: Action, { base }: Decision, remote: RemoteCache): Promise<ActionResult | undefined> {
    for (const result of await remote.candidates(action, base)) {
      if (!stillHolds(result, this.#site.files, (path) => this.#awaited(action.address, path))) continue;
      if (await remote.fetch(result)) return result;
    }
    return undefined;
  }

  /** Puts a result in place and goes on. */
  #take(
    action: Action,
    decision: Decision,
    result: ActionResult,
    how: "ran" | "cached" | "remote" | "up-to-date",
    reason: Reason | undefined,
  ): void {
    const { address } = action;
    let unchanged = false;
    if (how !== "up-to-date") {
      const before = this.#site.state.action(address)?.result;
      unchanged = how === "ran" && before !== undefined && sameOutputs(before, result);
      const log = how === "ran" ? "" : this.#readLog(result);
      if (log !== "") this.#emit({ type: "log", address, text: log });
      try {
        this.#place(action, result);
      } catch (error) {
        // The store lost it between the look and the copy, or it was damaged: it is made again.
        if (how !== "ran" && isBlobLost(error)) this.#undecided.push(address);
        else this.#failBy(action, error, result.seconds);
        return;
      }
      this.#remember(action, decision, result, reason);
    }
    const { key, seconds, diagnostics } = result;
    this.#emit({
      type: "done",
      address,
      key,
      how,
      seconds,
      ...(unchanged ? { unchanged } : {}),
      ...(diagnostics === undefined ? {} : { diagnostics }),
    });
    const outcome: ActionOutcome = {
      address,
      status: "done",
      how,
      result,
      ...(reason === undefined ? {} : { reason }),
    };
    if (action.expand === undefined) this.#settle(action, outcome);
    else this.#expand(action, outcome);
  }

  #place(action: Action, result: ActionResult): void {
    for (const declared of action.outputs) {
      const output = outputOf(result, declared.name);
      if (output !== undefined) this.#site.placer.place(output, declared);
    }
  }

  #remember(action: Action, decision: Decision, result: ActionResult, why: Reason | undefined): void {
    const { state } = this.#site;
    const expansion = action.expand === undefined ? undefined : state.action(action.address)?.expansion;
    const places = action.outputs.flatMap(({ place }) => place ?? []);
    state.setAction(action.address, {
      parts: decision.parts,
      result,
      ...(why === undefined ? {} : { why }),
      ...(expansion === undefined ? {} : { expansion }),
      ...(places.length === 0 ? {} : { places }),
    });
  }

  // --- Running --------------------------------------------------------------------------------------

  async #start(node: Node, executor: Executor, schedule: Schedule): Promise<void> {
    const { action } = node;
    const { address } = action;
    const decision = this.#decisions.get(address) as Decision;
    this.#decisions.delete(address);
    const reason = this.#reasonToRun(action, decision);
    const expected = this.#site.state.action(address)?.result.seconds;
    this.#emit({
      type: "running",
      address,
      step: action.step,
      title: titleOf(action),
      reason,
      time: Date.now(),
      ...(expected === undefined ? {} : { expected }),
    });
    const startedAt = performance.now();
    const execution = await execute(action, this.#step(action), decision.base, decision.inputs, {
      files: this.#site.files,
      store: this.#site.store,
      rooms: this.#site.rooms,
      executor,
      ...(expected === undefined ? {} : { expectedSeconds: expected }),
      environment: this.#site.environment,
      signal: this.#abort.signal,
      emit: (event) => this.#emit(event),
      awaited: (path) => this.#awaited(address, path),
    });
    schedule.release(address);
    const seconds = (performance.now() - startedAt) / 1000;
    if (execution.kind === "interrupted") return;
    if (execution.kind === "must-wait") this.#waitFor(action, execution.producer);
    else if (execution.kind === "moved") this.#decideAgain(action, execution.file);
    else if (execution.kind === "machine-lost") this.#tryElsewhere(action, execution.message, seconds);
    else if (execution.kind === "lost") this.#restock(action);
    else if (execution.kind === "failed") this.#fail(action, { ...execution, cached: false, seconds });
    else this.#finishRun(action, decision, execution.result, reason);
  }

  #reasonToRun(action: Action, { verdict }: Decision): Reason {
    if (this.#lost.has(action.address)) {
      return { kind: "output-missing", output: action.outputs[0]?.name ?? "" };
    }
    return verdict.kind === "run" ? verdict.reason : { kind: "forced" };
  }

  #finishRun(action: Action, decision: Decision, result: ActionResult, reason: Reason): void {
    if (action.cache !== false) {
      this.#cache(result);
      if (result.failure === undefined) this.#site.remote?.publish(result);
    }
    this.#priorities.note(action.step, result.seconds);
    if (result.failure === undefined) {
      this.#take(action, decision, result, "ran", reason);
      return;
    }
    this.#remember(action, decision, result, reason);
    this.#fail(action, {
      ...result.failure,
      log: this.#readLog(result),
      cached: false,
      seconds: result.seconds,
    });
  }

  /** The result is good even when the cache cannot take it. */
  #cache(result: ActionResult): void {
    const { log, store } = this.#site;
    const durable = result.seconds >= DURABLE_SECONDS;
    try {
      if (durable) for (const digest of blobsOf(result, store)) store.makeDurable(digest);
      log.append(result, durable);
    } catch (error) {
      if (errnoOf(error) === undefined || this.#warnedCache) return;
      this.#warnedCache = true;
      this.#emit({ type: "warning", message: `results cannot be cached: ${(error as Error).message}` });
    }
  }

  #decideAgain(action: Action, file: string): void {
    if (this.#triesAreUp(action)) {
      const message = `${file} keeps changing while ${action.address} reads it; if the action writes it, declare it as an output`;
      this.#fail(action, { message, log: "", cached: false, seconds: 0 });
      return;
    }
    for (const { from } of action.inputs) if ("file" in from) this.#site.files.forget(from.file);
    this.#site.files.forget(file);
    this.#undecided.push(action.address);
  }

  #tryElsewhere(action: Action, why: string, seconds: number): void {
    if (this.#triesAreUp(action)) this.#fail(action, { message: why, log: "", cached: false, seconds });
    else {
      this.#emit({ type: "warning", message: `${action.address} is tried again: ${why}` });
      this.#undecided.push(action.address);
    }
  }

  /** Brings lost inputs back from where they are placed, or has them made again, then decides again. */
  #restock(action: Action): void {
    const { address } = action;
    if (this.#triesAreUp(action)) {
      this.#fail(action, {
        message: `the store keeps losing inputs of ${address}`,
        log: "",
        cached: false,
        seconds: 0,
      });
      return;
    }
    const { files, store } = this.#site;
    const lost = new Set<Address>();
    for (const { from } of action.inputs) {
      if (!("action" in from)) continue;
      if (!this.#isKnown(from.action)) {
        // It is being made again already.
        lost.add(from.action);
        continue;
      }
      const producer = this.#produced(from.action);
      const output = outputOf(producer.result, from.output);
      const declared = producer.action.outputs.find(({ name }) => name === from.output);
      if (output === undefined || declared === undefined || isStored(output, store)) continue;
      if (!storeFromPlace(output, declared, files, store)) lost.add(from.action);
    }
    if (lost.size === 0) this.#undecided.push(address);
    this.#unfinished.set(address, lost.size);
    for (const producer of lost) this.#remake(producer, address);
  }

  /** A done action is to be done again, because what it made is gone. */
  #remake(producer: Address, waiter: Address): void {
    if (!this.#graph.nodes.has(producer)) throw new NeedsWholeGraph(producer);
    this.#addWaiter(producer, waiter);
    if (!this.#outcomes.delete(producer)) return;
    this.#pending += 1;
    this.#remade.add(producer);
    this.#runAgain(producer);
  }

  #runAgain(address: Address): void {
    this.#lost.add(address);
    this.#undecided.push(address);
  }

  #triesAreUp({ address }: Action): boolean {
    const tries = (this.#tries.get(address) ?? 0) + 1;
    this.#tries.set(address, tries);
    return tries >= TRIES;
  }

  // --- Waiting for what only discovery shows ---------------------------------------------------------

  /** The other action that will write a path and has not yet. */
  #awaited(address: Address, path: string): Address | undefined {
    if (path.startsWith("/")) return undefined;
    const producer = this.#graph.placedBy(path);
    if (producer === undefined || producer === address || this.#isKnown(producer)) return undefined;
    const outcome = this.#outcomes.get(producer);
    // A failed or skipped producer writes nothing any more; a planned one is waited for, to no avail.
    if (outcome?.status === "failed" || outcome?.status === "skipped") return undefined;
    return this.#graph.reaches(producer, address) ? undefined : producer;
  }

  #waitFor(action: Action, producer: Address): void {
    const { address } = action;
    if (this.#outcomes.has(producer)) {
      // Only in a dry run: it would run, so what it writes is not known.
      this.#plan(action, "unknown", undefined, producer);
      return;
    }
    this.#unfinished.set(address, 1);
    this.#addWaiter(producer, address);
    for (const fresh of this.#wanted.add([producer])) this.#activate(fresh);
  }

  #addWaiter(producer: Address, waiter: Address): void {
    const waiters = this.#waiters.get(producer);
    if (waiters === undefined) this.#waiters.set(producer, [waiter]);
    else waiters.push(waiter);
  }

  // --- Growing --------------------------------------------------------------------------------------

  #expand(action: Action, outcome: ActionOutcome): void {
    this.#under += 1;
    this.#addExpansion(action, outcome.result as ActionResult)
      .then(
        () => this.#settle(action, outcome),
        (error) => {
          if (isBlobLost(error) && !this.#triesAreUp(action)) this.#runAgain(action.address);
          else this.#failBy(action, error, 0);
        },
      )
      .then(
        () => {
          this.#under -= 1;
          this.#advance();
        },
        (error) => this.#end?.reject(error),
      );
  }

  async #addExpansion(parent: Action, result: ActionResult): Promise<void> {
    const { registry, state, store } = this.#site;
    const expansion = registry.expansions.get(parent.expand?.rule ?? "");
    if (expansion === undefined) throw new Error(`${parent.address} has no expansion`);
    const read = (output: StoredOutput): Buffer => this.#readOutput(parent, output);
    const actions = await expandAction(parent, result, expansion, read, state, store);
    const text = canonicalJson(actions as never);
    const before = this.#expanded.get(parent.address);
    if (before === text) return;
    if (before !== undefined) {
      throw new EngineError(
        "broken-promise",
        `${parent.address} was made again and now adds other actions than before`,
        "build again",
        [parent.address],
      );
    }
    this.#expanded.set(parent.address, text);
    const nodes = this.#graph.add(actions, parent.address);
    for (const { action } of nodes) this.#checkRegistered(action);
    for (const promised of parent.expand?.promises ?? []) {
      if (this.#graph.nodes.has(promised)) continue;
      throw new EngineError(
        "broken-promise",
        `${parent.address} promised ${promised}, but did not add it`,
        `correct the expansion ${expansion.rule}`,
        [parent.address, promised],
      );
    }
    const fresh = this.#wanted.grown(nodes.map((node) => node.action.address));
    this.#priorities.forget();
    this.#emit({ type: "expanded", address: parent.address, actions, total: this.#wanted.size });
    for (const address of fresh) this.#activate(address);
  }

  #readOutput(action: Action, output: StoredOutput): Buffer {
    const { store, files } = this.#site;
    try {
      return store.read(output.digest);
    } catch (error) {
      const declared = action.outputs.find(({ name }) => name === output.name);
      if (!isBlobLost(error) || declared === undefined) throw error;
      if (!storeFromPlace(output, declared, files, store)) throw error;
      return store.read(output.digest);
    }
  }

  // --- Ends -----------------------------------------------------------------------------------------

  /** Turns an error of the engine or the file system into a failure; anything else is a bug. */
  #failBy(action: Action, error: unknown, seconds: number): void {
    if (error instanceof EngineError) {
      this.#fail(action, { message: `${error.message}; ${error.remedy}`, log: "", cached: false, seconds });
    } else if (errnoOf(error) !== undefined) {
      this.#fail(action, { message: (error as Error).message, log: "", cached: false, seconds });
    } else throw error;
  }

  #fail(action: Action, failure: Failure): void {
    const { address } = action;
    const { message, log, cached, seconds, diagnostics } = failure;
    if (this.#options.dryRun) {
      this.#plan(action, "failed", undefined, undefined, message);
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
    this.#settle(action, { address, status: "failed", message });
    if (this.#options.keepGoing) return;
    this.#stopped = true;
    this.#forgetReady();
  }

  /** Tells those who wait for an action, or for what it promised, that it is done or will never be. */
  #settle(action: Action, outcome: ActionOutcome): void {
    const { address } = action;
    this.#outcomes.set(address, outcome);
    this.#pending -= 1;
    // Those that name it have waited since they were activated; when it is remade, only its waiters wait.
    const consumers = this.#remade.has(address) ? [] : (this.#graph.consumers.get(address) ?? []);
    const waiting = [...consumers, ...(this.#waiters.get(address) ?? [])];
    this.#waiters.delete(address);
    if (outcome.status === "done" || outcome.status === "planned") {
      for (const consumer of waiting) this.#needDone(consumer);
      if (outcome.status === "planned") this.#planPromises(action);
      return;
    }
    const hoping = (action.expand?.promises ?? []).flatMap(
      (promised) => this.#graph.consumers.get(promised) ?? [],
    );
    for (const consumer of [...waiting, ...hoping]) this.#skip(consumer, outcome);
  }

  #needDone(consumer: Address): void {
    const unfinished = this.#unfinished.get(consumer);
    if (unfinished === undefined || unfinished === 0 || this.#outcomes.has(consumer)) return;
    this.#unfinished.set(consumer, unfinished - 1);
    if (unfinished === 1) this.#undecided.push(consumer);
  }

  /** Skips an action, and all that need it, for the sake of one that failed or was skipped. */
  #skip(first: Address, cause: ActionOutcome): void {
    const reason = cause.status === "skipped" ? (cause.message ?? "") : `${cause.address} failed`;
    const rest = [first];
    for (let address = rest.shift(); address !== undefined; address = rest.shift()) {
      if (!this.#unfinished.has(address) || this.#outcomes.has(address)) continue;
      this.#outcomes.set(address, { address, status: "skipped", message: reason });
      this.#pending -= 1;
      this.#emit({ type: "skipped", address, reason, because: cause.address });
      const promises = this.#graph.nodes.get(address)?.action.expand?.promises ?? [];
      for (const needed of [address, ...promises]) {
        rest.push(...(this.#graph.consumers.get(needed) ?? []), ...(this.#waiters.get(needed) ?? []));
      }
    }
  }

  #interrupt(): void {
    this.#stopped = true;
    this.#forgetReady();
    this.#abort.abort();
    if (this.#isIdle()) this.#end?.resolve();
  }

  // --- Dry run --------------------------------------------------------------------------------------

  #planDecision(action: Action, decision: Decision): void {
    const { verdict } = decision;
    if (verdict.kind === "run" || verdict.kind === "failed") {
      this.#plan(action, verdict.kind, verdict.reason);
      return;
    }
    const reason = verdict.kind === "cached" ? verdict.reason : undefined;
    this.#emitPlanned(action, verdict.kind, reason, undefined);
    const outcome: ActionOutcome = {
      address: action.address,
      status: "planned",
      verdict: verdict.kind,
      result: verdict.result,
      ...(reason === undefined ? {} : { reason }),
    };
    if (action.expand === undefined) this.#settle(action, outcome);
    else this.#expand(action, outcome);
  }

  #plan(
    action: Action,
    verdict: Verdict,
    reason: Reason | undefined,
    because?: Address,
    message?: string,
  ): void {
    this.#emitPlanned(action, verdict, reason, because, message);
    this.#settle(action, {
      address: action.address,
      status: "planned",
      verdict,
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
    });
  }

  #emitPlanned(
    action: Action,
    verdict: Verdict,
    reason: Reason | undefined,
    because: Address | undefined,
    message?: string,
  ): void {
    this.#emit({
      type: "planned",
      address: action.address,
      title: titleOf(action),
      verdict,
      ...(reason === undefined ? {} : { reason }),
      ...(because === undefined ? {} : { because }),
      ...(message === undefined ? {} : { message }),
    });
  }

  /** What an action promised stays unknown when it would have to run first. */
  #planPromises(action: Action): void {
    for (const promised of action.expand?.promises ?? []) {
      if (this.#graph.nodes.has(promised)) continue;
      const { address } = action;
      this.#outcomes.set(promised, { address: promised, status: "planned", verdict: "unknown" });
      this.#emit({
        type: "planned",
        address: promised,
        title: promised,
        verdict: "unknown",
        because: address,
      });
      for (const consumer of this.#graph.consumers.get(promised) ?? []) this.#needDone(consumer);
    }
  }

  // --- Small questions ------------------------------------------------------------------------------

  #emit(event: Event): void {
    this.#options.onEvent?.(event);
  }

  /** Whether an action's outputs are known: done, or in a dry run known to be as they are. */
  #isKnown(address: Address): boolean {
    return this.#given.has(address) || this.#outcomes.get(address)?.result !== undefined;
  }

  #produced(address: Address): Produced {
    const given = this.#given.get(address);
    if (given !== undefined) return given;
    return {
      action: this.#graph.node(address).action,
      result: this.#outcomes.get(address)?.result as ActionResult,
    };
  }

  /** Forced itself, or keyed on an action that was: its bytes may differ under the same key. */
  #isForced(node: Node): boolean {
    const { address } = node.action;
    if (this.#lost.has(address)) return true;
    if (this.#options.force === true || this.#forced.has(address)) return true;
    return node.needs.some((need) => {
      const producer = this.#graph.nodes.get(need)?.action;
      if (producer?.deterministic !== false || producer.cache === false) return false;
      return this.#outcomes.get(need)?.reason?.kind === "forced";
    });
  }

  #step(action: Action): Step {
    return this.#site.registry.steps.get(action.step) as Step;
  }

  #checkRegistered(action: Action): void {
    const { address, step, expand } = action;
    if (!this.#site.registry.steps.has(step)) {
      throw new EngineError("unknown-step", `${address}: there is no step ${step}`, "register it", [address]);
    }
    if (expand !== undefined && !this.#site.registry.expansions.has(expand.rule)) {
      throw new EngineError(
        "unknown-expansion",
        `${address}: there is no expansion ${expand.rule}`,
        "register it",
        [address],
      );
    }
  }

  #readLog(result: ActionResult): string {
    if (result.log === undefined) return "";
    try {
      return this.#site.store.read(result.log).toString("utf8");
    } catch (error) {
      if (error instanceof EngineError) return "";
      throw error;
    }
  }
}

function* blobsOf(result: ActionResult, store: ContentStore): Generator<Digest> {
  if (result.log !== undefined) yield result.log;
  for (const { digest, kind } of result.outputs) {
    yield digest;
    if (kind === "folder") {
      for (const entry of store.readFolder(digest)) if (entry.kind === "file") yield entry.digest;
    }
  }
}

function titleOf(action: Action): string {
  return action.title ?? `${action.step} ${action.address}`;
}

function sameOutputs(before: ActionResult, after: ActionResult): boolean {
  return (
    before.outputs.length === after.outputs.length &&
    after.outputs.every((output) => outputOf(before, output.name)?.digest === output.digest)
  );
}
