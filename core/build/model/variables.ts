/** What processes of actions get of the environment: the same for all of a project, apart from what a command declares. */
import { delimiter, isAbsolute, resolve } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Variables = Readonly<Record<string, string>>;

/** The same for everybody, as keys do not have them: messages in English, times without a time zone. */
export const FIXED = { LANG: "C", TZ: "UTC" } as const;

/** The mask of permissions under which actions run: the modes of what they write can be part of its bytes (tar). */
export const ACTION_UMASK = 0o022;

/** Names of variables that all of a project's processes get. */
export interface GivenNames {
  /** Part of every key. */
  readonly keyed?: readonly string[];
  /** Of no key: what decides where a tool finds its licence, and not what it writes. */
  readonly passed?: readonly string[];
}

/** Those of the names that are set, with their values. */
export interface Given {
  /** Undefined: no key has any. */
  readonly keyed?: Variables;
  /** Both kinds. */
  readonly all: Variables;
  /** Some are in no key: what failed may succeed with other values of them. */
  readonly passes?: true;
}

export function givenOf(environment: Environment, { keyed = [], passed = [] }: GivenNames): Given {
  const known = valuesOf(environment, keyed);
  const others = valuesOf(environment, passed);
  return {
    all: { ...others, ...known },
    ...(Object.keys(known).length > 0 && { keyed: known }),
    ...(Object.keys(others).length > 0 && { passes: true }),
  };
}

/** The named variables as far as they are set. */
export function valuesOf(environment: Environment, names: readonly string[]): Variables {
  const set = names.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(set);
}

/** PATH as an action needs it, which runs in a folder of its own: an empty name is the current folder. */
export function withAbsolutePath(environment: Environment): Environment {
  const { PATH } = environment;
  if (PATH === undefined || PATH.split(delimiter).every(isAbsolute)) return environment;
  const folders = PATH.split(delimiter).map((folder) => resolve(folder));
  return { ...environment, PATH: folders.join(delimiter) };
}
