/** Which actions a call requires: those asked for by name, unless options say otherwise. */
import type { EngineBuildOptions } from "../../core/build/engine-interface.ts";
import type { Call } from "../call/call.ts";
import type { CommandName } from "../call/commands.ts";
import { namesExplicitly } from "./addresses.ts";

/** Commands that have `--skip-missing`. */
const strict: ReadonlySet<CommandName> = new Set(["build", "verify"]);

export function mustHave({ command, positionals, options }: Call): Pick<EngineBuildOptions, "mustHave"> {
  const explicit =
    strict.has(command) && options["skip-missing"] !== true ? namesExplicitly(positionals) : undefined;
  return explicit === undefined ? {} : { mustHave: explicit };
}
