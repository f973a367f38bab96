/** The manual page arc(1), made from the command table. */
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { commands, globalOptions } from "./commands.ts";

/** The page as troff source; `version` appears in its footer. */
export function manPage(version: string): string {
  return `${[
    `.TH ARC 1 "" "arc ${version}" "arc"`,
    ".SH NAME",
    "arc \\- builds GPU and FPGA programs that are written as C with directives",
    ".SH SYNOPSIS",
    ".B arc\n.I COMMAND\n[\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]",
    ".SH COMMANDS",
    ...commands.map(command),
    ".SH OPTIONS OF EVERY COMMAND BUT CC",
    ...[...globalOptions, { name: "version", help: "version of arc" }].map(option),
    ".SH EXIT STATUS",
    ...[
      ["0", "done"],
      ["1", "a build step or comparison failed, or something was found"],
      ["2", "the project or the call is wrong"],
      ["130", "interrupted"],
    ].map(([code, meaning]) => `.TP\n.B ${code}\n${meaning}`),
    ".B arc run\nand\n.B arc cc\nexit as the program and the compiler do.",
    ".SH FILES",
    ".TP\n.I arc.yaml\nThe project: sources, targets, variants, runs, actions.",
    ".TP\n.I ~/.cache/arc\nThe store, shared by all projects; ARC_STORE names another.",
    ".SH SEE ALSO",
    "The pages of docs/ beside arc.",
  ].join("\n")}\n`;
}

function command({ name, arguments: takes, summary, details, examples, options }: CommandSpec): string {
  return [
    `.SS "${quoted(`arc ${name} ${takes}`.trim())}"`,
    `${sentence(summary)}`,
    ...(details === undefined ? [] : [".PP", verbatim(details)]),
    ...(examples.length === 0 ? [] : [".PP", verbatim(exampleLines(examples))]),
    ...options.map(option),
  ].join("\n");
}

function exampleLines(examples: CommandSpec["examples"]): string {
  const width = Math.max(...examples.map(([call]) => call.length));
  return examples.map(([call, meaning]) => `  ${call.padEnd(width)}  ${meaning}`).join("\n");
}

function option({ name, short, value, optional, help }: OptionSpec): string {
  const word = `\\fB${short === undefined ? "" : `\\-${short}\\fR, \\fB`}\\-\\-${plain(name)}\\fR`;
  const left = optional ? ["[", "]"] : ["", ""];
  const taken = value === undefined ? "" : ` ${left[0]}\\fI${plain(value)}\\fR${left[1]}`;
  return `.TP\n${word}${taken}\n${plain(help)}`;
}

const sentence = (text: string): string => `${plain(text.charAt(0).toUpperCase() + text.slice(1))}.`;

/** Keeps the line breaks of tables. */
const verbatim = (text: string): string => (/^ {2}/m.test(text) ? `.nf\n${plain(text)}\n.fi` : plain(text));

/** Escapes troff requests and escape sequences. */
const plain = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replace(/^([.'])/gm, "\\&$1");

const quoted = (text: string): string => plain(text).replaceAll('"', '""');
