/**
 * Runs a fraction of cache hits again and compares them, to find actions that do not make the same bytes from the same
 * inputs, and results that no run here would make. The hit is used in any case, so the build is not affected.
 */
import { type ActionResult, outputOf, type StoredOutput } from "../key/result.ts";
import type { Action, Step } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import type { Execution } from "../run/execute.ts";
import type { ContentStore } from "../store/store.ts";

/** A hit that is run again before it is used. */
export interface CheckedHit {
  readonly result: ActionResult;
  readonly how: "cached" | "remote";
}

/** Of outputs larger than this, only sizes are reported. */
const COMPARED_BYTES = 64 * 1024 * 1024;
/** How many characters of a line are shown. */
const SHOWN = 120;
/** How many files of a folder are named. */
const NAMED = 8;

export class HitChecks {
  readonly #share: number;
  readonly #random: () => number;

  /** `share`: fraction of all hits, 0 to 1. */
  constructor(share: number, random: () => number = Math.random) {
    this.#share = share;
    this.#random = random;
  }

  /** Actions that are declared non-deterministic, and those that take hours, are not run again. */
  isChosen(action: Action, step: Step, { failure }: ActionResult): boolean {
    if (this.#share === 0 || failure !== undefined) return false;
    if (action.deterministic === false || action.finish === true || step.finish === true) return false;
    return this.#random() < this.#share;
  }
}

/** Describes how a run differs from the hit; undefined if it does not, or could not be compared. */
export function differenceFrom(
  { result, how }: CheckedHit,
  { address, outputs }: Action,
  again: Execution,
  store: ContentStore,
): string | undefined {
  const whose = how === "remote" ? "the shared cache's result" : "the store's result";
  const report = (what: string): string =>
    `${address} is not deterministic, or ${whose} is not what it makes: ${what}; with \`deterministic: false\` what needs it is kept apart from its bytes`;
  if (again.kind === "failed") return report(`run again it failed: ${again.message}`);
  if (again.kind !== "done") return undefined;
  if (again.result.failure !== undefined)
    return report(`run again it failed: ${again.result.failure.message}`);
  const different = outputs.flatMap(({ name }) => {
    const before = outputOf(result, name);
    const now = outputOf(again.result, name);
    return isSame(before, now) ? [] : `${name}: ${describe(before, now, store)}`;
  });
  return different.length === 0
    ? undefined
    : report(`run again it made other outputs\n  ${different.join("\n  ")}`);
}

function isSame(a: StoredOutput | undefined, b: StoredOutput | undefined): boolean {
  return a?.digest === b?.digest && a?.kind === b?.kind && a?.executable === b?.executable;
}

function describe(
  before: StoredOutput | undefined,
  now: StoredOutput | undefined,
  store: ContentStore,
): string {
  if (before === undefined) return "it was left out before, and is made now";
  if (now === undefined) return "it was made before, and is left out now";
  if (before.kind !== now.kind) return `a ${before.kind} before, a ${now.kind} now`;
  if (before.digest === now.digest) return "the right to execute it";
  try {
    return before.kind === "folder"
      ? folderDifference(before, now, store)
      : fileDifference(before, now, store);
  } catch (error) {
    if (error instanceof EngineError) return "other bytes, which the store has not";
    throw error;
  }
}

function folderDifference(before: StoredOutput, now: StoredOutput, store: ContentStore): string {
  const rows = (of: StoredOutput) =>
    new Map(store.readFolder(of.digest).map((entry) => [entry.path, JSON.stringify(entry)]));
  const [was, is] = [rows(before), rows(now)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((path) => {
    if (was.get(path) === is.get(path)) return [];
    return !was.has(path) ? `${path} (new)` : !is.has(path) ? `${path} (gone)` : path;
  });
  const more = changed.length > NAMED ? ` and ${changed.length - NAMED} more` : "";
  return `${changed.slice(0, NAMED).join(", ")}${more}`;
}

function fileDifference(before: StoredOutput, now: StoredOutput, store: ContentStore): string {
  const where = `(${store.path(before.digest)} before, ${store.path(now.digest)} now)`;
  if (Math.max(before.size, now.size) > COMPARED_BYTES)
    return `${before.size} bytes before, ${now.size} now ${where}`;
  const [was, is] = [store.read(before.digest), store.read(now.digest)];
  const shorter = Math.min(was.length, is.length);
  let at = 0;
  while (at < shorter && was[at] === is[at]) at += 1;
  if (isText(was) && isText(is)) {
    const line = was.subarray(0, at).filter((byte) => byte === 10).length + 1;
    return `line ${line} is ${lineAt(is, at)}, and was ${lineAt(was, at)} ${where}`;
  }
  return `byte ${at} is the first that differs, of ${was.length} before and ${is.length} now ${where}`;
}

const isText = (bytes: Buffer): boolean => !bytes.subarray(0, 8192).includes(0);

function lineAt(bytes: Buffer, at: number): string {
  const start = at === 0 ? 0 : bytes.lastIndexOf(10, at - 1) + 1;
  const end = bytes.indexOf(10, at);
  const line = bytes.subarray(start, end < 0 ? bytes.length : end).toString("utf8");
  return JSON.stringify(line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line);
}
