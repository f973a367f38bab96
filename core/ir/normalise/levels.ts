/** Makes the levels of every loop explicit, deciding those that the user left to the compiler. */

import { isPointer, mapChildren } from "../../lang/index.ts";
import type { Diagnostic, FunctionDef, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { usesOf } from "../analysis/access.ts";
import { liveAfter } from "../analysis/liveness.ts";
import { mapGangLoops } from "../analysis/loops/gang-loops.ts";
import { dependence } from "../dependence/dependence.ts";
import type { Refusal } from "../dependence/proof.ts";
import { provedRace } from "../dependence/race.ts";
import { asNode, extStmt, isOpenMp, type Level, type Loop } from "../model/ir.ts";
import { findNode, hasNode } from "../model/nodes.ts";
import type { Routine } from "../model/program.ts";
import { changesOwnOfGang } from "./own-of-gang.ts";
import { repeatable } from "./repeatable.ts";

/** Facts about a compute construct besides its body. */
interface RegionSurroundings {
  readonly function?: FunctionDef | undefined;
  /**
   * Statements run in order as in plain C, as in `kernels`. Since gangs cannot wait for each other, only a loop that is
   * the whole region may use them.
   */
  readonly ordered: boolean;
  /** Variables that gangs or lanes have copies of. */
  readonly copies: ReadonlySet<Symbol>;
  /** Variables that clauses of the construct make private to each gang. */
  readonly ofGangs: ReadonlySet<Symbol>;
  /** How many gangs the construct asks for. */
  readonly gangs: "one" | "some" | "any";
  /** Whether a variable's value at the end of the construct may be used later. */
  escapes(sym: Symbol): boolean;
}

interface Decided {
  readonly body: Stmt;
  readonly remarks: readonly Diagnostic[];
  /** Only one gang may run the region. */
  readonly oneGang?: true;
}

interface Around {
  /** Levels in use around a statement. */
  readonly levels: ReadonlySet<Level>;
  /** The region may use gangs. */
  readonly gangs: boolean;
  /** A gang-private variable that the loop changes and later code reads, so that every gang must run all iterations. */
  ownOfGangs(loop: Loop, at: Stmt): Symbol | undefined;
  /** Gang-private variables that a loop changes which gangs share: each gang gets the values of its own iterations. */
  partial(loop: Loop, at: Stmt): readonly Partial[];
  /** Whether iterations change what a gang has alone, so that those of one gang must follow each other. */
  changesOwn(loop: Loop): boolean;
}

interface Partial {
  readonly sym: Symbol;
  readonly loc: Loc;
  /** A clause of the loop reduces it. */
  readonly reduced: boolean;
  /** The program asks for the gangs. */
  readonly stated: boolean;
}

const rank: Readonly<Record<Level, number>> = { gang: 0, worker: 1, vector: 2 };

/**
 * Assigns levels to the loops of one compute construct. An independent loop without levels takes the gangs if no loop
 * around or inside it has them and its results are not private to each gang, and the vector lanes if no loop inside it
 * can use them; a loop over gangs alone takes the lanes too when nothing inside it does, since its iterations are
 * independent anyway. `auto` loops stay sequential unless analysis proves them independent.
 */
export function assignLevels(body: Stmt, around: RegionSurroundings): Decided {
  const { parts, ...decided } = assigned(body, around);
  const split = parts.find(({ stated, reduced }) => reduced && !stated);
  if (around.gangs !== "any" || !split) return decided;
  // Gangs cannot all run a loop that also changes what they share, and a share of it gives each a part of the result.
  const { parts: _, ...alone } = assigned(body, { ...around, gangs: "one" });
  return { ...alone, remarks: [...alone.remarks, runByOneGang(split)], oneGang: true };
}

function assigned(body: Stmt, around: RegionSurroundings): Decided & { readonly parts: readonly Partial[] } {
  const remarks: Diagnostic[] = [];
  const parts: Partial[] = [];
  const requested = around.ordered ? outermostGangs(body, remarks) : body;
  const proved = prove(requested, around, remarks);
  const gangs = !around.ordered || wholeLoop(proved)?.parallel.independence === "independent";
  const declared = [...usesOf(proved).declared].filter(({ storage }) => storage === "none");
  // The targets of pointers are shared by all gangs.
  const own = new Set([...around.ofGangs, ...declared].filter(({ type }) => !isPointer(type)));
  const ownOfGangs = (loop: Loop, at: Stmt) => {
    const changed = changedIn(loop);
    // If it also changes shared variables, gangs must not all run it, except if they store the same values.
    const isRepeatable = around.gangs === "one" || repeatable(at, proved, own, around.function);
    if (!isRepeatable && !changed.every((sym) => own.has(sym))) return undefined;
    const reduced = loop.reductions.map((r) => r.sym);
    return changed.find((sym) => own.has(sym) && (reduced.includes(sym) || liveAfter(proved, at, sym)));
  };
  const partial = (loop: Loop, at: Stmt): readonly Partial[] => {
    // In OpenMP a team's reduction combines only its own threads' results.
    if (around.gangs === "one" || isOpenMp(loop.site)) return [];
    const stated = loop.parallel.levels.includes("gang");
    const reduced = loop.reductions.map(({ sym, loc }) => ({ sym, loc, reduced: true, stated }));
    // Of a loop with `gang` each gang has the changes of its own iterations, as the program asks.
    const changed = stated ? [] : changedIn(loop);
    const others = changed.filter((sym) => !reduced.some((r) => r.sym === sym));
    const { loc } = loop.site;
    const here = [...reduced, ...others.map((sym) => ({ sym, loc, reduced: false, stated }))].filter(
      ({ sym, reduced }) => own.has(sym) && ((reduced && !stated) || liveAfter(proved, at, sym)),
    );
    parts.push(...here);
    return here;
  };
  const changesOwn = (loop: Loop) => changesOwnOfGang(loop, proved, own, changedIn(loop));
  return {
    body: share(proved, { levels: new Set(), gangs, ownOfGangs, partial, changesOwn }, remarks),
    remarks,
    parts,
  };
}

/** Outer variables that iterations change, directly or through the memory that they point to. */
function changedIn({ body, headers, privates, reductions }: Loop): readonly Symbol[] {
  const uses = usesOf(body);
  const ownSymbols = new Set([...uses.declared, ...privates, ...headers.map((h) => h.var)]);
  const changed = [...uses.of].flatMap(([sym, use]) =>
    use.written || use.elementsWritten || use.addressTaken ? [sym] : [],
  );
  return [...changed, ...reductions.map((r) => r.sym)].filter((sym) => !ownSymbols.has(sym));
}

/** The loop that makes up the whole region, except for declarations around it. */
export function wholeLoop(s: Stmt): Loop | undefined {
  if (s.kind !== "compound") return asNode(s, "loop");
  const [only, ...more] = s.body.filter((child) => child.kind !== "decl");
  return only && more.length === 0 ? wholeLoop(only) : undefined;
}

/** Removes gangs from loops inside the region's outermost one, so that one gang runs them. */
function outermostGangs(body: Stmt, remarks: Diagnostic[]): Stmt {
  const outermost = wholeLoop(body);
  const visit = (s: Stmt): Stmt => {
    const inner = mapChildren(s, visit);
    const loop = asNode(inner, "loop");
    if (!loop?.parallel.levels.includes("gang") || asNode(s, "loop") === outermost || inner.kind !== "ext")
      return inner;
    remarks.push({
      severity: "note",
      code: "one-gang",
      loc: loop.site.loc,
      message: "each time, one gang runs this loop: what stands around it in the region must follow it",
    });
    const levels = loop.parallel.levels.filter((l) => l !== "gang");
    const ext: Loop = { ...loop, parallel: { ...loop.parallel, levels } };
    return { ...inner, ext };
  };
  return visit(body);
}

/** All loops in order: one gang, worker and lane executes the statement, or each does redundantly. */
export function withoutLevels(s: Stmt): Stmt {
  const loop = asNode(s, "loop");
  if (!loop || s.kind !== "ext") return mapChildren(s, withoutLevels);
  const ext: Loop = { ...sequential(loop), body: withoutLevels(loop.body) };
  return { ...s, ext };
}

/** Loops of a routine run in order, since the caller's levels are unknown there: all but those that gangs share. */
export const levelsOfRoutine = (body: Stmt, level: Routine["level"]): Stmt =>
  mapGangLoops(
    body,
    level,
    (loop) => ({
      ...loop,
      parallel: { levels: ["gang"], independence: "independent" },
      body: withoutLevels(loop.body),
    }),
    sequential,
  );

function sequential(loop: Loop): Loop {
  return { ...loop, parallel: { ...loop.parallel, levels: [], independence: "seq" } };
}

/** Decides `auto` loops, inner ones first: variables private to them do not prevent outer loops from being parallel. */
function prove(body: Stmt, around: RegionSurroundings, remarks: Diagnostic[]): Stmt {
  const visit = (s: Stmt, copies: ReadonlySet<Symbol>): Stmt => {
    const block = asNode(s, "threads");
    const own = block ? new Set([...copies, ...usesOf(block.body).declared]) : copies;
    const inner = mapChildren(s, (child) => visit(child, own));
    const loop = asNode(inner, "loop");
    const race = loop?.parallel.independence === "independent" && provedRace(loop, copies);
    if (race) remarks.push(claimedIndependent(race));
    if (loop?.parallel.independence !== "auto" || inner.kind !== "ext") return inner;
    const proof = dependence(loop, {
      function: around.function,
      liveAfter: (sym) => around.escapes(sym) || liveAfter(body, s, sym),
    });
    if (!proof.independent) {
      const { why, loc, notes } = proof;
      const message = `the iterations of this loop keep their order: ${why}`;
      remarks.push({ severity: "note", code: "loop-sequential", loc, message, ...(notes && { notes }) });
      const { parallel, ...rest } = sequential(loop);
      return { ...inner, ext: { ...rest, parallel: { ...parallel, free: true } } as Loop };
    }
    const ext: Loop = {
      ...loop,
      privates: [...new Set([...loop.privates, ...proof.privates])],
      reductions: [...loop.reductions, ...proof.reductions],
      parallel: { ...loop.parallel, independence: "independent" },
    };
    return { ...inner, ext };
  };
  return visit(body, around.copies);
}

function claimedIndependent({ why, loc, notes }: Refusal): Diagnostic {
  return {
    severity: "warning",
    code: "iterations-meet",
    loc,
    message: `the iterations of this loop are not independent: ${why}`,
    why: "the directive lets them run in any order and at once, so that results differ from run to run",
    remedy: "say `loop seq`, a reduction or `atomic`, or let each iteration write elements of its own",
    ...(notes && { notes }),
  };
}

function share(s: Stmt, around: Around, remarks: Diagnostic[]): Stmt {
  const loop = asNode(s, "loop");
  if (!loop || s.kind !== "ext") return mapChildren(s, (child) => share(child, around, remarks));
  const levels = loop.parallel.independence === "seq" ? [] : choose(loop, s, around, remarks);
  if (levels.includes("gang")) remarks.push(...around.partial(loop, s).map(partialResult));
  const within = { ...around, levels: new Set([...around.levels, ...levels]) };
  const inner = share(loop.body, within, remarks);
  const left = loop.parallel.levels.length === 0 || levels.length > loop.parallel.levels.length;
  const open = left && loop.parallel.independence === "independent";
  const parallel = { ...loop.parallel, levels, ...(open && { free: true as const }) };
  const ext: Loop = { ...loop, parallel, body: inner };
  return { ...s, ext };
}

function partialResult({ sym: { name }, loc, reduced }: Partial): Diagnostic {
  return {
    severity: "warning",
    code: reduced ? "partial-reduction" : "partial-values",
    loc,
    message: `gangs share this loop, and each has a '${name}' of its own: it keeps the ${reduced ? "result" : "values"} of its own iterations`,
    remedy: reduced
      ? `declare '${name}' outside of the construct and leave it out of private and firstprivate, or take gang off the loop`
      : `say \`loop worker\` or \`loop vector\` if each gang is to run all iterations, or \`loop gang\` if its own are enough`,
  };
}

const runByOneGang = ({ sym: { name }, loc }: Partial): Diagnostic => ({
  severity: "note",
  code: "one-gang",
  loc,
  message: `one gang runs this region: each would have a '${name}' of its own, and its loop also changes what gangs share`,
});

function choose(loop: Loop, at: Stmt, around: Around, remarks: Diagnostic[]): readonly Level[] {
  const note = (message: string) =>
    remarks.push({ severity: "note", code: "levels-chosen", loc: loop.site.loc, message });
  // gang(dim:) loops nest. One dimension of gangs serves them all; the inner ones run in order.
  const { dimension } = loop.parallel;
  const levels = loop.parallel.levels.filter(
    (l) => !(dimension && l === "gang" && around.levels.has("gang")),
  );
  if (loop.parallel.levels.length > 0) {
    if (levels.length !== 1 || levels[0] !== "gang" || partitionable(loop.body)) return levels;
    if (around.changesOwn(loop)) {
      note("one lane of each gang runs its part of this loop: iterations change what the gang has alone");
      return levels;
    }
    note("this gang loop is shared out over the vector lanes too: nothing inside it uses them");
    return ["gang", "vector"];
  }
  const used = [...around.levels, ...(around.gangs ? [] : (["gang"] as const))];
  const free = (level: Level) => !used.some((a) => rank[a] >= rank[level]);
  const chosen: Level[] = [];
  const own = free("gang") ? around.ownOfGangs(loop, at) : undefined;
  if (free("gang") && !own && !usesGangs(loop.body)) chosen.push("gang");
  if (free("vector") && !partitionable(loop.body)) chosen.push("vector");
  const who = own ? ` of each gang, which has a '${own.name}' of its own` : around.gangs ? "" : IN_ONE_GANG;
  note(
    chosen.length
      ? `this loop is shared out over ${chosen.join(" and ")}${who}`
      : "this loop runs in order: all levels are in use around or inside it",
  );
  return chosen;
}

/** A loop that one gang runs, distributed over all gangs as if it were a separate region. */
export function withGangs(s: Stmt): Stmt {
  const loop = asNode(s, "loop");
  if (!loop || loop.parallel.levels.includes("gang")) return s;
  const shared = share(
    reopened(s),
    {
      levels: new Set(),
      gangs: true,
      ownOfGangs: () => undefined,
      partial: () => [],
      changesOwn: () => false,
    },
    [],
  );
  const chosen = asNode(shared, "loop");
  // A sequential inner loop would leave all lanes but one idle, so lanes share the outer loop instead.
  if (chosen?.parallel.free && hasLoopInOrder(chosen.body)) {
    const parallel = { ...chosen.parallel, levels: ["gang", "vector"] as const };
    return extStmt<Loop>({ ...chosen, parallel, body: withoutLevels(chosen.body) }, s.span);
  }
  if (!chosen || chosen.parallel.levels.includes("gang")) return shared;
  const ext: Loop = {
    ...chosen,
    parallel: { ...chosen.parallel, levels: ["gang", ...chosen.parallel.levels] },
  };
  return extStmt(ext, s.span);
}

function hasLoopInOrder(s: Stmt): boolean {
  const loop = asNode(s, "loop");
  if (loop) return loop.parallel.independence === "seq";
  let found = s.kind === "for" || s.kind === "while" || s.kind === "do";
  mapChildren(s, (child) => {
    found ||= hasLoopInOrder(child);
    return child;
  });
  return found;
}

/** Resets levels that arc chose. */
function reopened(s: Stmt): Stmt {
  const inner = mapChildren(s, reopened);
  const loop = asNode(inner, "loop");
  if (!loop?.parallel.free) return inner;
  const { free: _, ...parallel } = loop.parallel;
  return extStmt<Loop>({ ...loop, parallel: { ...parallel, levels: [] } }, s.span);
}

const IN_ONE_GANG = " of one gang: what stands around it in the region must follow it";

const someLoop = (s: Stmt, holds: (loop: Loop) => boolean): boolean =>
  findNode(s, "loop", holds) !== undefined;

/** A loop that is not sequential, or code that needs all lanes of a gang. */
const partitionable = (s: Stmt): boolean =>
  hasNode(s, "threads") || someLoop(s, (l) => l.parallel.independence !== "seq");

const usesGangs = (s: Stmt): boolean => someLoop(s, (l) => l.parallel.levels.includes("gang"));
