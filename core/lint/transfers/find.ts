/**
 * Data that is missing or outdated where it is used: tracks, in source order through each function, which side has an
 * array's newest values and what moves them. What functions of other files map is unknown, and not reported.
 */
import type { FunctionDef, Symbol, TranslationUnit } from "../../lang/tree/ast.ts";
import { factsOf } from "../memory/facts.ts";
import type { Subject } from "../model/finding.ts";
import { placed } from "../read/constructs.ts";
import { type Directive, readDirective, symbolsOf } from "../read/directive.ts";
import { unmapped, update } from "./absent.ts";
import { tooLong } from "./extent.ts";
import type { Fault } from "./fault.ts";
import { freed } from "./freed.ts";
import { allocatedThere, followedOnHost } from "./host-data.ts";
import { Known } from "./known.ts";
import { records, rows } from "./pointed.ts";
import { besideHost, exitBesideHost, moveBesideHost, queued } from "./queues.ts";
import { residentIn } from "./resident.ts";
import { lostCopies, lostMapped, lostScalars, unsetScalars } from "./scalars.ts";
import { swapped } from "./swapped.ts";
import { traceOf } from "./trace.ts";
import { clause, residents } from "./values.ts";

const found = new WeakMap<Subject, readonly Fault[]>();

export function transferFaults(subject: Subject): readonly Fault[] {
  const known = found.get(subject);
  if (known) return known;
  const { unit, functions, pragmas, doubts } = subject;
  const directives = pragmas.flatMap((p) => readDirective(p) ?? []);
  const shared = directives.some((d) => d.name === "requires");
  const faults = shared ? [] : search(unit, functions, directives, doubts);
  found.set(subject, faults);
  return faults;
}

function search(
  unit: TranslationUnit,
  functions: readonly FunctionDef[],
  directives: readonly Directive[],
  doubts: boolean,
): readonly Fault[] {
  const facts = factsOf(unit);
  const tracesOf = (list: readonly FunctionDef[]) => list.flatMap((def) => traceOf(def, facts) ?? []);
  const traces = tracesOf(functions.filter(hasDevices));
  const { calls } = facts;
  const callers = tracesOf(callersOf(functions, calls));
  const declared = new Set(
    directives
      .filter((d) => d.name.includes("declare"))
      .flatMap((d) => [...d.argument, ...d.clauses.flatMap((c) => c.tokens)].map((t) => t.text)),
  );
  const whole = functions.some((f) => f.sym.name === "main");
  const resident = residentIn(unit);
  for (const { name } of resident) declared.add(name);
  // Callers tell what functions with parameters move.
  const moves = [...traces, ...callers].flatMap((t) => t.moves);
  const mappers = [...traces, ...callers]
    .flatMap((t) => t.calls)
    .filter((c) => /^(acc_|omp_target_|cuda|hip)/.test(c.name));
  const held = new Set(functions.flatMap((def) => heldIn(def)));
  const file = { doubts, traces, moves, mappers, facts, declared, held, resident, whole, calls };
  const own = traces.flatMap((trace) => faultsOf(new Known(trace, file)));
  const around = callers.flatMap((trace) => {
    // What it calls is part of it.
    const apart = traces.filter((t) => !reaches(calls, trace.def.sym, t.def.sym));
    const all = [trace, ...apart];
    const known = new Known(trace, { ...file, traces: all, moves: all.flatMap((t) => t.moves) });
    return faultsOf(known).filter(({ kind }) => between.has(kind));
  });
  return eachOnce([...own, ...around]);
}

/** What one function leaves wrong for another. What is wrong inside of one is seen there. */
const between: ReadonlySet<Fault["kind"]> = new Set([
  "lost-result",
  "stale-host-read",
  "stale-device-read",
  "missing-map",
  "never-present",
  "freed-while-mapped",
]);

/**
 * Functions without directives whose calls lead to functions with them, and that no other one calls: between two calls the
 * host uses what devices have changed.
 */
function callersOf(
  functions: readonly FunctionDef[],
  calls: ReadonlyMap<Symbol, ReadonlySet<Symbol>>,
): readonly FunctionDef[] {
  const called = new Set([...calls.values()].flatMap((list) => [...list]));
  const working = functions.filter(hasDevices);
  return functions.filter(
    (def) =>
      !called.has(def.sym) && !hasDevices(def) && working.some(({ sym }) => reaches(calls, def.sym, sym)),
  );
}

function reaches(calls: ReadonlyMap<Symbol, ReadonlySet<Symbol>>, from: Symbol, to: Symbol): boolean {
  const seen = new Set([from]);
  for (const sym of seen) for (const called of calls.get(sym) ?? []) seen.add(called);
  return seen.has(to);
}

/** The same fault may be seen in a function and in its caller. */
function eachOnce(faults: readonly Fault[]): readonly Fault[] {
  const seen = new Set<string>();
  return faults.filter(({ kind, loc, sym }) => {
    const key = `${kind} ${loc.file}:${loc.line}:${loc.col} ${sym.name}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** The faults of one function. */
function faultsOf(known: Known): readonly Fault[] {
  const { constructs, moves } = known.trace;
  const held = constructs.flatMap((construct) => [
    ...(construct.compute
      ? [...unmapped(known, construct), ...records(known, construct), ...rows(known, construct)]
      : followedOnHost(known, construct)),
    ...(construct.compute
      ? [
          ...(construct.directive.language === "omp" ? lostScalars : lostCopies)(known, construct),
          ...lostMapped(known, construct),
          ...unsetScalars(known, construct),
        ]
      : []),
    ...construct.mapped.flatMap((mapped) => [
      ...clause(known, construct, mapped),
      ...freed(known, construct, mapped),
    ]),
    ...(construct.compute && construct.queue !== undefined
      ? [queued(known, construct, construct.queue), besideHost(known, construct, construct.queue)]
      : []),
  ]);
  const lifetimes = known.lifetimes.flatMap((l) =>
    l.mapped.flatMap((mapped) => [...clause(known, l, mapped), ...freed(known, l, mapped)]),
  );
  const moved = moves
    .filter(({ motion }) => motion === "to-host" || motion === "to-device")
    .flatMap((move) => [...move.items.map((m) => update(known, move, m)), moveBesideHost(known, move)]);
  const exits = moves.filter(({ motion }) => motion === "exit").map((move) => exitBesideHost(known, move));
  return [
    ...held,
    ...lifetimes,
    ...moved,
    ...exits,
    ...residents(known),
    ...swapped(known),
    ...tooLong(known),
    ...allocatedThere(known),
  ].filter((f) => f !== undefined);
}

/** What OpenACC's declare names in a function: it is on the device while the function runs. */
const heldIn = (def: FunctionDef): readonly Symbol[] =>
  placed(def).flatMap(({ directive: d }) =>
    d.language === "acc" && d.name === "declare" ? symbolsOf(d, ...d.clauses.map((c) => c.name)) : [],
  );

/** Whether directives of a function, other than those for the host's threads, move data or run on devices. */
const hasDevices = (def: FunctionDef): boolean =>
  placed(def).some(({ directive: d }) => d.language === "acc" || d.words.has("target"));
