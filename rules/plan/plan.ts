/** Plans the action graph of a project. */

import { ActionTable } from "../../core/build/graph/action-table.ts";
import type { Address, ToolIdentity } from "../../core/build/model/action.ts";
import type { Project, Target } from "../../schema/contract/project.ts";
import { expandVariants, type Variant } from "../../schema/contract/variants.ts";
import type { Axis } from "../../schema/document/axis.ts";
import { findKind } from "../../targets/registry.ts";
import { Origins } from "../inputs/origins.ts";
import { commandAction } from "../steps/command.ts";
import type { Tools } from "../tools/tools.ts";
import { ProgramPlan } from "./program.ts";
import { planVariant, type VariantPlan } from "./variant.ts";
import { planVerification } from "./verification.ts";

interface PlanRequest {
  readonly tools: Tools;
  readonly axes: readonly Axis[];
  /** Skip what has no device on this machine, even if arc.yaml names the device. */
  readonly skipMissing?: boolean;
  /** Chooses among the variants of a target. */
  readonly choose: (target: Target, variants: Iterable<Variant>) => readonly Variant[];
}

export interface Plan {
  readonly actions: ActionTable;
  /** What `arc build` brings up to date without addresses. */
  readonly programs: readonly Address[];
  /** What `arc verify` does without addresses. */
  readonly comparisons: readonly Address[];
  readonly variants: readonly VariantPlan[];
  /** Messages for the user that are not errors. */
  readonly notes: readonly string[];
}

export function planProject(
  project: Project,
  { tools, axes, choose, skipMissing = false }: PlanRequest,
): Plan {
  const origins = new Origins(project.actions);
  const programs = new Map<string, ToolIdentity | undefined>();
  const programOf = (name: string, versionArgs: readonly string[] = []): ToolIdentity | undefined => {
    const key = [name, ...versionArgs].join("\0");
    if (!programs.has(key)) programs.set(key, tools.program(name, versionArgs));
    return programs.get(key);
  };
  const actions = new ActionTable();
  for (const action of project.actions)
    actions.add(commandAction(action, origins, programOf, tools.variable));
  const names = [...actions.addresses()];
  if (project.targets.length === 0)
    return { actions, programs: names, comparisons: [], variants: [], notes: [] };
  const program = new ProgramPlan(project, tools, origins, !skipMissing);
  const notes: string[] = [];
  const variants = project.targets.flatMap((target) => {
    const kind = findKind(target.kind);
    if (kind === undefined)
      throw new Error(`target kind ${target.kind} passed validation, but is not registered`);
    const expansion = expandVariants(target.space, target.kind, axes);
    for (const axis of expansion.projected)
      notes.push(`target ${target.name} (${target.kind}) has no axis \`${axis}\``);
    return choose(target, expansion.variants).map((variant) => planVariant(program, target, kind, variant));
  });
  const verification = planVerification(program, variants, skipMissing);
  const others = [
    program.actions,
    ...variants.map((v) => v.actions),
    verification.actions,
    program.toolActions(),
  ];
  for (const action of others.flat()) actions.add(action);
  return {
    actions,
    programs: [...names, ...variants.flatMap((variant) => variant.products)],
    comparisons: verification.comparisons,
    variants,
    notes,
  };
}
