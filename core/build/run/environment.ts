/**
 * The environment of an action's processes, made once for all commands that declare the same and run in the same
 * sandbox.
 */
import type { Command } from "../model/action.ts";

type Variables = Readonly<Record<string, string>>;

interface Known {
  readonly from: Readonly<Record<string, string | undefined>>;
  readonly passEnv: Command["passEnv"];
  /** By folder for temporary files. */
  readonly sandboxes: Map<string, Variables>;
}

const NONE: Variables = {};

/** By identity of the object that a command declares: similar commands share it. */
const known = new WeakMap<Variables, Known>();

/** `from` supplies PATH, HOME and passed variables. */
export function environmentOf(
  { env = NONE, passEnv }: Command,
  from: Readonly<Record<string, string | undefined>>,
  temporary: string,
): Variables {
  let alike = known.get(env);
  if (alike?.from !== from || alike.passEnv !== passEnv) {
    alike = { from, passEnv, sandboxes: new Map() };
    known.set(env, alike);
  }
  let variables = alike.sandboxes.get(temporary);
  if (variables === undefined) {
    const passed = ["PATH", "HOME", ...(passEnv ?? [])].flatMap((name) => {
      const value = from[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    variables = { ...Object.fromEntries(passed), TMPDIR: temporary, LANG: "C", ...env };
    alike.sandboxes.set(temporary, variables);
  }
  return variables;
}
