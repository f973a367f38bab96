/** Parses the call, runs its command, and turns any failure into a message and an exit status. */
import { fstatSync, writeSync } from "node:fs";
import type { Check } from "../core/build/files/up-to-date.ts";
import { nameFile } from "../core/build/model/system-error.ts";
import { loadNative, native } from "../core/build/native/native.ts";
import { resumeBuild } from "./build/resume.ts";
import { parseArguments } from "./call/arguments.ts";
import { type CommandModule, type Status, status } from "./call/call.ts";
import type { CommandName } from "./call/commands.ts";
import { type Surroundings, surroundingsOf } from "./call/surroundings.ts";
import { checkWrittenFiles } from "./call/written-files.ts";
import { reportError } from "./project/report-error.ts";
import { lookForChanges } from "./start/no-op.ts";

const modules: Readonly<Record<CommandName, () => Promise<CommandModule>>> = {
  build: () => import("./commands/build.ts"),
  watch: () => import("./commands/watch.ts"),
  run: () => import("./commands/run.ts"),
  verify: () => import("./commands/verify.ts"),
  bench: () => import("./commands/bench.ts"),
  explore: () => import("./commands/explore.ts"),
  translate: () => import("./commands/translate.ts"),
  check: () => import("./commands/check.ts"),
  lsp: () => import("./commands/lsp.ts"),
  cc: () => import("./commands/cc.ts"),
  init: () => import("./commands/init.ts"),
  explain: () => import("./commands/explain.ts"),
  graph: () => import("./commands/graph.ts"),
  report: () => import("./commands/report.ts"),
  cache: () => import("./commands/cache.ts"),
  doctor: () => import("./commands/doctor.ts"),
  clean: () => import("./commands/clean.ts"),
  completion: () => import("./commands/completion.ts"),
};

/**
 * Signals that end a process unless it listens. Others are Node's (SIGUSR1, SIGPROF) or the native part's own (SIGALRM),
 * or tell of a mistake in the process.
 */
const ENDING = [
  ...(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const),
  ...(["SIGUSR2", "SIGVTALRM", "SIGXCPU", "SIGPWR", "SIGIO"] as const),
] as const;

/** How often, after a signal, the native part is told that the event loop still runs, in ms. */
const HEARTBEAT_MS = 500;

/** `check`: the changes that the launcher found since the last call of this kind. */
export async function main(args: readonly string[], check?: Check): Promise<void> {
  keepOwnRights();
  const interrupt = new AbortController();
  const call = { ...surroundings(), signal: interrupt.signal };
  const onSignal = (): void => {
    native?.heardSignal();
    setInterval(() => native?.heardSignal(), HEARTBEAT_MS).unref();
    // A second signal ends the process at once.
    if (interrupt.signal.aborted) process.exit(status.interrupted);
    interrupt.abort();
  };
  for (const signal of ENDING) process.on(signal, onSignal);
  native?.watchSignals();
  process.exitCode = await runCommand(args, call, check);
  // Exit although something (an idle worker) may still hold the event loop.
  process.exit();
}

/** Under a mask such as 777 nobody but root could use the folders that arc makes, nor could a later arc. */
function keepOwnRights(): void {
  const mask = process.umask();
  if ((mask & 0o700) !== 0) process.umask(mask & 0o077);
}

/** Runs a call after something changed; `inherited` says where to get what the native launcher found. */
export function mainOnChange(args: readonly string[], inherited?: string): Promise<void> {
  loadNative();
  return main(args, lookForChanges(args, process.cwd(), process.env, native, inherited));
}

async function runCommand(
  args: readonly string[],
  surroundings: Surroundings,
  check: Check | undefined,
): Promise<Status> {
  try {
    const parsed = parseArguments(args);
    checkWrittenFiles(parsed, surroundings.cwd);
    if (check?.rows !== undefined) {
      const resumed = await resumeBuild({ ...surroundings, ...parsed, args }, check);
      if (resumed !== undefined) return resumed;
    }
    const module = await modules[parsed.command]();
    return await module.run({ ...surroundings, ...parsed, args });
  } catch (error) {
    const { signal } = surroundings;
    // Such as while it waited for another arc.
    if (signal.aborted && error === signal.reason) return status.interrupted;
    try {
      return reportError(error, args.includes("--json"), surroundings);
    } catch (unwritable) {
      // Standard output cannot be written.
      return reportError(unwritable, false, surroundings);
    }
  }
}

function surroundings(): Omit<Surroundings, "signal"> {
  // Creating the stream takes time, so it is made only for a terminal.
  const stderr = isCharacterDevice(2) ? process.stderr : undefined;
  return surroundingsOf({
    cwd: process.cwd(),
    env: process.env,
    write: writeAll,
    stderr: stderr?.isTTY === true ? stderr : undefined,
    outColumns: () => (isCharacterDevice(1) ? process.stdout.columns : undefined),
  });
}

function isCharacterDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Synchronous, so that nothing is lost at exit; if the reader is gone the process ends quietly. */
function writeAll(fd: number, text: string): void {
  let bytes = Buffer.from(text, "utf8");
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") process.exit(status.failed);
      // The pipe of a slow reader is full.
      if (code !== "EAGAIN") {
        nameFile(fd === 1 ? "standard output" : "standard error", error);
        throw error;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
