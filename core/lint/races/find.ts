/**
 * Data races in a unit: two accesses to one location, at least one of them a write, made by different threads, lanes or
 * tasks without synchronisation that orders or excludes them (OpenMP 5.2, section 1.4.1; C11, 5.1.2.4).
 *
 * The accesses of a parallel construct are compared in pairs, as the program makes them: iterations, threads and
 * unknown sizes are enumerated for samples. A finding is therefore a concrete pair of equal addresses, not an
 * approximation. This follows the witnesses of ROMP (Gu and Mellor-Crummey, SC 2018) and polyhedral checkers such as
 * LLOV (Bora et al., TACO 2020), which ask the same about sets of iterations.
 */
import type { FunctionDef, Pragma, Symbol, TranslationUnit } from "../../lang/tree/ast.ts";
import type { Access } from "../memory/access.ts";
import { evaluateAt } from "../memory/evaluate.ts";
import { type Facts, factsOf } from "../memory/facts.ts";
import { farEnd, samples } from "../memory/samples.ts";
import { itemsOf, readDirective, symbolsOf } from "../read/directive.ts";
import { type Conflict, conflictOf, instancesCache } from "./conflict.ts";
import { byRoot, type Meeting, signalled, type Walked } from "./log.ts";
import { Owners } from "./owners.ts";
import { Walk } from "./walk.ts";

export interface Race extends Conflict {
  readonly sym: Symbol;
  /** All accesses to the variable in the construct. */
  readonly all: readonly Access[];
}

/** Limit of compared pairs per variable. */
const mostPairs = 400;

const found = {
  doubts: new WeakMap<TranslationUnit, readonly Race[]>(),
  sure: new WeakMap<TranslationUnit, readonly Race[]>(),
};

/** The most certain race of each variable of each construct. */
export function racesOf(
  unit: TranslationUnit,
  functions: readonly FunctionDef[],
  pragmas: readonly Pragma[],
  doubts: boolean,
): readonly Race[] {
  const known = doubts ? found.doubts : found.sure;
  const races = known.get(unit) ?? search(unit, functions, pragmas, doubts);
  known.set(unit, races);
  return races;
}

function search(
  unit: TranslationUnit,
  functions: readonly FunctionDef[],
  pragmas: readonly Pragma[],
  doubts: boolean,
): readonly Race[] {
  const facts = factsOf(unit);
  const directives = pragmas.flatMap((p) => readDirective(p) ?? []);
  const threadprivate = new Set(
    directives
      .filter((d) => d.name === "threadprivate")
      .flatMap((d) => itemsOf(d, { name: d.name, tokens: d.argument }).map((i) => i.sym)),
  );
  const declared = directives.filter((d) => d.language === "acc" && d.name === "declare");
  const onDevice = new Set(
    declared.flatMap((d) => symbolsOf(d, ...["create", "copyin", "device_resident", "link"])),
  );
  const regions = functions.flatMap((def) =>
    new Walk(facts, new Owners(threadprivate, onDevice)).function(def),
  );
  return regions.flatMap((region) => inRegion(region, facts, doubts));
}

function inRegion(walked: Walked, facts: Facts, doubts: boolean): readonly Race[] {
  const sampled = samples(walked.loops);
  const world = { facts, changed: walked.changed };
  sampled.sizing(() => {
    for (const { header, frame } of walked.loops) {
      const point = { loops: [], values: [], thread: undefined };
      const sample = sampled.samples[0];
      if (header && sample) evaluateAt(farEnd(header), frame, point, { ...world, sample });
    }
  });
  const instances = instancesCache(world, sampled);
  const meet: Meeting = (a, b) =>
    conflictOf(a, b, { ...walked, facts }, instances, sampled, true) !== undefined;
  const { waitsOnce, ...rest } = walked;
  const signals = signalled(walked, meet);
  const region = {
    ...rest,
    facts,
    synchronised: walked.synchronised || signals,
    ...(waitsOnce && !signals && { waitsOnce }),
  };
  const races: Race[] = [];
  for (const [sym, all] of byRoot(region.accesses)) {
    const writes = all.filter((a) => a.mode === "write");
    let best: Conflict | undefined;
    let pairs = 0;
    for (const write of writes) {
      for (const other of all) {
        if (other.mode === "write" && other.order < write.order) continue;
        if (++pairs > mostPairs) break;
        const conflict = conflictOf(write, other, region, instances, sampled, doubts);
        if (conflict && (!best || (best.certainty === "maybe" && conflict.certainty === "proved")))
          best = conflict;
        if (best?.certainty === "proved") break;
      }
      if (best?.certainty === "proved") break;
    }
    if (best) races.push({ ...best, sym, all });
  }
  return races;
}
