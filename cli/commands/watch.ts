/** `arc watch`: builds on every save, and says what the edit changed and what it did not. */
import type { Action } from "../../core/build/action.ts";
import type { Event } from "../../core/build/event.ts";
import type { BuildResult } from "../../core/build/outcome.ts";
import { type Call, type Status, status } from "../call.ts";
import { reportError } from "../report-error.ts";
import { Bystanders } from "../watch/bystanders.ts";
import { Changes } from "../watch/changes.ts";
import { Lull } from "../watch/lull.ts";
import { WatchReport } from "../watch/report.ts";
import { type Built, Session } from "../watch/session.ts";
import { requireProject } from "../workspace.ts";

export async function run(call: Call): Promise<Status> {
  const changes = await Changes.of(requireProject(call));
  const session = new Session(call);
  const bystanders = new Bystanders(requireProject(call));
  const report = new WatchReport(call);
  const stop = new Promise<undefined>((resolve) => {
    if (call.signal.aborted) resolve(undefined);
    call.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  listenForDiffs(report);
  try {
    let edited: readonly string[] = [];
    const isEdit = (files: readonly string[]): boolean => !bystanders.areAll(files);
    let next = nextEdit(changes, isEdit);
    while (!call.signal.aborted) {
      report.changed(edited);
      const newer = new AbortController();
      next.files.then(() => newer.abort());
      const isQuiet = (): boolean => !newer.signal.aborted && !changes.arePending;
      const lull = new Lull();
      const failures: string[] = [];
      const built = await buildOnce(call, session, changes, newer.signal, (event) => {
        if (lull.heard(event)) void session.prepare(() => isQuiet() && lull.isOn);
        if (event.type === "failed") failures.push(JSON.stringify(event));
      });
      // What was given up is still to be done: its edit is part of the next.
      const rest = built?.result.interrupted === true ? edited : [];
      if (built !== undefined && !built.result.interrupted) {
        report.built(edited, built);
        bystanders.learn(edited, built.result, () => session.check(), failures.join());
      }
      // This build may be the first that reads what was passed over while it ran.
      const passed = next.passed.splice(0);
      const overlooked = isEdit(passed) ? passed : [];
      if (!newer.signal.aborted && overlooked.length === 0) report.waiting();
      void session.prepare(isQuiet);
      const files = overlooked.length > 0 ? overlooked : await Promise.race([next.files, stop]);
      if (files === undefined) break;
      if (files !== overlooked) next = nextEdit(changes, isEdit);
      edited = [...new Set([...rest, ...files])].sort();
    }
  } finally {
    await changes.close();
    await session.close();
  }
  return status.interrupted;
}

interface NextEdit {
  readonly files: Promise<readonly string[]>;
  /** Saves that came before it, and are no edits as far as is known. */
  readonly passed: string[];
}

function nextEdit(changes: Changes, isEdit: (files: readonly string[]) => boolean): NextEdit {
  const passed: string[] = [];
  const wait = async (): Promise<readonly string[]> => {
    for (;;) {
      const files = await changes.next();
      if (isEdit(files)) return files;
      passed.push(...files);
    }
  };
  return { files: wait(), passed };
}

/** Undefined when there could be no build. Errors are told; the next save may cure them. */
async function buildOnce(
  call: Call,
  session: Session,
  changes: Changes,
  newer: AbortSignal,
  onEvent: (event: Event) => void,
): Promise<Built | undefined> {
  try {
    const ignorePlaces = (actions: Iterable<Action>): void =>
      changes.ignore([...actions].flatMap(({ outputs }) => outputs.flatMap(({ place }) => place ?? [])));
    const cancel = call.options.cancel === true;
    const built = await session.build(
      { ...call, signal: cancel ? AbortSignal.any([call.signal, newer]) : call.signal },
      {
        ...(cancel ? {} : { giveWay: newer }),
        onPlan: ignorePlaces,
        onEvent: (event: Event) => {
          if (event.type === "expanded") ignorePlaces(event.actions);
          onEvent(event);
        },
      },
    );
    changes.alsoWatch(outsideFiles(built.result));
    return built;
  } catch (error) {
    if (call.signal.aborted) throw error;
    reportError(error, call.options.json === true, call);
    return undefined;
  }
}

/** Headers and the like that were read outside the project; what is installed is not edited. */
function outsideFiles({ outcomes }: BuildResult): ReadonlySet<string> {
  const files = new Set<string>();
  for (const { result } of outcomes.values()) {
    for (const [file] of result?.discovered?.files ?? []) {
      if (file.startsWith("/") && !/^\/(usr|lib\w*|opt|etc|nix)\//.test(file)) files.add(file);
    }
  }
  return files;
}

/** `d` and Enter, on a terminal or through a pipe. */
function listenForDiffs(report: WatchReport): void {
  // In the background nothing can be read, and to try must not stop the watch.
  process.on("SIGTTIN", () => {});
  process.stdin.on("error", () => {});
  process.stdin.setEncoding("utf8").on("data", (text: string) => {
    if (text.trim() === "d") report.showDiffs();
  });
}
