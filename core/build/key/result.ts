/** What an action left behind: everything needed to replay it without running it. */
import type { ActionOutput, Digest } from "../model/action.ts";
import type { Finding } from "../model/finding.ts";
import { sha256 } from "./sha256.ts";

export interface StoredOutput {
  readonly name: string;
  readonly kind: "file" | "folder";
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
  /** Of a file whose action says `as-written`. */
  readonly executable?: true;
}

/** Inputs that were found while running; system files by absolute path. */
export interface Discovered {
  readonly files: readonly (readonly [file: string, digest: Digest])[];
  /** Looked for and not there. */
  readonly missing: readonly string[];
}

export interface ActionResult {
  /** Digest of everything declared. */
  readonly base: Digest;
  /** Digest of `base` and what was discovered: the action's identity. */
  readonly key: Digest;
  readonly discovered?: Discovered;
  /** Without the optional outputs that were left out. */
  readonly outputs: readonly StoredOutput[];
  readonly log?: Digest;
  /** Warnings and remarks of a success. */
  readonly diagnostics?: readonly Finding[];
  /** Wall time of the run that made it. */
  readonly seconds: number;
  /** A failure that is a fact about the inputs. */
  readonly failure?: { readonly message: string; readonly diagnostics?: readonly Finding[] };
}

const texts = new WeakMap<ActionResult, string>();

/** As JSON, which several ask for: made once. */
export function resultJson(result: ActionResult): string {
  let text = texts.get(result);
  if (text === undefined) {
    text = JSON.stringify(result);
    texts.set(result, text);
  }
  return text;
}

/** Bytes of a sum. */
export const SUM_BYTES = 6;

/** A few bytes of what an action read and made, as a number that is not 0: whether two results are the same. */
export function sumOf({ key, outputs }: ActionResult): number {
  const made = outputs.map(({ name, kind, digest, executable }) => [name, kind, digest, executable ?? false]);
  return sha256(JSON.stringify([key, made])).readUIntLE(0, SUM_BYTES) || 1;
}

/** Whether a file can be executed in its place. */
export function isExecutable(output: StoredOutput, declared: ActionOutput): boolean {
  return declared.executable === "as-written" ? output.executable === true : declared.executable === true;
}

export function outputOf(result: ActionResult, name: string): StoredOutput | undefined {
  return result.outputs.find((output) => output.name === name);
}
