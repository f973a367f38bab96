/** `arc explore`: tries the most promising variants, learns from each, and stops when no other is worth a try. */
import { vocabulary } from "../../rules/vocabulary.ts";
import type { Project } from "../../schema/contract/project.ts";
import { expandVariants } from "../../schema/contract/variants.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { choiceOf } from "../explore/goals.ts";
import { answer } from "../explore/trial/answer.ts";
import { hardwareJudge } from "../explore/trial/hardware.ts";
import { measuredJudge } from "../explore/trial/measured.ts";
import { type Request, requestOf } from "../explore/trial/request.ts";
import { search } from "../explore/trial/search.ts";
import { unknownTarget } from "../project/unknown-target.ts";
import { loadIfThere, requireProject, type Workspace, withWorkspace } from "../project/workspace.ts";

export function run(call: Call): Promise<Status> {
  const request = requestOf(call, targetOf(call));
  // Only the target's first variant: the others are planned when the search considers them.
  return withWorkspace(call, [request.target], (workspace) => explore(workspace, call, request));
}

async function explore(first: Workspace, call: Call, request: Request): Promise<Status> {
  const declared = first.project.targets.find(({ name }) => name === request.target);
  if (declared === undefined) throw unknownTarget(request.target, first.project);
  if (!varies(declared))
    throw new UsageError(
      `${declared.name} has one variant`,
      `give it some: \`variants: ${exampleFor(first)}\``,
    );
  const isHardware = hasHardware(first);
  const judge = (isHardware ? hardwareJudge : measuredJudge)(first, call, request);
  // Only the judge knows what `pareto` stands for.
  if (request.choose !== undefined) choiceOf(request.choose, judge.goal);
  const searched = await search(first, declared, call, request, judge);
  return searched === undefined ? status.interrupted : answer(call, request, judge, searched);
}

const hasHardware = ({ plan }: Workspace): boolean =>
  plan.variants.some(({ kind }) => kind.readReport !== undefined);

/** Axes that the target's kind has. */
const exampleFor = (workspace: Workspace): string =>
  hasHardware(workspace)
    ? "{ window: [auto, 2, 4] }"
    : workspace.plan.variants.some(({ kind }) => kind.kind === "host")
      ? "{ unroll: [auto, 1, 2, 4] }"
      : "{ vector-length: [auto, 64, 128], items-per-lane: [auto, 1, 2] }";

type Declared = Project["targets"][number];

/** An axis that the target's kind does not have makes no variants. */
function varies({ space, kind }: Declared): boolean {
  const [, second] = expandVariants(space, kind, vocabulary.axes).variants;
  return second !== undefined;
}

function targetOf(call: Call): string {
  requireProject(call);
  const [named] = call.positionals;
  if (named?.includes(":"))
    throw new UsageError(`${named} is one variant`, `name the target: ${named.replace(/:.*/, "")}`);
  if (named !== undefined) return named;
  const [only, ...others] = (loadIfThere(call)?.targets ?? []).filter(varies);
  if (only !== undefined && others.length === 0) return only.name;
  throw new UsageError(
    only === undefined ? "no target has variants to explore" : "several targets have variants",
    only === undefined
      ? "give one some: `variants: { window: [auto, 2, 4] }`"
      : `name one: ${[only, ...others].map(({ name }) => name).join(", ")}`,
  );
}
