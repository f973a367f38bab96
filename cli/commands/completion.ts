/** `arc completion`: prints completion scripts for shells, and answers their requests. */
import { existsSync } from "node:fs";
import path from "node:path";
import { vocabulary } from "../../rules/vocabulary.ts";
import type { Target } from "../../schema/contract/project.ts";
import { expandVariants } from "../../schema/contract/variants.ts";
import { loadProject, projectFile } from "../../schema/load.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { type Names, offersFor, scripts, shells } from "../call/completion.ts";
import { findProjectFolder } from "../call/project-folder.ts";
import { UsageError } from "../call/usage-error.ts";
import { figures as reportFigures } from "../report/model/figures.ts";

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

/** A shell lists no more in a way that helps. */
const MOST_VARIANTS = 200;

/** Names of the project around `cwd`; none if it cannot be read. */
function namesIn(cwd: string): Names {
  const figures = reportFigures.map(({ key, title }) => ({ word: key, help: title === key ? "" : title }));
  const folder = findProjectFolder(cwd, undefined);
  if (!existsSync(path.join(folder, projectFile)))
    return { targets: [], runs: [], variants: () => [], figures };
  const { project } = loadProject(folder, vocabulary);
  return {
    targets: (project?.targets ?? []).map(({ name, kind }) => ({
      word: name,
      help: `target of kind ${kind}`,
    })),
    runs: (project?.runs ?? []).map(({ name, args }) => ({ word: name, help: args.join(" ") })),
    variants: (name) => variantsOf(project?.targets.find((target) => target.name === name)),
    figures,
  };
}

function variantsOf(target: Target | undefined): Names["targets"] {
  if (target === undefined) return [];
  const offers: Names["targets"][number][] = [];
  for (const { name, called = [] } of expandVariants(target.space, target.kind, vocabulary.axes).variants) {
    for (const word of [name, ...called]) offers.push({ word: `${target.name}:${word}`, help: "" });
    if (offers.length >= MOST_VARIANTS) break;
  }
  return offers;
}
