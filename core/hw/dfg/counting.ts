/**
 * Ranges of variables by counting, where intervals alone give none: a loop that runs T times moves a variable by at
 * most T steps, and a variable that moves only when another wraps around moves correspondingly less.
 */
import { entryOf, firstOf, itemAt } from "../../checked/access.ts";
import { plus } from "../linear/form.ts";
import { type AffineForm, affineForm } from "./affine.ts";
import { type Case, casesOf, isValue } from "./cases.ts";
import { fullRange, type Range, type Ranges, within } from "./ranges.ts";
import { type HardwareRegion, type Pipeline, type PipelinedLoop, pipelinesOf } from "./region.ts";
import type { Variable } from "./value.ts";

/** Ranges of variables that one counted loop changes by steps and choices, and that the step before it sets. */
export function countedRanges(region: HardwareRegion, ranges: Ranges): ReadonlyMap<Variable, Range> {
  const pipelines = pipelinesOf(region.control);
  const counted = new Map<Variable, Range>();
  for (const { graph, loop } of pipelines) {
    if (!loop?.counter) continue;
    for (const variable of graph.updates.keys()) {
      const elsewhere = pipelines.some(
        (p) => p.graph !== graph && p.graph !== loop.before && p.graph.updates.has(variable),
      );
      const range = elsewhere ? undefined : countedRange({ graph, loop }, variable, ranges);
      if (range) counted.set(variable, range);
    }
  }
  return counted;
}

type Loop = { readonly graph: Pipeline["graph"]; readonly loop: PipelinedLoop };

/** What an iteration does to a variable on one path: moves it, or sets it. */
type Step = { readonly by: bigint } | { readonly to: bigint };

function countedRange({ graph, loop }: Loop, variable: Variable, ranges: Ranges): Range | undefined {
  const first = loop.before.updates.get(variable);
  if (!first || !loop.counter) return undefined;
  const start = ranges.of(first);
  const trips = ranges.of(loop.counter.trips).max;
  const others = [...graph.updates.keys()].filter((v) => v !== variable && loop.before.updates.has(v));
  const alone = steps(graph, [variable], ranges);
  if (!alone) return undefined;
  const moves = alone.map(({ of }) => firstOf(of));
  const by = moves.map((m) => ("by" in m ? m.by : 0n));
  const to = moves.flatMap((m) => ("to" in m ? [m.to] : []));
  const most = by.reduce((a, b) => (b > a ? b : a), 0n);
  const least = by.reduce((a, b) => (b < a ? b : a), 0n);
  const wraps = others.flatMap((other) => turnsOf({ graph, loop }, variable, other, ranges) ?? []);
  const count = wraps.reduce((a, b) => (b < a ? b : a), trips);
  const low = to.reduce((a, b) => (b < a ? b : a), start.min);
  const high = to.reduce((a, b) => (b > a ? b : a), start.max);
  const range = { min: low + least * count, max: high + most * count };
  // A variable that may wrap around in its type can have any value.
  return within(range, fullRange(variable.shape)) ? range : undefined;
}

/** How often `other` wraps around, if `variable` moves only then. */
function turnsOf(
  { graph, loop }: Loop,
  variable: Variable,
  other: Variable,
  ranges: Ranges,
): bigint | undefined {
  const cases = steps(graph, [variable, other], ranges);
  const first = entryOf(loop.before.updates, other);
  const trips = ranges.of((loop.counter as NonNullable<PipelinedLoop["counter"]>).trips).max;
  let round: bigint | undefined;
  for (const { path, of } of cases ?? []) {
    const [variableStep, otherStep] = of as [Step, Step];
    if ("by" in variableStep && variableStep.by === 0n) {
      if (!("by" in otherStep) || otherStep.by < 0n || otherStep.by > 1n) return undefined;
      continue;
    }
    // It is reset from a known value: this many iterations after its previous reset.
    const end = "to" in otherStep ? path.constantOf(affineForm(graph.read(other))) : undefined;
    if (end === undefined || !("to" in otherStep)) return undefined;
    const length = end - otherStep.to + 1n;
    if (length < 1n || (round !== undefined && round !== length)) return undefined;
    if (ranges.of(first).min < otherStep.to) return undefined;
    round = length;
  }
  return round === undefined ? undefined : (trips + ranges.of(first).max) / round;
}

function steps(
  graph: Pipeline["graph"],
  variables: readonly Variable[],
  ranges: Ranges,
): readonly { readonly path: Case; readonly of: readonly Step[] }[] | undefined {
  const cases = casesOf<{ forms: readonly AffineForm[] }>(ranges, (path) => {
    const forms: AffineForm[] = [];
    for (const variable of variables) {
      const form = path.form(entryOf(graph.updates, variable));
      if (isValue(form)) return { first: form };
      forms.push(form);
    }
    return { forms };
  });
  const paths = cases?.map(({ path, answer }) => ({
    path,
    of: variables.flatMap((variable, k): Step[] => {
      const form = itemAt(answer.forms, k);
      if (form.terms.size === 0) return [{ to: form.constant }];
      const by = plus(form, affineForm(graph.read(variable)), -1n);
      return by.terms.size === 0 ? [{ by: by.constant }] : [];
    }),
  }));
  return paths?.every(({ of }) => of.length === variables.length) ? paths : undefined;
}
