/**
 * The environment of an action's processes, made once for all commands that declare the same and run in the same
 * sandbox.
 */
import type { Command } from "../model/action.ts";
import { type Environment, FIXED, type Variables, valuesOf } from "../model/variables.ts";

interface Known {
  readonly from: Environment;
  readonly passEnv: Command["passEnv"];
  /** By folder for temporary files. */
  readonly sandboxes: Map<string, Variables>;
}

const NONE: Variables = {};

/** By identity of the object that a command declares: similar commands share it. */
const known = new WeakMap<Variables, Known>();

/** `from` supplies PATH, HOME and passed variables; `given` are those that all processes of the project get. */
export function environmentOf(
  { env = NONE, passEnv }: Command,
  from: Environment,
  given: Variables,
  temporary: string,
): Variables {
  let alike = known.get(env);
  if (alike?.from !== from || alike.passEnv !== passEnv) {
    alike = { from, passEnv, sandboxes: new Map() };
    known.set(env, alike);
  }
  let variables = alike.sandboxes.get(temporary);
  if (variables === undefined) {
    const passed = valuesOf(from, ["PATH", "HOME", ...(passEnv ?? [])]);
    variables = { ...passed, TMPDIR: temporary, ...FIXED, ...given, ...env };
    alike.sandboxes.set(temporary, variables);
  }
  return variables;
}
