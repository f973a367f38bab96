/** Compiles preprocessed C to an object file. */

import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../core/build/model/action.ts";
import { itemAt } from "../../core/checked/access.ts";
import type { Diagnostic } from "../../schema/document/diagnostic.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import { optionsOf } from "../inputs/options.ts";
import type { SourceInput } from "../inputs/source-inputs.ts";
import { assembledFiles, assemblerFolders, type DirectiveLocation } from "../tools/assembled-files.ts";
import type { Compiler } from "../tools/compiler.ts";
import { keepUnit, sectionOf } from "../tools/kept-units.ts";
import { toolResult } from "../tools/tool-result.ts";

interface CompileRequest {
  readonly address: Address;
  readonly title: string;
  /** Preprocessed text; its name in the action must end in `.i`. */
  readonly unit: ActionInput;
  readonly compiler: Compiler;
  /** From `splitOptions(...).compile`. */
  readonly options: readonly string[];
  /** The source's preprocessed text, stored in the object for the link. */
  readonly text?: SourceInput;
}

export const object = "unit.o";

export function compileAction({ address, title, unit, compiler, options, text }: CompileRequest): Action {
  return {
    address,
    step: compileStep.name,
    title,
    options: stepOptions.write({
      argv: compiler.argv,
      options,
      unit: unit.name,
      ...(text === undefined ? {} : { text: text.file }),
    }),
    tools: [compiler.identity],
    inputs: [unit, ...(text === undefined ? [] : [{ name: keptText, from: text.from }])],
    outputs: [{ name: object, kind: "file" }],
  };
}

export const compileStep: Step = {
  name: "compile",
  digest: codeDigest("compile"),
  run,
  typicalSeconds: 0.2,
  opensWhatItResolves: true,
};

/** Name of the source's text in the action. */
const keptText = "source.i";

interface Options {
  readonly argv: readonly string[];
  readonly options: readonly string[];
  readonly unit: string;
  /** The file whose text is stored. */
  readonly text?: string;
}

const stepOptions = optionsOf<Options>();

async function run(context: StepContext): Promise<StepResult> {
  const { argv, options, unit, text } = stepOptions.read(context.action);
  const { names, unclear } = assembledFiles((await context.readInput(unit)).toString("utf8"));
  if (unclear !== undefined) return refused(unclear);
  const folders = names.length === 0 ? [] : ["", ...assemblerFolders(options)];
  for (const name of names) discoverIn(context, folders, name);
  const compiled = text === undefined ? unit : await withText(context, unit, text);
  // Link-time optimisation would postpone the assembly that stores the text, or reads files, until the link.
  const assemblesNow = text !== undefined || names.length > 0;
  const now = assemblesNow && options.some((option) => option.startsWith("-flto")) ? ["-fno-lto"] : [];
  // The assembler searches the folders that it would search if it ran in the project.
  const looks = folders.flatMap((folder) =>
    ["-I", resolve(context.root, folder)].flatMap((word) => ["-Xassembler", word]),
  );
  // The sandbox's path must not appear in debug information.
  const here = `-fdebug-prefix-map=${dirname(context.output(object))}=.`;
  const { code, stderr } = await context.spawn({
    argv: [...argv, ...options, ...now, ...looks, here, "-c", ...asC, compiled, "-o", object],
  });
  const messages = stderr.toString("utf8");
  return toolResult(context, {
    code: "c-compiler",
    name: "the C compiler",
    exitCode: code,
    messages,
    fact: true,
  });
}

/** Forces C, as some compilers take `.i` for another language: `CC=g++` for C++. */
const asC = ["-x", "cpp-output"];

/** Adds the source's text to a unit as a section of its object; returns the new unit's file name. */
async function withText(context: StepContext, unit: string, file: string): Promise<string> {
  const text = await context.readInput(keptText);
  const folder = dirname(context.output(object));
  writeFileSync(join(folder, "kept"), keepUnit({ file, text: text.toString("utf8") }));
  const code = await context.readInput(unit);
  const carrying = "carrying.i";
  writeFileSync(join(folder, carrying), Buffer.concat([code, Buffer.from(`\n${sectionOf("kept")}\n`)]));
  return carrying;
}

/** Discovers a file in the first of some folders that has it, and its absence in the folders before. */
function discoverIn(context: StepContext, folders: readonly string[], name: string): void {
  const paths = folders.map((folder) => join(folder, name));
  const found = paths.findIndex((path) => existsSync(resolve(context.root, path)));
  for (const path of found < 0 ? paths : paths.slice(0, found)) context.discoverMissing(path);
  if (found >= 0) context.discover(itemAt(paths, found));
}

function refused({ directive, ...loc }: DirectiveLocation): StepResult {
  const diagnostic: Diagnostic = {
    severity: "error",
    code: "assembled-file",
    message: `which file \`.${directive}\` reads is known to the assembler alone`,
    loc,
    why: "a change of a file that arc does not know of would not be compiled",
    remedy: `name the file in the string: \`.${directive} "data.bin"\`, without parameters of assembler macros`,
  };
  return {
    ok: false,
    fact: true,
    message: "an asm statement reads an unknown file",
    diagnostics: [diagnostic],
  };
}
