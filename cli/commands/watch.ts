/** `arc watch`: builds on every save, and says what the edit changed and what it did not. */
import type { Action } from "../../core/build/action.ts";
import type { Event } from "../../core/build/event.ts";
import type { BuildResult } from "../../core/build/outcome.ts";
import { type Call, type Status, status } from "../call.ts";
import { reportError } from "../report-error.ts";
import { Changes } from "../watch/changes.ts";
import { Lull } from "../watch/lull.ts";
import { WatchReport } from "../watch/report.ts";
import { type Built, Session } from "../watch/session.ts";
import { requireProject } from "../workspace.ts";

export async function run(call: Call): Promise<Status> {
  const changes = await Changes.of(requireProject(call));
  const session = new Session(call);
  const report = new WatchReport(call);
  const stop = new Promise<undefined>((resolve) => {
    if (call.signal.aborted) resolve(undefined);
    call.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  listenForDiffs(report);
  try {
    let edited: readonly string[] = [];
    while (!call.signal.aborted) {
      report.changed(edited);
      const newer = new AbortController();
      const next = changes.next();
      next.then(() => newer.abort());
      const isQuiet = (): boolean => !newer.signal.aborted && !changes.arePending;
      const lull = new Lull();
      const built = await buildOnce(call, session, changes, newer.signal, (event) => {
        if (lull.heard(event)) void session.prepare(() => isQuiet() && lull.isOn);
      });
      // What was given up is still to be done: its edit is part of the next.
      const rest = built?.result.interrupted === true ? edited : [];
      if (built !== undefined && !built.result.interrupted) report.built(edited, built);
      if (!newer.signal.aborted) report.waiting();
      void session.prepare(isQuiet);
      const files = await Promise.race([next, stop]);
      if (files === undefined) break;
      edited = [...new Set([...rest, ...files])].sort();
    }
  } finally {
    await changes.close();
    await session.close();
  }
  return status.interrupted;
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
