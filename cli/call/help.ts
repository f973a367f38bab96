/** Help texts, made from the command table. */

import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { commands, findCommand, globalOptions } from "./commands.ts";
import { wrapLine, wrapWords } from "./wrap.ts";

/** `columns`: width of the terminal, if there is one; descriptions are wrapped to it. */
export function helpText(name?: string, columns = Number.POSITIVE_INFINITY): string {
  const command = name === undefined ? undefined : findCommand(name);
  return command === undefined ? overview(columns) : commandHelp(command, columns);
}

function overview(columns: number): string {
  const rows = commands.map((command): Row => [command.name, command.summary]);
  return [
    "arc builds FPGA and GPU programs written as C with directives",
    "usage: arc COMMAND [OPTION…] [ARGUMENT…]",
    `commands:\n${table(rows, columns)}`,
    `options of every command except cc:\n${table([...globalOptions, { name: "version", help: "version of arc" }].map(optionRow), columns)}`,
    prose(
      "`arc COMMAND --help` tells more. Exit status: 0 done, 1 a build step or comparison failed, 2 the project\nor the call is wrong, 130 interrupted.",
      columns,
    ),
  ]
    .map((part) => `${wrapLine(part, part.includes("\n") ? Number.POSITIVE_INFINITY : columns, 0)}\n`)
    .join("\n");
}

function commandHelp(command: CommandSpec, columns: number): string {
  const options = command.verbatim ? [] : [...command.options, ...globalOptions];
  const { examples } = command;
  return [
    wrapLine(`arc ${command.name}: ${command.summary}`, columns, 2),
    wrapLine(
      `usage: arc ${[command.name, ...(command.verbatim ? [] : ["[OPTION…]"]), command.arguments].join(" ").trim()}`,
      columns,
      2,
    ),
    ...(command.details === undefined ? [] : [prose(command.details, columns)]),
    ...(examples.length === 0 ? [] : [`examples:\n${table(examples, columns)}`]),
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

/**
 * Paragraphs are filled again where they do not fit; lines of two columns are rows of a table, in which lines with a
 * deep indentation continue the row above.
 */
function prose(text: string, columns: number): string {
  if (text.split("\n").every((line) => line.length <= columns)) return text;
  const parts: string[] = [];
  let paragraph: string[] = [];
  let rows: Row[] = [];
  const end = (): void => {
    if (paragraph.length > 0) parts.push(wrapWords(paragraph.join(" "), columns).join("\n"));
    if (rows.length > 0) parts.push(table(rows, columns));
    [paragraph, rows] = [[], []];
  };
  for (const line of text.split("\n")) {
    const [, left, right] = /^ {0,4}(\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
    const last = rows.at(-1);
    if (left !== undefined && right !== undefined) {
      if (paragraph.length > 0) end();
      rows.push([left, right]);
    } else if (last !== undefined && line.startsWith("     "))
      rows[rows.length - 1] = [last[0], `${last[1]} ${line.trim()}`];
    else {
      if (rows.length > 0 || line === "") end();
      if (line === "") parts.push("");
      else paragraph.push(line.trim());
    }
  }
  end();
  return parts.join("\n");
}

/** Descriptions that would get fewer columns stand below what they describe. */
const NARROWEST = 24;

function table(rows: readonly Row[], columns: number): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  const beside = columns - width - 4;
  return rows
    .map(([left, right]) => {
      if (beside < NARROWEST)
        return [
          ...wrapLine(`  ${left}`, columns, 6).split("\n"),
          ...wrapWords(right, columns - 6).map((line) => `      ${line}`),
        ].join("\n");
      return `  ${left.padEnd(width)}  ${wrapWords(right, beside).join(`\n${" ".repeat(width + 4)}`)}`;
    })
    .join("\n");
}
