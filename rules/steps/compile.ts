/** Preprocessed C to an object file. */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Action, ActionInput, Address, Step, StepContext, StepResult } from "../../core/build/action.ts";
import { codeDigest } from "../code-digest.ts";
import type { Compiler } from "../compiler.ts";
import { keepUnit, sectionOf } from "../kept-units.ts";
import type { SourceInput } from "../source-inputs.ts";
import { toolResult } from "../tool-result.ts";

export interface CompileRequest {
  readonly address: Address;
  readonly title: string;
  /** Preprocessed text; its name in the action must end in `.i`. */
  readonly unit: ActionInput;
  readonly compiler: Compiler;
  /** Of `splitOptions(...).compile`. */
  readonly options: readonly string[];
  /** The source's preprocessed text, to be kept in the object for the link. */
  readonly text?: SourceInput;
}

export const object = "unit.o";

export function compileAction({ address, title, unit, compiler, options, text }: CompileRequest): Action {
  return {
    address,
    step: compileStep.name,
    title,
    options: {
      argv: compiler.argv,
      options,
      unit: unit.name,
      ...(text === undefined ? {} : { text: text.file }),
    },
    tools: [compiler.identity],
    inputs: [unit, ...(text === undefined ? [] : [{ name: keptText, from: text.from }])],
    outputs: [{ name: object, kind: "file" }],
  };
}

export const compileStep: Step = { name: "compile", digest: codeDigest("compile"), run, typicalSeconds: 0.2 };

/** Name of the source's text in the action. */
const keptText = "source.i";

interface Options {
  readonly argv: readonly string[];
  readonly options: readonly string[];
  readonly unit: string;
  /** The file whose text is kept. */
  readonly text?: string;
}

async function run(context: StepContext): Promise<StepResult> {
  const { argv, options, unit, text } = context.action.options as unknown as Options;
  context.input(unit);
  const compiled = text === undefined ? unit : await withText(context, unit, text);
  // Link-time optimisation would put off the assembly that holds the text until the link.
  const now = text !== undefined && options.some((option) => option.startsWith("-flto")) ? ["-fno-lto"] : [];
  // Where this happens to run must not stand in debug information.
  const here = `-fdebug-prefix-map=${dirname(context.output(object))}=.`;
  const { code, stderr } = await context.spawn({
    argv: [...argv, ...options, ...now, here, "-c", ...asC, compiled, "-o", object],
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

/** Whatever the compiler makes of `.i` by itself: `CC=g++` takes it for C++. */
const asC = ["-x", "cpp-output"];

/** A unit that brings the source's text along in a section of its object; gives its file name. */
async function withText(context: StepContext, unit: string, file: string): Promise<string> {
  const text = await context.readInput(keptText);
  const folder = dirname(context.output(object));
  writeFileSync(join(folder, "kept"), keepUnit({ file, text: text.toString("utf8") }));
  const code = await context.readInput(unit);
  const carrying = "carrying.i";
  writeFileSync(join(folder, carrying), Buffer.concat([code, Buffer.from(`\n${sectionOf("kept")}\n`)]));
  return carrying;
}
