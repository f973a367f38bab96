/** Help texts, made from the command table. */
import { type CommandSpec, commands, findCommand, globalOptions, type OptionSpec } from "./commands.ts";

/** `columns`: width of the terminal, if there is one; descriptions are wrapped to it. */
export function helpText(name?: string, columns = Number.POSITIVE_INFINITY): string {
  const command = name === undefined ? undefined : findCommand(name);
  return command === undefined ? overview(columns) : commandHelp(command, columns);
}

function overview(columns: number): string {
  const rows = commands.map((command): Row => [command.name, command.summary]);
  return `arc builds FPGA and GPU programs written as C with directives

usage: arc COMMAND [OPTION…] [ARGUMENT…]

commands:
${table(rows, columns)}

options of every command except cc:
${table([...globalOptions, { name: "version", help: "version of arc" }].map(optionRow), columns)}

\`arc COMMAND --help\` tells more. Exit status: 0 done, 1 a build step or comparison failed, 2 the project
or the call is wrong, 130 interrupted.
`;
}

function commandHelp(command: CommandSpec, columns: number): string {
  const options = command.verbatim ? [] : [...command.options, ...globalOptions];
  return [
    `arc ${command.name}: ${command.summary}`,
    `usage: arc ${[command.name, ...(command.verbatim ? [] : ["[OPTION…]"]), command.arguments].join(" ").trim()}`,
    ...(command.details === undefined ? [] : [command.details]),
    ...(options.length === 0 ? [] : [`options:\n${table(options.map(optionRow), columns)}`]),
  ]
    .map((part) => `${part}\n`)
    .join("\n");
}

type Row = readonly [left: string, right: string];

function optionRow(option: OptionSpec): Row {
  const short = option.short === undefined ? "   " : `-${option.short},`;
  return [`${short} --${option.name}${valueWord(option)}`, option.help];
}

const valueWord = ({ value, optional }: OptionSpec): string =>
  value === undefined ? "" : optional ? ` [${value}]` : ` ${value}`;

/** Descriptions get at least this many columns; on narrower terminals the terminal breaks the lines. */
const NARROWEST = 24;

function table(rows: readonly Row[], columns: number): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  const columnWidth = Math.max(NARROWEST, columns - width - 4);
  return rows
    .map(
      ([left, right]) =>
        `  ${left.padEnd(width)}  ${wrapped(right, columnWidth).join(`\n${" ".repeat(width + 4)}`)}`,
    )
    .join("\n");
}

function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
