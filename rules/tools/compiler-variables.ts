/**
 * Variables by which C compilers find headers and libraries, as modules of clusters set them. Actions have none of them, as
 * their keys do not: calls of `arc cc` get them as options, and a build names them.
 */
import { delimiter } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLES = [
  ["CPATH", "-I", "`include` in arc.yaml"],
  ["C_INCLUDE_PATH", "-isystem", "`include` in arc.yaml"],
  ["LIBRARY_PATH", "-L", "-L in `ldflags`"],
] as const;

/** What the variables mean, to be appended: their folders are searched behind those that options name. */
export const variableOptions = (environment: Environment): readonly string[] =>
  VARIABLES.flatMap(([name, option]) =>
    // An empty name is the current folder.
    foldersOf(environment[name]).flatMap((folder) => [option, folder === "" ? "." : folder]),
  );

/** Messages about those that are set and that a build of a project does not follow. */
export const unfollowedVariables = (environment: Environment): readonly string[] =>
  VARIABLES.filter(([name]) => foldersOf(environment[name]).length > 0).map(
    ([name, , remedy]) =>
      `${name} is set, and compilers that arc starts do not see it: name its folders by ${remedy} where the project needs them`,
  );

const foldersOf = (value: string | undefined): readonly string[] =>
  value === undefined || value === "" ? [] : value.split(delimiter);
