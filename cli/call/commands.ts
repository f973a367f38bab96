/** The table of all commands and their options, used for help, parsing and dispatch. */

import { buildCommands } from "./build-commands.ts";
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { compilerCommands } from "./compiler-commands.ts";
import { projectCommands } from "./project-commands.ts";

export const globalOptions = [
  {
    name: "directory",
    short: "C",
    value: "DIR",
    help: "the project's folder (default: the nearest with an arc.yaml)",
  },
  { name: "json", help: "machine-readable output" },
  { name: "jobs", short: "j", value: "N", help: "actions at a time (default: one per processor core)" },
  {
    name: "store",
    value: "DIR",
    help: "where results are kept (default: $ARC_STORE, or the user's cache folder)",
  },
  { name: "help", short: "h", help: "this text" },
] as const satisfies readonly OptionSpec[];

/** In the order of `arc help`. */
export const commands = [...buildCommands, ...compilerCommands, ...projectCommands] as const;

export type CommandName = (typeof commands)[number]["name"];

export function findCommand(name: string): CommandSpec | undefined {
  return commands.find((command: CommandSpec) => command.name === name || command.also === name);
}
