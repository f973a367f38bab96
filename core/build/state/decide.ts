/**
 * The one decision function: is an action up to date, cached, or to be run, and why. Build, dry run, watch and explain
 * all use it, so they cannot disagree.
 */

import type { FileTable } from "../files/files.ts";
import type { ResolvedInput } from "../graph/inputs.ts";
import { baseKey, firstDifference, type KeyParts, partsOf } from "../key/key.ts";
import { type ActionResult, outputOf } from "../key/result.ts";
import type { Action, Address, Digest, Step } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import type { Reason } from "../model/event.ts";
import { errnoOf } from "../model/system-error.ts";
import type { Variables } from "../model/variables.ts";
import type { ActionLog } from "../store/action-cache.ts";
import { checkPlace, isCopied, isInside, isPlaced, isStored, storeFromPlace } from "../store/output-tree.ts";
import type { ContentStore } from "../store/store.ts";
import type { ActionRecord, State } from "./state.ts";

export interface Decision {
  readonly parts: KeyParts;
  readonly base: Digest;
  readonly inputs: readonly ResolvedInput[];
  readonly verdict:
    | { readonly kind: "up-to-date"; readonly result: ActionResult }
    /** The result is known, but not all outputs are in place. */
    | { readonly kind: "cached"; readonly result: ActionResult; readonly reason: Reason }
    /** The action is known to fail. */
    | { readonly kind: "failed"; readonly result: ActionResult; readonly reason: Reason }
    | { readonly kind: "run"; readonly reason: Reason };
}

export interface Knowledge {
  readonly files: FileTable;
  readonly store: ContentStore;
  readonly log: ActionLog;
  readonly state: State;
  /** A folder of the project that belongs to arc alone. */
  readonly outputFolder?: string;
  /** Variables of the environment that every key has. */
  readonly variables?: Variables;
  /** Processes get variables that are in no key: what failed may succeed with other values of them. */
  readonly passes?: true;
}

/** The unfinished action that will write a path, if there is one. */
export type Awaited = (path: string) => Address | undefined;

/** Thrown if another action is about to write a discovered input: nothing can be decided before that. */
export class MustWait extends Error {
  readonly producer: Address;
  constructor(producer: Address) {
    super(`waits for ${producer}`);
    this.producer = producer;
  }
}

/** Whether a failure may be due to variables that no key has, or to what they were when it failed. */
export const failsByPassed = ({ command }: Action, { passes }: Pick<Knowledge, "passes">): boolean =>
  passes === true || (command?.passEnv ?? []).length > 0;

/** A failure that was remembered is none where variables that no key has may end it. */
export const isBelieved = (
  { failure }: ActionResult,
  action: Action,
  knowledge: Pick<Knowledge, "passes">,
): boolean => failure === undefined || !failsByPassed(action, knowledge);

/** Throws `place-occupied` when the action's outputs would overwrite a user's file, and MustWait. */
export function decide(
  action: Action,
  step: Step,
  inputs: readonly ResolvedInput[],
  forced: boolean,
  knowledge: Knowledge,
  awaited: Awaited,
): Decision {
  const parts = partsOf(
    action,
    step,
    inputs.map((input) => input.keyed),
    knowledge.variables,
  );
  const base = baseKey(parts);
  const decided = (verdict: Decision["verdict"]): Decision => ({ parts, base, inputs, verdict });
  const record = knowledge.state.action(action.address);
  const known = knownResult(action, base, record?.result, knowledge, awaited);
  if (forced || action.cache === false || known === undefined) {
    checkPlaces(action, knowledge);
    if (forced) return decided({ kind: "run", reason: { kind: "forced" } });
    if (action.cache === false) return decided({ kind: "run", reason: { kind: "not-cacheable" } });
    return decided({ kind: "run", reason: changeSince(record, parts, knowledge, awaited) });
  }
  const reason = changeSince(record, parts, knowledge, awaited);
  if (known.failure !== undefined) return decided({ kind: "failed", result: known, reason });
  const misplaced = action.outputs.find((declared) => {
    const output = outputOf(known, declared.name);
    return output !== undefined && !isPlaced(output, declared, knowledge.files);
  });
  if (misplaced === undefined && record?.result.key === known.key) {
    const lost = action.outputs.find(
      (declared) => declared.place === undefined && !isNamedStored(known, declared.name, knowledge),
    );
    if (lost === undefined) return decided({ kind: "up-to-date", result: known });
  }
  checkPlaces(action, knowledge, known);
  for (const declared of action.outputs) {
    const output = outputOf(known, declared.name);
    if (output === undefined || isStored(output, knowledge.store)) continue;
    if (storeFromPlace(output, declared, knowledge.files, knowledge.store)) continue;
    return decided({
      kind: "run",
      reason: { kind: "output-missing", output: declared.place ?? declared.name },
    });
  }
  const placeReason: Reason | undefined =
    misplaced?.place === undefined || record?.result.key !== known.key
      ? undefined
      : {
          kind: placeHolds(misplaced.place, knowledge) ? "output-changed" : "output-missing",
          output: misplaced.place,
        };
  return decided({ kind: "cached", result: known, reason: placeReason ?? reason });
}

/** A result for this key whose discovered inputs have not changed. */
function knownResult(
  action: Action,
  base: Digest,
  last: ActionResult | undefined,
  knowledge: Knowledge,
  awaited: Awaited,
): ActionResult | undefined {
  const { files, log } = knowledge;
  if (last?.base === base && isBelieved(last, action, knowledge))
    if (changedDiscovery(last, files, awaited) === undefined) return last;
  for (const result of log.candidates(base, action))
    if (isBelieved(result, action, knowledge) && holds(result, files, awaited)) return result;
  return undefined;
}

/** Whether a result's discovered inputs are unchanged. False also when that is not known yet. */
export function stillHolds(result: ActionResult, files: FileTable, awaited: Awaited): boolean {
  try {
    return holds(result, files, awaited);
  } catch (error) {
    if (error instanceof MustWait) return false;
    throw error;
  }
}

/** Like `stillHolds`; a file that cannot be read counts as changed, as results may come from anywhere. */
function holds(result: ActionResult, files: FileTable, awaited: Awaited): boolean {
  try {
    return changedDiscovery(result, files, awaited) === undefined;
  } catch (error) {
    if (error instanceof EngineError || errnoOf(error) !== undefined) return false;
    throw error;
  }
}

/** The first discovered input that changed. */
function changedDiscovery(result: ActionResult, files: FileTable, awaited: Awaited): Reason | undefined {
  const await_ = (path: string): void => {
    const producer = awaited(path);
    if (producer !== undefined) throw new MustWait(producer);
  };
  for (const [input, before] of result.discovered?.files ?? []) {
    await_(input);
    const state = files.look(input);
    if (state.kind === "absent") return { kind: "input-removed", input };
    if (state.digest !== before) return { kind: "input-changed", input, before, after: state.digest };
  }
  for (const input of result.discovered?.missing ?? []) {
    await_(input);
    if (files.look(input).kind !== "absent") return { kind: "input-added", input };
  }
  return undefined;
}

function changeSince(
  record: ActionRecord | undefined,
  parts: KeyParts,
  { files }: Knowledge,
  awaited: Awaited,
): Reason {
  if (record === undefined) return { kind: "never-built" };
  return (
    firstDifference(record.parts, parts) ??
    changedDiscovery(record.result, files, awaited) ?? { kind: "never-built" }
  );
}

function isNamedStored(result: ActionResult, name: string, { store }: Knowledge): boolean {
  const output = outputOf(result, name);
  return output === undefined || isStored(output, store);
}

function placeHolds(place: string, { files }: Knowledge): boolean {
  try {
    return files.look(place).kind !== "absent";
  } catch {
    return true;
  }
}

/** `known`: the outputs; a place that already has the right bytes is not in the way. */
function checkPlaces(action: Action, knowledge: Knowledge, known?: ActionResult): void {
  const { state, files } = knowledge;
  for (const declared of action.outputs) {
    const { name, place } = declared;
    if (place === undefined) continue;
    const output = known && outputOf(known, name);
    const isSame = () => output !== undefined && isPlaced(output, declared, files);
    checkPlace(
      { ...declared, place },
      (path) => isOwned(action, path, state),
      files,
      () => isSame() || mayReplace(place, knowledge),
    );
  }
}

/** Whether the content of a place belongs to arc, as far as that is known without a record, and exists in the store. */
function mayReplace(place: string, { state, files, store, outputFolder }: Knowledge): boolean {
  const isOurs =
    isInside(place, outputFolder) ||
    state.claims.has(place) ||
    state.owns(place) ||
    state.formerPlaces().has(place);
  return isOurs && isCopied(place, files, store);
}

/** Places of outputs that hold something arc did not write and must not replace. */
export function placesInTheWay(actions: Iterable<Action>, knowledge: Knowledge): string[] {
  const { state, files } = knowledge;
  const places: string[] = [];
  for (const action of actions) {
    for (const { place } of action.outputs) {
      if (place === undefined || isOwned(action, place, state) || !files.isThere(place)) continue;
      if (!mayReplace(place, knowledge)) places.push(place);
    }
  }
  return places;
}

/** Looks at the action's own record first: gathering the places of all actions is slow. */
function isOwned(action: Action, place: string, state: State): boolean {
  return state.action(action.address)?.places?.includes(place) === true || state.owns(place);
}
