/** What arc says in an entry of the action cache: the results of one action, each with its signature if it has one. */
import type { Digest } from "../action.ts";
import { isDigest } from "../digest.ts";
import { resultKey } from "../key.ts";
import type { ActionResult, Discovered, StoredOutput } from "../result.ts";

export interface SignedResult {
  readonly result: ActionResult;
  readonly signature?: string;
}

/** Those of an entry's results that are about the action with this key; what comes from elsewhere may be anything. */
export function resultsFor(base: Digest, text: string): readonly SignedResult[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(list) ? list.filter((one): one is SignedResult => isSignedResult(one, base)) : [];
}

const isText = (value: unknown): value is string => typeof value === "string";
const isSize = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;

function isSignedResult(value: unknown, base: Digest): boolean {
  const { result, signature } = (value ?? {}) as Partial<SignedResult>;
  return isResult(result, base) && (signature === undefined || isText(signature));
}

function isResult(result: ActionResult | undefined, base: Digest): boolean {
  return (
    result?.base === base &&
    isDiscovered(result.discovered) &&
    result.key === resultKey(base, result.discovered) &&
    result.failure === undefined &&
    isSize(result.seconds) &&
    (result.log === undefined || (isText(result.log) && isDigest(result.log))) &&
    Array.isArray(result.outputs) &&
    result.outputs.every(isOutput)
  );
}

function isOutput(output: StoredOutput | null): boolean {
  if (output === null) return false;
  const { name, kind, digest, size, executable } = output;
  return (
    isText(name) &&
    (kind === "file" || kind === "folder") &&
    isText(digest) &&
    isDigest(digest) &&
    isSize(size) &&
    (executable === undefined || executable === true)
  );
}

function isDiscovered(found: Discovered | undefined): boolean {
  if (found === undefined) return true;
  return (
    Array.isArray(found?.files) &&
    found.files.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isText)) &&
    Array.isArray(found.missing) &&
    found.missing.every(isText)
  );
}
