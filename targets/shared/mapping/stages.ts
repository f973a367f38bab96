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
import { entryOf } from "../../../core/checked/access.ts";
import { type Uses, usesOf } from "../../../core/ir/analysis/access.ts";
import { definedFirst, liveAfter } from "../../../core/ir/analysis/liveness.ts";
import { countedHeader } from "../../../core/ir/analysis/loops/counted.ts";
import { isVolatile } from "../../../core/ir/analysis/purity.ts";
import { asNode, extStmt, type Loop, type LoopHeader, type Spmd } from "../../../core/ir/model/ir.ts";
import { hasNode } from "../../../core/ir/model/nodes.ts";
import type { Argument } from "../../../core/ir/model/region.ts";
import { withGangs } from "../../../core/ir/normalise/levels.ts";
import { canonical, findStatement, mapChildren, substitute, unqualified } from "../../../core/lang/index.ts";
import type { Loc, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { assign, compound, declare, exprStmt, freshSymbol, ident } from "../../../core/lang/tree/build.ts";
import { escapes, flat, usesContinue } from "../device/control.ts";
import { type KernelParam, placeOf } from "../device/device.ts";
import { tripsKnown } from "./counted-loops.ts";
import { type InOrder, type ScanLoop, scanLoop } from "./scans.ts";
import { isShort } from "./short-loops.ts";
import { asksItsPlace } from "./teams.ts";

/** What one launch of the region runs, in order. */
export type Stage =
  /** `wide`: all groups share the loop; otherwise one group runs the code. */
  | {
      readonly is: "kernel";
      readonly wide: boolean;
      readonly body: Stmt;
      readonly privates: readonly Symbol[];
      /** For the kernels of a scan: their number of groups and launch parameters. */
      readonly blocks?: BlockLaunch;
    }
  | {
      readonly is: "repeat";
      readonly header: LoopHeader;
      readonly loc: Loc;
      readonly stages: readonly Stage[];
    };

/** Memory that passes values to later kernels; its size is an image-file expression. */
export interface Handed {
  readonly sym: Symbol;
  readonly bytes: string;
}

interface BlockLaunch {
  readonly params: readonly KernelParam[];
  readonly groupMemory: readonly Symbol[];
  /** The number of groups; absent: one. */
  readonly grid?: string;
  /** Groups that a compute unit's registers should have room for at once. */
  readonly resident?: number;
}

/** A loop with scans, as three kernels. */
export interface ScanKernels {
  /** Each group: the total of its block of iterations. */
  readonly sums: Stmt;
  /** One group: the prefix of each block. */
  readonly fronts: Stmt;
  /** Each group: its block of iterations, starting from the prefix. */
  readonly values: Stmt;
  readonly memory: readonly Handed[];
  /** The launches: `all` for the first and last kernel, `one` for the second. */
  readonly all: BlockLaunch;
  readonly one: BlockLaunch;
}

/** `keeps`: whether a variable's final value is used. */
type MakeScan = (scan: ScanLoop, keeps: (sym: Symbol) => boolean) => ScanKernels;

interface Staged {
  readonly stages: readonly Stage[];
  /** Memory for the region's variables and for scans. */
  readonly handedOn: readonly Handed[];
  readonly scans: readonly ScanLoop[];
}

/** Why the region remains one kernel. */
export interface Whole {
  readonly loc: Loc;
  readonly why: string;
  /** Variables of a scan that could not run on all groups. */
  readonly scans?: readonly string[];
}

// ---------------------------------------------------------------- the loops

/** A part of a region, in program order. */
type Part =
  | { readonly is: "code"; readonly stmt: Stmt }
  | { readonly is: "wide"; readonly stmt: Stmt }
  | { readonly is: "scan"; readonly stmt: Stmt; readonly scan: ScanLoop }
  | {
      readonly is: "repeat";
      readonly header: LoopHeader;
      readonly at: Stmt;
      readonly body: Stmt;
      readonly parts: readonly Part[];
    };

interface Ordered {
  readonly header: LoopHeader;
  readonly privates: readonly Symbol[];
  readonly body: Stmt;
}

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

const isWide = (s: Stmt, gangs: boolean): boolean => {
  const loop = asNode(s, "loop");
  return loop?.parallel.independence === "independent" && (!gangs || loop.parallel.levels.includes("gang"));
};

/** Whether one group runs it if what is beside it needs one group anyway. */
const isForOneGroup = (part: Part | undefined): boolean =>
  part?.is === "code" || (part?.is === "wide" && isShort(part.stmt));

type FindScan = (s: Stmt) => ScanLoop | undefined;

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

// ---------------------------------------------------------------- the kernels

/** Scans of fewer iterations are not worth three kernels. */
const FEWEST = 256;

/** The scans in a region's loops that all groups could share, with or without an obstacle. */
export function scansOf(
  { body }: Spmd,
  args: readonly Argument[],
): (s: Stmt) => ScanLoop | InOrder | undefined {
  const known = new Map<Stmt, ScanLoop | InOrder | undefined>();
  const inMemory = (sym: Symbol) => args.some((a) => a.sym === sym && a.how !== "value");
  return (s) => {
    if (!known.has(s)) {
      const found: ScanLoop | InOrder | undefined = scanLoop(s, {
        liveAfter: (sym) => inMemory(sym) || liveAfter(body, s, sym),
        asks: () => false,
      });
      known.set(s, found);
    }
    return known.get(s);
  };
}

/** Why a scan is not worth three kernels, or cannot use them. */
export function tooSmall({ header, names, loc }: ScanLoop): InOrder | undefined {
  if ((tripsKnown(header) ?? FEWEST) < FEWEST)
    return { loc, names, why: `it has fewer than ${FEWEST} iterations` };
  const loads = usesOf(header.lower, header.bound, header.step);
  const memory = [...loads.of].find(([, use]) => use.elementsRead);
  return memory && { loc, names, why: `its bounds are read from '${memory[0].name}'` };
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

/** A kernel under construction. */
interface Draft {
  readonly wide: boolean;
  readonly stmts: Stmt[];
  blocks?: BlockLaunch;
}

type DraftStage =
  | { readonly is: "kernel"; readonly draft: Draft }
  | { readonly is: "repeat"; readonly header: LoopHeader; readonly loc: Loc; readonly stages: DraftStage[] };

class Plan {
  why: string | undefined;
  readonly handedOn: Handed[] = [];
  readonly scans: ScanLoop[] = [];
  private readonly args: readonly Argument[];
  private readonly makeScan: MakeScan;
  private readonly uses: Uses;
  private readonly drafts: Draft[] = [];
  /** The region's constants, which each kernel computes again. */
  private readonly constants = new Map<Symbol, Stmt>();
  /** Declared between kernels: variables without `const` that replace them. */
  private readonly renamed = new Map<Symbol, Symbol>();
  private readonly counters = new Set<Symbol>();
  private readonly body: Stmt;
  /** Variables that belong to scans. */
  private readonly ofScans = new Set<Symbol>();

  constructor({ body }: Spmd, args: readonly Argument[], makeScan: MakeScan) {
    this.args = args;
    this.makeScan = makeScan;
    this.body = body;
    this.uses = usesOf(body);
  }

  stages(parts: readonly Part[]): DraftStage[] {
    const stages: DraftStage[] = [];
    let open: Draft | undefined;
    const add = (draft: Draft): Draft => {
      if (!this.drafts.includes(draft)) this.drafts.push(draft);
      stages.push({ is: "kernel", draft });
      return draft;
    };
    for (const [n, part] of parts.entries()) {
      const joins = isForOneGroup(part) && (open !== undefined || isForOneGroup(parts[n + 1]));
      if (part.is === "code" || (part.is === "wide" && joins)) {
        const stmts = this.code(part.stmt);
        if (stmts.length === 0) continue;
        open ??= add({ wide: false, stmts: [] });
        open.stmts.push(...stmts);
        continue;
      }
      if (part.is === "scan") {
        const scan = this.scan(part);
        add({ wide: true, stmts: [scan.sums], blocks: scan.all });
        // Preceding code may run in the single group's kernel.
        const used = [...usesOf(scan.sums).of.keys()].map((sym) => this.renamed.get(sym) ?? sym);
        const late = open && mayFollow(open.stmts, new Set(used)) ? open : undefined;
        if (late)
          stages.splice(
            stages.findIndex((s) => s.is === "kernel" && s.draft === late),
            1,
          );
        const fronts = add(late ?? { wide: false, stmts: [] });
        fronts.stmts.push(scan.fronts);
        fronts.blocks = scan.one;
        add({ wide: true, stmts: [scan.values], blocks: scan.all });
        open = undefined;
        continue;
      }
      open = undefined;
      if (part.is === "wide") {
        add({ wide: true, stmts: [part.stmt] });
        continue;
      }
      const { header, at } = part;
      this.counters.add(header.var);
      stages.push({ is: "repeat", header, loc: at.span.start, stages: this.stages(part.parts) });
    }
    return stages;
  }

  private scan({ stmt, scan }: Part & { is: "scan" }): ScanKernels {
    const inMemory = (sym: Symbol) => this.args.some((a) => a.sym === sym && a.how !== "value");
    const code = this.makeScan(scan, (sym) => inMemory(sym) || liveAfter(this.body, stmt, sym));
    this.scans.push(scan);
    this.handedOn.push(...code.memory);
    for (const { sym } of code.memory) this.ofScans.add(sym);
    for (const { params, groupMemory } of [code.all, code.one])
      for (const sym of [...params.map((p) => p.sym), ...groupMemory]) this.ofScans.add(sym);
    return code;
  }

  /** Statements between kernels; initialisers of variables become assignments. */
  private code(s: Stmt): readonly Stmt[] {
    if (s.kind !== "decl") return [s];
    return s.decls.flatMap(({ sym, init }): readonly Stmt[] => {
      if (sym.kind !== "var" || sym.storage === "static" || sym.storage === "extern") {
        this.why ??= `'${sym.name}' is declared between the loops`;
        return [];
      }
      if (s.defines.length > 0) this.why ??= "types are declared between the loops";
      if (init?.kind === "expr" && this.isConstant(sym, usesOf(init.expr))) {
        this.constants.set(sym, { ...s, decls: s.decls.filter((d) => d.sym === sym), defines: [] });
        return [];
      }
      const own = freshSymbol(sym.name, unqualified(sym.type));
      this.renamed.set(sym, own);
      if (!init) return [];
      if (init.kind === "expr") return [exprStmt(assign(ident(own), init.expr))];
      this.why ??= `'${sym.name}' has a list of values`;
      return [];
    });
  }

  /** Whether it is computed only from what never changes while the region runs. */
  private isConstant(sym: Symbol, init: Uses): boolean {
    const stays = (s: Symbol) => !this.uses.of.get(s)?.written && !this.uses.of.get(s)?.addressTaken;
    const passed = (s: Symbol) =>
      this.args.some((a) => a.sym === s && (a.how === "value" || a.how === "extent"));
    return (
      stays(sym) &&
      !isVolatile(sym.type) &&
      !init.indirectCall &&
      init.calls.size === 0 &&
      [...init.of].every(
        ([from, use]) =>
          !use.elementsRead &&
          !use.written &&
          (this.constants.has(from) || this.counters.has(from) || (passed(from) && stays(from))),
      )
    );
  }

  /** Places variables in the kernel that uses them, or in memory. */
  finished(stages: readonly DraftStage[]): readonly Stage[] {
    const names = new Map([...this.renamed].map(([from, to]) => [from, ident(to)]));
    for (const draft of this.drafts)
      draft.stmts.splice(0, Infinity, ...draft.stmts.map((s) => substitute(s, names)));
    const bodies = new Map(this.drafts.map((d) => [d, compound(d.stmts)]));
    const uses = new Map([...bodies].map(([d, body]) => [d, usesOf(body)]));
    const inMemory = new Set(this.args.filter((a) => a.how !== "value").map((a) => a.sym));
    const own = new Map<Draft, Symbol[]>(this.drafts.map((d) => [d, []]));
    // Arguments passed by value that kernels change.
    const initial: Symbol[] = [];
    for (const sym of new Set([...uses.values()].flatMap((u) => [...u.of.keys()]))) {
      const isOutside = inMemory.has(sym) || this.constants.has(sym) || this.counters.has(sym);
      if (isOutside || sym.kind !== "var" || this.ofScans.has(sym) || placeOf(sym)) continue;
      const users = this.drafts.filter((d) => uses.get(d)?.of.has(sym) && !uses.get(d)?.declared.has(sym));
      const value = this.args.find((a) => a.sym === sym);
      const changed = users.some(
        (d) => uses.get(d)?.of.get(sym)?.written || uses.get(d)?.of.get(sym)?.addressTaken,
      );
      if (users.length === 0 || (value && !changed)) continue;
      if (users.every((d) => definedFirst(entryOf(bodies, d), sym))) {
        for (const d of users) own.get(d)?.push(sym);
        continue;
      }
      this.handOn(sym, users, uses);
      if (value) initial.push(sym);
    }
    const copies = initial.map((sym) => [sym, freshSymbol(sym.name, unqualified(sym.type))] as const);
    const finished = stages.map((s) => this.finish(s, own, new Map(copies)));
    const first: Stage[] = copies.length
      ? [
          {
            is: "kernel",
            wide: false,
            privates: [],
            body: compound(copies.map(([sym, copy]) => exprStmt(assign(ident(copy), ident(sym))))),
          },
        ]
      : [];
    for (const [sym, copy] of copies)
      this.handedOn.splice(
        this.handedOn.findIndex((h) => h.sym === sym),
        1,
        { sym: copy, bytes: BYTES },
      );
    return [...first, ...finished];
  }

  private handOn(sym: Symbol, users: readonly Draft[], uses: ReadonlyMap<Draft, Uses>): void {
    const { kind, quals } = canonical(sym.type);
    if (!["int", "float", "enum"].includes(kind) || quals?.volatile || quals?.atomic)
      this.why ??= `'${sym.name}' hands something on that is no number`;
    for (const d of users) {
      const use = uses.get(d)?.of.get(sym);
      if (use?.addressTaken) this.why ??= `the address of '${sym.name}' is taken`;
      const [loop] = d.wide ? d.stmts : [];
      const reduced = loop && asNode(loop, "loop")?.reductions.some((r) => r.sym === sym);
      if (d.wide && use?.written && !reduced)
        this.why ??= `iterations of a parallel loop change '${sym.name}'`;
    }
    this.handedOn.push({ sym, bytes: BYTES });
  }

  private finish(
    stage: DraftStage,
    own: ReadonlyMap<Draft, readonly Symbol[]>,
    copies: ReadonlyMap<Symbol, Symbol>,
  ): Stage {
    if (stage.is === "repeat")
      return { ...stage, stages: stage.stages.map((s) => this.finish(s, own, copies)) };
    const { draft } = stage;
    const constants = this.constantsFor(compound(draft.stmts));
    const passedOn = new Set(this.handedOn.map((h) => h.sym).filter((sym) => !this.ofScans.has(sym)));
    const stmts = draft.wide ? draft.stmts.map(withGangs) : draft.stmts.map((s) => withoutGangs(s));
    const read = draft.wide ? [...usesOf(...stmts).of].filter(([s, u]) => passedOn.has(s) && !u.written) : [];
    // Loaded once, not in every iteration.
    const loaded = read.map(([sym]) => [sym, freshSymbol(sym.name, unqualified(sym.type))] as const);
    const body = substitute(compound(stmts), new Map(loaded.map(([from, to]) => [from, ident(to)])));
    const loads = loaded.map(([from, to]) => declare(to, ident(from)));
    const all = compound([...constants, ...loads, ...flat(body)]);
    return {
      is: "kernel",
      wide: draft.wide,
      privates: own.get(draft) ?? [],
      ...(draft.blocks && { blocks: draft.blocks }),
      body: substitute(all, new Map([...copies].map(([from, to]) => [from, ident(to)]))),
    };
  }

  /** In order of declaration. */
  private constantsFor(body: Stmt): readonly Stmt[] {
    const needed = new Set(usesOf(body).of.keys());
    for (const [sym, s] of [...this.constants].reverse())
      if (needed.has(sym)) for (const from of usesOf(s).of.keys()) needed.add(from);
    return [...this.constants].flatMap(([sym, s]) => (needed.has(sym) ? [s] : []));
  }
}

/** Enough for a number of any type. */
const BYTES = "16";

/** Code that only sets region variables that the other code does not use, so it may run after that code. */
function mayFollow(code: readonly Stmt[], there: ReadonlySet<Symbol>): boolean {
  const { of, calls, indirectCall } = usesOf(...code);
  if (calls.size > 0 || indirectCall || !code.every((s) => s.kind === "expr" || s.kind === "decl"))
    return false;
  return [...of].every(
    ([sym, use]) => !use.elementsWritten && !use.addressTaken && !(use.written && there.has(sym)),
  );
}

/** For a single group: its lanes take the iterations of gangs. */
function withoutGangs(s: Stmt): Stmt {
  const inner = mapChildren(s, withoutGangs);
  const loop = asNode(inner, "loop");
  if (!loop?.parallel.levels.includes("gang")) return inner;
  const levels = loop.parallel.levels.filter((l) => l !== "gang");
  const ext: Loop = { ...loop, parallel: { ...loop.parallel, levels } };
  return extStmt(ext, s.span);
}
