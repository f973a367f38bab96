/**
 * The optional native part: batch stat and process start. Absent (not built, another system,
 * ARC_NATIVE=0) everything works without it, slower.
 */
import { createRequire } from "node:module";

export interface Native {
  /** Rows as `uptodate.ts` wants them, for NUL-ended paths relative to the working folder. */
  statAll(text: Buffer, rows: Float64Array): void;
  /** Texts are NUL-ended: `program folder`, arguments, environment. Returns an errno, or 0. */
  spawn(id: number, where: Buffer, argv: Buffer, env: Buffer, stdout: number, stderr: number): number;
  /** To the child's whole group. */
  kill(id: number, signal: number): void;
  onEnd(
    callback: (id: number, error: number, code: number, signal: number, cpuSeconds: number) => void,
  ): number;
}

export interface NativeChild {
  kill(signal: number): void;
  /** Undefined when it could not be started. */
  readonly end: Promise<NativeEnd | undefined>;
}

export interface NativeEnd {
  /** Undefined when a signal ended it. */
  readonly code?: number;
  readonly signal?: number;
  readonly cpuSeconds: number;
}

function load(): Native | undefined {
  const setting = process.env.ARC_NATIVE;
  if (setting === "0") return undefined;
  try {
    // Beside the bundle.
    return createRequire(import.meta.url)(setting ?? "./native.node") as Native;
  } catch {
    // Not there, or not for this system.
    return undefined;
  }
}

export const native: Native | undefined = load();

/** The library reports to one function for the life of the process, whoever loads this module again. */
const CHILDREN = Symbol.for("arc.native.children");

interface Children {
  next: number;
  readonly ends: Map<number, (end: NativeEnd | undefined) => void>;
}

function childrenOf(library: Native): Children | undefined {
  const shared = globalThis as { [CHILDREN]?: Children };
  if (shared[CHILDREN] !== undefined) return shared[CHILDREN];
  const children: Children = { next: 1, ends: new Map() };
  const failed = library.onEnd((id, error, code, signal, cpuSeconds) => {
    const settle = children.ends.get(id);
    children.ends.delete(id);
    if (error !== 0) settle?.(undefined);
    else settle?.(code >= 0 ? { code, cpuSeconds } : { signal, cpuSeconds });
  });
  if (failed !== 0) return undefined;
  shared[CHILDREN] = children;
  return children;
}

/** Starts a process in a group of its own, which is killed when it ends. Undefined without the library. */
export function spawnNative(
  program: string,
  argv: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
  stdout: number,
  stderr: number,
): NativeChild | undefined {
  if (native === undefined) return undefined;
  const library = native;
  const children = childrenOf(library);
  if (children === undefined) return undefined;
  const id = children.next;
  children.next = id === 2 ** 31 - 1 ? 1 : id + 1;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const end = new Promise<NativeEnd | undefined>((resolve) => children.ends.set(id, resolve));
  const failed = library.spawn(
    id,
    packed([program, folder]),
    packed(argv),
    packed(variables),
    stdout,
    stderr,
  );
  if (failed === 0) return { end, kill: (signal) => library.kill(id, signal) };
  children.ends.delete(id);
  return undefined;
}

function packed(texts: readonly string[]): Buffer {
  return Buffer.from(texts.length === 0 ? "" : `${texts.join("\0")}\0`, "utf8");
}
