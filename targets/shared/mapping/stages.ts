/**
 * Sequential loops around parallel ones: the host repeats the kernels inside, since groups cannot wait for each other.
 *
 *     for (k = 0; k < n; k++) {                      n times
 *       d = a[k][k];                        =>         one group: d = a[k][k]       d lives in memory
 *     #pragma acc loop                                 all groups: the loop over i
 *       for (i = 0; i < m; i++) a[i][k] /= d;
 *     }
 *
 * Code around the parallel loops runs once, for all groups. So do short parallel loops beside such code.
 */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { liveAfter } from "../../../core/ir/analysis/liveness.ts";
import { countedHeader } from "../../../core/ir/analysis/loops/counted.ts";
import { asNode, type LoopHeader, type Spmd } from "../../../core/ir/model/ir.ts";
import { hasNode } from "../../../core/ir/model/nodes.ts";
import type { Argument } from "../../../core/ir/model/region.ts";
import { findStatement } from "../../../core/lang/index.ts";
import type { Stmt } from "../../../core/lang/tree/ast.ts";
import { declare } from "../../../core/lang/tree/build.ts";
import { escapes, flat, usesContinue } from "../device/control.ts";
import {
  isWide,
  type MakeScan,
  type Ordered,
  type Part,
  Plan,
  type Staged,
  type Whole,
} from "./stage-plan.ts";
import { type FindScan, scansOf, tooSmall } from "./stage-scans.ts";
import { asksItsPlace } from "./teams.ts";

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

/** Requires isolated loops, each with its own variables. Undefined: no sequential loop contains a parallel one or a scan. */
export function stagesOf(
  spmd: Spmd,
  construct: "parallel" | "kernels" | "serial",
  args: readonly Argument[],
  isCounted: (header: LoopHeader) => boolean,
  makeScan: MakeScan,
): Staged | Whole | undefined {
  const gangs = construct === "parallel";
  const scans = scansOf(spmd, args);
  const parts = partsOf(flat(spmd.body), gangs, (s) => {
    const found = scans(s);
    return found && "header" in found && !tooSmall(found) ? found : undefined;
  });
  const first = parts.find((p) => p.is === "repeat") ?? parts.find((p) => p.is === "scan");
  if (!first) {
    const open = spmd.serial ? undefined : uncountedLoop(spmd.body, gangs);
    return open && { loc: open.span.start, why: "its condition is computed while it runs" };
  }
  const at =
    first.is === "repeat" ? { loc: first.at.span.start } : { loc: first.scan.loc, scans: first.scan.names };
  const obstacle = obstacleOf(spmd, parts, args, isCounted);
  if (obstacle) return { ...at, why: obstacle };
  const plan = new Plan(spmd, args, makeScan);
  const stages = plan.finished(plan.stages(parts));
  if (plan.why !== undefined) return { ...at, why: plan.why };
  return { stages, handedOn: plan.handedOn, scans: plan.scans };
}

/** A `while`, `do` or uncountable `for` loop around a loop that all groups could share. */
function uncountedLoop(body: Stmt, gangs: boolean): Stmt | undefined {
  return findStatement(body, (s) => {
    if (s.kind !== "while" && s.kind !== "do" && s.kind !== "for") return false;
    return !orderedLoop(s) && findStatement(s.body, (inner) => isWide(inner, gangs)) !== undefined;
  });
}

function obstacleOf(
  spmd: Spmd,
  parts: readonly Part[],
  args: readonly Argument[],
  isCounted: (header: LoopHeader) => boolean,
): string | undefined {
  if (spmd.numTeams) return "the program names the number of gangs";
  if (spmd.reductions.length > 0) return "gangs have reduction variables of their own";
  if (hasNode(spmd.body, "threads") || hasNode(spmd.body, "sync"))
    return "threads wait for each other inside";
  if (asksItsPlace(spmd.body)) return "the code asks for its place among the teams";
  if (parts.some((p) => p.is === "scan") && (spmd.numUnits || spmd.numLanes))
    return "the program names the sizes of gangs";
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
    const inner = obstacleOf(spmd, p.parts, args, isCounted);
    if (inner) return inner;
  }
  return undefined;
}
