/** `arc watch`: builds on every save, and reports what the edit changed and what it did not. */

import type { Check } from "../../core/build/files/up-to-date.ts";
import type { BuildResult } from "../../core/build/graph/build-result.ts";
import type { Action, Address } from "../../core/build/model/action.ts";
import type { Event } from "../../core/build/model/event.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { wrapLine } from "../call/wrap.ts";
import { reportError } from "../project/report-error.ts";
import { requireProject } from "../project/workspace.ts";
import { requestsOf } from "../ui/choose.ts";
import { keyboard } from "../ui/keyboard.ts";
import { Changes } from "../watch/changes.ts";
import { type Edit, Edits } from "../watch/edits.ts";
import { Lull } from "../watch/lull.ts";
import { WatchReport } from "../watch/report.ts";
import { type Built, Session } from "../watch/session.ts";

const UNWATCHED =
  "arc: the kernel watches no more folders for this user: changes in the others are noticed half a second later\n" +
  "  try: sudo sysctl fs.inotify.max_user_watches=1048576\n";

export async function run(call: Call): Promise<Status> {
  const root = requireProject(call);
  const changes = new Changes(root, () => call.err(UNWATCHED));
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
  const failed = new Map<Address, string>();
  const requests = new Wishes(call, report, failed);
  try {
    let edit: Edit = { files: [] };
    let again: readonly Address[] = [];
    let isFirst = true;
    let next = edits.next();
    while (!call.signal.aborted) {
      report.changed(edit.files);
      const newer = new AbortController();
      next.then(() => newer.abort());
      const isQuiet = (): boolean => !newer.signal.aborted && !changes.arePending;
      const lull = new Lull();
      const failures: string[] = [];
      failed.clear();
      const onEvent = (event: Event): void => {
        if (event.type === "failed") failed.set(event.address, event.log);
        if (event.type === "retried") failed.delete(event.address);
        if (lull.heard(event)) void session.prepare(() => isQuiet() && lull.isOn);
        if (event.type === "failed")
          failures.push(event.message, event.log, JSON.stringify(event.diagnostics ?? null));
      };
      const check = edit.check ?? session.check();
      edits.buildBegins(check);
      const built = await buildOnce(call, session, changes, {
        check,
        newer: newer.signal,
        onEvent,
        again,
        isFirst,
      });
      isFirst = false;
      const overlooked = edits.buildEnds(built?.result, failures.join("\n"));
      const isInterrupted = built?.result.interrupted === true;
      if (built !== undefined && !isInterrupted) report.built(edit.files, built);
      if (!newer.signal.aborted && overlooked === undefined) report.waiting();
      void session.prepare(isQuiet);
      const requested = requests.next();
      const newest = overlooked ?? (await Promise.race([next, stop, requested]));
      if (newest === undefined) break;
      again = "again" in newest ? newest.again : [];
      if (newest !== overlooked && !("again" in newest)) next = edits.next();
      // The work of a superseded build is still to be done: its edit becomes part of the next one.
      const rest = isInterrupted ? edit.files : [];
      const files = [...new Set([...rest, ...newest.files])].sort();
      edit = "again" in newest ? { files } : { ...newest, files };
    }
  } finally {
    requests.close();
    changes.close();
    await session.close();
  }
  return status.interrupted;
}

interface Saved {
  readonly check: Check | undefined;
  readonly newer: AbortSignal;
  readonly onEvent: (event: Event) => void;
  /** Failed actions to be retried although nothing changed. */
  readonly again: readonly Address[];
  readonly isFirst: boolean;
}

/** Undefined when no build was possible. Errors are reported; the next save may fix them, but not a wrong call. */
async function buildOnce(
  call: Call,
  session: Session,
  changes: Changes,
  { check, newer, onEvent, again, isFirst }: Saved,
): Promise<Built | undefined> {
  const begun = Date.now();
  try {
    const ignorePlaces = (actions: Iterable<Action>): void =>
      changes.ignore([...actions].flatMap(({ outputs }) => outputs.flatMap(({ place }) => place ?? [])));
    const cancel = call.options.cancel === true;
    const built = await session.build(
      { ...call, signal: cancel ? AbortSignal.any([call.signal, newer]) : call.signal },
      {
        afterEdit: !isFirst,
        ...(check && { check }),
        ...(again.length > 0 && { force: again }),
        ...(cancel ? {} : { giveWay: newer }),
        onPlan: ignorePlaces,
        onEvent: (event: Event) => {
          if (event.type === "expanded") ignorePlaces(event.actions);
          onEvent(event);
        },
      },
    );
    changes.alsoWatch(outsideFiles(built.result), begun);
    return built;
  } catch (error) {
    if (call.signal.aborted || (isFirst && error instanceof UsageError)) throw error;
    // With --cancel: a newer save came while this build waited for another arc.
    if (newer.aborted && error === newer.reason) return undefined;
    reportError(error, call.options.json === true, call);
    return undefined;
  }
}

/** Files outside the project that were read, such as headers, except installed ones, which are not edited. */
function outsideFiles({ outcomes }: BuildResult): ReadonlySet<string> {
  const files = new Set<string>();
  for (const { result } of outcomes.values()) {
    for (const [file] of result?.discovered?.files ?? []) {
      if (file.startsWith("/") && !/^\/(usr|lib\w*|opt|etc|nix)\//.test(file)) files.add(file);
    }
  }
  return files;
}

interface NextBuild {
  readonly files: readonly string[];
  readonly again: readonly Address[];
}

const HELP =
  "d: what the last edit made of the kernels · r: what failed once more · l: its whole log · q: end";

/** Keys pressed between builds: single keys on a terminal; `d` and Enter through a pipe. */
class Wishes {
  readonly #close: () => void;
  #wish: (again: NextBuild) => void = () => {};

  constructor(call: Call, report: WatchReport, failed: ReadonlyMap<Address, string>) {
    if (requestsOf(call) === undefined || !process.stdin.isTTY) {
      listenForDiffs(report);
      this.#close = () => {};
      return;
    }
    this.#close = keyboard().listen((key) => {
      if (key === "d") report.showDiffs();
      else if (key === "r" && failed.size > 0) this.#wish({ files: [], again: [...failed.keys()] });
      else if (key === "r") call.err("nothing failed\n");
      else if (key === "l") call.err(failed.size === 0 ? "nothing failed\n" : [...failed.values()].join(""));
      else if (key === "?") call.err(`${wrapLine(HELP, call.errColumns(), 2)}\n`);
      else if (key === "q") process.kill(process.pid, "SIGINT");
      else return false;
      return true;
    });
  }

  /** The next request; while a build runs, keys belong to its view. */
  next(): Promise<NextBuild> {
    return new Promise((resolve) => {
      this.#wish = resolve;
    });
  }

  close(): void {
    this.#close();
  }
}

/** Listens for `d` and Enter, on a terminal or through a pipe. */
function listenForDiffs(report: WatchReport): void {
  // A background process cannot read the terminal, and trying must not stop the watch.
  process.on("SIGTTIN", () => {});
  process.stdin.on("error", () => {});
  process.stdin.setEncoding("utf8").on("data", (text: string) => {
    if (text.trim() === "d") report.showDiffs();
  });
}
