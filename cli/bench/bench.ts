/** Measures one variant in one run: warm-up, repetitions, and a few runs with device profiling. */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { digestBytes } from "../../core/build/key/digest.ts";
import type { Digest } from "../../core/build/model/action.ts";
import type { VariantPlan } from "../../rules/plan/variant.ts";
import type { Results } from "../../rules/steps/compare-results.ts";
import type { Run } from "../../schema/contract/project.ts";
import type { Call } from "../call/call.ts";
import type { Workspace } from "../project/workspace.ts";
import {
  type ComparedResults,
  compared,
  type Differing,
  differingOf,
  settingsOf,
} from "./compared-results.ts";
import {
  benchedEnergy,
  type Energy,
  type EnergySource,
  energySourceOf,
  type NoEnergy,
} from "./device-energy.ts";
import { type Executed, type Execution, execute, outputDigest } from "./execute.ts";
import { FirstResults, resultsIn } from "./expected-results.ts";
import {
  devicesOf,
  keepMeasurement,
  type Measurement,
  measurementKey,
  readMeasurements,
} from "./measurements.ts";
import { type Summary, summarise } from "./statistics.ts";

export interface Benched {
  readonly variant: string;
  readonly run: string;
  /** Wall times, including those of earlier calls. */
  readonly program: Summary;
  /** Seconds that the device spent in a run; absent if it was not profiled. */
  readonly launches?: Summary;
  readonly transfers?: Summary;
  /** Of the device in a run, or why it is not known. */
  readonly energy: Energy | NoEnergy;
  /** Present if times are not to be trusted, as runs left different results. */
  readonly differing?: Differing;
}

interface Repetitions {
  readonly warmUp: number;
  readonly repetitions: number;
  /** Number of runs with device profiling. */
  readonly watched: number;
}

/** The variant has no program to run. */
export class LeftOut extends Error {}

/** The end of what the program said, if it said anything. */
const saidOf = (stderr: string): string => (stderr.trim() === "" ? "" : `: ${stderr.slice(-500).trim()}`);

/** The program ended with a wrong status: nothing of that run is kept. */
export class WrongRun extends Error {}

/** One variant in one run, which can be repeated. */
export interface Bench {
  readonly address: string;
  readonly source: EnergySource;
  /** Includes measurements of earlier calls. */
  measurements(): readonly Measurement[];
  /** Throws WrongRun. With `watch`, device times are measured, too. */
  once(watch: boolean): Promise<Repetition>;
  /** With `counts` false only how its results compare, and only if they differ. */
  keep(repetition: Repetition, counts?: boolean): void;
  /** Of all calls. */
  differing(): Differing | undefined;
}

/** A run, and how its results compare; the first one may be what others are compared with. */
interface Repetition extends Executed {
  readonly compared?: ComparedResults;
}

/** `serial`: the serial program's results, if they are known. Throws LeftOut. */
export function benchOf(
  { engine, project, settings }: Workspace,
  variant: VariantPlan,
  run: Run,
  call: Call,
  serial: Results | undefined,
): Bench {
  const { address, kind, target, place } = variant;
  const key = measurementKey(engine, variant, run, inputDigests(project.root, run));
  if (key === undefined)
    throw new LeftOut(`${address} is left out: a tool that its kernels need is not here, as the build says`);
  const execution: Execution = {
    program: path.join(project.root, place),
    args: run.args,
    env: { ...call.env, ...kind.device(target.options).environment, ARC_TARGET: address, ...run.env },
    root: project.root,
    inputs: run.inputs,
    ...(run.stdin !== undefined && { stdin: run.stdin }),
    ...(run.timeout !== undefined && { timeout: run.timeout }),
    signal: call.signal,
  };
  const first = new FirstResults(settings.store, key, run);
  const by = settingsOf(project.verify, run);
  const judge = async (found: Results, number: number): Promise<ComparedResults | undefined> => {
    const expected = serial ?? first.get();
    if (expected === undefined) {
      await first.set(found);
      return undefined;
    }
    const how = await compared(expected, found, project.verify, run);
    return { with: serial === undefined ? "first" : "serial", settings: by, run: number, ...how };
  };
  const measurements = () => readMeasurements(settings.store, key);
  let runs = 0;
  return {
    address,
    source: energySourceOf(devicesOf(engine, variant) ?? []),
    measurements,
    differing: () => differingOf(measurements(), by),
    async once(watch) {
      const number = ++runs;
      const expectedStatus = run.status ?? 0;
      let found: ComparedResults | undefined;
      const ran = await execute(execution, watch, async (folder, { status, stdout }) => {
        if (status === expectedStatus) found = await judge(resultsIn(folder, "the run", stdout), number);
      });
      if (ran.status !== expectedStatus)
        throw new WrongRun(
          `${address} ${run.name} ended with ${ran.status}, not ${expectedStatus}${saidOf(ran.stderr)}`,
        );
      return { ...ran, ...(found && { compared: found }) };
    },
    keep({ stdout, device, seconds, joules, compared: how }, counts = true) {
      if (!counts && how?.differs === undefined) return;
      const output = outputDigest(stdout, project.verify.ignore);
      // The wall time of a run with device profiling says nothing.
      const times = counts ? { ...(device ?? { seconds }), ...(joules === undefined ? {} : { joules }) } : {};
      keepMeasurement(settings.store, key, {
        at: Date.now(),
        ...times,
        output,
        ...(how && { compared: how }),
      });
    },
  };
}

/** `begins`: told of each run. */
export async function benchVariant(
  workspace: Workspace,
  variant: VariantPlan,
  run: Run,
  call: Call,
  { warmUp, repetitions, watched }: Repetitions,
  serial: Results | undefined,
  begins: (run: number, of: number) => void,
): Promise<Benched> {
  const bench = benchOf(workspace, variant, run, call, serial);
  let runs = 0;
  const begin = (): void => begins(++runs, warmUp + repetitions + watched);
  for (let i = 0; i < warmUp; i++) {
    begin();
    bench.keep(await bench.once(false), false);
  }
  for (let i = 0; i < repetitions; i++) {
    begin();
    bench.keep(await bench.once(false));
  }
  for (let i = 0; i < watched; i++) {
    begin();
    const ran = await bench.once(true);
    bench.keep(ran, ran.device !== undefined);
  }
  return benched(bench, run.name) as Benched;
}

/** Undefined without any repetition. */
function benched(
  { address: variant, source, measurements, differing }: Bench,
  run: string,
): Benched | undefined {
  const all = measurements();
  const of = (pick: (one: Measurement) => number | undefined) =>
    summarise(all.flatMap((one) => pick(one) ?? []));
  const program = of(({ seconds }) => seconds);
  if (program === undefined) return undefined;
  const energy = benchedEnergy(all, source);
  const untrusted = differing();
  const [launches, transfers] = [of((one) => one.launches), of((one) => one.transfers)];
  return {
    variant,
    run,
    program,
    ...(launches && { launches }),
    ...(transfers && { transfers }),
    energy,
    ...(untrusted && { differing: untrusted }),
  };
}

/** Digests of the files that the run reads; a folder or a missing file is identified by its name. */
export const inputDigests = (root: string, { inputs, stdin }: Run): readonly Digest[] =>
  [...inputs, ...(stdin === undefined ? [] : [stdin])].map((input) => {
    const file = path.resolve(root, input);
    return existsSync(file) && statSync(file).isFile() ? digestBytes(readFileSync(file)) : digestBytes(input);
  });
