/** `arc watch`: builds on every save, and says what the edit changed and what it did not. */

import type { Check } from "../../core/build/files/up-to-date.ts";
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Action } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { reportError } from "../project/report-error.ts";
import { requireProject } from "../project/workspace.ts";
import { Changes } from "../watch/changes.ts";
import { type Edit, Edits } from "../watch/edits.ts";
import { Lull } from "../watch/lull.ts";
import { WatchReport } from "../watch/report.ts";
import { type Built, Session } from "../watch/session.ts";

export async function run(call: Call): Promise<Status> {
  const root = requireProject(call);
  const changes = await Changes.of(root);
  const session = new Session(call, root);
  const report = new WatchReport(call);
  const edits = new Edits({
    saves: () => changes.next(),
    check: () => session.check(),
    lookedAt: (files, since) => session.lookedAt(files, since),
    areOfProject: (files) => session.areOfProject(files),
    onUnread: (files, isAfterFailure) => report.unread(files, isAfterFailure),
  });
  const stop = new Promise<undefined>((resolve) => {
    if (call.signal.aborted) resolve(undefined);
    call.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  listenForDiffs(report);
  try {
    let edit: Edit = { files: [] };
    let next = edits.next();
    while (!call.signal.aborted) {
      report.changed(edit.files);
      const newer = new AbortController();
      next.then(() => newer.abort());
      const isQuiet = (): boolean => !newer.signal.aborted && !changes.arePending;
      const lull = new Lull();
      const failures: string[] = [];
      const onEvent = (event: Event): void => {
        if (lull.heard(event)) void session.prepare(() => isQuiet() && lull.isOn);
        if (event.type === "failed")
          failures.push(event.message, event.log, JSON.stringify(event.diagnostics ?? null));
      };
      const check = edit.check ?? session.check();
      edits.buildBegins(check);
      const built = await buildOnce(call, session, changes, check, newer.signal, onEvent);
      const overlooked = edits.buildEnds(built?.result, failures.join("\n"));
      const isInterrupted = built?.result.interrupted === true;
      if (built !== undefined && !isInterrupted) report.built(edit.files, built);
      if (!newer.signal.aborted && overlooked === undefined) report.waiting();
      void session.prepare(isQuiet);
      const newest = overlooked ?? (await Promise.race([next, stop]));
      if (newest === undefined) break;
      if (newest !== overlooked) next = edits.next();
      // What was given up is still to be done: its edit is part of the next.
      const rest = isInterrupted ? edit.files : [];
      edit = { ...newest, files: [...new Set([...rest, ...newest.files])].sort() };
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
  check: Check | undefined,
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
        ...(check && { check }),
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
