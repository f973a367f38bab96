/**
 * What a project says of a file that a command names by itself. The project is that of the nearest arc.yaml, in the
 * file's folder or above it.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Addition, addedTo } from "../../../rules/plan/added-clauses.ts";
import { vocabulary } from "../../../rules/vocabulary.ts";
import type { Project } from "../../../schema/contract/project.ts";
import { type Loaded, parseProject, projectFile } from "../../../schema/load.ts";
import { findProjectFolder } from "../../call/project-folder.ts";
import { InvalidProject } from "../invalid-project.ts";
import { projectFlags } from "./project-flags.ts";

/** How a project reads a file. */
export interface ReadAs {
  /** Options of the C compiler. */
  readonly flags: readonly string[];
  readonly added: readonly Addition[];
}

/** Most projects add nothing, and reading arc.yaml as a whole takes as long as a small file's compilation. */
const ADDS = /\badd\b/;

/** `file`: an absolute path. Throws if arc.yaml has errors: how the file is read is not known then. */
export function readAs(file: string): ReadAs {
  return wayOf(file, (loaded) => {
    throw new InvalidProject(loaded.diagnostics, loaded);
  });
}

/** As `readAs`, for an editor, in which arc.yaml may be half written. */
export const readAsFarAsKnown = (file: string): ReadAs => wayOf(file, () => undefined);

/** The clauses alone, without reading an arc.yaml that adds none. */
export function clausesAddedTo(file: string): readonly Addition[] {
  const text = textOf(arcYamlOf(file));
  return text !== undefined && ADDS.test(text) ? readAs(file).added : [];
}

function wayOf(file: string, invalid: (loaded: Loaded) => undefined): ReadAs {
  const arcYaml = arcYamlOf(file);
  const text = textOf(arcYaml);
  if (text === undefined) return { flags: [], added: [] };
  // Its other sources need not be there: only this file is read.
  const loaded = parseProject(text, arcYaml, vocabulary, () => true);
  const project = loaded.project ?? invalid(loaded);
  return project === undefined ? { flags: [], added: [] } : readIn(project, path.dirname(arcYaml), file);
}

/** How a project in this folder reads a file. */
export const readIn = (project: Project, folder: string, file: string): ReadAs => ({
  flags: projectFlags(project, folder),
  added: addedTo(path.relative(folder, file), project.kernels),
});

const arcYamlOf = (file: string): string =>
  path.join(findProjectFolder(path.dirname(file), undefined), projectFile);

const textOf = (arcYaml: string): string | undefined =>
  existsSync(arcYaml) ? readFileSync(arcYaml, "utf8") : undefined;
