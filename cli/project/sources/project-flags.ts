/** The C compiler options that a project sets for all its sources. */
import path from "node:path";
import type { Project } from "../../../schema/contract/project.ts";

/** `folder`: the project's folder; include folders become absolute. */
export const projectFlags = (
  { cflags, include, defines }: Pick<Project, "cflags" | "include" | "defines">,
  folder: string,
): readonly string[] => [...cflags, ...include.map((name) => `-I${path.resolve(folder, name)}`), ...defines];
