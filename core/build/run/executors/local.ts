/** Runs processes on this machine, each in a group of its own that is killed with everything it started. */
import { createRequire } from "node:module";
import { constants } from "node:os";
import { monotonicMs } from "../../model/clock.ts";
import { EngineError } from "../../model/error.ts";
import { doesErrands, native, spawnNative } from "../../native/native.ts";
import { findProgram } from "../../state/tool.ts";
import type { Executor, Limits, OutputFile, ProcessEnd, ProcessRequest } from "../executor.ts";
import { masked } from "../process-limits.ts";
import type { Capacity } from "../resource-pool.ts";
import { killStrays } from "./orphans.ts";

const require = createRequire(import.meta.url);

interface Started {
  kill(signal: NodeJS.Signals): void;
  readonly end: Promise<Ending>;
}

type Ending = Omit<ProcessEnd, "timedOut" | "aborted">;

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 2000;

/** How to end what runs. An exit does not wait for it: a second Ctrl-C, a failure of arc. */
const running = new Set<Started["kill"]>();
let isExitHeard = false;

function endAtExit(kill: Started["kill"]): void {
  running.add(kill);
  if (isExitHeard) return;
  isExitHeard = true;
  process.on("exit", () => {
    for (const kill of running) kill("SIGKILL");
  });
}

/**
 * Without the native part, arc does not look for strays of a process that ended well within this time (ms): the search
 * takes as long as a small action.
 */
const LONG_MS = 1000;

export class LocalExecutor implements Executor {
  readonly name = "local";
  readonly capacity: Capacity;
  readonly limits: Limits;
  readonly takesErrands = doesErrands();
  readonly startsAhead = this.takesErrands;
  /** Paths of programs found, by PATH and name. */
  readonly #programs = new Map<string, string>();
  /** What to stop when a signal aborts: one listener serves all processes of that signal. */
  readonly #stops = new WeakMap<AbortSignal, Set<() => void>>();

  constructor(capacity: Capacity, limits: Limits = {}) {
    this.capacity = capacity;
    this.limits = limits;
  }

  async run(request: ProcessRequest, stdout: OutputFile, stderr: OutputFile): Promise<ProcessEnd> {
    const { signal, timeoutSeconds } = request;
    if (signal.aborted) return { timedOut: false, aborted: true };
    const started = monotonicMs();
    const { kill, end } = this.#start(request, stdout, stderr);
    endAtExit(kill);
    let timedOut = false;
    let aborted = false;
    let grace: NodeJS.Timeout | undefined;
    const stop = (): void => {
      kill("SIGTERM");
      grace ??= setTimeout(() => kill("SIGKILL"), GRACE_MS);
    };
    const onAbort = (): void => {
      aborted = true;
      stop();
    };
    const onTimeout = (): void => {
      timedOut = true;
      stop();
    };
    const timer = timeoutSeconds === undefined ? undefined : setTimeout(onTimeout, timeoutSeconds * 1000);
    const stops = this.#stopsOf(signal);
    stops.add(onAbort);
    try {
      return { ...(await end), timedOut, aborted };
    } finally {
      running.delete(kill);
      clearTimeout(timer);
      clearTimeout(grace);
      stops.delete(onAbort);
      const { sandbox } = request;
      const isLooked = native === undefined && (timedOut || aborted || monotonicMs() - started > LONG_MS);
      if (sandbox !== undefined && isLooked) killStrays(sandbox);
    }
  }

  #stopsOf(signal: AbortSignal): Set<() => void> {
    let stops = this.#stops.get(signal);
    if (stops === undefined) {
      const all = new Set<() => void>();
      signal.addEventListener("abort", () => {
        for (const stop of all) stop();
      });
      this.#stops.set(signal, all);
      stops = all;
    }
    return stops;
  }

  async close(): Promise<void> {}

  #start(request: ProcessRequest, stdout: OutputFile, stderr: OutputFile): Started {
    const { argv, cwd, env, errands, ahead = false } = request;
    if (native === undefined) return startOtherwise(request, stdout, stderr);
    const name = argv[0] ?? "";
    const program = this.#find(name, env.PATH);
    if (program === undefined) throw notStarted(name, "ENOENT");
    const child = spawnNative({
      program,
      argv,
      folder: cwd,
      env,
      stdout: stdout.descriptor,
      stderr: stderr.descriptor,
      errands,
      ahead,
    });
    if (child === undefined) return startOtherwise(request, stdout, stderr);
    const end = child.end.then((ended): Ending => {
      if (typeof ended !== "number") {
        const { code, signal, ...rest } = ended;
        return code === undefined ? { ...rest, killedBy: signalName(signal) } : { ...rest, code };
      }
      if (errands !== undefined) return { undone: true };
      throw notStarted(name, errnoName(ended));
    });
    return { kill: (signal) => child.kill(constants.signals[signal]), end };
  }

  #find(name: string, path: string | undefined): string | undefined {
    if (name.includes("/")) return name;
    const key = `${path}\0${name}`;
    const known = this.#programs.get(key);
    if (known !== undefined) return known;
    const found = findProgram(name, path);
    if (found !== undefined) this.#programs.set(key, found);
    return found;
  }
}

/** Used without the native part, or if it has no memory left. Does no errands. */
function startOtherwise(request: ProcessRequest, stdout: OutputFile, stderr: OutputFile): Started {
  if (request.errands === undefined) return startSlowly(request, stdout, stderr);
  return { kill: () => {}, end: Promise.resolve({ undone: true }) };
}

function startSlowly({ argv, cwd, env }: ProcessRequest, stdout: OutputFile, stderr: OutputFile): Started {
  // Loaded on demand: with the native part it is never needed.
  const { spawn } = require("node:child_process") as typeof import("node:child_process");
  const [program = "", ...args] = masked(argv, process.umask());
  const child = spawn(program, args, {
    cwd,
    env: { ...env },
    detached: true,
    stdio: ["ignore", stdout.descriptor, stderr.descriptor],
  });
  const end: Started["end"] = new Promise((resolve, reject) => {
    child.on("error", (error) => reject(notStarted(argv[0] ?? "", error.message)));
    child.on("exit", (code, killedBy) => {
      // Descendants that outlive the process would write into a finished action.
      killGroup(child.pid, "SIGKILL");
      resolve(code === null ? { killedBy: killedBy ?? "a signal" } : { code });
    });
  });
  return { kill: (signal) => killGroup(child.pid, signal), end };
}

function notStarted(name: string, why: string): EngineError {
  const message = `${name} cannot be started: ${why}`;
  return new EngineError("tool-not-found", message, "install it, or put it on PATH");
}

function errnoName(number: number): string {
  const found = Object.entries(constants.errno).find(([, value]) => value === number);
  return found?.[0] ?? `errno ${number}`;
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group no longer exists.
  }
}

function signalName(number: number | undefined): string {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? `signal ${number}`;
}
