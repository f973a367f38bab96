/** Identity of a tool, independent of where it lies: the digest of its version output and its executable. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, isAbsolute, resolve } from "node:path";
import { bootIdentity } from "../files/boot.ts";
import { digestBytes, digestOf, hashFile } from "../key/digest.ts";
import type { ToolIdentity } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import { type FileStamp, sameStamp, stampOf, takeStamp } from "../model/stat-signature.ts";
import { type Environment, FIXED, type Variables, valuesOf } from "../model/variables.ts";
import type { StampedFile, ToolAnswers } from "../store/tool-answers.ts";
import type { State } from "./state.ts";

const require = createRequire(import.meta.url);

export interface ToolRequest {
  /** A name on PATH, or an absolute path. */
  readonly program: string;
  /** Arguments that print the version; absent: the executable's bytes alone identify the tool. */
  readonly versionArgs?: readonly string[];
  /** Executables started by the driver (`cc1`), by absolute path. */
  readonly backEnds?: readonly string[];
  /** Its name in keys and messages; default: the program's base name. */
  readonly name?: string;
}

/** Absolute path of a program, or undefined; `onLook` is called with every path where it could be. */
export function findProgram(
  program: string,
  path: string | undefined,
  onLook: (path: string) => void = () => undefined,
): string | undefined {
  const candidates = isAbsolute(program)
    ? [program]
    : (path ?? "").split(delimiter).map((folder) => resolve(folder, program));
  return candidates.find((candidate) => {
    onLook(candidate);
    try {
      // Most folders of PATH lack it, and an error takes longer than the look.
      if (!statSync(candidate, { throwIfNoEntry: false })?.isFile()) return false;
      accessSync(candidate, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Where answers are kept while the files' stamps stay: for the project, and for all that use the store. */
interface ToolMemory {
  readonly state: State;
  readonly answers: ToolAnswers;
}

/**
 * Throws `tool-not-found` or `tool-failed`. `onLook` is called with every path that the answer depends on; `by` is the
 * prefix of a command that runs others.
 */
export function identifyTool(
  request: ToolRequest,
  asked: Asked,
  { state, answers }: ToolMemory,
  onLook: (path: string) => void,
  by: readonly string[] = [],
): ToolIdentity {
  const path = findProgram(request.program, asked.environment.PATH, onLook);
  if (path === undefined) {
    throw new EngineError(
      "tool-not-found",
      `${request.program} is not installed`,
      `install it, or put its folder on PATH`,
    );
  }
  for (const backEnd of request.backEnds ?? []) onLook(backEnd);
  const question = [
    path,
    request.versionArgs === undefined ? null : [...request.versionArgs],
    [...(request.backEnds ?? [])],
    request.name ?? null,
    ...partOfQuestion(asked.given),
  ];
  const cacheKey = digestOf(question);
  const record = state.tool(cacheKey);
  const boot = bootIdentity();
  const isCurrent =
    record?.boot === boot &&
    record.files.every(([file, stamp]) => {
      const now = takeStamp(file);
      return now !== undefined && sameStamp(stamp, now);
    });
  if (isCurrent) return record.identity;
  const known = answers.findIdentity(["identity", ...question]);
  if (known !== undefined) return known;
  const askedAt = Date.now();
  const named = [path, ...(request.backEnds ?? [])];
  // By the paths asked for, as a link among them may be changed.
  const stamps = named.map((file) => [file, stampOf(statSync(file))] as const);
  const files = [...new Set(named.map((file) => realpathSync(file)))];
  const version =
    request.versionArgs === undefined ? "" : versionOutput([...by, path, ...request.versionArgs], asked);
  const identity: ToolIdentity = {
    name: request.name ?? request.program.slice(request.program.lastIndexOf("/") + 1),
    digest: digestOf([digestBytes(version), ...files.map((file) => hashFile(file).digest)]),
    version: versionLine(version),
  };
  state.setTool(cacheKey, { boot, identity, files: stamps });
  answers.keep(["identity", ...question], JSON.stringify(identity), stamps, askedAt);
  return identity;
}

/** What an action of the program gets of the environment: it finds its parts by no other variables. */
const seenByActions = ({ environment, given }: Asked) => ({
  ...valuesOf(environment, ["PATH", "HOME"]),
  ...FIXED,
  ...given,
});

/** Of whom tools are asked: an environment, and the variables that all processes of the project get. */
interface Asked {
  readonly environment: Environment;
  readonly given: Variables;
}

/** The part of a question that a project's variables are; questions without any are the same for all projects. */
const partOfQuestion = (given: Variables): readonly Variables[] =>
  Object.keys(given).length === 0 ? [] : [given];

/**
 * What a program (an absolute path) prints, without spaces around it; "" if it fails. The answer is kept for other calls
 * as long as the program stays, and the files and folders that `dependsOn` names for it; if it names none, not at all.
 */
export function askTool(
  argv: readonly [program: string, ...args: string[]],
  asked: Asked,
  answers: ToolAnswers,
  dependsOn: (answer: string) => readonly string[] | undefined,
): string {
  const { environment, given } = asked;
  const question = ["answer", [...argv], environment.PATH ?? null, ...partOfQuestion(given)];
  const known = answers.find(question);
  if (known !== undefined) return known;
  const askedAt = Date.now();
  const own = takeStamp(argv[0]);
  const here = digestOf([question, { ...own }]);
  const before = answers.ofThisProcess.get(here);
  if (before !== undefined) return before;
  // Loaded on demand: answers are known nearly always.
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const [program, ...args] = argv;
  const { stdout, status } = spawnSync(program, args, { encoding: "utf8", env: seenByActions(asked) });
  const answer = status === 0 ? stdout.trim() : "";
  answers.ofThisProcess.set(here, answer);
  const files = dependsOn(answer)?.map((file) => [file, takeStamp(file)] as const);
  const stamped = [[program, own] as const, ...(files ?? [])];
  if (files !== undefined && stamped.every(isStamped)) answers.keep(question, answer, stamped, askedAt);
  return answer;
}

const isStamped = (file: readonly [string, FileStamp | undefined]): file is StampedFile =>
  file[1] !== undefined;

/** The most useful line: the first with a version number, else the first that is not empty. */
function versionLine(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  return lines.find((line) => /\d+\.\d+/.test(line)) ?? lines.find((line) => line !== "") ?? "";
}

function versionOutput(argv: readonly string[], asked: Asked): string {
  // Loaded on demand: most builds know their tools already.
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const run = spawnSync(argv[0] as string, argv.slice(1), {
    encoding: "utf8",
    env: seenByActions(asked),
    timeout: 60_000,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (run.status === 0) return `${run.stdout}${run.stderr}`;
  throw new EngineError(
    "tool-failed",
    `${argv.join(" ")} failed: ${run.error?.message ?? (run.stderr.trim() || run.signal || `exit code ${run.status}`)}`,
    "repair the installation of the tool, or name variables that it needs in `pass-env` of arc.yaml",
  );
}
