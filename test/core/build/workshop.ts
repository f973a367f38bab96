/** A project in a temporary folder with an engine, for tests: real files, real commands. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { createEngine } from "../../../core/build/engine.ts";
import type { Engine, EngineBuildOptions, EngineOptions } from "../../../core/build/engine-interface.ts";
import { checkUpToDate } from "../../../core/build/files/up-to-date.ts";
import type { BuildResult } from "../../../core/build/graph/build-result.ts";
import { digestBytes } from "../../../core/build/key/digest.ts";
import type { Action, Address, Expansion, Registry, Step } from "../../../core/build/model/action.ts";
import type { Event } from "../../../core/build/model/event.ts";

export interface Built extends BuildResult {
  readonly events: readonly Event[];
  /** Addresses whose command or function ran, in order of their start. */
  readonly ran: readonly Address[];
  of<T extends Event["type"]>(type: T): Extract<Event, { type: T }>[];
}

const opened: Workshop[] = [];

afterEach(() => {
  for (const workshop of opened.splice(0)) workshop.close();
});

export class Workshop {
  readonly directory: string;
  readonly root: string;
  readonly store: string;
  readonly steps = new Map<string, Step>();
  readonly expansions = new Map<string, Expansion>();
  #engine: Engine | undefined;
  #options: Partial<EngineOptions>;

  constructor(options: Partial<EngineOptions> & { readonly store?: string } = {}) {
    this.directory = mkdtempSync(join(tmpdir(), "arc-test-"));
    this.root = options.root ?? join(this.directory, "project");
    this.store = options.store ?? join(this.directory, "store");
    mkdirSync(this.root, { recursive: true });
    this.#options = options;
    this.step({ name: "command", digest: digestBytes("command") });
    opened.push(this);
  }

  get engine(): Engine {
    const registry: Registry = { steps: this.steps, expansions: this.expansions };
    this.#engine ??= createEngine({
      outputFolder: "out",
      ...this.#options,
      root: this.root,
      store: this.store,
      registry,
    });
    return this.#engine;
  }

  /** Like a new process: only the state on disk is kept. Resolves when the previous one has ended. */
  async restart(options: Partial<EngineOptions> = {}): Promise<void> {
    const ended = this.#engine?.close();
    this.#engine = undefined;
    this.#options = { ...this.#options, ...options };
    await ended;
  }

  step(step: Step): void {
    this.steps.set(step.name, step);
  }

  expansion(expansion: Expansion): void {
    this.expansions.set(expansion.rule, expansion);
  }

  path(file: string): string {
    return join(this.root, file);
  }

  write(file: string, content: string, mode?: number): void {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), content);
    if (mode !== undefined) chmodSync(this.path(file), mode);
  }

  read(file: string): string {
    return readFileSync(this.path(file), "utf8");
  }

  exists(file: string): boolean {
    return existsSync(this.path(file));
  }

  /** In the context `default`, unless another is passed. */
  async build(actions: readonly Action[], options: EngineBuildOptions = {}): Promise<Built> {
    const watch = recorder({ context: "default", ...options });
    return watch.built(await this.engine.build(actions, watch.options));
  }

  /** Like the launcher: checks the stamps first, then builds what depends on changes. */
  async again(options: EngineBuildOptions = {}): Promise<"up to date" | "graph may have changed" | Built> {
    const check = checkUpToDate(this.path(".arc"), options.context ?? "default", undefined, this.root);
    if (check.upToDate) return "up to date";
    const watch = recorder(options);
    const result = await this.engine.resume(check, watch.options);
    return result === undefined ? "graph may have changed" : watch.built(result);
  }

  close(): void {
    this.#engine?.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function recorder(options: EngineBuildOptions) {
  const events: Event[] = [];
  const onEvent = (event: Event): void => {
    events.push(event);
    options.onEvent?.(event);
  };
  const built = (result: BuildResult): Built => ({
    ...result,
    events,
    ran: events.flatMap((event) => (event.type === "running" ? [event.address] : [])),
    of: <T extends Event["type"]>(type: T) =>
      events.filter((event): event is Extract<Event, { type: T }> => event.type === type),
  });
  return { options: { ...options, onEvent }, built };
}

type Inputs = Readonly<Record<string, string | readonly [address: Address, output: string]>>;

/** `sh -c script` on inputs (`name: source file` or `name: [address, output]`), writing `outputs` to `place/<name>`. */
export function shell(
  address: Address,
  script: string,
  inputs: Inputs = {},
  outputs: readonly string[] = [],
  more: Partial<Action> = {},
): Action {
  return {
    address,
    step: "command",
    command: { argv: ["sh", "-c", script] },
    inputs: Object.entries(inputs).map(([name, from]) => ({
      name,
      from: typeof from === "string" ? { file: from } : { action: from[0], output: from[1] },
    })),
    outputs: outputs.map((name) => ({ name, kind: "file", place: `out/${name}` })),
    ...more,
  };
}
