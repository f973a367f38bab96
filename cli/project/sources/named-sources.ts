/** The C files that a call names, or the project's if it names none. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { SourceFile } from "../../../rules/plan/whole-program.ts";
import { vocabulary } from "../../../rules/vocabulary.ts";
import { loadProject, projectFile } from "../../../schema/load.ts";
import type { Call } from "../../call/call.ts";
import { findProjectFolder } from "../../call/project-folder.ts";
import { UsageError } from "../../call/usage-error.ts";
import { InvalidProject } from "../invalid-project.ts";
import { refuseMissing } from "./missing-source.ts";
import { clausesAddedTo, type ReadAs, readAs, readIn } from "./project-of.ts";

interface NamedSources {
  readonly files: readonly SourceFile[];
  /** The project's folder, if all its sources are meant. */
  readonly folder?: string;
}

/** Paths are relative to the call's working folder; `instead`: what to write where there is no project. */
export function namedSources({ positionals, options, cwd }: Call, instead: string): NamedSources {
  if (positionals.length > 0) {
    for (const file of positionals) refuseMissing(file, cwd);
    return {
      files: asInProjects(
        positionals.map((file) => fileOf(file, cwd)),
        cwd,
      ),
    };
  }
  const requested = typeof options.directory === "string" ? options.directory : undefined;
  const folder = findProjectFolder(cwd, requested);
  if (!existsSync(path.join(folder, projectFile)))
    throw new UsageError(`there is no ${projectFile} here`, instead);
  const loaded = loadProject(folder, vocabulary);
  if (loaded.project === undefined) throw new InvalidProject(loaded.diagnostics, loaded);
  const { project } = loaded;
  const files = [...project.sources, ...project.host].map((name) => {
    const file = path.resolve(folder, name);
    return read(fileOf(file, cwd), readIn(project, folder, file));
  });
  return { files, folder };
}

/** As their projects read them, which holds wherever a file is named. */
export function asInProjects<File extends SourceFile>(
  sources: readonly File[],
  cwd: string,
): readonly File[] {
  const ways = readAs(sources.map((source) => path.resolve(cwd, source.path)));
  return sources.map((source, i) => read(source, ways[i]));
}

const read = <File extends SourceFile>(
  source: File,
  { flags, added }: ReadAs = { flags: [], added: [] },
): File => ({
  ...source,
  ...(flags.length > 0 && { flags }),
  ...(added.length > 0 && { added }),
});

/** With the clauses that its project adds; who calls a compiler gives the options. */
export function withClauses<File extends SourceFile>(source: File, cwd: string): File {
  const added = clausesAddedTo(path.resolve(cwd, source.path));
  return added.length > 0 ? { ...source, added } : source;
}

function fileOf(file: string, cwd: string): SourceFile {
  const inside = path.relative(cwd, path.resolve(cwd, file));
  const name = inside.startsWith("..") ? path.resolve(cwd, file) : inside;
  return { file: name, path: name };
}
