/**
 * Counts the floating-point operations of a region's launches in a run, as in its source, for rooflines. Additions,
 * products, quotients, functions, and comparisons that select the larger value count one each; both branches count.
 */
import { deviceFunctions } from "../../ir/analysis/routines.ts";
import { regionName, spmdOf } from "../../ir/model/region.ts";
import { tasksOf } from "../../ir/normalise/normalise.ts";
import { pipelineOf } from "../../ir/pipeline/build.ts";
import { floatOperationsIn } from "../../ir/pipeline/float-operations.ts";
import type { Pipeline } from "../../ir/pipeline/pipeline.ts";
import { frontEnd } from "../driver/front-end.ts";
import { hasErrors, type Preprocessed } from "../driver/read-source.ts";
import type { SizedRun } from "./estimate.ts";
import { type Launch, launchesOf } from "./launches.ts";
import { tripCounter } from "./trip-counter.ts";

export interface CountedOperations {
  readonly region: string;
  readonly run: string;
  readonly launches: number;
  /** For all launches. */
  readonly operations: number;
  /** Unknown sizes, and what was assumed instead. */
  readonly assumed: readonly string[];
}

/** For a program's sources; regions that a run does not launch are left out. */
export function floatOperations(
  sources: readonly Preprocessed[],
  runs: readonly SizedRun[],
): readonly CountedOperations[] {
  const read = sources.map((source) =>
    frontEnd(source, { kind: "whole", others: sources.filter((other) => other !== source) }),
  );
  if (read.some(({ program }) => hasErrors(program.diagnostics))) return [];
  const bodies = new Map(
    read.flatMap(({ program, linkage }) =>
      tasksOf(program).map(({ task }): [string, Pipeline] => {
        const spmd = spmdOf(task);
        const { functions } = deviceFunctions(program, spmd.body, linkage);
        const called = new Map([...functions].map(([sym, f]) => [sym, f.def]));
        const body = { body: spmd.body, single: false, privates: spmd.privates, functions: called };
        return [regionName(task), pipelineOf(body)];
      }),
    ),
  );
  const programs = read.map(({ program }) => program);
  return runs.flatMap(({ name: run, args }) => {
    const all = launchesOf(programs, args);
    return [...bodies].flatMap(([region, body]) => {
      const own = all.filter((launch) => launch.region === region);
      return own.length === 0 ? [] : [{ region, run, ...countedIn(body, own) }];
    });
  });
}

function countedIn(
  body: Pipeline,
  launches: readonly Launch[],
): Pick<CountedOperations, "launches" | "operations" | "assumed"> {
  const assumed = new Set<string>();
  let [count, operations] = [0, 0];
  for (const launch of launches) {
    for (const what of launch.assumed) assumed.add(what);
    const tripsOf = tripCounter(launch.values, (what) => assumed.add(what));
    const visit = (p: Pipeline, times: number): number => {
      const trips = times * tripsOf(p);
      const { single, wide } = floatOperationsIn(p);
      return trips * (single + wide) + p.inner.reduce((sum, inner) => sum + visit(inner, trips), 0);
    };
    operations += launch.count * visit(body, 1);
    count += launch.count;
  }
  return { launches: count, operations, assumed: [...assumed].sort() };
}
