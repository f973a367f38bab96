/** Reports a cycle in the graph at the lines of arc.yaml that cause it. */
import path from "node:path";
import { EngineError } from "../../core/build/model/error.ts";
import { projectFile } from "../../schema/load.ts";
import { cycleOfActions } from "../../schema/resolve/cycle.ts";
import { InvalidProject } from "./invalid-project.ts";

/** The same error, with positions where possible; `root` is the project's folder. */
export function withLocations(error: unknown, root: string): unknown {
  if (!(error instanceof EngineError) || error.code !== "cycle") return error;
  const cycle = cycleOfActions(path.join(root, projectFile), error.addresses);
  return cycle === undefined ? error : new InvalidProject([cycle]);
}
