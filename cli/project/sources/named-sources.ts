/** The C files that a call names, or the project's if it names none. */
import { existsSync } from "node:fs";
import path from "node:path";
import { addedTo } from "../../../rules/plan/added-clauses.ts";
import type { SourceFile } from "../../../rules/plan/whole-program.ts";
import { vocabulary } from "../../../rules/vocabulary.ts";
import { loadProject, projectFile } from "../../../schema/load.ts";
import type { Call } from "../../call/call.ts";
import { findProjectFolder } from "../../call/project-folder.ts";
import { UsageError } from "../../call/usage-error.ts";
import { InvalidProject } from "../invalid-project.ts";
import { clausesAddedTo } from "./added-clauses.ts";
import { refuseMissing } from "./missing-source.ts";
import { projectFlags } from "./project-flags.ts";

interface NamedSources {
  readonly files: readonly SourceFile[];
  /** The project's options for the C compiler. */
  readonly cflags: readonly string[];
  /** The project's folder. */
  readonly folder?: string;
}

/** Paths are relative to the call's working folder; `instead`: what to write where there is no project. */
export function namedSources({ positionals, options, cwd }: Call, instead: string): NamedSources {
  if (positionals.length > 0) {
    for (const file of positionals) refuseMissing(file, cwd);
    return { files: positionals.map((file) => withClauses(fileOf(file, cwd), cwd)), cflags: [] };
  }
  const requested = typeof options.directory === "string" ? options.directory : undefined;
  const folder = findProjectFolder(cwd, requested);
  if (!existsSync(path.join(folder, projectFile)))
    throw new UsageError(`there is no ${projectFile} here`, instead);
  const loaded = loadProject(folder, vocabulary);
  if (loaded.project === undefined) throw new InvalidProject(loaded.diagnostics, loaded);
  const { sources, host, kernels } = loaded.project;
  return {
    files: [...sources, ...host].map((name) => {
      const added = addedTo(name, kernels);
      return { ...fileOf(path.resolve(folder, name), cwd), ...(added.length > 0 && { added }) };
    }),
    cflags: projectFlags(loaded.project, folder),
    folder,
  };
}

/** With what its project adds, which a file has wherever it is named. */
export function withClauses<File extends SourceFile>(source: File, cwd: string): File {
  const added = clausesAddedTo(path.resolve(cwd, source.path));
  return added.length > 0 ? { ...source, added } : source;
}

function fileOf(file: string, cwd: string): SourceFile {
  const inside = path.relative(cwd, path.resolve(cwd, file));
  const name = inside.startsWith("..") ? path.resolve(cwd, file) : inside;
  return { file: name, path: name };
}
