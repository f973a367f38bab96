/**
 * Judges kernels that run on this machine by measuring them. Designs that may be next are built together, in parallel;
 * they are measured one at a time, while nothing is built.
 */

import { availableParallelism } from "node:os";
import { itemAt } from "../../../core/checked/access.ts";
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import { addressOf, runAddress, verifyAddress } from "../../../rules/inputs/addresses.ts";
import type { VariantPlan } from "../../../rules/plan/variant.ts";
import { allKernels, kernelsAddress } from "../../../rules/steps/kernels/kernels.ts";
import { vocabulary } from "../../../rules/vocabulary.ts";
import type { Run } from "../../../schema/contract/project.ts";
import { benchOf, inputDigests, LeftOut, WrongRun } from "../../bench/bench.ts";
import { differingOf, differingWords, settingsOf } from "../../bench/compared-results.ts";
import { energySourceOf, whyTooShort } from "../../bench/device-energy.ts";
import { type DeviceRuns, measureRuns, runsOf } from "../../bench/device-runs.ts";
import { serialResults } from "../../bench/expected-results.ts";
import { devicesOf, measurementKey, readMeasurements } from "../../bench/measurements.ts";
import { runNamed } from "../../bench/run-named.ts";
import { buildWorkspace } from "../../build/build.ts";
import type { Call } from "../../call/call.ts";
import { UsageError } from "../../call/usage-error.ts";
import { resultOf } from "../../project/results.ts";
import type { Workspace } from "../../project/workspace.ts";
import { duration, joulesText } from "../../show/words.ts";
import { statusLine } from "../../ui/status-line.ts";
import type { Goal } from "../goals.ts";
import { launchesOf } from "../launches.ts";
import type { Candidate, Outcome } from "../model.ts";
import { isValued, type Judge } from "./judge.ts";
import { knownEnergy, measuredTable } from "./measured-table.ts";
import type { Budget, Request } from "./request.ts";
import { going, planOf, type Space } from "./space.ts";

/** Without a budget. */
const USUAL: Budget = { designs: Number.POSITIVE_INFINITY, time: 60 };
/** A variant that takes this many times the best one's median in its fastest run is not run again. */
const HOPELESS = 1.2;

export function measuredJudge(first: Workspace, call: Call, request: Request): Judge {
  const { target } = request;
  const goal: Goal = request.goal === "pareto" ? ["time", "energy"] : request.goal;
  if (goal.includes("area"))
    throw new UsageError(
      `kernels of ${target} have no area: they run on a device that exists`,
      "say --goal time, energy or `time,energy`",
    );
  return new MeasuredJudge(first, call, request, goal, runNamed(first.project, request.run));
}

class MeasuredJudge implements Judge {
  readonly goal: Goal;
  readonly done = "measured";
  readonly firstFirst = true;
  private readonly first: Workspace;
  private readonly call: Call;
  private readonly request: Request;
  private readonly run: Run;
  private readonly measured = new Map<string, DeviceRuns>();
  private readonly built = new Set<string>();
  private serial: ReturnType<typeof serialResults> | undefined;
  private end = Number.POSITIVE_INFINITY;

  constructor(first: Workspace, call: Call, request: Request, goal: Goal, run: Run) {
    this.goal = goal;
    this.first = first;
    this.call = call;
    this.request = request;
    this.run = run;
  }

  budget(): Budget {
    const budget = this.request.budget ?? USUAL;
    this.end = Date.now() + 1000 * budget.time;
    return budget;
  }

  drafts(plan: VariantPlan) {
    return [kernelsAddress(plan.address), ...deviceGoals(plan)];
  }

  candidates(plans: readonly VariantPlan[], reports: Parameters<Judge["candidates"]>[1]) {
    const { engine } = this.first;
    return reports.flatMap(({ address, axes, sameDesign }): readonly Candidate[] => {
      const kernels = resultOf<readonly TranslatedKernel[]>(engine, kernelsAddress(address), allKernels);
      if (
        kernels === undefined ||
        sameDesign !== undefined ||
        !plans.some((plan) => plan.address === address)
      )
        return [];
      const launches = kernels.flatMap(({ manifest }) => launchesOf(manifest));
      const predicted = pick<undefined>(this.goal, undefined, undefined);
      return [{ id: address, axes, predicted, departures: departuresOf(axes), launches }];
    });
  }

  check({ plans: [plan] }: Space): void {
    const missing =
      plan && devicesOf(this.first.engine, plan)?.find(({ name }) => name === undefined)?.reason;
    if (missing !== undefined)
      throw new UsageError(
        `${this.request.target} cannot be measured here: ${missing}`,
        "run arc where the device is, or name another target",
      );
    if (plan === undefined || !this.goal.includes("energy")) return;
    const devices = devicesOf(this.first.engine, plan) ?? [];
    const source = energySourceOf(devices);
    if ("missing" in source) throw noEnergy(this.request.target, source.missing, "say --goal time");
    const what =
      source.by === "RAPL" ? "this machine's processors and memory" : "the whole GPU while it has launches";
    this.call.err(
      `arc: joules are of ${what} (${source.by})${devices[0]?.name ? `: ${devices[0].name}` : ""}\n`,
    );
  }

  /** Only programs that a build would not make again: measurements of others say nothing. */
  async known(space: Space) {
    const { engine, project, settings } = this.first;
    const { plan } = space.workspace;
    const digests = inputDigests(project.root, this.run);
    const kept = space.candidates.flatMap(({ id }) => {
      const own = planOf(space, { id });
      const key = measurementKey(engine, own, this.run, digests);
      const all = key === undefined ? [] : readMeasurements(settings.store, key);
      const runs = runsOf(all, energySourceOf(devicesOf(engine, own) ?? []));
      const differing = differingOf(all, settingsOf(project.verify, this.run));
      return runs === undefined ? [] : [{ id, own, runs: { ...runs, ...(differing && { differing }) } }];
    });
    if (kept.length === 0) return [];
    const { outcomes } = await engine.build(plan.actions, {
      targets: kept.flatMap(({ own }) => own.products),
      dryRun: true,
      keepGoing: true,
      signal: this.call.signal,
    });
    const current = kept.filter(({ own }) =>
      own.products.every((product) => outcomes.get(product)?.verdict === "up-to-date"),
    );
    const trusted = current.filter(({ runs }) => runs.differing === undefined);
    const least = Math.min(...trusted.map(({ runs }) => runs.seconds.median));
    return current.flatMap(({ id, runs }): readonly Outcome[] => {
      if (runs.differing !== undefined) return [this.untrusted(id, runs)];
      const { seconds } = runs;
      const isEnough = seconds.count >= this.request.repetitions || seconds.least > HOPELESS * least;
      const values = isEnough ? this.valuesOf(runs) : undefined;
      if (values === undefined) return [];
      this.measured.set(id, runs);
      return [{ id, values }];
    });
  }

  async outcome(
    chosen: Candidate,
    space: Space,
    soFar: readonly Outcome[],
    likely: (count: number) => readonly Candidate[],
  ): Promise<Outcome | undefined> {
    if (!this.built.has(chosen.id)) {
      const together = [chosen, ...likely((this.first.settings.jobs ?? availableParallelism()) - 1)];
      if (!(await this.build(together, space))) return undefined;
    }
    if (!this.built.has(chosen.id)) return { id: chosen.id, failed: true };
    const runs = await this.runsOf(chosen, space, soFar);
    if (this.call.signal.aborted) return undefined;
    if (runs === undefined) return { id: chosen.id, failed: true };
    if (runs.differing !== undefined) {
      this.call.err(`arc: ${chosen.id}, ${this.run.name}: ${differingWords(runs.differing)}\n`);
      return this.untrusted(chosen.id, runs);
    }
    const values = this.valuesOf(runs);
    const unknown = !this.goal.includes("energy") ? undefined : whyUnknown(runs, soFar.length === 0);
    if (unknown !== undefined) {
      const said = noEnergy(
        chosen.id,
        unknown,
        "say --goal time, let the counters be read, or name a run that takes a second or more",
      );
      if (!soFar.some(isValued)) throw said;
      this.call.err(`arc: ${said.message}\n`);
    }
    if (values === undefined) return { id: chosen.id, failed: true };
    this.measured.set(chosen.id, runs);
    return { id: chosen.id, values };
  }

  /** Its runs left different results: what was measured is shown, and never the best. */
  private untrusted(id: string, runs: DeviceRuns): Outcome {
    this.measured.set(id, runs);
    return { id, failed: true };
  }

  /** False if it was interrupted. */
  private async build(designs: readonly Candidate[], space: Space): Promise<boolean> {
    const plans = designs.map((design) => planOf(space, design));
    const { interrupted, outcomes } = await buildWorkspace(space.workspace, going(this.call), {
      patterns: [],
      goals: [...new Set(plans.flatMap((plan) => [...plan.products, ...deviceGoals(plan)]))],
      quiet: "if-up-to-date",
    });
    for (const { address, products } of plans)
      if (products.every((product) => outcomes.get(product)?.status === "done")) this.built.add(address);
    return !interrupted;
  }

  /** Undefined if it cannot be measured. */
  private async runsOf(
    chosen: Candidate,
    space: Space,
    soFar: readonly Outcome[],
  ): Promise<DeviceRuns | undefined> {
    const { call, request, run } = this;
    const line = statusLine(call);
    line.show(`measuring ${chosen.id}, ${run.name}`);
    const best = soFar.filter(isValued).map(({ values }) => values);
    const isHopeless = (runs: DeviceRuns): boolean =>
      best.length > 0 &&
      pick(this.goal, runs.seconds.least, knownEnergy(runs)?.least).every(
        (own, i) => (own ?? 0) > HOPELESS * Math.min(...best.map((one) => itemAt(one, i))),
      );
    try {
      this.serial ??= serialResults(space.workspace, run, call.signal);
      const bench = benchOf(space.workspace, planOf(space, chosen), run, call, await this.serial);
      return await measureRuns(bench, {
        ...request,
        end: this.end,
        needsEnergy: this.goal.includes("energy"),
        isHopeless,
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

  /** Undefined where the goal needs energy and it is not known. */
  private valuesOf(runs: DeviceRuns): readonly number[] | undefined {
    const values = pick(this.goal, runs.seconds.median, knownEnergy(runs)?.median);
    return values.every((value) => value !== undefined && value > 0) ? (values as number[]) : undefined;
  }

  estimates(): readonly [] {
    return [];
  }

  /** Whether its results are the serial program's, if the project has a run to compare. */
  async isRight(address: string, { workspace }: Space): Promise<boolean> {
    const [name] = workspace.project.verify.runs;
    if (name === undefined) return true;
    const compared = await buildWorkspace(workspace, going(this.call), {
      patterns: [],
      goals: [runAddress(address, name), verifyAddress(address, name)],
      quiet: "if-up-to-date",
    });
    if (!compared.ok && !compared.interrupted)
      this.call.err(
        `arc: ${address} is passed over: its results are not the serial program's in run ${name}\n`,
      );
    return compared.ok;
  }

  summary({ id }: Outcome): string {
    const runs = this.measured.get(id);
    if (runs === undefined) return "cannot be built or measured";
    const joules = knownEnergy(runs)?.median;
    return `${duration(runs.seconds.median)} in launches${joules === undefined ? "" : `, ${joulesText(joules)}`}${runs.differing === undefined ? "" : ", not trusted"}`;
  }

  table(valued: Parameters<Judge["table"]>[0], { candidates }: Space) {
    return measuredTable(valued, this.measured, this.measured.get(candidates[0]?.id ?? ""));
  }

  fields() {
    const results = [...this.measured].map(([variant, { seconds, energy, differing }]) => ({
      variant,
      launches: seconds,
      energy,
      ...(differing && { differing }),
    }));
    return { run: this.run.name, results };
  }
}

/** The values that a goal compares. */
const pick = <T>(goal: Goal, seconds: number | T, joules: number | T): readonly (number | T)[] =>
  goal.map((objective) => (objective === "energy" ? joules : seconds));

/** Number of choices that are not the defaults of their axes: those the compiler makes by itself. */
const departuresOf = (choices: Candidate["axes"]): number =>
  Object.entries(choices).filter(([name, value]) => {
    const axis = vocabulary.axes.find(({ key }) => key === name.replace(/^.*\./, ""));
    return axis !== undefined && value !== axis.default;
  }).length;

/** The action that identifies the device, by which measurements are stored. */
const deviceGoals = ({ address, kind, target }: VariantPlan): readonly string[] =>
  kind.device(target.options).always ? [] : [addressOf(address, "device")];

/** `first`: it is what all others are compared with. */
const whyUnknown = ({ energy }: DeviceRuns, first: boolean): string | undefined =>
  "missing" in energy ? energy.missing : first ? whyTooShort(energy) : undefined;

const noEnergy = (of: string, why: string, remedy: string): UsageError =>
  new UsageError(`the energy of ${of} is not known: ${why}`, remedy);
