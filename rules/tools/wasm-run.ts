/**
 * Runs tools of npm packages, each package in a thread of its own, because they compute without interruption. An idle
 * thread is kept for the next call, since compiling a module and loading the tool's data take seconds.
 */
import { createRequire } from "node:module";
import type { Worker } from "node:worker_threads";
import { packageEntry } from "./wasm-tools.ts";

interface WasmCall {
  readonly package: string;
  /** The package's function that takes arguments and files. */
  readonly run: string;
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Receives the tool's output piece by piece. */
  readonly listen: (text: string) => void;
  readonly signal: AbortSignal;
}

interface WasmEnd {
  readonly code: number;
  /** The tool's output. */
  readonly log: string;
  /** The input files and those that the tool made. */
  readonly files: Readonly<Record<string, Uint8Array | string>>;
}

const require = createRequire(import.meta.url);

const inThread = `
const { parentPort, workerData } = require("node:worker_threads");
const tool = import(workerData);
parentPort.on("message", async ({ run, args, files }) => {
  try {
    const functions = await tool;
    if (args === undefined) return void (await functions[run]());
    const say = (bytes) => { if (bytes) parentPort.postMessage({ said: Buffer.from(bytes).toString("utf8") }); };
    let code = 0;
    let made = {};
    try {
      made = await functions[run](args, files, { stdout: say, stderr: say });
    } catch (problem) {
      if (typeof problem.code !== "number") throw problem;
      code = problem.code;
    }
    parentPort.postMessage({ code, made });
  } catch (problem) {
    parentPort.postMessage({ problem: String(problem) });
  }
});`;

const idle = new Map<string, Worker>();

function threadOf(name: string): Worker {
  const free = idle.get(name);
  idle.delete(name);
  const thread = free ?? startThread(name);
  thread.ref();
  return thread;
}

function startThread(name: string): Worker {
  // Loaded on demand: few builds run such tools.
  const threads = require("node:worker_threads") as typeof import("node:worker_threads");
  return new threads.Worker(inThread, { eval: true, workerData: packageEntry(name) });
}

function keep(name: string, thread: Worker): void {
  if (idle.has(name)) void thread.terminate();
  else {
    idle.set(name, thread);
    // The thread must not keep the program alive.
    thread.unref();
  }
}

/** Loads a tool for a later call. */
export function loadAhead(name: string, run: string): void {
  if (idle.has(name) || packageEntry(name) === undefined) return;
  const thread = threadOf(name);
  thread.postMessage({ run });
  keep(name, thread);
}

/** Rejects if the package is broken, or the call is aborted. */
export async function runWasm({
  package: name,
  run,
  args,
  files,
  listen,
  signal,
}: WasmCall): Promise<WasmEnd> {
  const thread = threadOf(name);
  const log: string[] = [];
  let settle: (() => void) | undefined;
  try {
    const { code, made } = await new Promise<{ code: number; made: WasmEnd["files"] }>((resolve, reject) => {
      const stop = () => reject(new Error(`${run} was interrupted`));
      const receive = ({ said, problem, ...end }: WorkerMessage): void => {
        if (said !== undefined) {
          log.push(said);
          listen(said);
        } else if (problem === undefined) resolve(end as { code: number; made: WasmEnd["files"] });
        else reject(new Error(`${name}: ${problem}`));
      };
      settle = () => {
        signal.removeEventListener("abort", stop);
        thread.off("message", receive).off("error", reject);
      };
      signal.addEventListener("abort", stop, { once: true });
      thread.on("message", receive).on("error", reject);
      if (signal.aborted) stop();
      else thread.postMessage({ run, args, files });
    });
    settle?.();
    keep(name, thread);
    return { code, log: log.join(""), files: made };
  } catch (error) {
    void thread.terminate();
    throw error;
  }
}

/** A message of a thread: output of the tool, its result, or why there is none. */
interface WorkerMessage {
  readonly said?: string;
  readonly problem?: string;
  readonly code?: number;
  readonly made?: WasmEnd["files"];
}
