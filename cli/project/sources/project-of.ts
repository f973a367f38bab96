/**
 * What a project says of files that a command names by themselves. The project is that of the nearest arc.yaml, in the
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

/**
 * How each file, an absolute path, is read; an arc.yaml is read once for all of its files. Throws if it has errors: how
 * the files are read is not known then.
 */
export function readAs(files: readonly string[]): readonly ReadAs[] {
  const known = new Map<string, Project | undefined>();
  return files.map((file) => {
    const folder = folderOf(file);
    if (!known.has(folder)) known.set(folder, projectIn(folder));
    return readIn(known.get(folder), folder, file);
  });
}

/** As `readAs`, for an editor, in which arc.yaml may be half written. */
export function readAsFarAsKnown(file: string): ReadAs {
  const folder = folderOf(file);
  const text = textIn(folder);
  return readIn(text === undefined ? undefined : parsed(text, folder).project, folder, file);
}

/** The project that a file is in; undefined without one, or where arc.yaml has errors. */
export function projectAround(
  file: string,
): { readonly project: Project; readonly folder: string } | undefined {
  const folder = folderOf(file);
  const text = textIn(folder);
  const project = text === undefined ? undefined : parsed(text, folder).project;
  return project && { project, folder };
}

/** The clauses alone, without reading an arc.yaml that adds none. */
export function clausesAddedTo(file: string): readonly Addition[] {
  const folder = folderOf(file);
  const project = projectIn(folder, ADDS);
  return readIn(project, folder, file).added;
}

/** How a project in this folder reads a file; without one, as it is. */
export const readIn = (project: Project | undefined, folder: string, file: string): ReadAs =>
  project === undefined
    ? { flags: [], added: [] }
    : {
        flags: projectFlags(project, folder),
        added: addedTo(path.relative(folder, file), project.kernels),
      };

/** The project of a folder, if it has one whose text matters. */
function projectIn(folder: string, matters = /^/): Project | undefined {
  const text = textIn(folder);
  if (text === undefined || !matters.test(text)) return undefined;
  const loaded = parsed(text, folder);
  if (loaded.project === undefined) throw new InvalidProject(loaded.diagnostics, loaded);
  return loaded.project;
}

/** Its other sources need not be there: only the named files are read. */
const parsed = (text: string, folder: string): Loaded =>
  parseProject(text, path.join(folder, projectFile), vocabulary, () => true);

const folderOf = (file: string): string => findProjectFolder(path.dirname(file), undefined);

function textIn(folder: string): string | undefined {
  const arcYaml = path.join(folder, projectFile);
  return existsSync(arcYaml) ? readFileSync(arcYaml, "utf8") : undefined;
}
