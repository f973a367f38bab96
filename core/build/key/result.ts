/** What an action left behind: everything needed to replay it without running it. */
import type { ActionOutput, Digest } from "../model/action.ts";
import type { Finding } from "../model/finding.ts";
import { sha256 } from "./sha256.ts";

export interface StoredOutput {
  readonly name: string;
  readonly kind: "file" | "folder";
  readonly digest: Digest;
  /** In bytes. */
  readonly size: number;
  /** Set for a file that was executable where its action declares `as-written`. */
  readonly executable?: true;
}

/** Inputs that were found while the action ran; system files by absolute path. */
export interface Discovered {
  readonly files: readonly (readonly [file: string, digest: Digest])[];
  /** Paths that were looked for and not found. */
  readonly missing: readonly string[];
}

export interface ActionResult {
  /** Digest of everything declared. */
  readonly base: Digest;
  /** Digest of `base` and what was discovered: identifies the result. */
  readonly key: Digest;
  readonly discovered?: Discovered;
  /** Optional outputs that were left out are not listed. */
  readonly outputs: readonly StoredOutput[];
  readonly log?: Digest;
  /** Warnings and remarks of a successful run. */
  readonly diagnostics?: readonly Finding[];
  /** Wall time of the run that made the result. */
  readonly seconds: number;
  /** A failure that is a fact about the inputs, and therefore cached. */
  readonly failure?: { readonly message: string; readonly diagnostics?: readonly Finding[] };
}

const texts = new WeakMap<ActionResult, string>();

/** The result as JSON, made once. */
export function resultJson(result: ActionResult): string {
  let text = texts.get(result);
  if (text === undefined) {
    text = JSON.stringify(result);
    texts.set(result, text);
  }
  return text;
}

/** Size of a checksum in bytes. */
export const SUM_BYTES = 6;

/** A short checksum, never 0, of what an action read and made: tells whether two results are the same. */
export function sumOf({ key, outputs }: ActionResult): number {
  const made = outputs.map(({ name, kind, digest, executable }) => [name, kind, digest, executable ?? false]);
  return sha256(JSON.stringify([key, made])).readUIntLE(0, SUM_BYTES) || 1;
}

/** Whether an output is executable when materialized. */
export function isExecutable(output: StoredOutput, declared: ActionOutput): boolean {
  return declared.executable === "as-written" ? output.executable === true : declared.executable === true;
}

export function outputOf(result: ActionResult, name: string): StoredOutput | undefined {
  return result.outputs.find((output) => output.name === name);
}
