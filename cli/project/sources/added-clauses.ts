/**
 * Clauses that arc.yaml adds to a file which a command names by itself. The project is that of the nearest arc.yaml, in
 * the file's folder or above it.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Addition, addedTo } from "../../../rules/plan/added-clauses.ts";
import { vocabulary } from "../../../rules/vocabulary.ts";
import type { Project } from "../../../schema/contract/project.ts";
import { parseProject, projectFile } from "../../../schema/load.ts";
import { findProjectFolder } from "../../call/project-folder.ts";
import { InvalidProject } from "../invalid-project.ts";

/** Most projects add nothing, and reading arc.yaml as a whole takes as long as a small file's compilation. */
const ADDS = /\badd\b/;

/** `file`: an absolute path. Throws if arc.yaml adds clauses and has errors: whose clauses they are is not known then. */
export function clausesAddedTo(file: string): readonly Addition[] {
  const folder = findProjectFolder(path.dirname(file), undefined);
  const arcYaml = path.join(folder, projectFile);
  if (!existsSync(arcYaml)) return [];
  const text = readFileSync(arcYaml, "utf8");
  if (!ADDS.test(text)) return [];
  // Its other sources need not be there: only this file is read.
  const loaded = parseProject(text, arcYaml, vocabulary, () => true);
  if (loaded.project === undefined) throw new InvalidProject(loaded.diagnostics, loaded);
  return addedIn(loaded.project, folder, file);
}

/** What a project in this folder adds to a file. */
export const addedIn = (
  { kernels }: Pick<Project, "kernels">,
  folder: string,
  file: string,
): readonly Addition[] => addedTo(path.relative(folder, file), kernels);
