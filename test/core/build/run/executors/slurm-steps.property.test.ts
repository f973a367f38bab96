/**
 * Histories of short processes in one allocation of a Slurm cluster, on a virtual clock: it is granted late, refused or
 * comes to its end, srun loses its step, needs to be killed or has its step killed, and the controller is away for a while.
 * 200 in every run, 10 000 of seed 7:
 * `ARC_PROPERTIES=50:7 npx vitest run test/core/build/run/executors/slurm-steps.property.test.ts`.
 */
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OutputFile, ProcessEnd } from "../../../../../core/build/run/executor.ts";
import { SlurmExecutor } from "../../../../../core/build/run/executors/slurm.ts";
import { cases } from "../../../../cases.ts";
import { type AllocationPlan, type SimulatedStep, SimulatedSteps, type StepPlan } from "./simulated-steps.ts";

const MINUTE = 60_000;
/** As long as arc waits for an exit code. */
const SETTLES = 10_000;

const allocation: fc.Arbitrary<AllocationPlan> = fc.record({
  pending: fc.oneof(fc.nat(2000), fc.nat(30 * MINUTE)),
  isRefused: fc.nat(5).map((one) => one === 0),
  lives: fc.oneof(fc.nat(5 * MINUTE), fc.constant(600 * MINUTE)),
});

const step: fc.Arbitrary<StepPlan> = fc.record({
  pending: fc.nat(10_000),
  running: fc.oneof(fc.nat(2000), fc.nat(10 * MINUTE)),
  code: fc.constantFrom(0, 0, 1, 125, 255),
  codeAfter: fc.oneof(fc.constant(0), fc.nat(8000), fc.nat(40_000)),
  lostAfter: fc.option(fc.nat(10 * MINUTE), { freq: 3, nil: undefined }),
  isStarved: fc.nat(6).map((one) => one === 0),
  isDeaf: fc.boolean(),
});

const outage = fc.record({ from: fc.nat(20 * MINUTE), lasts: fc.nat(5 * MINUTE) });

interface Process {
  readonly after: number;
  readonly abortedAfter: number | undefined;
}

const processes: fc.Arbitrary<readonly Process[]> = fc.array(
  fc.record({
    after: fc.oneof(fc.constant(0), fc.nat(10 * MINUTE)),
    abortedAfter: fc.option(fc.nat(20 * MINUTE), { freq: 3, nil: undefined }),
  }),
  { minLength: 1, maxLength: 5 },
);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime", "Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

const folder = mkdtempSync(join(tmpdir(), "arc-slurm-steps-"));

afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly aborts: number | undefined;
  /** Undefined: Slurm failed, and the action does. */
  readonly end: ProcessEnd | undefined;
  readonly took: number;
  readonly step: SimulatedStep | undefined;
  /** Whether it might still write to files that others have by now, though squeue could be asked. */
  readonly goesOn: boolean;
}

async function history(
  allocations: readonly AllocationPlan[],
  steps: readonly StepPlan[],
  outages: readonly { readonly from: number; readonly lasts: number }[],
  all: readonly Process[],
) {
  const start = Date.now();
  const isAway = (): boolean =>
    outages.some(({ from, lasts }) => Date.now() >= start + from && Date.now() < start + from + lasts);
  const cluster = new SimulatedSteps({ allocations, steps }, isAway);
  const home = mkdtempSync(join(folder, "h-"));
  const executor = new SlurmExecutor({
    ...{ folder: home, environment: {}, allocationCpus: 4, call: cluster.call },
    runners: { run: cluster.run },
  });
  const descriptor = openSync(join(home, "log"), "a");
  const log: OutputFile = { path: join(home, "log"), descriptor };
  const ended: Ended[] = [];
  for (const [at, { after, abortedAfter }] of all.entries()) {
    const stop = new AbortController();
    setTimeout(async () => {
      if (abortedAfter !== undefined) setTimeout(() => stop.abort(), abortedAfter);
      const begun = Date.now();
      const cwd = join(home, `cwd-${at}`);
      const request = {
        ...{ address: `p${at}`, argv: ["true"], cwd, env: {}, resources: { cpu: 1 } },
        ...{ signal: stop.signal, expectedSeconds: 1 },
      };
      const end = await executor.run(request, log, log).catch(() => undefined);
      const step = cluster.steps.find((one) => one.cwd === cwd);
      const goesOn = step !== undefined && cluster.isActive(step) && !isAway();
      ended.push({ aborts: abortedAfter, end, took: Date.now() - begun, step, goesOn });
    }, after);
  }
  for (let minutes = 0; minutes < 200 && ended.length < all.length; minutes += 1)
    await vi.advanceTimersByTimeAsync(MINUTE);
  let isClosed = false;
  void executor.close().then(() => {
    isClosed = true;
  });
  // An allocation that nobody waits for any more may still be hours away.
  await vi.advanceTimersByTimeAsync(5000);
  expect(isClosed).toBe(true);
  closeSync(descriptor);
  expect(readdirSync(home)).toEqual(["log"]);
  expect(cluster.held).toEqual([]);
  rmSync(home, { recursive: true });
  return ended;
}

/** Whether a process may end so, as its step went. */
function mayEnd({ end, step, aborts, took }: Ended): boolean {
  // Its signal ends it, also where the allocation is not there yet.
  if (aborts !== undefined && took > aborts + 2 * SETTLES) return false;
  if (end?.aborted) return aborts !== undefined;
  if (step === undefined) return end === undefined || end.lost === true;
  const { plan } = step;
  const isWhole = step.ended !== undefined && step.ended >= step.begun + plan.pending + plan.running;
  if (end?.code !== undefined) return isWhole && !plan.isStarved && end.code === plan.code;
  if (end?.outOfMemory !== undefined) return plan.isStarved;
  if (end?.lost !== true) return false;
  return !isWhole || plan.lostAfter !== undefined || plan.codeAfter > SETTLES - 1000;
}

test("every process ends as its step did, no step goes on that arc has given up, and no allocation is kept", {
  timeout: 36_000_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(allocation, { minLength: 1, maxLength: 3 }),
      fc.array(step, { minLength: 1, maxLength: 5 }),
      fc.array(outage, { maxLength: 2 }),
      processes,
      async (allocations, steps, outages, all) => {
        const ended = await history(allocations, steps, outages, all);
        expect(ended.length).toBe(all.length);
        for (const one of ended) expect([one, one.goesOn, mayEnd(one)]).toEqual([one, false, true]);
      },
    ),
    cases(200),
  );
});
