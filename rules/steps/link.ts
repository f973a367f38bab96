/** Links objects and libraries to a program. Runs in the project, and discovers the libraries that it used. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type {
  Action,
  ActionInput,
  Address,
  Step,
  StepContext,
  StepResult,
} from "../../core/build/model/action.ts";
import { codeDigest } from "../inputs/code-digest.ts";
import { optionsOf } from "../inputs/options.ts";
import type { Compiler } from "../tools/compiler.ts";

interface LinkRequest {
  readonly address: Address;
  /** Absent for actions that are not worth mentioning. */
  readonly title?: string;
  /** In linking order: archives after what needs them. */
  readonly objects: readonly ActionInput[];
  readonly compiler: Compiler;
  /** Before the objects: from `splitOptions(cflags).link`. */
  readonly options: readonly string[];
  /** After the objects: `-L`, `-l` and the rest. */
  readonly libraries: readonly string[];
  /** Name of the program in the action. */
  readonly program: string;
  /** Where it is placed for the user. */
  readonly place?: string;
}

export function linkAction(request: LinkRequest): Action {
  const { address, title, objects, compiler, options, libraries, program, place } = request;
  const own: Options = {
    argv: compiler.argv,
    options,
    libraries,
    program,
    objects: objects.map((input) => input.name),
  };
  return {
    address,
    step: linkStep.name,
    ...(title === undefined ? {} : { title }),
    options: stepOptions.write(own),
    tools: [compiler.identity],
    inputs: objects,
    outputs: [{ name: program, kind: "file", executable: true, ...(place === undefined ? {} : { place }) }],
  };
}

export const linkStep: Step = {
  name: "link",
  digest: codeDigest("link"),
  run,
  typicalSeconds: 0.1,
  opensWhatItResolves: true,
};

interface Options {
  readonly argv: readonly string[];
  readonly options: readonly string[];
  readonly libraries: readonly string[];
  readonly program: string;
  readonly objects: readonly string[];
}

const stepOptions = optionsOf<Options>();

async function run(context: StepContext): Promise<StepResult> {
  const { argv, options, libraries, program, objects } = stepOptions.read(context.action);
  const files = objects.map((name) => context.input(name));
  const { code, stdout, stderr } = await context.spawn({
    argv: [...argv, ...options, "-Wl,--trace", ...files, ...libraries, "-o", context.output(program)],
    inProject: true,
  });
  const messages = stderr.toString("utf8");
  context.log(messages);
  if (code !== 0)
    return { ok: false, fact: false, message: linkProblem(messages) ?? `linking exited with ${code}` };
  for (const file of tracedFiles(stdout.toString("utf8"))) {
    // Temporary files of the compiler no longer exist.
    if (!files.includes(file) && existsSync(resolve(context.root, file))) context.discover(file);
  }
  return { ok: true };
}

/** Parses `--trace`: one file per line; an archive member as `archive(member)` or `(archive)member`. */
function tracedFiles(trace: string): readonly string[] {
  const files = trace
    .split("\n")
    .map((line) => /^\(([^)]+)\)/.exec(line)?.[1] ?? line.replace(/\([^)]*\)$/, ""));
  return [...new Set(files.filter((file) => file !== ""))];
}

/** The linker's first error, without the paths of temporary files. */
function linkProblem(messages: string): string | undefined {
  const [, symbol] = /undefined reference to [`'"]?([^'"`]+)['"`]/.exec(messages) ?? [];
  if (symbol !== undefined) return `\`${symbol}\` is used, but defined nowhere`;
  const [, library] = /cannot find (-l\S+)/.exec(messages) ?? [];
  if (library !== undefined) return `there is no library for ${library}`;
  const [, twice] = /multiple definition of [`'"]?([^'"`]+)['"`]/.exec(messages) ?? [];
  return twice === undefined ? undefined : `\`${twice}\` is defined twice`;
}
