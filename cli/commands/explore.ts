/** `arc explore`: builds the most promising variants, learns from each, and stops when no other is worth a build. */
import { readFileSync, writeFileSync } from "node:fs";
import { runAddress, verifyAddress } from "../../rules/inputs/addresses.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import { estimateAddress } from "../../rules/steps/estimate.ts";
import { kernelsAddress } from "../../rules/steps/kernels/kernels.ts";
import { vocabulary } from "../../rules/vocabulary.ts";
import { expandVariants, type Variant } from "../../schema/contract/variants.ts";
import { parseDuration } from "../../schema/document/duration.ts";
import { buildWorkspace } from "../build/build.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { withFirst } from "../explore/apply.ts";
import { candidatesOf, type Goal, goals, outcomeOf } from "../explore/candidates.ts";
import type { Candidate, Outcome } from "../explore/model.ts";
import { neighbours, sampleOf } from "../explore/sample.ts";
import { nextCandidate } from "../explore/search.ts";
import { unknownTarget } from "../project/unknown-target.ts";
import { loadIfThere, requireProject, type Workspace, withWorkspace } from "../project/workspace.ts";
import { collect, variantReport } from "../report/model/collect.ts";
import { type Figure, figureOf, paretoOf, sorted } from "../report/model/figures.ts";
import type { VariantReport } from "../report/model/report.ts";
import { columnTexts } from "../report/text/rows.ts";
import { fitted } from "../show/fit.ts";
import { plural } from "../show/words.ts";

interface Budget {
  readonly builds: number;
  /** In milliseconds. */
  readonly time: number;
}

export function run(call: Call): Promise<Status> {
  const goal = goalOf(call);
  const seed = wholeOf(call, "seed", 1);
  if (goal === "pareto" && call.options.apply === true)
    throw new UsageError(
      "a front is of many variants: one has to be chosen",
      "say --goal time or --goal area with --apply",
    );
  const target = targetOf(call);
  // Only the target's first variant: the others are planned when the search considers them.
  return withWorkspace(call, [target], (workspace) => explore(workspace, call, { target, goal, seed }));
}

interface Request {
  readonly target: string;
  readonly goal: Goal;
  readonly seed: number;
}

async function explore(first: Workspace, call: Call, request: Request): Promise<Status> {
  const { target, goal, seed } = request;
  const declared = first.project.targets.find(({ name }) => name === target);
  if (declared === undefined) throw unknownTarget(target, first.project);
  if (first.plan.variants.every(({ kind }) => kind.readReport === undefined))
    throw new UsageError(
      `target ${target} is of a kind without variants of hardware`,
      "explore a target of kind rtl, intel-fpga or vitis; `arc bench` measures others",
    );
  const variants = [...expandVariants(declared.space, declared.kind, vocabulary.axes).variants];
  let estimates = await look(first, call, request, sampleOf(variants, seed));
  if (estimates.interrupted) return status.interrupted;
  if (estimates.candidates.length === 0)
    throw new UsageError("no variant could be translated", "`arc build --all` says why");
  const outcomes: Outcome[] = estimates.candidates.flatMap(
    ({ id, clocked }) => outcomeOf(estimates.reports.get(id) as VariantReport, goal, clocked?.clock) ?? [],
  );
  const before = outcomes.length;
  const budget = budgetOf(call, estimates.candidates.length);
  const end = Date.now() + budget.time;
  const sampled =
    estimates.plans.length < variants.length ? `, ${estimates.plans.length} of them looked at first` : "";
  call.err(
    `arc: ${plural(variants.length, "variant")} of ${target}${sampled}, ${plural(estimates.candidates.length, "design")}, ${before} built before\n`,
  );
  let toolsMissing = false;
  for (let builds = 0; builds < budget.builds && Date.now() < end && !call.signal.aborted; builds++) {
    const more = neighbours(variants, bestOf(estimates, outcomes), ({ name }) => estimates.names.has(name));
    if (more.length > 0) {
      estimates = await look(first, call, request, more, estimates);
      if (estimates.interrupted) break;
    }
    const next = nextCandidate(estimates.candidates, outcomes, { seed });
    if (next === undefined) break;
    const chosen = estimates.plans.find(({ address }) => address === next.id) as VariantPlan;
    const built = await buildWorkspace(estimates.workspace, going(call), {
      patterns: [],
      quiet: "if-up-to-date",
      goals: goalsOf(estimates.workspace, chosen),
    });
    if (built.interrupted) break;
    const report = await variantReport(chosen, first.engine, first.project);
    estimates.reports.set(next.id, report);
    const outcome = outcomeOf(report, goal, next.clocked?.clock);
    if (outcome === undefined && built.counts.skipped > 0) {
      // The tools are missing, so other variants would fail the same way.
      toolsMissing = true;
      break;
    }
    outcomes.push(outcome ?? { id: next.id, failed: true });
    call.err(
      `arc: ${outcomes.length - before} of at most ${budget.builds}: ${summaryOf(report, outcomes.at(-1) as Outcome)}\n`,
    );
  }
  return report(estimates, call, request, { outcomes, toolsMissing, before });
}

/** The variants considered so far: translated, estimated, and merged where they are the same design. */
interface Looked {
  readonly workspace: Workspace;
  readonly names: ReadonlySet<string>;
  readonly plans: readonly VariantPlan[];
  readonly candidates: readonly Candidate[];
  readonly reports: Map<string, VariantReport>;
  readonly interrupted: boolean;
}

/** Translates and estimates variants, in addition to those considered before. */
async function look(
  first: Workspace,
  call: Call,
  { target, goal }: Request,
  variants: readonly Variant[],
  before?: Looked,
): Promise<Looked> {
  const names = new Set([...(before?.names ?? []), ...variants.map(({ name }) => name)]);
  const workspace = first.withVariants([...names].map((name) => `${target}:${name}`));
  const plans = workspace.plan.variants;
  const fresh = plans.filter(({ variant }) => before?.names.has(variant.name) !== true);
  const goals = fresh.flatMap(({ address, kind }) => [
    kernelsAddress(address),
    ...(kind.estimated ? [estimateAddress(address)] : []),
  ]);
  const drafted = await buildWorkspace(workspace, going(call), {
    patterns: [],
    quiet: "unless-failed",
    goals,
  });
  const reports = new Map((await collect(workspace)).map((report) => [report.address, report]));
  const candidates = candidatesOf(first.engine, plans, [...reports.values()], goal);
  return { workspace, names, plans, candidates, reports, interrupted: drafted.interrupted };
}

/** The best variants: of those built, or, if there are none, of those estimated. */
function bestOf({ plans, candidates }: Looked, outcomes: readonly Outcome[]): readonly Variant[] {
  const built = outcomes.flatMap((outcome) => ("values" in outcome ? [outcome] : []));
  const judged =
    built.length > 0
      ? built.map(({ id, values }) => ({ id, value: values[0] as number }))
      : candidates.map(({ id, predicted }) => ({ id, value: predicted[0] ?? Number.POSITIVE_INFINITY }));
  const order = [...judged].sort((a, b) => a.value - b.value).slice(0, 4);
  return order.flatMap(({ id }) => plans.find(({ address }) => address === id)?.variant ?? []);
}

interface Explored {
  readonly outcomes: readonly Outcome[];
  readonly toolsMissing: boolean;
  readonly before: number;
}

function report(
  { workspace: { plan, project }, candidates, reports }: Looked,
  call: Call,
  { target, goal }: Request,
  { outcomes, toolsMissing, before }: Explored,
): Status {
  const built = outcomes.flatMap((outcome) =>
    "values" in outcome ? [reports.get(outcome.id) as VariantReport] : [],
  );
  const failed = outcomes.filter((outcome) => "failed" in outcome).length;
  // Without built variants, use estimates if the kind has them.
  const judged =
    built.length > 0
      ? built
      : candidates.map(({ id }) => reports.get(id) as VariantReport).filter(({ estimate }) => estimate);
  const figures = (goal === "pareto" ? ["time", "area"] : [goal]).flatMap((key) => figureOf(key) ?? []);
  const best =
    goal === "pareto" ? paretoOf(judged, figures) : sorted(judged, figures[0] as Figure).slice(0, 1);
  const shown = sorted(judged, figures[0] as Figure);
  if (call.options.json === true) {
    const names = (list: readonly VariantReport[]) => list.map(({ address }) => address);
    call.out(
      `${JSON.stringify({ type: "exploration", goal, best: names(best), by: built.length > 0 ? "builds" : "estimates", outcomes, designs: candidates.length, expected: candidates })}\n`,
    );
  } else {
    const { header, lines } = columnTexts(shown);
    if (shown.length > 0) call.out(fitted([header, ...lines], call.outColumns()));
    if (toolsMissing) call.err(`arc: the tools for ${target} are not here: this is by estimates alone\n`);
    call.err(
      `arc: ${plural(outcomes.length - before, "build")}, ${failed} failed or too large; best: ${best.map(({ address }) => address).join(", ") || "none"}\n`,
    );
  }
  const [winner] = best;
  if (winner === undefined) return call.signal.aborted ? status.interrupted : status.failed;
  if (call.options.apply === true) {
    const { variant } = plan.variants.find(({ address }) => address === winner.address) as VariantPlan;
    const text = readFileSync(project.file, "utf8");
    writeFileSync(project.file, withFirst(text, target, variant));
    call.err(`arc: ${winner.address} is now the first variant of ${target} in ${project.file}\n`);
  }
  return call.signal.aborted ? status.interrupted : status.done;
}

const summaryOf = ({ address }: VariantReport, outcome: Outcome): string =>
  "failed" in outcome
    ? `${address} cannot be built`
    : `${address}: ${outcome.values.map((value) => value.toPrecision(3)).join(", ")}`;

/** The products to build, and the run that tells how often kernels are launched. */
function goalsOf(
  { project }: Workspace,
  { address, products, kind, target }: VariantPlan,
): readonly string[] {
  const [name] = project.verify.runs;
  const simulated = kind.device(target.options).counts !== undefined;
  return [
    ...products,
    ...(name === undefined || !simulated ? [] : [runAddress(address, name), verifyAddress(address, name)]),
  ];
}

/** Sets `--keep-going`: a variant that fails must not end the search. */
const going = (call: Call): Call => ({ ...call, options: { ...call.options, "keep-going": true } });

function targetOf(call: Call): string {
  requireProject(call);
  const project = loadIfThere(call);
  const [named] = call.positionals;
  if (named?.includes(":"))
    throw new UsageError(`${named} is one variant`, `name the target: ${named.replace(/:.*/, "")}`);
  if (named !== undefined) return named;
  const varying = (project?.targets ?? []).filter(({ space }) =>
    [space.all, ...space.kernels.map(({ choice }) => choice)].some(({ values }) =>
      Object.values(values).some((list) => list.length > 1),
    ),
  );
  const [only, ...others] = varying.filter(({ kind }) => ["rtl", "intel-fpga", "vitis"].includes(kind));
  if (only !== undefined && others.length === 0) return only.name;
  throw new UsageError(
    only === undefined ? "no target has variants to explore" : "several targets have variants",
    only === undefined
      ? "give one some: `variants: { window: [auto, 2, 4] }`"
      : `name one: ${[only, ...others].map(({ name }) => name).join(", ")}`,
  );
}

function goalOf({ options }: Call): Goal {
  const requested = options.goal ?? "time";
  const found = goals.find((goal) => goal === requested);
  if (found !== undefined) return found;
  throw new UsageError(`there is no goal \`${String(requested)}\``, `there are ${goals.join(", ")}`);
}

/** The default is a third of the designs, but at least three. */
function budgetOf({ options }: Call, designs: number): Budget {
  const { budget } = options;
  if (budget === undefined)
    return { builds: Math.max(3, Math.ceil(designs / 3)), time: Number.POSITIVE_INFINITY };
  if (/^\d{1,6}$/.test(String(budget))) return { builds: Number(budget), time: Number.POSITIVE_INFINITY };
  const seconds = parseDuration(String(budget));
  if (seconds !== undefined) return { builds: Number.MAX_SAFE_INTEGER, time: 1000 * seconds };
  throw new UsageError(
    `--budget ${String(budget)} is no budget`,
    "write a number of builds, such as 10, or a time, such as `2 h`",
  );
}

function wholeOf({ options }: Call, name: string, otherwise: number): number {
  const value = options[name];
  if (value === undefined) return otherwise;
  if (/^\d{1,9}$/.test(String(value))) return Number(value);
  throw new UsageError(`--${name} ${String(value)} is no whole number`, `write --${name} 1`);
}
