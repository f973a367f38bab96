/**
 * Histories of a Slurm cluster on a virtual clock: jobs wait, run, end in any way, are forgotten, and the controller is
 * away or talks nonsense for a while. Hours pass in no time. 200 in every run, 10 000 of seed 7:
 * `ARC_PROPERTIES=50:7 npx vitest run test/core/build/run/executors/slurm-histories.property.test.ts`.
 */
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OutputFile, ProcessEnd } from "../../../../../core/build/run/executor.ts";
import { SlurmExecutor } from "../../../../../core/build/run/executors/slurm.ts";
import { cases } from "../../../../cases.ts";
import { type Outage, type Plan, type SimulatedJob, SimulatedSlurm } from "./simulated-slurm.ts";

const MINUTE = 60_000;

const plan: fc.Arbitrary<Plan> = fc.record({
  reason: fc.constantFrom("Resources", "Priority", "None", "", "Licenses", "PartitionTimeLimit", "Other|Bar"),
  pending: fc.oneof(fc.nat(2000), fc.nat(20 * MINUTE)),
  running: fc.oneof(fc.nat(2000), fc.nat(20 * MINUTE)),
  end: fc.oneof(
    { weight: 4, arbitrary: fc.constant("exits" as const) },
    fc.constantFrom(
      "NODE_FAIL" as const,
      "PREEMPTED" as const,
      "TIMEOUT" as const,
      "OUT_OF_MEMORY" as const,
      "CANCELLED" as const,
      "BOOT_FAIL" as const,
    ),
  ),
  code: fc.constantFrom(0, 0, 1, 125, 255),
  codeAfter: fc.oneof(fc.constant(0), fc.nat(8000), fc.nat(40_000)),
  completing: fc.oneof(fc.constant(0), fc.nat(10_000), fc.nat(5 * MINUTE)),
  remembered: fc.oneof(fc.constant(0), fc.nat(10 * MINUTE)),
});

const outage: fc.Arbitrary<Outage> = fc.record({
  from: fc.oneof(fc.nat(5000), fc.nat(20 * MINUTE)),
  lasts: fc.oneof(fc.nat(5000), fc.nat(15 * MINUTE)),
  says: fc.constantFrom(
    "no controller" as const,
    "nothing" as const,
    "no rows" as const,
    "a half row" as const,
    "unknown states" as const,
  ),
});

interface Process {
  readonly after: number;
  readonly cpu: number;
  readonly abortedAfter: number | undefined;
}

const processes = fc.array(
  fc.record({
    after: fc.oneof(fc.constant(0), fc.nat(10 * MINUTE)),
    cpu: fc.integer({ min: 1, max: 2 }),
    abortedAfter: fc.option(fc.nat(30 * MINUTE), { freq: 4, nil: undefined }),
  }),
  { minLength: 1, maxLength: 5 },
);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime", "Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

const folder = mkdtempSync(join(tmpdir(), "arc-slurm-histories-"));

afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly aborts: boolean;
  readonly end: ProcessEnd;
  /** Undefined: it was never submitted. */
  readonly job: SimulatedJob | undefined;
  /** Whether the job might still run, and write to files that others have by now. */
  readonly goesOn: boolean;
}

async function history(plans: readonly Plan[], outages: readonly Outage[], all: readonly Process[]) {
  const now = (): number => Date.now();
  const cluster = new SimulatedSlurm(plans, outages, now);
  const home = mkdtempSync(join(folder, "h-"));
  const executor = new SlurmExecutor({ folder: home, environment: {}, call: cluster.call });
  const descriptor = openSync(join(home, "log"), "a");
  const log: OutputFile = { path: join(home, "log"), descriptor };
  const ended: Ended[] = [];
  for (const [at, process] of all.entries()) {
    const stop = new AbortController();
    setTimeout(async () => {
      if (process.abortedAfter !== undefined) setTimeout(() => stop.abort(), process.abortedAfter);
      const request = {
        address: `p${at}`,
        argv: ["true"],
        cwd: join(home, `cwd-${at}`),
        env: {},
        resources: { cpu: process.cpu },
        signal: stop.signal,
      };
      const end = await executor.run(request, log, log);
      const job = cluster.jobs.find(({ cwd }) => cwd === request.cwd);
      const goesOn = job !== undefined && cluster.isActive(job);
      ended.push({ aborts: process.abortedAfter !== undefined, end, job, goesOn });
    }, process.after);
  }
  await vi.advanceTimersByTimeAsync(90 * MINUTE);
  await executor.close();
  closeSync(descriptor);
  expect(readdirSync(home)).toEqual(["log"]);
  rmSync(home, { recursive: true });
  return ended;
}

/** Whether the outages may keep arc from what it must know: shorter ones change nothing. */
const isLong = (outages: readonly Outage[]): boolean =>
  outages.reduce((sum, { lasts }) => sum + lasts, 0) > 9000;

/** Whether a process may end so, as its job went. */
function mayEnd({ end, job, aborts }: Ended, isDisturbed: boolean): boolean {
  if (end.aborted) return aborts;
  if (job === undefined) return false;
  const { plan } = job;
  if (end.code !== undefined) return plan.end === "exits" && end.code === plan.code;
  if (plan.end === "exits") {
    // Its code came too late, or nobody could know of the job.
    return end.lost === true && (isDisturbed || plan.codeAfter > 10_000);
  }
  if (end.lost === true)
    return (
      isDisturbed || !["TIMEOUT", "OUT_OF_MEMORY", "CANCELLED"].includes(plan.end) || plan.remembered < 10_000
    );
  if (end.outOfMemory !== undefined) return plan.end === "OUT_OF_MEMORY";
  return end.timedOut ? plan.end === "TIMEOUT" : end.killedBy !== undefined;
}

test("every process ends as its job did, and no job goes on that arc has given up", {
  timeout: 36_000_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(plan, { minLength: 1, maxLength: 5 }),
      fc.array(outage, { maxLength: 3 }),
      processes,
      async (plans, outages, all) => {
        const ended = await history(plans, outages, all);
        expect(ended.length).toBe(all.length);
        for (const one of ended)
          expect([one, one.goesOn, mayEnd(one, isLong(outages))]).toEqual([one, false, true]);
      },
    ),
    cases(200),
  );
});
