/**
 * Action keys and reasons to run, from one walk: `partsOf` lists everything that decides an action's outputs. The key
 * is the digest of that list; the reason to run is the first difference from the list of the last run.
 */
import type { Action, Address, Command, Digest, Step } from "../model/action.ts";
import type { Reason } from "../model/event.ts";
import { digestOf } from "./digest.ts";
import type { Discovered } from "./result.ts";

/** An input as the key sees it. */
export interface KeyedInput {
  readonly name: string;
  /** `file`, `exec` (a file with its executable bit), `folder`, or `absent` (an optional output left out). */
  readonly kind: "file" | "exec" | "folder" | "absent";
  /** Digest of the bytes; for outputs of a step that is not deterministic, digest of the action that made them. */
  readonly digest: Digest | "";
  readonly by?: Address;
}

/**
 * Everything that decides an action's outputs, in the order in which differences are reported. Address, places,
 * resources and paths of tools are not part of it.
 */
export interface KeyParts {
  /** What the step does. */
  readonly step: string;
  readonly stepDigest: Digest;
  /** Which tools do it: a new version may give other bytes. */
  readonly tools: readonly (readonly [name: string, version: string, digest: Digest])[];
  /** How it is done: options and command line. */
  readonly options: Digest;
  /** The declared environment, and the project's. All other variables are fixed or were declared not to matter. */
  readonly environment: Digest;
  /** The declared outputs: with one more or one less the result is a different one. */
  readonly outputs: Digest;
  /** Sorted by name. */
  readonly inputs: readonly KeyedInput[];
}

const NONE: NonNullable<Command["env"]> = {};

/** By object identity, as similar commands share their environment object. */
const environments = new WeakMap<NonNullable<Command["env"]>, Digest>();

function digestOfEnvironment(env: NonNullable<Command["env"]>): Digest {
  let digest = environments.get(env);
  if (digest === undefined) {
    digest = digestOf(env);
    environments.set(env, digest);
  }
  return digest;
}

function digestOfEnvironments(env: NonNullable<Command["env"]>, variables: Command["env"]): Digest {
  const own = digestOfEnvironment(env);
  return variables === undefined ? own : digestOf([own, digestOfEnvironment(variables)]);
}

/** Sorts by name, as the order of declaration means nothing. */
function byName<T extends { readonly name: string }>(named: readonly T[]): readonly T[] {
  if (named.length < 2) return named;
  return [...named].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** `variables` are those that all processes of the project get. */
export function partsOf(
  action: Action,
  step: Step,
  inputs: readonly KeyedInput[],
  variables?: Command["env"],
): KeyParts {
  const { command } = action;
  return {
    step: action.step,
    stepDigest: step.digest,
    tools: byName(action.tools ?? []).map((tool) => [tool.name, tool.version, tool.digest] as const),
    options: digestOf([
      action.options ?? null,
      command === undefined
        ? null
        : [command.argv, command.stdout ?? null, command.ok ?? [0], command.inProject ?? false],
    ]),
    environment: digestOfEnvironments(command?.env ?? NONE, variables),
    outputs: digestOf(
      byName(action.outputs).map((output) => [
        output.name,
        output.kind,
        output.executable ?? false,
        output.optional ?? false,
      ]),
    ),
    inputs,
  };
}

/** Versions of tools are for people; their digests decide. Which action made an input does not matter either. */
export function baseKey(parts: KeyParts): Digest {
  return digestOf([
    parts.step,
    parts.stepDigest,
    parts.tools.map(([name, , digest]) => [name, digest]),
    parts.options,
    parts.environment,
    parts.outputs,
    parts.inputs.map((input) => [input.name, input.kind, input.digest]),
  ]);
}

/** Identifies a result by what was declared and what was discovered. */
export function resultKey(base: Digest, discovered: Discovered | undefined): Digest {
  if (discovered === undefined) return base;
  return digestOf([base, discovered.files, discovered.missing]);
}

/** What consumers of a step that is not deterministic see instead of its bytes. */
export function digestByKey(key: Digest, output: string): Digest {
  return digestOf(["output of", key, output]);
}

/** The first difference between last time and now; undefined if there is none. */
export function firstDifference(before: KeyParts, after: KeyParts): Reason | undefined {
  if (before.step !== after.step || before.stepDigest !== after.stepDigest) {
    return { kind: "step-changed", detail: after.step };
  }
  return (
    toolDifference(before, after) ??
    inputDifference(before.inputs, after.inputs) ??
    (before.options !== after.options || before.outputs !== after.outputs
      ? { kind: "options-changed" }
      : before.environment !== after.environment
        ? { kind: "environment-changed" }
        : undefined)
  );
}

function toolDifference(before: KeyParts, after: KeyParts): Reason | undefined {
  const old = new Map(before.tools.map((tool) => [tool[0], tool]));
  for (const [name, version, digest] of after.tools) {
    const was = old.get(name);
    if (was?.[2] !== digest) {
      return {
        kind: "tool-changed",
        tool: name,
        after: version,
        ...(was === undefined ? {} : { before: was[1] }),
      };
    }
    old.delete(name);
  }
  for (const [name, version] of old.values()) return { kind: "tool-changed", tool: name, before: version };
  return undefined;
}

function inputDifference(before: readonly KeyedInput[], after: readonly KeyedInput[]): Reason | undefined {
  // Both are sorted, so that no map is needed up to the first input that was added or removed.
  let same = 0;
  for (; same < before.length && before[same]?.name === after[same]?.name; same += 1) {
    const [was, input] = [before[same] as KeyedInput, after[same] as KeyedInput];
    if (was.digest !== input.digest || was.kind !== input.kind) return changedInput(was, input);
  }
  const old = new Map(before.slice(same).map((input) => [input.name, input]));
  for (const input of after.slice(same)) {
    const was = old.get(input.name);
    if (was === undefined) return { kind: "input-added", input: input.name };
    if (was.digest !== input.digest || was.kind !== input.kind) return changedInput(was, input);
    old.delete(input.name);
  }
  for (const name of old.keys()) return { kind: "input-removed", input: name };
  return undefined;
}

function changedInput(was: KeyedInput, input: KeyedInput): Reason {
  return {
    kind: "input-changed",
    input: input.name,
    ...(was.digest === "" ? {} : { before: was.digest }),
    ...(input.digest === "" ? {} : { after: input.digest }),
    ...(input.by === undefined ? {} : { by: input.by }),
  };
}
