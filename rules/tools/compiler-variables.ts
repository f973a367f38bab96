/**
 * Variables that compilers and other tools read, as modules of clusters set them. Actions have none of them but those that
 * are named in arc.yaml, as their keys do not: calls of `arc cc` get them as options or in their keys, and a build names
 * them.
 */
import { delimiter } from "node:path";
import type { GivenNames } from "../../core/build/model/variables.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The time that outputs name as theirs, by a convention of reproducible builds: preprocessors (`__DATE__`) and the
 * project's own actions have it without being asked for, and it is part of their keys.
 */
export const BUILD_TIME = "SOURCE_DATE_EPOCH";

/** Folders that compilers search, and what says the same to them. */
const FOLDERS = [
  ["CPATH", "-I", "name its folders by `include` in arc.yaml where the project needs them"],
  ["C_INCLUDE_PATH", "-isystem", "name its folders by `include` in arc.yaml where the project needs them"],
  ["LIBRARY_PATH", "-L", "name its folders by -L in `ldflags` where the project needs them"],
] as const;

const NAMED = "name it in `env-from` of arc.yaml if it is meant for this project";

/** What decides what tools write. */
const DECISIVE = [
  "COMPILER_PATH",
  "GCC_EXEC_PREFIX",
  "LD_RUN_PATH",
  "NVCC_PREPEND_FLAGS",
  "NVCC_APPEND_FLAGS",
];

/** Where tools find licences: these decide no result. */
const LICENCES = ["LM_LICENSE_FILE", "XILINXD_LICENSE_FILE", "INTEL_LICENSE_FILE"];

/** Kinds of targets whose tools ask for licences. */
const LICENSED: readonly string[] = ["vitis", "intel-fpga"];

/** What the variables of folders mean, to be appended: their folders are searched behind those that options name. */
export const variableOptions = (environment: Environment): readonly string[] =>
  FOLDERS.flatMap(([name, option]) =>
    // An empty name is the current folder.
    foldersOf(environment[name]).flatMap((folder) => [option, folder === "" ? "." : folder]),
  );

/** What processes get where no arc.yaml says it. */
export const withoutProject: GivenNames = { keyed: [...DECISIVE, "LD_LIBRARY_PATH"], passed: LICENCES };

/** Messages about variables that are set and that a build of a project, of these kinds, does not follow. */
export function unfollowedVariables(
  variableOf: (name: string) => string | undefined,
  { keyed = [], passed = [] }: GivenNames,
  kinds: readonly string[],
): readonly string[] {
  if (kinds.length === 0) return [];
  const licence = "name it in `pass-env` of arc.yaml, as it decides no result";
  const rows = [
    ...FOLDERS.map(([name, , remedy]) => [name, remedy] as const),
    ...DECISIVE.map((name) => [name, NAMED] as const),
    ...LICENCES.filter(() => kinds.some((kind) => LICENSED.includes(kind))).map(
      (name) => [name, licence] as const,
    ),
  ];
  return rows.flatMap(([name, remedy]) =>
    (variableOf(name) ?? "") === "" || keyed.includes(name) || passed.includes(name)
      ? []
      : `${name} is set, and tools that arc starts do not see it: ${remedy}`,
  );
}

const foldersOf = (value: string | undefined): readonly string[] =>
  value === undefined || value === "" ? [] : value.split(delimiter);
