/** What an action's expansion adds to the graph; remembered while rule, action and outputs stay the same. */

import { canonicalJson } from "../key/canonical.ts";
import { digestBytes, digestOf } from "../key/digest.ts";
import { type ActionResult, outputOf, type StoredOutput } from "../key/result.ts";
import type { Action, Digest, Expansion } from "../model/action.ts";
import { isBlobLost } from "../model/error.ts";
import type { State } from "../state/state.ts";
import type { ContentStore } from "../store/store.ts";

export async function expandAction(
  action: Action,
  result: ActionResult,
  expansion: Expansion,
  readOutput: (output: StoredOutput) => Buffer,
  state: State,
  store: ContentStore,
): Promise<readonly Action[]> {
  const key = digestOf([
    expansion.rule,
    expansion.digest,
    digestBytes(canonicalJson(action as never)),
    result.outputs.map((output) => [output.name, output.digest]),
  ]);
  const record = state.action(action.address);
  const known = record?.expansion?.key === key ? readActions(record.expansion.actions, store) : undefined;
  if (known !== undefined) return known;
  const actions = await expansion.expand(action, async (name) => {
    const output = outputOf(result, name);
    if (output?.kind !== "file") throw new Error(`${action.address} has no output file ${name}`);
    return readOutput(output);
  });
  const stored = store.putBytes(canonicalJson(actions as never));
  if (record !== undefined)
    state.setAction(action.address, { ...record, expansion: { key, actions: stored } });
  return actions;
}

/** Undefined if the store has lost them. */
export function readActions(digest: Digest, store: ContentStore): Action[] | undefined {
  try {
    return JSON.parse(store.read(digest).toString("utf8")) as Action[];
  } catch (error) {
    if (isBlobLost(error)) return undefined;
    throw error;
  }
}
