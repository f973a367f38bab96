/**
 * The optional native part: batch stat, files as memory, process start. Where it is absent (not built, another system,
 * ARC_NATIVE=0) everything works without it, only slower.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Digest } from "../model/action.ts";
import type { CollectedOutput, Errands, ErrandsDone } from "./process-io.ts";

interface Native {
  /** Fills rows in the format of `up-to-date.ts` for NUL-ended paths relative to the working folder. */
  statAll(text: Buffer, rows: Float64Array): void;
  /**
   * Maps an open, non-empty file, which must not be truncated: pages are read on access, and writes stay in memory.
   * Undefined where the file cannot be mapped.
   */
  map(descriptor: number): ArrayBuffer | undefined;
  /** See `word-sum.ts`. */
  wordSum(words: Uint32Array, seed: number): number;
  /**
   * Writes the digest of bytes to the first 32 bytes of another array; absent if the running program has no OpenSSL.
   */
  sha256?(bytes: Uint8Array, digest: Uint8Array): void;
  /** Like `sha256`, for a file; returns its size, or -1 when it cannot be read. */
  sha256File?(path: string, digest: Uint8Array): number;
  /**
   * For each NUL-ended path, the time of its last access (ms) if it is a file whose bytes have the digest that it is
   * named after; else -1.
   */
  checkBlobs?(text: Buffer, times: Float64Array): void;
  /** Returns 0 or an errno. native/child.h describes the form of requests and the meaning of `ahead`. */
  spawn(numbers: Int32Array, texts: Buffer, ahead: boolean): number;
  /**
   * Call this after signal handlers were set. If JavaScript, busy computing, does not receive a signal within two
   * seconds, the process ends; a second signal ends it, too.
   */
  watchSignals(): void;
  /** Call this from a signal handler, and then more often than every two seconds. */
  heardSignal(): void;
  /** Signals the child's whole group. */
  kill(id: number, signal: number): void;
  /**
   * `callback` receives the id of each child that ended, after the report about it was written to the two arrays.
   * Returns how many links a request may have, or -1.
   */
  onEnd(callback: (id: number) => void, report: Float64Array, digests: Buffer): number;
}

/** Everything needed to start a process. */
interface NativeRequest {
  readonly program: string;
  readonly argv: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdout: number;
  readonly stderr: number;
  readonly errands?: Errands | undefined;
  /** Start only when another process ends. */
  readonly ahead: boolean;
}

interface NativeChild {
  kill(signal: number): void;
  /** A number is the errno of a failed start. */
  readonly end: Promise<NativeEnd | number>;
}

interface NativeEnd {
  /** Undefined when a signal ended the process. */
  readonly code?: number;
  readonly signal?: number;
  readonly cpuSeconds: number;
  /** Seconds before the process started. */
  readonly waitedSeconds: number;
  readonly errands?: ErrandsDone;
}

function load(): Native | undefined {
  const setting = process.env.ARC_NATIVE;
  if (setting === "0") return undefined;
  const library = { exports: {} };
  try {
    // Next to the bundle. Loaded by dlopen, because require searches many places for modules first.
    process.dlopen(library, resolve(import.meta.dirname, setting ?? "native.node"));
    return library.exports as Native;
  } catch {
    // Missing, or built for another system.
    return undefined;
  }
}

/** Path of the tracer (it notes which files processes name), if it was compiled. */
export function tracerProgram(): string | undefined {
  const program = resolve(import.meta.dirname, "tracer");
  return existsSync(program) ? program : undefined;
}

export let native: Native | undefined = load();

/** Loads the library again: a program started from a snapshot of its memory does not have it. */
export function loadNative(): void {
  native ??= load();
}

/** The library reports to one function for the life of the process, even if this module is loaded twice. */
const CHILDREN = Symbol.for("arc.native.children");

interface Children {
  next: number;
  /** How many links errands may have; 0: the library does none. */
  readonly most: number;
  readonly running: Map<number, Running>;
}

interface Running {
  readonly errands: Errands | undefined;
  readonly settle: (end: NativeEnd | number) => void;
}

const DIGEST_DIGITS = 64;
/** Counts of numbers reported for each child and output; see native.c. One more is for each link. */
const HEADER = 8;
const OUTPUT = 8;
const MOST_OUTPUTS = 64;
/** The report's memory for them is not touched before there are so many. */
const MOST_LINKS = 2 ** 18;

function childrenOf(library: Native): Children | undefined {
  const shared = globalThis as { [CHILDREN]?: Children };
  if (shared[CHILDREN] !== undefined) return shared[CHILDREN];
  const report = new Float64Array(HEADER + MOST_OUTPUTS * OUTPUT + MOST_LINKS);
  const digests = Buffer.allocUnsafeSlow(MOST_OUTPUTS * DIGEST_DIGITS);
  const running = new Map<number, Running>();
  const most = library.onEnd(
    (id) => {
      const child = running.get(id);
      running.delete(id);
      child?.settle(report[0] === 0 ? endOf(report, digests, child.errands) : (report[0] as number));
    },
    report,
    digests,
  );
  if (most < 0) return undefined;
  const children: Children = { next: 1, most, running };
  shared[CHILDREN] = children;
  return children;
}

function endOf(report: Float64Array, digests: Buffer, errands: Errands | undefined): NativeEnd {
  const code = report[1] as number;
  const signal = report[2] as number;
  const cpuSeconds = report[3] as number;
  const waitedSeconds = report[7] as number;
  const end = code >= 0 ? { code, cpuSeconds, waitedSeconds } : { signal, cpuSeconds, waitedSeconds };
  return errands === undefined ? end : { ...end, errands: doneOf(report, digests, errands) };
}

function doneOf(report: Float64Array, digests: Buffer, { links, outputs }: Errands): ErrandsDone {
  const collectedAt = (at: number): CollectedOutput | undefined => {
    const number = (field: number): number => report[HEADER + at * OUTPUT + field] as number;
    if (number(0) === 0) return undefined;
    const digest = digests.toString("latin1", at * DIGEST_DIGITS, (at + 1) * DIGEST_DIGITS) as Digest;
    const collected = { digest, added: number(1) === 1, size: number(2) };
    if (number(3) === 0) return collected;
    const placed = { mtimeMs: number(4), ctimeMs: number(5), size: number(6), ino: number(7) };
    return { ...collected, placed };
  };
  const rest = HEADER + outputs.length * OUTPUT;
  return {
    logged: report[4] as number,
    inputWritten: report[5] === 1,
    isTidy: report[6] === 1,
    collected: outputs.map((_, at) => collectedAt(at)),
    put: Array.from(report.subarray(rest, rest + links.length)),
  };
}

/** Whether `spawnNative` can do errands. */
export function doesErrands(): boolean {
  return native !== undefined && (childrenOf(native)?.most ?? 0) > 0;
}

/**
 * Starts a process in a group of its own. When it ends, the group is killed, and so are descendants that left the
 * group. Undefined without the library.
 */
export function spawnNative(request: NativeRequest): NativeChild | undefined {
  if (native === undefined) return undefined;
  const library = native;
  const children = childrenOf(library);
  if (children === undefined) return undefined;
  const id = children.next;
  children.next = id === 2 ** 31 - 1 ? 1 : id + 1;
  const end = new Promise<NativeEnd | number>((settle) => {
    children.running.set(id, { errands: request.errands, settle });
  });
  if (start(library, id, request) === 0) return { end, kill: (signal) => library.kill(id, signal) };
  children.running.delete(id);
  return undefined;
}

/** Variables in the form `NAME=value`, by object identity: many processes get the same object. */
const knownVariables = new WeakMap<NativeRequest["env"], readonly string[]>();

function variablesOf(env: NativeRequest["env"]): readonly string[] {
  let variables = knownVariables.get(env);
  if (variables === undefined) {
    variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    knownVariables.set(env, variables);
  }
  return variables;
}

/** Octal mode; "0": the file must not be executable. */
function modeOf(executable: boolean | "as-written"): string {
  if (executable === "as-written") return "0";
  return executable ? "755" : "644";
}

/** Sends the request in the form that native/child.h describes. */
function start(library: Native, id: number, request: NativeRequest): number {
  const { program, argv, folder, env, stdout, stderr, errands } = request;
  const { links = [], outputs = [], folders = [], ok = [] } = errands ?? {};
  const texts = [program, folder, ...argv];
  const variables = variablesOf(env);
  texts.push(...variables);
  if (errands === undefined) texts.push("", "", "", "", "");
  else texts.push(errands.blobs, errands.scratch, errands.placeScratch, errands.work, errands.temporary);
  for (const { blob, to, source } of links) texts.push(blob, to, source);
  for (const { file, place, executable } of outputs) texts.push(file, place, modeOf(executable));
  texts.push(...folders, "");
  const counts = [argv.length, variables.length, links.length, outputs.length, folders.length, ok.length];
  return library.spawn(
    Int32Array.of(id, stdout, stderr, ...counts, ...ok),
    Buffer.from(texts.join("\0"), "utf8"),
    request.ahead,
  );
}
