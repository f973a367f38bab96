/** `arc completion`: prints completion scripts for shells, and answers their requests. */
import { existsSync } from "node:fs";
import path from "node:path";
import { vocabulary } from "../../rules/vocabulary.ts";
import { loadProject, projectFile } from "../../schema/load.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { type Names, offersFor, scripts, shells } from "../call/completion.ts";
import { findProjectFolder } from "../call/project-folder.ts";
import { UsageError } from "../call/usage-error.ts";

export async function run({ positionals, rest = [], cwd, out }: Call): Promise<Status> {
  const [what = ""] = positionals;
  if (what === "words") {
    const { words, files } = offersFor(rest, () => namesIn(cwd));
    for (const { word, help } of words) out(help === "" ? `${word}\n` : `${word}\t${help}\n`);
    if (files) out(":files\n");
    return status.done;
  }
  const shell = shells.find((name) => name === what);
  if (shell === undefined)
    throw new UsageError(
      what === "" ? "for which shell?" : `arc knows no shell ${what}`,
      `arc completion takes ${shells.join(", ")}`,
    );
  out(scripts[shell]);
  return status.done;
}

/** Names of the project around `cwd`; none if it cannot be read. */
function namesIn(cwd: string): Names {
  const folder = findProjectFolder(cwd, undefined);
  if (!existsSync(path.join(folder, projectFile))) return { targets: [], runs: [] };
  const { project } = loadProject(folder, vocabulary);
  return {
    targets: (project?.targets ?? []).map(({ name, kind }) => ({
      word: name,
      help: `target of kind ${kind}`,
    })),
    runs: (project?.runs ?? []).map(({ name, args }) => ({ word: name, help: args.join(" ") })),
  };
}
