/** `arc tune`: measures variants of a target on its device, the most promising first, and reports the fastest. */
import { readFileSync, writeFileSync } from "node:fs";
import { addressOf, runAddress, verifyAddress } from "../../rules/inputs/addresses.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import { kernelsAddress } from "../../rules/steps/kernels/kernels.ts";
import { vocabulary } from "../../rules/vocabulary.ts";
import type { Run } from "../../schema/contract/project.ts";
import { parseDuration } from "../../schema/document/duration.ts";
import { benchOf, LeftOut, WrongRun } from "../bench/bench.ts";
import { devicesOf } from "../bench/measurements.ts";
import { runNamed } from "../bench/run-named.ts";
import { type Summary, spreadOf } from "../bench/statistics.ts";
import { deviceSeconds } from "../bench/tuning.ts";
import { buildWorkspace } from "../build/build.ts";
import { type Call, type Status, status } from "../call/call.ts";
import { UsageError } from "../call/usage-error.ts";
import { withFirst } from "../explore/apply.ts";
import type { Candidate, Outcome } from "../explore/model.ts";
import { nextCandidate } from "../explore/search.ts";
import { sameDesigns } from "../project/same-designs.ts";
import { unknownTarget } from "../project/unknown-target.ts";
import { type Workspace, withWorkspace } from "../project/workspace.ts";
import { fitted } from "../show/fit.ts";
import { duration, plural } from "../show/words.ts";
import { statusLine } from "../ui/status-line.ts";

/** Default time budget in seconds. */
const BUDGET = 60;
/** A variant that promises a smaller relative gain is not worth a run. */
const WORTH = 0.01;

export function run(call: Call): Promise<Status> {
  const [address = "", runName, ...tooMany] = call.positionals;
  if (tooMany.length > 0)
    throw new UsageError("arc tune takes one address and one run", "tune targets by turns");
  const limits = {
    repetitions: wholeOf(call, "repetitions", 5),
    warmUp: wholeOf(call, "warm-up", 1),
    seed: wholeOf(call, "seed", 1),
    ...budgetOf(call),
  };
  if (limits.repetitions === 0)
    throw new UsageError("--repetitions 0 measures nothing", "write --repetitions 5");
  return withWorkspace(call, [address.includes(":") ? address : `${address}:*`], (workspace) =>
    tune(workspace, call, runNamed(workspace.project, runName), limits),
  );
}

interface Limits {
  readonly repetitions: number;
  readonly warmUp: number;
  readonly seed: number;
  /** Of time, in seconds. */
  readonly seconds: number;
  /** Number of designs measured at most. */
  readonly designs: number;
}

interface Tuned {
  readonly variant: VariantPlan;
  readonly seconds: Summary;
}

async function tune(workspace: Workspace, call: Call, chosen: Run, limits: Limits): Promise<Status> {
  const { engine, plan } = workspace;
  const plans = plan.variants;
  const [first] = plans;
  if (first === undefined) throw unknownTarget(call.positionals[0] ?? "", workspace.project);
  const { target, kind } = first;
  if (plans.some((one) => one.target.name !== target.name))
    throw new UsageError("variants of one target are compared", "name one target");
  if (kind.device(target.options).counts !== undefined)
    throw new UsageError(`${target.name} is simulated`, "`arc explore` chooses by cycles and clock");
  if (plans.length === 1)
    throw new UsageError(
      `${target.name} has one variant`,
      "give it some: `variants: { vector-length: [auto, 64, 128, 256], items-per-lane: [auto, 1, 2] }`",
    );
  const end = Date.now() + 1000 * limits.seconds;
  const drafted = await buildWorkspace(workspace, going(call), {
    patterns: [],
    quiet: "if-up-to-date",
    goals: [...plans.map(({ address }) => kernelsAddress(address)), ...deviceGoals(first)],
  });
  if (drafted.interrupted) return status.interrupted;
  const missing = devicesOf(engine, first)?.find(({ name }) => name === undefined)?.reason;
  if (missing !== undefined) {
    call.err(`arc: ${target.name} cannot be measured here: ${missing}\n`);
    return status.failed;
  }
  const twins = new Set(sameDesigns(engine, plans).map(({ address }) => address));
  const designs = plans.filter(({ address }) => !twins.has(address));
  call.err(
    `arc: ${plural(plans.length, "variant")} of ${target.name}, ${plural(designs.length, "design")}\n`,
  );
  const search = new Search(workspace, call, chosen, { ...limits, end });
  await search.run(designs);
  return report(workspace, call, chosen, search, plans.length - designs.length);
}

class Search {
  readonly tuned: Tuned[] = [];
  readonly failed: string[] = [];
  /** Number of designs that were not measured. */
  left = 0;
  private readonly workspace: Workspace;
  private readonly call: Call;
  private readonly chosen: Run;
  private readonly limits: Limits & { readonly end: number };

  constructor(workspace: Workspace, call: Call, chosen: Run, limits: Limits & { readonly end: number }) {
    this.workspace = workspace;
    this.call = call;
    this.chosen = chosen;
    this.limits = limits;
  }

  async run(designs: readonly VariantPlan[]): Promise<void> {
    const { seed, end } = this.limits;
    const most = Math.min(designs.length, this.limits.designs);
    const candidates = designs.map(
      ({ address, variant }): Candidate => ({
        id: address,
        axes: flat(variant),
        predicted: [undefined],
        departures: departuresOf(flat(variant)),
      }),
    );
    const outcomes: Outcome[] = [];
    while (outcomes.length < most && !this.call.signal.aborted) {
      if (outcomes.length > 0 && Date.now() >= end) break;
      // The first variant is the project's present choice, with which all others are compared.
      const id =
        outcomes.length === 0
          ? candidates[0]?.id
          : nextCandidate(candidates, outcomes, { seed, worth: WORTH })?.id;
      const variant = designs.find(({ address }) => address === id);
      if (variant === undefined) break;
      outcomes.push(await this.outcome(variant));
    }
    this.left = designs.length - outcomes.length;
  }

  private async outcome(variant: VariantPlan): Promise<Outcome> {
    const { address } = variant;
    const seconds = await this.measured(variant);
    if (seconds === undefined) {
      this.failed.push(address);
      return { id: address, failed: true };
    }
    this.tuned.push({ variant, seconds });
    this.call.err(`arc: ${address}: ${duration(seconds.median)} in launches\n`);
    return { id: address, values: [seconds.median] };
  }

  private async measured(variant: VariantPlan): Promise<Summary | undefined> {
    const { workspace, call, limits } = this;
    const built = await buildWorkspace(workspace, going(call), {
      patterns: [],
      goals: [...variant.products, ...deviceGoals(variant)],
      quiet: "if-up-to-date",
    });
    if (!built.ok) return undefined;
    const line = statusLine(call);
    line.show(`measuring ${variant.address}, ${this.chosen.name}`);
    const medians = this.tuned.map(({ seconds }) => seconds.median);
    try {
      return await deviceSeconds(benchOf(workspace, variant, this.chosen, call), {
        ...limits,
        best: medians.length > 0 ? Math.min(...medians) : undefined,
      });
    } catch (error) {
      if (!(error instanceof WrongRun || error instanceof LeftOut) && !call.signal.aborted) throw error;
      line.clear();
      if (!call.signal.aborted) call.err(`arc: ${(error as Error).message}\n`);
      return undefined;
    } finally {
      line.clear();
    }
  }
}

async function report(
  workspace: Workspace,
  call: Call,
  chosen: Run,
  { tuned, failed, left }: Search,
  twins: number,
): Promise<Status> {
  if (call.signal.aborted) call.err("arc: interrupted; what was measured is kept\n");
  const [base] = tuned;
  const ranked = [...tuned].sort((a, b) => a.seconds.median - b.seconds.median);
  const winner = call.signal.aborted ? undefined : await firstRight(workspace, call, ranked);
  if (call.options.json === true) {
    const results = ranked.map(({ variant, seconds }) => ({ variant: variant.address, launches: seconds }));
    call.out(
      `${JSON.stringify({ type: "tuning", run: chosen.name, best: winner?.variant.address, results, failed, left })}\n`,
    );
  } else if (ranked.length > 0) {
    const rows = ranked.map(({ variant, seconds }) => [
      variant.address,
      String(seconds.count),
      duration(seconds.median),
      seconds.interval === undefined ? "" : seconds.interval.map(duration).join(" and "),
      spreadText(seconds),
      duration(seconds.least),
      base === undefined ? "" : (seconds.median / base.seconds.median).toFixed(2),
    ]);
    const header = ["variant", "runs", "in launches", "between (95 %)", "spread", "least", "to the first"];
    call.out(fitted([header, ...rows], call.outColumns()));
  }
  const parts = [
    `${plural(tuned.length, "design")} measured`,
    ...(twins > 0 ? [`${twins} the same as others`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(left > 0 ? [`${left} left out: the budget is spent, or they promise less than 1 %`] : []),
  ];
  call.err(`arc: ${parts.join(", ")}; best: ${winner?.variant.address ?? "none"}\n`);
  if (call.signal.aborted) return status.interrupted;
  if (winner === undefined) return status.failed;
  if (call.options.apply === true) apply(workspace, call, winner.variant);
  return status.done;
}

/** The fastest variant whose results match the serial program's, if the project has a run to compare. */
async function firstRight(
  workspace: Workspace,
  call: Call,
  ranked: readonly Tuned[],
): Promise<Tuned | undefined> {
  const [name] = workspace.project.verify.runs;
  for (const one of ranked) {
    const { address } = one.variant;
    if (name === undefined) return one;
    const compared = await buildWorkspace(workspace, going(call), {
      patterns: [],
      goals: [runAddress(address, name), verifyAddress(address, name)],
      quiet: "if-up-to-date",
    });
    if (compared.interrupted) return undefined;
    if (compared.ok) return one;
    call.err(`arc: ${address} is passed over: its results are not the serial program's in run ${name}\n`);
  }
  return undefined;
}

function apply({ project }: Workspace, call: Call, { address, target, variant }: VariantPlan): void {
  const text = readFileSync(project.file, "utf8");
  const next = withFirst(text, target.name, variant);
  if (next === text) {
    call.err(`arc: ${address} is the first variant of ${target.name} already\n`);
    return;
  }
  writeFileSync(project.file, next);
  call.err(`arc: ${address} is now the first variant of ${target.name} in ${project.file}\n`);
}

/** Values for single kernels together with those for all kernels. */
const flat = ({ all, kernels }: VariantPlan["variant"]): Candidate["axes"] => ({
  ...all,
  ...Object.fromEntries(
    Object.entries(kernels).flatMap(([kernel, values]) =>
      Object.entries(values).map(([axis, value]) => [`${kernel}.${axis}`, value] as const),
    ),
  ),
});

/** Number of choices that are not the defaults of their axes: those the compiler makes by itself. */
const departuresOf = (choices: Candidate["axes"]): number =>
  Object.entries(choices).filter(([name, value]) => {
    const axis = vocabulary.axes.find(({ key }) => key === name.replace(/^.*\./, ""));
    return axis !== undefined && value !== axis.default;
  }).length;

/** The action that identifies the device, by which measurements are stored. */
const deviceGoals = ({ address, kind, target }: VariantPlan): readonly string[] =>
  kind.device(target.options).always ? [] : [addressOf(address, "device")];

/** Sets `--keep-going`: a variant that fails must not end the search. */
const going = (call: Call): Call => ({ ...call, options: { ...call.options, "keep-going": true } });

const spreadText = (summary: Summary): string => {
  const spread = spreadOf(summary);
  return spread === undefined ? "" : `${(100 * spread).toFixed(1)} %`;
};

function budgetOf({ options: { budget } }: Call): Pick<Limits, "seconds" | "designs"> {
  const unlimited = Number.POSITIVE_INFINITY;
  if (budget === undefined) return { seconds: BUDGET, designs: unlimited };
  if (/^[1-9]\d{0,5}$/.test(String(budget))) return { seconds: unlimited, designs: Number(budget) };
  const seconds = parseDuration(String(budget));
  if (seconds !== undefined) return { seconds, designs: unlimited };
  throw new UsageError(
    `--budget ${String(budget)} is no budget`,
    "write a time, such as `90 s` or `2 min`, or a number of designs, such as 10",
  );
}

function wholeOf({ options }: Call, name: string, otherwise: number): number {
  const value = options[name];
  if (value === undefined) return otherwise;
  if (/^\d{1,6}$/.test(String(value))) return Number(value);
  throw new UsageError(`--${name} ${String(value)} is no whole number`, `write --${name} ${otherwise}`);
}
