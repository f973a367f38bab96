/**
 * The optional native part: batch stat, files as memory, process start. Absent (not built, another system,
 * ARC_NATIVE=0) everything works without it, slower.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Digest } from "../model/action.ts";
import type { Errands, ErrandsDone, Taken } from "./process-io.ts";

export interface Native {
  /** Rows as `up-to-date.ts` wants them, for NUL-ended paths relative to the working folder. */
  statAll(text: Buffer, rows: Float64Array): void;
  /**
   * The bytes of an open file that is not empty, which nobody must shorten: a page is read when it is looked at, and
   * what is written to it stays in memory. Undefined where the file cannot be had that way.
   */
  map(descriptor: number): ArrayBuffer | undefined;
  /** See `word-sum.ts`. */
  wordSum(words: Uint32Array, seed: number): number;
  /** Writes the digest of bytes to the first 32 of another array; not where the running program has no OpenSSL. */
  sha256?(bytes: Uint8Array, digest: Uint8Array): void;
  /** The same of a file; returns its size, or -1 when it cannot be read. */
  sha256File?(path: string, digest: Uint8Array): number;
  /** Returns an errno, or 0. See native/child.h for the form of requests, and for what `ahead` means. */
  spawn(numbers: Int32Array, texts: Buffer, ahead: boolean): number;
  /**
   * To be called after handlers of signals were set: one that JavaScript does not hear of within two seconds, as it
   * computes, ends the process; so does a second one.
   */
  watchSignals(): void;
  /** To be called by such a handler, and from then on more often than every two seconds. */
  heardSignal(): void;
  /** To the child's whole group. */
  kill(id: number, signal: number): void;
  /**
   * `callback` is told which child ended, after all about it was written to the two others. Returns how many links
   * and how many outputs a request may have, or -1.
   */
  onEnd(callback: (id: number) => void, told: Float64Array, digests: Buffer): number;
}

/** What a process is started from. */
export interface NativeRequest {
  readonly program: string;
  readonly argv: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdout: number;
  readonly stderr: number;
  readonly errands?: Errands | undefined;
  /** It starts when another one ends. */
  readonly ahead: boolean;
}

export interface NativeChild {
  kill(signal: number): void;
  /** An errno when it could not be started. */
  readonly end: Promise<NativeEnd | number>;
}

export interface NativeEnd {
  /** Undefined when a signal ended it. */
  readonly code?: number;
  readonly signal?: number;
  readonly cpuSeconds: number;
  /** Before it started. */
  readonly waitedSeconds: number;
  readonly errands?: ErrandsDone;
}

function load(): Native | undefined {
  const setting = process.env.ARC_NATIVE;
  if (setting === "0") return undefined;
  const library = { exports: {} };
  try {
    // Beside the bundle. Not by require, which looks for modules in many places first.
    process.dlopen(library, resolve(import.meta.dirname, setting ?? "native.node"));
    return library.exports as Native;
  } catch {
    // Not there, or not for this system.
    return undefined;
  }
}

/** The program that notes which files processes name, where it was compiled. */
export function tracerProgram(): string | undefined {
  const program = resolve(import.meta.dirname, "tracer");
  return existsSync(program) ? program : undefined;
}

export let native: Native | undefined = load();

/** Once more: a program that starts from a snapshot of its memory has none of the library in it. */
export function loadNative(): void {
  native ??= load();
}

/** The library reports to one function for the life of the process, whoever loads this module again. */
const CHILDREN = Symbol.for("arc.native.children");

interface Children {
  next: number;
  /** How many links and outputs errands may have; 0: none are done. */
  readonly most: number;
  readonly running: Map<number, Running>;
}

interface Running {
  readonly errands: Errands | undefined;
  readonly settle: (end: NativeEnd | number) => void;
}

const DIGEST_DIGITS = 64;
/** Numbers told of each child, of each output and of each link; see native.c. */
const HEADER = 8;
const OUTPUT = 8;
const LINK = 1;
const MOST = 64;

function childrenOf(library: Native): Children | undefined {
  const shared = globalThis as { [CHILDREN]?: Children };
  if (shared[CHILDREN] !== undefined) return shared[CHILDREN];
  const told = new Float64Array(HEADER + MOST * (OUTPUT + LINK));
  const digests = Buffer.allocUnsafeSlow(MOST * DIGEST_DIGITS);
  const running = new Map<number, Running>();
  const most = library.onEnd(
    (id) => {
      const child = running.get(id);
      running.delete(id);
      child?.settle(told[0] === 0 ? endOf(told, digests, child.errands) : (told[0] as number));
    },
    told,
    digests,
  );
  if (most < 0) return undefined;
  const children: Children = { next: 1, most, running };
  shared[CHILDREN] = children;
  return children;
}

function endOf(told: Float64Array, digests: Buffer, errands: Errands | undefined): NativeEnd {
  const code = told[1] as number;
  const signal = told[2] as number;
  const cpuSeconds = told[3] as number;
  const waitedSeconds = told[7] as number;
  const end = code >= 0 ? { code, cpuSeconds, waitedSeconds } : { signal, cpuSeconds, waitedSeconds };
  return errands === undefined ? end : { ...end, errands: doneOf(told, digests, errands) };
}

function doneOf(told: Float64Array, digests: Buffer, { links, outputs }: Errands): ErrandsDone {
  const takenAt = (at: number): Taken | undefined => {
    const number = (field: number): number => told[HEADER + at * OUTPUT + field] as number;
    if (number(0) === 0) return undefined;
    const digest = digests.toString("latin1", at * DIGEST_DIGITS, (at + 1) * DIGEST_DIGITS) as Digest;
    const taken = { digest, added: number(1) === 1, size: number(2) };
    if (number(3) === 0) return taken;
    const placed = { mtimeMs: number(4), ctimeMs: number(5), size: number(6), ino: number(7) };
    return { ...taken, placed };
  };
  const rest = HEADER + outputs.length * OUTPUT;
  return {
    logged: told[4] as number,
    inputWritten: told[5] === 1,
    isTidy: told[6] === 1,
    taken: outputs.map((_, at) => takenAt(at)),
    put: Array.from(told.subarray(rest, rest + links.length)),
  };
}

/** Whether `spawnNative` does errands. */
export function doesErrands(): boolean {
  return native !== undefined && (childrenOf(native)?.most ?? 0) > 0;
}

/**
 * Starts a process in a group of its own. That is killed when it ends, as is all that it started and that left the group.
 * Undefined without the library.
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

/** As a process gets them, by the very object: many processes are given the same. */
const knownVariables = new WeakMap<NativeRequest["env"], readonly string[]>();

function variablesOf(env: NativeRequest["env"]): readonly string[] {
  let variables = knownVariables.get(env);
  if (variables === undefined) {
    variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    knownVariables.set(env, variables);
  }
  return variables;
}

/** Octal; 0: that of a file which cannot be executed, and no other. */
function modeOf(executable: boolean | "as-written"): string {
  if (executable === "as-written") return "0";
  return executable ? "755" : "644";
}

/** In the form that native/child.h tells. */
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
