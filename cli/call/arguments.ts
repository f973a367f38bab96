/** Parses the command line into a command, its options and its arguments. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearest } from "../../schema/document/nearest.ts";
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { type CommandName, commands, findCommand, globalOptions } from "./commands.ts";
import { UsageError } from "./usage-error.ts";

export interface Arguments {
  readonly command: CommandName;
  /** By long name: the value, or true for a switch and for an option whose value is left out. */
  readonly options: Readonly<Record<string, string | true>>;
  /** All values of options that may be repeated, empty where one is left out; `options` has the last one. */
  readonly repeated?: Readonly<Record<string, readonly string[]>>;
  readonly positionals: readonly string[];
  /** The arguments after `--`; undefined if there is no `--`. */
  readonly rest?: readonly string[];
}

export function parseArguments(args: readonly string[]): Arguments {
  // `arc -C DIR build` means the same as `arc build -C DIR`.
  const at = commandIndex(args);
  const name = args[at] ?? "";
  const command = findCommand(name);
  if (command === undefined) throw unknownCommand(name);
  const others = [...args.slice(0, at), ...args.slice(at + 1)];
  if (command.verbatim) return { command: command.name as CommandName, options: {}, positionals: others };
  const end = others.indexOf("--");
  const own = end < 0 ? others : others.slice(0, end);
  const parsed = parseOwn(command, own);
  checkCount(command, parsed.positionals.length);
  return {
    command: command.name as CommandName,
    ...parsed,
    ...(end < 0 ? {} : { rest: others.slice(end + 1) }),
  };
}

/** The first argument that is neither a global option nor its value. */
function commandIndex(args: readonly string[]): number {
  let index = 0;
  for (let arg = args[index]; arg?.startsWith("-"); arg = args[index]) {
    const takesNext = globalOptions.some(
      (option) =>
        "value" in option &&
        (arg === `--${option.name}` || ("short" in option && arg === `-${option.short}`)),
    );
    index += takesNext ? 2 : 1;
  }
  return index;
}

function unknownCommand(name: string): UsageError {
  if (name === "") return new UsageError("no command is given", "`arc --help` lists the commands");
  const near = nearest(
    name,
    commands.map((command) => command.name),
  );
  const remedy = near === undefined ? "`arc --help` lists the commands" : `did you mean \`arc ${near}\`?`;
  return new UsageError(`there is no command \`${name}\``, remedy);
}

function parseOwn(
  command: CommandSpec,
  args: readonly string[],
): Pick<Arguments, "options" | "repeated" | "positionals"> {
  const specs: readonly OptionSpec[] = [...command.options, ...globalOptions];
  const config: NonNullable<ParseArgsConfig["options"]> = {};
  for (const { name, short, value } of specs) {
    config[name] = {
      type: value === undefined ? "boolean" : "string",
      ...(short === undefined ? {} : { short }),
    };
  }
  const { tokens } = parseArgs({
    args: withEmptyValues(args, specs),
    options: config,
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const options: Record<string, string | true> = {};
  const repeated: Record<string, readonly string[]> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const spec = specs.find((candidate) => candidate.name === token.name);
    if (spec === undefined) throw unknownOption(command, token.rawName, specs);
    const isEmpty = token.value === undefined || token.value === "";
    if (spec.value !== undefined && isEmpty && !spec.optional) {
      throw new UsageError(`${token.rawName} needs a value`, `write ${token.rawName} ${spec.value}`);
    }
    if (spec.value === undefined && token.value !== undefined) {
      throw new UsageError(`${token.rawName} takes no value`, `write ${token.rawName} alone`);
    }
    options[spec.name] = isEmpty ? true : token.value;
    if (spec.repeats && spec.value !== undefined)
      repeated[spec.name] = [...(repeated[spec.name] ?? []), token.value ?? ""];
  }
  return { options, positionals, ...(Object.keys(repeated).length > 0 && { repeated }) };
}

/** parseArgs takes whatever follows as an option's value: where it may be left out, it is left out before an option. */
const withEmptyValues = (args: readonly string[], specs: readonly OptionSpec[]): string[] =>
  args.map((arg, i) => {
    const isOptional = specs.some(({ name, optional }) => optional === true && arg === `--${name}`);
    return isOptional && (args[i + 1] ?? "-").startsWith("-") ? `${arg}=` : arg;
  });

/** Commands that pass what follows `--` to the C compiler. */
const compiling = ["check", "translate"];

function unknownOption(command: CommandSpec, raw: string, specs: readonly OptionSpec[]): UsageError {
  const near = nearest(
    raw,
    specs.map((spec) => `--${spec.name}`),
  );
  const ofCompiler = compiling.includes(command.name) && /^-[DIUWfimos]/.test(raw);
  const remedy = ofCompiler
    ? `options of the C compiler follow after --: arc ${command.name} FILE -- ${raw}…`
    : near === undefined
      ? `\`arc ${command.name} --help\` lists the options`
      : `did you mean ${near}?`;
  return new UsageError(`arc ${command.name} has no option ${raw}`, remedy);
}

function checkCount(command: CommandSpec, count: number): void {
  const [least, most] = command.count;
  if (count >= least && count <= most) return;
  const usage = `write arc ${command.name} ${command.arguments}`.trim();
  const missing = command.arguments.split(" ")[0] ?? "";
  if (count < least)
    throw new UsageError(
      `arc ${command.name} needs ${/^[AEIOU]/.test(missing) ? "an" : "a"} ${missing}`,
      `${usage}${["ADDRESS", "TARGET"].includes(missing) ? ", for one of the targets in arc.yaml" : ""}`,
    );
  throw new UsageError(`arc ${command.name} was given too many arguments`, usage);
}
