/** The error for an address whose target does not exist. */
import type { Project } from "../../schema/contract/project.ts";
import { nearest } from "../../schema/document/nearest.ts";
import { UsageError } from "../call/usage-error.ts";

export function unknownTarget(address: string, { targets }: Pick<Project, "targets">): UsageError {
  const names = targets.map((target) => target.name);
  const near = nearest(address, names);
  const remedy =
    near !== undefined
      ? `did you mean ${near}?`
      : names.length === 0
        ? "arc.yaml has no targets"
        : `there are ${names.join(", ")}`;
  return new UsageError(`no target is called ${address}`, remedy);
}
