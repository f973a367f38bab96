/** A graph that cannot be built because of what arc.yaml says is told at the lines that say it. */
import path from "node:path";
import { EngineError } from "../../core/build/model/error.ts";
import { projectFile } from "../../schema/load.ts";
import { cycleOfActions } from "../../schema/resolve/cycle.ts";
import { InvalidProject } from "./invalid-project.ts";

/** The same error, with places where it has any; `root` is the project's folder. */
export function withPlaces(error: unknown, root: string): unknown {
  if (!(error instanceof EngineError) || error.code !== "cycle") return error;
  const cycle = cycleOfActions(path.join(root, projectFile), error.addresses);
  return cycle === undefined ? error : new InvalidProject([cycle]);
}
