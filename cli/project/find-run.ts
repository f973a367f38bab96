/** Finds a run of arc.yaml by name. */
import type { Project, Run } from "../../schema/contract/project.ts";
import { nearest } from "../../schema/document/nearest.ts";
import { UsageError } from "../call/usage-error.ts";

/** Throws UsageError, which lists the runs. */
export function findRun(name: string, { runs }: Pick<Project, "runs">): Run {
  const found = runs.find((run) => run.name === name);
  if (found !== undefined) return found;
  const names = runs.map((run) => run.name);
  const near = nearest(name, names);
  const listed = names.length === 0 ? "arc.yaml has no runs" : `there are ${names.join(", ")}`;
  throw new UsageError(
    `no run is called ${name}`,
    near === undefined ? `${listed}; arguments go after --` : `did you mean ${near}?`,
  );
}
