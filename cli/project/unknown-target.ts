/** Addresses whose target does not exist. */
import type { VariantPlan } from "../../rules/plan/variant.ts";
import type { Project } from "../../schema/contract/project.ts";
import { nearest } from "../../schema/document/nearest.ts";
import { UsageError } from "../call/usage-error.ts";
import { addressMatcher } from "./addresses.ts";

/** For commands that take nothing but targets and their variants, of which the chosen are planned. Throws UsageError. */
export function refuseUnknownTargets(
  patterns: readonly string[],
  project: Pick<Project, "targets">,
  planned: readonly VariantPlan[],
): void {
  for (const pattern of patterns) {
    const [named = ""] = pattern.split(/[/#]/);
    const [head = "", variant] = named.split(":");
    const isTarget = addressMatcher([head]);
    if (!project.targets.some(({ name }) => isTarget(name))) throw unknownTarget(head, project);
    const isNamed = addressMatcher([named]);
    const isPlanned = planned.some(({ address, target, variant: { called = [] } }) =>
      [address, ...called.map((name) => `${target.name}:${name}`)].some(isNamed),
    );
    if (variant !== undefined && !isPlanned)
      throw new UsageError(
        `no variant is called ${named}`,
        `\`arc report '${head}:*'\` lists those there are`,
      );
  }
}

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
