/**
 * Reads sources up to their directives, independent of any target. A source is translated for the host, for every
 * target, and as another source's partner: it is read once for all of them. The result is never changed (every pass
 * makes new trees), so it can be shared.
 */
import { createHash } from "node:crypto";
import { APART, dialectOf } from "../../ir/model/c-dialect.ts";
import { forbidsContraction } from "../../ir/model/contraction.ts";
import { honoursHostThreads } from "../../ir/model/host-threads.ts";
import type { Program } from "../../ir/model/program.ts";
import { noteMachine } from "../../ir/omp/selectors/machine.ts";
import { readNests } from "../../ir/openarc/nests.ts";
import { readOpenarc } from "../../ir/openarc/read.ts";
import { withMovedStatics } from "../../ir/read/moved-statics.ts";
import { readDirectives } from "../../ir/read/read.ts";
import { parseProgram } from "../../ir/text/parse.ts";
import { verify } from "../../ir/verify/verify.ts";
import { type Parsed, parse } from "../../lang/index.ts";
import type { Diagnostic } from "../../lang/tree/ast.ts";
import { parseSoon } from "./head-starts.ts";

/** A source after `cc -E -dD`. */
export interface Preprocessed {
  /** Name as the user knows it and as in the text's line markers. */
  readonly file: string;
  readonly text: string;
}

interface ReadSource {
  readonly parsed: Parsed;
  /** Includes the diagnostics from reading it. */
  readonly program: Program;
}

/** How many characters of text keep their trees; trees take about thirty times as much memory. */
let most = 2_000_000;

/** From now on trees are kept of so many characters: each tree that is kept is copied by garbage collections. */
export function keepTreesOf(characters: number): void {
  most = characters;
}

interface Kept extends Preprocessed {
  readonly read: ReadSource;
}

/**
 * Least recently used first; the newest are compared first. Texts are compared one by one, as versions of one source
 * differ only late; a hash table would need a digest for each lookup.
 */
let recent: readonly Kept[] = [];

export function readSource({ file, text }: Preprocessed): ReadSource {
  const known = recent.findLast((one) => one.file === file && one.text === text);
  const last = known ?? { file, text, read: readAnew(file, text) };
  const used = [...recent.filter((one) => one !== known), last];
  let length = used.reduce((sum, one) => sum + one.text.length, 0);
  recent = used.filter((one) => {
    const goes = length > most && one !== last;
    if (goes) length -= one.text.length;
    return !goes;
  });
  return last.read;
}

/** A file with the IR as text, as printed by `arc translate --to ir`. */
export const isIr = (file: string): boolean => file.endsWith(".upir");

function readAnew(file: string, text: string): ReadSource {
  if (isIr(file)) return readIr(file, text);
  const parsed = parseSoon(text, file);
  noteMachine(parsed.unit.scope, text);
  const program = withMovedStatics(
    readNests(readOpenarc(readDirectives(parsed.unit, honoursHostThreads(text)))),
  );
  const diagnostics = [...parsed.diagnostics, ...program.diagnostics];
  const found = hasErrors(diagnostics) ? [] : verify(program);
  const dialect = dialectOf(text);
  const apart = forbidsContraction(text) || dialect.some((option) => APART.test(option));
  return {
    parsed,
    program: {
      ...program,
      identity: digestOf(text),
      diagnostics: [...diagnostics, ...found],
      ...(apart && { apart }),
      ...(dialect.length > 0 && { dialect }),
    },
  };
}

function readIr(file: string, text: string): ReadSource {
  const program = parseProgram(text, file);
  const { diagnostics } = program;
  const found = hasErrors(diagnostics) ? [] : verify(program);
  return {
    // Host code of the IR is printed as a whole: its text is not edited.
    parsed: parse(text, { file, expandPragmas: ["upir"] }),
    program: { ...program, identity: digestOf(text), diagnostics: [...diagnostics, ...found] },
  };
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some((diagnostic) => diagnostic.severity === "error");
