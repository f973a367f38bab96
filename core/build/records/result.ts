/** The result of an action as it comes from a server or lies in a store. */
import { posix } from "node:path";
import { resultKey } from "../key/key.ts";
import type { ActionResult } from "../key/result.ts";
import type { Action, Digest } from "../model/action.ts";
import { findings } from "./finding.ts";
import {
  BadRecord,
  bad,
  digest,
  list,
  object,
  oneOf,
  type Parser,
  pair,
  path,
  pathInside,
  seconds,
  text,
  upTo,
} from "./schema.ts";

const MOST_OUTPUTS = 100_000;
const MOST_DISCOVERED = 1_000_000;

/** Reading a device may never end, and the contents of these folders belong to the system. */
const SYSTEM = /^\/(?:dev|proc|sys)(?:\/|$)/;

const discoveredPath: Parser<string> = (value, where) => {
  const file = path(value, where);
  const isNormal = posix.normalize(file) === file && file !== "." && !/^\.\.(?:\/|$)/.test(file);
  if (isNormal && (!SYSTEM.test(file) || file === "/dev/null")) return file;
  throw bad(where, "the path of a file that an action may read", value);
};

// Names of outputs are their paths in the action's working folder.
const output = object(
  { name: pathInside, kind: oneOf("file", "folder"), digest, size: upTo(Number.MAX_SAFE_INTEGER) },
  { executable: oneOf(true) },
);

const discovered = object(
  {
    files: list(pair(discoveredPath, digest), MOST_DISCOVERED),
    missing: list(discoveredPath, MOST_DISCOVERED),
  },
  {},
);

const result = object(
  { base: digest, key: digest, outputs: list(output, MOST_OUTPUTS), seconds },
  {
    discovered,
    log: digest,
    diagnostics: findings,
    failure: object({ message: text }, { diagnostics: findings }),
  },
);

/** Throws `BadRecord`, also if the result belongs to an action with another key. */
export function parseResult(value: unknown, base: Digest): ActionResult {
  const parsed = result(value, "the result");
  if (parsed.base !== base) throw new BadRecord("the result is of another action");
  if (parsed.key !== resultKey(base, parsed.discovered)) throw new BadRecord("the result has another key");
  const names = new Set<string>();
  for (const { name, kind, executable } of parsed.outputs) {
    if (names.has(name)) throw new BadRecord(`the result has the output ${JSON.stringify(name)} twice`);
    if (kind === "folder" && executable) throw new BadRecord("the result has a folder that can be executed");
    names.add(name);
  }
  return parsed;
}

/** Throws `BadRecord` unless the outputs are those that the action declares; a failed action has none. */
export function checkFits(result: ActionResult, action: Action): void {
  if (result.failure !== undefined) return;
  const declared = new Map(action.outputs.map((one) => [one.name, one]));
  for (const { name, kind } of result.outputs)
    if (declared.get(name)?.kind !== kind)
      throw new BadRecord(
        `the result has the ${kind} ${JSON.stringify(name)}, which ${action.address} does not write`,
      );
  const names = new Set(result.outputs.map(({ name }) => name));
  for (const { name, optional } of action.outputs)
    if (optional !== true && !names.has(name))
      throw new BadRecord(`the result has no ${JSON.stringify(name)}, which ${action.address} writes`);
}
