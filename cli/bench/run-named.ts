/** Selects the run to measure. */
import type { Project, Run } from "../../schema/contract/project.ts";
import { UsageError } from "../call/usage-error.ts";
import { findRun } from "../project/find-run.ts";

/** If no name is given, the run that is verified. Throws UsageError. */
export function runNamed(project: Pick<Project, "runs" | "verify">, name: string | undefined): Run {
  const { runs, verify } = project;
  if (name !== undefined && runs.length > 0) return findRun(name, project);
  const found = runs.find((run) => run.name === verify.runs[0]) ?? runs[0];
  if (found !== undefined) return found;
  throw new UsageError(
    "arc.yaml has no runs to measure",
    "add `runs: { small: { args: [...] } }` to arc.yaml, with sizes that take a second or so",
  );
}
