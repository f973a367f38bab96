/** The engine of one project: builds graphs of actions and answers for what was built. */
import { availableParallelism, totalmem } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import type { Engine, EngineBuildOptions, EngineOptions, Explanation, Output } from "./engine-interface.ts";
import { FileTable } from "./files/files.ts";
import {
  ABSENT,
  ANY_TIME,
  type Check,
  checkUpToDate,
  hasChangedSince,
  ROW_DOUBLES,
  readStampRows,
  stampFileOf,
} from "./files/up-to-date.ts";
import type { BuildResult } from "./graph/build-result.ts";
import type { Produced } from "./graph/inputs.ts";
import type { Targets } from "./graph/wanted.ts";
import { NeedsWholeGraph } from "./graph/whole-graph.ts";
import { outputOf } from "./key/result.ts";
import type { Action, Address, Registry, ToolIdentity } from "./model/action.ts";
import { describeError, EngineError } from "./model/error.ts";
import type { Counts, Event } from "./model/event.ts";
import { type Depend, isRacy, takeStamp } from "./model/stat-signature.ts";
import { errnoOf } from "./model/system-error.ts";
import { type Environment, type Given, givenOf, withAbsolutePath } from "./model/variables.ts";
import { confinement } from "./native/confinement.ts";
import { native } from "./native/native.ts";
import { isGrpc } from "./remote/address.ts";
import type { ServerOptions, Transport } from "./remote/transport.ts";
import type { Executor } from "./run/executor.ts";
import { LocalExecutor } from "./run/executors/local.ts";
import { Sandboxes } from "./run/sandbox.ts";
import { build } from "./schedule/build.ts";
import type { BuildOptions, BuildSite } from "./schedule/build-options.ts";
import { DetachedRuns } from "./schedule/detached-runs.ts";
import { readActions } from "./schedule/expansion.ts";
import { BuildMemory, WANT } from "./state/build-memory.ts";
import { DamagedGraph, GraphFile } from "./state/graph-file.ts";
import { type Lock, tryLock } from "./state/lock.ts";
import { type ReducedGraph, reduceGraph, withFolders } from "./state/resume.ts";
import { StampMemory } from "./state/stamp-memory.ts";
import { type ActionRecord, State } from "./state/state.ts";
import { askTool, identifyTool, type ToolRequest } from "./state/tool.ts";
import { ActionLog } from "./store/action-cache.ts";
import { defaultStoreLimit, keepWithin } from "./store/housekeeping.ts";
import { Materializer } from "./store/output-tree.ts";
import { RunsUnderWay } from "./store/runs-under-way.ts";
import { ContentStore } from "./store/store.ts";
import { ToolAnswers } from "./store/tool-answers.ts";

/** Interval in ms at which a waiting build checks whether the lock is free. */
const LOCK_POLL_MS = 50;

/** Adds the actions that a resumed build did not look at: they count as up to date. */
function withUntouched(
  counts: Counts,
  wants: Uint8Array,
  total: number,
  reached: ReducedGraph["reached"],
): Counts {
  let upToDate = wants.length === 0 ? total : 0;
  let skipped = 0;
  const add = (want: number | undefined, actions: number): void => {
    if (want === WANT.done) upToDate += actions;
    if (want === WANT.skipped) skipped += actions;
  };
  for (const want of wants) add(want, 1);
  for (const { number } of reached) add(wants.length === 0 ? WANT.done : wants[number], -1);
  return { ...counts, upToDate: counts.upToDate + upToDate, skipped: counts.skipped + skipped };
}

async function openTransport(options: ServerOptions): Promise<Transport> {
  if (isGrpc(options.url)) return (await import("./remote/grpc.ts")).grpcTransport(options);
  return (await import("./remote/http.ts")).httpTransport(options);
}

/** Restricts targets of the whole graph to those that a part of it contains or promises. */
function targetsAmong(actions: readonly Action[], targets: Targets): Targets {
  if (targets === undefined || typeof targets === "function") return targets;
  const here = new Set(actions.flatMap(({ address, expand }) => [address, ...(expand?.promises ?? [])]));
  return targets.filter((address) => here.has(address));
}

/** Restricts the targets of the last build to a part of its graph. Later additions of expansions are not included. */
function remainingTargets(actions: readonly Action[], wasWanted: (promised: Address) => boolean): Targets {
  return actions.flatMap(({ address, expand }) => [address, ...(expand?.promises ?? []).filter(wasWanted)]);
}

export function createEngine(options: EngineOptions): Engine {
  return new ProjectEngine(options);
}

class ProjectEngine implements Engine {
  readonly root: string;
  readonly #options: EngineOptions;
  #registry: Registry;
  readonly #store: ContentStore;
  readonly #log: ActionLog;
  readonly #answers: ToolAnswers;
  readonly #state: State;
  readonly #files: FileTable;
  readonly #sandboxes: Sandboxes;
  readonly #materializer: Materializer;
  readonly #executor: Executor;
  readonly #others: readonly Executor[];
  readonly #detached = new DetachedRuns();
  readonly #underWay: RunsUnderWay;
  readonly #environment: Environment;
  readonly #given: Given;
  readonly #depends = new Map<string, Depend>();
  /** Variables that decide the graph or its keys. */
  readonly #variables = new Map<string, string | undefined>();
  #warned = false;

  constructor(options: EngineOptions) {
    this.root = resolve(options.root);
    this.#options = options;
    this.#registry = options.registry;
    this.#store = new ContentStore(resolve(options.store));
    this.#log = new ActionLog(this.#store.directory, this.#store.refused);
    this.#underWay = new RunsUnderWay(this.#store.directory);
    this.#answers = new ToolAnswers(this.#store.directory);
    this.#state = new State(resolve(this.root, options.state ?? ".arc"));
    this.#files = new FileTable(this.root);
    this.#materializer = new Materializer(this.#files, this.#store, join(this.#state.directory, "tmp"));
    this.#sandboxes = new Sandboxes(this.#store.scratch, this.#store.sandboxList);
    this.#others = (options.executors ?? []).map((make) => make(this.#store.scratch));
    const capacity = {
      cpu: options.jobs ?? availableParallelism(),
      memory: options.memory ?? totalmem(),
      tokens: options.tokens ?? {},
    };
    this.#executor = new LocalExecutor(capacity, options.limits);
    this.#environment = withAbsolutePath(options.environment ?? process.env);
    this.#given = givenOf(this.#environment, options.given ?? {});
    for (const name of options.given?.keyed ?? []) this.variable(name);
  }

  async build(graph: Iterable<Action>, options: EngineBuildOptions = {}): Promise<BuildResult> {
    await this.#completeRegistry(graph);
    return this.#locked(options, async () => {
      const remembrance = new BuildMemory(this.#state, this.#store, options.context);
      this.#files.begin((path) => remembrance.entry(path));
      const result = await this.#build(graph, options);
      if (options.dryRun) return result;
      await this.#saving(options, async () => {
        this.#state.compact();
        if (!options.last)
          await remembrance.saveBuild(result, this.#files, this.#depends, this.#variables, options);
      });
      return result;
    });
  }

  check(context: string): Check {
    return checkUpToDate(this.#state.directory, context, native, this.root);
  }

  lookedAt(context: string, paths: readonly string[], since?: Check): boolean | undefined {
    const file = stampFileOf(this.#state.directory, context);
    const rows = since?.rows ?? readStampRows(file, context, native);
    const memory = rows && StampMemory.of(rows);
    if (memory === undefined) return undefined;
    const around = new Set(paths.flatMap((path) => [...withFolders(path)]));
    const looked = [...around].flatMap((path) => memory.rowOf(path) ?? []);
    return since === undefined ? looked.length > 0 : hasChangedSince(since, looked, native, this.root);
  }

  async resume(check: Check, options: EngineBuildOptions = {}): Promise<BuildResult | undefined> {
    if (check.rows === undefined || check.rows.graph === 0) return undefined;
    const { rows } = check;
    const now = check.upToDate ? new Map<number, Float64Array>() : check.changed;
    const changed = [...now.keys()];
    const isOfStore = (row: number): boolean => rows.stamps[row * ROW_DOUBLES] === ANY_TIME;
    if (changed.some((row) => row < rows.depends || isOfStore(row))) return undefined;
    return this.#locked(options, async () => {
      const memory = StampMemory.of(rows);
      const graph = memory && GraphFile.open(this.#state.graphFile, rows.graph);
      if (memory === undefined || graph === undefined) return undefined;
      try {
        const wants = memory.wanted();
        const isWanted = (number: number): boolean => wants.length === 0 || wants[number] !== WANT.no;
        const isGone = (row: number): boolean => now.get(row)?.[3] === ABSENT;
        // Files named by arc.yaml must exist; if one is gone, the graph itself may have changed.
        if (changed.some((row) => isGone(row) && memory.mustExist(row))) return undefined;
        const paths = changed.map((row) => memory.path(row));
        const recordOf = (number: number, address: Address): ActionRecord | undefined => {
          const record = this.#state.action(address);
          return memory.isOf(number, record) ? record : undefined;
        };
        const reduced = reduceGraph(graph, recordOf, paths, isWanted);
        if (reduced === undefined) return undefined;
        await this.#completeRegistry(reduced.actions);
        options.onActions?.(reduced.actions);
        const remembrance = new BuildMemory(this.#state, this.#store, rows.context, memory);
        this.#files.begin((path) => remembrance.entry(path));
        const before = new Map(
          reduced.reached.map(({ number, address }) => [address, recordOf(number, address)]),
        );
        const hadTargets = wants.includes(WANT.no);
        const promised = (address: Address): boolean => isWanted(graph.numberOf(address) ?? -1);
        const targets =
          options.targets === undefined && hadTargets
            ? remainingTargets(reduced.actions, promised)
            : targetsAmong(reduced.actions, options.targets);
        const part = await this.#build(reduced.actions, { ...options, targets }, reduced.finished);
        const counts = withUntouched(part.counts, wants, graph.count, reduced.reached);
        const result = { ...part, counts };
        if (options.dryRun) return result;
        await this.#saving(options, async () => {
          this.#state.compact();
          await remembrance.saveResumed(result, this.#files, check, { graph, reduced, before }, options);
        });
        return result;
      } catch (error) {
        if (error instanceof NeedsWholeGraph || error instanceof DamagedGraph) return undefined;
        throw error;
      } finally {
        graph.close();
      }
    });
  }

  /** Loads the rest of the registry when an action needs it. */
  async #completeRegistry(actions: Iterable<Action>): Promise<void> {
    const { steps, expansions, rest } = this.#registry;
    if (rest === undefined) return;
    const isKnown = ({ step, expand }: Action): boolean =>
      steps.has(step) && (expand === undefined || expansions.has(expand.rule));
    if (![...actions].every(isKnown)) this.#registry = await rest();
  }

  depend(path: string, on: "content" | "existence" = "content"): void {
    const name = relative(this.root, resolve(this.root, path));
    const key =
      name === ".." || name.startsWith(`..${sep}`) ? resolve(this.root, path) : name === "" ? "." : name;
    this.#noteDepend(key, on);
  }

  variable(name: string): string | undefined {
    const value = this.#environment[name];
    this.#variables.set(name, value);
    return value;
  }

  path(address: Address, name: string): Output {
    const output = outputOf(this.#record(address).result, name);
    if (output === undefined) {
      throw new EngineError(
        "not-built",
        `${address} has no output ${name}`,
        `build it: arc build ${address}`,
        [address],
      );
    }
    const { digest, kind, size } = output;
    return { digest, kind, size, path: this.#store.path(digest) };
  }

  read(address: Address, output: string): Buffer {
    return this.#store.read(this.path(address, output).digest);
  }

  log(address: Address): string {
    const { result } = this.#record(address);
    return result.log === undefined ? "" : this.#store.read(result.log).toString("utf8");
  }

  explain(address: Address): Explanation {
    const { parts, result, why } = this.#record(address);
    return { address, key: result.key, parts, result, ...(why === undefined ? {} : { why }) };
  }

  grown(address: Address): readonly Action[] {
    const added = this.#state.action(address)?.expansion?.actions;
    return (added && readActions(added, this.#store)) ?? [];
  }

  identifyTool(request: ToolRequest): ToolIdentity {
    const { bwrap } = this.#options;
    const by = bwrap === undefined ? [] : [bwrap, ...confinement, "--"];
    const memory = { state: this.#state, answers: this.#answers };
    return identifyTool(request, this.#asked, memory, (path) => this.#noteDepend(path), by);
  }

  askTool(
    argv: readonly [program: string, ...args: string[]],
    dependsOn: (answer: string) => readonly string[] | undefined,
  ): string {
    return askTool(argv, this.#asked, this.#answers, dependsOn);
  }

  get #asked(): Parameters<typeof askTool>[1] {
    return { environment: this.#environment, given: this.#given.all };
  }

  idle(): Promise<void> {
    return this.#detached.ended();
  }

  async close(): Promise<void> {
    await this.#detached.stop();
    this.#state.close();
    this.#log.close();
    for (const executor of [this.#executor, ...this.#others]) await executor.close();
    this.#sandboxes.close();
    this.#store.close();
  }

  /** Runs a build and warns once if damaged records were skipped. */
  async #build(
    graph: Iterable<Action>,
    options: BuildOptions,
    finished?: ReadonlyMap<Address, Produced>,
  ): Promise<BuildResult> {
    const result = await this.#buildShared(graph, options, finished);
    this.#warnIfLost((event) => options.onEvent?.(event));
    const lost = this.#log.takeLost();
    if (lost !== undefined)
      options.onEvent?.({
        type: "warning",
        message: `results in the store were unreadable, and are made again when needed: ${describeError(lost)}`,
      });
    const refused = this.#store.refused.take();
    if (refused !== undefined)
      options.onEvent?.({
        type: "warning",
        message: `a record in the store ${this.#store.directory} cannot be true and was not used: ${refused}; \`arc cache verify\` forgets such records`,
      });
    return result;
  }

  /** Runs a build with the shared cache, if there is one; the build ends when all uploads are done. */
  async #buildShared(
    graph: Iterable<Action>,
    options: BuildOptions,
    finished?: ReadonlyMap<Address, Produced>,
  ): Promise<BuildResult> {
    const { remote } = this.#options;
    if (remote === undefined || options.dryRun) return build(graph, options, this.#site, finished);
    // Loaded on demand: loading HTTP would take as long as a small build.
    const [transport, { RemoteCache }] = await Promise.all([
      openTransport({ environment: this.#environment, ...remote }),
      import("./remote/remote.ts"),
    ]);
    const cache = new RemoteCache(transport, this.#store, {
      ...remote,
      onTrouble: (message) => options.onEvent?.({ type: "warning", message }),
    });
    for (const result of this.#detached.takeUnpublished()) cache.publish(result);
    const stop = (): void => cache.close();
    options.signal?.addEventListener("abort", stop, { once: true });
    options.giveWay?.addEventListener("abort", stop, { once: true });
    try {
      const result = await build(graph, options, { ...this.#site, remote: cache }, finished);
      await cache.settle();
      return result;
    } finally {
      options.signal?.removeEventListener("abort", stop);
      options.giveWay?.removeEventListener("abort", stop);
      cache.close();
    }
  }

  get #site(): BuildSite {
    return {
      files: this.#files,
      store: this.#store,
      log: this.#log,
      state: this.#state,
      registry: this.#registry,
      sandboxes: this.#sandboxes,
      materializer: this.#materializer,
      background: this.#detached,
      underWay: this.#underWay,
      executors: [this.#executor, ...this.#others],
      ...(this.#options.outputFolder === undefined ? {} : { outputFolder: this.#options.outputFolder }),
      ...(this.#options.executorOf === undefined ? {} : { executorOf: this.#options.executorOf }),
      ...(this.#options.bwrap === undefined ? {} : { bwrap: this.#options.bwrap }),
      // A copy: `process.env` is slow, and every action reads its variables.
      environment: { ...this.#environment },
      given: this.#given.all,
      ...(this.#given.passes && { passes: true as const }),
      ...(this.#given.keyed === undefined ? {} : { variables: this.#given.keyed }),
    };
  }

  #noteDepend(path: string, on: "content" | "existence" = "content"): void {
    const now = Date.now() + this.#files.clockSkewMs;
    let stamp: Depend;
    try {
      stamp = takeStamp(path.startsWith("/") ? path : join(this.root, path));
    } catch (error) {
      // A folder of PATH that may not be searched counts as empty.
      stamp = errnoOf(error) === "EACCES" ? undefined : null;
    }
    if (stamp !== undefined && stamp !== null && on === "existence") stamp = "exists";
    else if (stamp !== undefined && stamp !== null && isRacy(stamp, now)) stamp = null;
    // A dependency on content includes one on existence.
    if (this.#depends.get(path) === undefined || on === "content") this.#depends.set(path, stamp);
  }

  #record(address: Address): ActionRecord {
    const record = this.#state.action(address);
    if (record === undefined) {
      throw new EngineError("not-built", `${address} was not built yet`, `build it: arc build ${address}`, [
        address,
      ]);
    }
    return record;
  }

  /** Runs a build under the project's lock. A dry run changes nothing, so it needs no lock. */
  async #locked<T>(options: EngineBuildOptions, work: () => Promise<T>): Promise<T> {
    if (options.dryRun) return work();
    const emit = (event: Event): void => options.onEvent?.(event);
    const lock = await this.#lock(options, emit);
    try {
      this.#files.clockSkewMs = lock.clockSkewMs;
      // Tools were identified before the lock was taken, while another arc may have been building.
      this.#state.refresh();
      this.#materializer.sweep();
      this.#warnIfLost(emit);
      return await work();
    } finally {
      lock.release();
    }
  }

  /** Saves the build database. A failure to save does not fail the build: only the next one is slower. */
  async #saving(options: EngineBuildOptions, save: () => Promise<void>): Promise<void> {
    try {
      await save();
      const { added } = this.#store;
      this.#store.added = 0;
      const limit = this.#options.storeLimit ?? defaultStoreLimit;
      keepWithin(this.#store.directory, added, limit, this.#store.isNew);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      options.onEvent?.({
        type: "warning",
        message: `this build cannot be remembered: ${describeError(error)}`,
      });
    }
  }

  async #lock(options: EngineBuildOptions, emit: (event: Event) => void): Promise<Lock> {
    for (let reported = false; ; ) {
      const lock = tryLock(this.#state.directory);
      if ("release" in lock) return lock;
      if (!reported) {
        reported = true;
        emit({ type: "warning", message: `waiting for another arc that builds here (${lock.heldBy})` });
      }
      options.signal?.throwIfAborted();
      await new Promise((done) => setTimeout(done, LOCK_POLL_MS));
    }
  }

  #warnIfLost(emit: (event: Event) => void): void {
    const known = this.#state.known > 0;
    const lost = this.#state.takeLost();
    if (this.#warned || (lost === undefined && (known || !this.#state.exists))) return;
    this.#warned = true;
    const why = lost === undefined ? "" : ` (${describeError(lost)})`;
    emit({ type: "warning", message: `the build state was unreadable${why}: everything is checked anew` });
  }
}
