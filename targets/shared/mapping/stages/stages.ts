/**
 * Sequential loops around parallel ones: the host repeats the kernels inside, since groups cannot wait for each other.
 *
 *     for (k = 0; k < n; k++) {                      n times
 *       d = a[k][k];                        =>         one group: d = a[k][k]       d lives in memory
 *     #pragma acc loop                                 all groups: the loop over i
 *       for (i = 0; i < m; i++) a[i][k] /= d;
 *     }
 *
 * Code around the parallel loops runs once, for all groups. So do short parallel loops beside such code. Parallel loops
 * that need each other's results become kernels of their own, whether a loop is around them or not.
 */
import { usesOf } from "../../../../core/ir/analysis/access.ts";
import { liveAfter } from "../../../../core/ir/analysis/liveness.ts";
import { countedHeader } from "../../../../core/ir/analysis/loops/counted.ts";
import { asNode, type LoopHeader, type Spmd } from "../../../../core/ir/model/ir.ts";
import { hasNode } from "../../../../core/ir/model/nodes.ts";
import type { Argument } from "../../../../core/ir/model/region.ts";
import { evaluateInteger, findStatement, isScalar, mapChildren } from "../../../../core/lang/index.ts";
import type { Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import { compound, declare } from "../../../../core/lang/tree/build.ts";
import { escapes, flat, usesContinue } from "../../device/control.ts";
import { asksItsPlace } from "../teams.ts";
import { type Memory, mustWait } from "./dependent.ts";
import { countsGangs } from "./gang-count.ts";
import { isWide, type MakeScan, type Ordered, type Part, Plan, type Staged, type Whole } from "./plan.ts";
import { type FindScan, scansOf, tooSmall } from "./scans.ts";

function orderedLoop(s: Stmt): Ordered | undefined {
  const loop = asNode(s, "loop");
  if (loop) {
    const [header] = loop.headers;
    const { independence, levels } = loop.parallel;
    const inOrder = independence !== "independent" && levels.length === 0;
    if (!inOrder || !header || loop.headers.length > 1 || loop.reductions.length > 0) return undefined;
    return { header, privates: loop.privates, body: loop.body };
  }
  if (s.kind !== "for" || s.pragmas?.length) return undefined;
  const header = headers.get(s) ?? countedHeader(s);
  if ("severity" in header) return undefined;
  headers.set(s, header);
  return { header, privates: [], body: s.body };
}

/** Each plain loop has one header object, however often it is requested. */
const headers = new WeakMap<Stmt, LoopHeader>();

/** `gangs`: only loops over gangs may be shared by all groups. */
function partsOf(
  stmts: readonly Stmt[],
  gangs: boolean,
  scanAt: FindScan = () => undefined,
): readonly Part[] {
  return stmts.flatMap((stmt): readonly Part[] => {
    if (stmt.kind === "compound" && !stmt.pragmas?.length) return partsOf(stmt.body, gangs, scanAt);
    if (stmt.kind === "expr" && !stmt.expr) return [];
    if (isWide(stmt, gangs)) return [{ is: "wide", stmt }];
    const scan = scanAt(stmt);
    if (scan) return [...scan.before.map((s): Part => ({ is: "code", stmt: s })), { is: "scan", stmt, scan }];
    const loop = orderedLoop(stmt);
    const parts = loop && partsOf(flat(loop.body), gangs, scanAt);
    // Scans alone do not repay kernel launches in every iteration of an enclosing loop.
    if (!loop || !parts?.some((p) => p.is === "wide" || p.is === "repeat")) return [{ is: "code", stmt }];
    const privates = loop.privates.map((sym): Part => ({ is: "code", stmt: declare(sym) }));
    const { header, body } = loop;
    return [{ is: "repeat", header, at: stmt, body, parts: [...privates, ...parts] }];
  });
}

/** Loops whose trip counts the launch must know if they become stages. */
export function stageHeaders({ body, serial }: Spmd): readonly LoopHeader[] {
  if (serial) return [];
  const of = (parts: readonly Part[]): readonly LoopHeader[] =>
    parts.flatMap((p) => {
      if (p.is === "repeat") return [p.header, ...of(p.parts)];
      return asNode(p.stmt, "loop")?.headers ?? [];
    });
  const parts = partsOf(flat(body), false);
  return parts.some((p) => p.is === "repeat") ? of(parts) : [];
}

/** Parallel loops that the launch repeats, with the loops around them, the outermost first. */
export function repeatedLoops({
  body,
  serial,
}: Spmd): readonly { readonly header: LoopHeader; readonly around: readonly LoopHeader[] }[] {
  const of = (parts: readonly Part[], around: readonly LoopHeader[]): ReturnType<typeof repeatedLoops> =>
    parts.flatMap((p) => {
      if (p.is === "repeat") return of(p.parts, [...around, p.header]);
      const headers = around.length > 0 && p.is === "wide" ? asNode(p.stmt, "loop")?.headers : undefined;
      return (headers ?? []).map((header) => ({ header, around }));
    });
  return serial ? [] : of(partsOf(flat(body), false), []);
}

interface StageOptions extends Omit<Memory, "isShared"> {
  readonly construct: "parallel" | "kernels" | "serial";
  isCounted(header: LoopHeader): boolean;
  readonly makeScan: MakeScan;
  /** Only where a part needs what other gangs do; otherwise also where more groups can work then. */
  readonly onlyDependent: boolean;
}

/**
 * Requires isolated loops, each with its own variables. Undefined: no sequential loop contains a parallel one or a scan,
 * and no loop needs the results of another.
 */
export function stagesOf(spmd: Spmd, options: StageOptions): Staged | Whole | undefined {
  const { construct, args, isCounted, makeScan, onlyDependent } = options;
  const gangs = construct === "parallel";
  const scans = onlyDependent ? () => undefined : scansOf(spmd, args);
  const parts = partsOf(flat(spmd.body), gangs, (s) => {
    const found = scans(s);
    return found && "header" in found && !tooSmall(found) ? found : undefined;
  });
  const memory: Memory = { ...options, isShared: (s) => isWide(s, gangs) };
  const waits = !spmd.serial && !isOneGang(spmd) && mustWait(parts, memory);
  const first = waits || !onlyDependent ? startOf(parts, waits) : undefined;
  const needs = waits ? gangsOf(spmd, parts, memory) : {};
  if (!first) {
    const open = spmd.serial ? undefined : uncountedLoop(spmd.body, gangs);
    const why = "its condition is computed while it runs";
    return open && { loc: open.span.start, loop: "in-order", why, ...needs };
  }
  const at = { ...whereOf(first), ...needs };
  const obstacle = obstacleOf(spmd, parts, memory, isCounted);
  if (obstacle) return { ...at, why: obstacle };
  const plan = new Plan(spmd, args, makeScan);
  const stages = plan.finished(plan.stages(parts));
  if (plan.why !== undefined) return { ...at, why: plan.why };
  return { stages, handedOn: plan.handedOn, scans: plan.scans };
}

const isOneGang = ({ numTeams }: Spmd): boolean => numTeams !== undefined && evaluateInteger(numTeams) === 1n;

/** Of a region whose parts need what other gangs do. */
function gangsOf(spmd: Spmd, parts: readonly Part[], memory: Memory): Pick<Whole, "gangs"> {
  // Such code may keep to what its own gang did, which is not known here.
  if (hasThreads(spmd.body) || asksItsPlace(spmd.body)) return {};
  return { gangs: spmd.numTeams && gangsAreCounted(spmd, parts, memory) ? "counted" : "one" };
}

/** Whether code outside of the loops, which each gang runs, counts them. */
function gangsAreCounted(
  { reductions }: Spmd,
  parts: readonly Part[],
  { functions, isShared }: Memory,
): boolean {
  const reduced = new Set(reductions.map((r) => r.sym));
  const outside = (s: Stmt): Stmt => (isShared(s) ? compound([]) : mapChildren(s, outside));
  const counts = (p: Part): boolean =>
    p.is === "repeat" ? p.parts.some(counts) : countsGangs(outside(p.stmt), functions, reduced);
  return parts.some(counts);
}

/** Whether threads of a team wait for each other. */
const hasThreads = (body: Stmt): boolean => hasNode(body, "threads") || hasNode(body, "sync");

/** The part that calls for stages. */
function startOf(parts: readonly Part[], waits: boolean): Part | undefined {
  const [repeat, scan, wide] = (["repeat", "scan", "wide"] as const).map((is) =>
    parts.find((p) => p.is === is),
  );
  return repeat ?? scan ?? (waits ? wide : undefined);
}

function whereOf(part: Part): Omit<Whole, "why"> {
  if (part.is === "repeat") return { loc: part.at.span.start, loop: "in-order" };
  if (part.is === "scan") return { loc: part.scan.loc, scans: part.scan.names, loop: "in-order" };
  return { loc: part.stmt.span.start, loop: "shared" };
}

/** A `while`, `do` or uncountable `for` loop around a loop that all groups could share. */
function uncountedLoop(body: Stmt, gangs: boolean): Stmt | undefined {
  return findStatement(body, (s) => {
    if (s.kind !== "while" && s.kind !== "do" && s.kind !== "for") return false;
    return !orderedLoop(s) && findStatement(s.body, (inner) => isWide(inner, gangs)) !== undefined;
  });
}

/** An array or structure of which each gang has a copy, from the region's start to its end. */
const isOwnCopy = ({ item, sym }: Argument): boolean =>
  item.sharing.is === "firstprivate" && !isScalar(sym.type);

function isChanged(body: Stmt, sym: Symbol): boolean {
  const use = usesOf(body).of.get(sym);
  return use !== undefined && (use.written || use.elementsWritten || use.addressTaken);
}

function obstacleOf(
  spmd: Spmd,
  parts: readonly Part[],
  memory: Memory,
  isCounted: (header: LoopHeader) => boolean,
): string | undefined {
  if (spmd.numTeams && (isOneGang(spmd) || gangsAreCounted(spmd, parts, memory)))
    return "the program names the number of gangs";
  if (spmd.reductions.length > 0) return "gangs have reduction variables of their own";
  const { args } = memory;
  const copy = args.find((a) => isOwnCopy(a) && isChanged(spmd.body, a.sym));
  if (copy) return `gangs change copies of '${copy.name}' of their own`;
  if (hasThreads(spmd.body)) return "threads wait for each other inside";
  if (asksItsPlace(spmd.body)) return "the code asks for its place among the teams";
  if (parts.some((p) => p.is === "scan")) {
    if (spmd.numTeams) return "the program names the number of gangs";
    if (spmd.numUnits || spmd.numLanes) return "the program names the sizes of gangs";
  }
  for (const p of parts) {
    if (p.is !== "repeat") continue;
    const { var: counter } = p.header;
    const changed = usesOf(p.body).of.get(counter);
    if (escapes(p.body) || usesContinue(p.body)) return "the loop may be left early";
    if (changed?.written || changed?.addressTaken) return `the loop changes '${counter.name}'`;
    if (!isCounted(p.header)) return "how often it runs is not known at the launch";
    const seen = args.some((a) => a.sym === counter && a.how === "object");
    if (!p.header.declares && (seen || liveAfter(spmd.body, p.at, counter)))
      return `'${counter.name}' is used behind the loop`;
    const inner = obstacleOf(spmd, p.parts, memory, isCounted);
    if (inner) return inner;
  }
  return undefined;
}
