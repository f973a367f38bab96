/** Help texts, from the command table. */
import { type CommandSpec, commands, findCommand, globalOptions, type OptionSpec } from "./commands.ts";

export function helpText(name?: string): string {
  const command = name === undefined ? undefined : findCommand(name);
  return command === undefined ? overview() : commandHelp(command);
}

function overview(): string {
  const rows = commands.map((command): Row => [command.name, command.summary]);
  return `arc builds FPGA and GPU programs written as C with directives

usage: arc COMMAND [OPTION…] [ARGUMENT…]

commands:
${table(rows)}

options of every command except cc:
${table([...globalOptions, { name: "version", help: "version of arc" }].map(optionRow))}

\`arc COMMAND --help\` tells more. Exit status: 0 done, 1 a build step or comparison failed, 2 the project
or the call is wrong, 130 interrupted.
`;
}

function commandHelp(command: CommandSpec): string {
  const options = command.verbatim ? [] : [...command.options, ...globalOptions];
  return [
    `arc ${command.name}: ${command.summary}`,
    `usage: arc ${[command.name, ...(command.verbatim ? [] : ["[OPTION…]"]), command.arguments].join(" ").trim()}`,
    ...(command.details === undefined ? [] : [command.details]),
    ...(options.length === 0 ? [] : [`options:\n${table(options.map(optionRow))}`]),
  ]
    .map((part) => `${part}\n`)
    .join("\n");
}

type Row = readonly [left: string, right: string];

function optionRow(option: OptionSpec): Row {
  const short = option.short === undefined ? "   " : `-${option.short},`;
  return [`${short} --${option.name}${option.value === undefined ? "" : ` ${option.value}`}`, option.help];
}

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
