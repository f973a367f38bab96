/** `arc watch`: builds on every save, and says what the edit changed and what it did not. */
import path from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { buildWorkspace } from "../build.ts";
import { type Call, type Status, status } from "../call.ts";
import { InvalidProject } from "../invalid-project.ts";
import { paint } from "../paint.ts";
import { reportError } from "../report-error.ts";
import { requireProject, withWorkspace } from "../workspace.ts";

/** Editors write files in several steps; what comes within so many ms belongs to one save. */
const settleMs = 60;

export async function run(call: Call): Promise<Status> {
  const root = requireProject(call);
  const changes = new Changes(root);
  const stop = new Promise<void>((resolve) => {
    if (call.signal.aborted) resolve();
    call.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await changes.ready;
  try {
    let changed: readonly string[] = [];
    while (!call.signal.aborted) {
      tell(call, changed);
      changes.ignore(await buildOnce(call));
      call.err(paint(call.color).dim("waiting for changes; Ctrl-C ends\n"));
      const next = await Promise.race([changes.next(), stop]);
      if (next === undefined) break;
      changed = next;
    }
  } finally {
    await changes.close();
  }
  return status.interrupted;
}

function tell(call: Call, changed: readonly string[]): void {
  if (changed.length === 0) return;
  const shown = changed.slice(0, 3).join(", ");
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : "";
  if (call.options.json === true) call.out(`${JSON.stringify({ type: "changed", files: changed })}\n`);
  else call.err(`\n${paint(call.color).bold("changed:")} ${shown}${more}\n`);
}

/** The places that the build writes: changes there are its own. Errors are told; the next save may cure them. */
async function buildOnce(call: Call): Promise<readonly string[]> {
  try {
    return await withWorkspace(call, call.positionals, async (workspace) => {
      const goals = workspace.plan.programs;
      const { graph } = await buildWorkspace(workspace, call, { patterns: call.positionals, goals });
      return [...graph.nodes.values()].flatMap(({ action }) =>
        action.outputs.flatMap(({ place }) => place ?? []),
      );
    });
  } catch (error) {
    if (!(error instanceof InvalidProject) && call.signal.aborted) throw error;
    reportError(error, call.options.json === true, call);
    return [];
  }
}

/** Files of the project that changed, in batches. */
class Changes {
  readonly ready: Promise<void>;
  readonly #watcher: FSWatcher;
  readonly #pending = new Set<string>();
  #ignored: readonly string[] = ["out"];
  #timer: NodeJS.Timeout | undefined;
  #deliver: ((files: readonly string[]) => void) | undefined;

  constructor(root: string) {
    this.#watcher = watch(root, {
      ignoreInitial: true,
      ignored: (file) => /(^|\/)(\.arc|\.git|node_modules)(\/|$)/.test(path.relative(root, file)),
    });
    this.ready = new Promise((resolve) => void this.#watcher.once("ready", () => resolve()));
    this.#watcher.on("all", (event, file) => {
      if (event !== "addDir") this.#note(path.relative(root, file));
    });
  }

  /** From now on: places that builds write. */
  ignore(places: readonly string[]): void {
    if (places.length > 0) this.#ignored = ["out", ...places];
    for (const file of this.#pending) if (this.#isIgnored(file)) this.#pending.delete(file);
  }

  next(): Promise<readonly string[]> {
    return new Promise((resolve) => {
      this.#deliver = resolve;
      if (this.#pending.size > 0) this.#settle();
    });
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#watcher.close();
  }

  #isIgnored(file: string): boolean {
    return this.#ignored.some((place) => file === place || file.startsWith(`${place}/`));
  }

  #note(file: string): void {
    if (this.#isIgnored(file)) return;
    this.#pending.add(file);
    this.#settle();
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const deliver = this.#deliver;
      if (deliver === undefined || this.#pending.size === 0) return;
      this.#deliver = undefined;
      const files = [...this.#pending].sort();
      this.#pending.clear();
      deliver(files);
    }, settleMs);
  }
}
