/** The kernels of a region that the launch runs in order, and the values that they hand on. */
import { entryOf } from "../../../../core/checked/access.ts";
import { type Uses, usesOf } from "../../../../core/ir/analysis/access.ts";
import { definedFirst, liveAfter } from "../../../../core/ir/analysis/liveness.ts";
import { isVolatile } from "../../../../core/ir/analysis/purity.ts";
import { asNode, extStmt, type Loop, type LoopHeader, type Spmd } from "../../../../core/ir/model/ir.ts";
import type { Argument } from "../../../../core/ir/model/region.ts";
import { withGangs } from "../../../../core/ir/normalise/levels.ts";
import {
  type CType,
  canonical,
  elementType,
  type Loc,
  mapChildren,
  type Stmt,
  type Symbol,
  sizeOf,
  substitute,
  unqualified,
} from "../../../../core/lang/index.ts";
import { assign, compound, declare, exprStmt, freshSymbol, ident } from "../../../../core/lang/tree/build.ts";
import { flat } from "../../device/control.ts";
import { type KernelParam, workItemIdOf } from "../../device/device.ts";
import type { ScanLoop } from "../scans.ts";
import { isShort } from "../short-loops.ts";

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
export type MakeScan = (scan: ScanLoop, keeps: (sym: Symbol) => boolean) => ScanKernels;

export interface Staged {
  readonly stages: readonly Stage[];
  /** Memory for the region's variables and for scans. */
  readonly handedOn: readonly Handed[];
  readonly scans: readonly ScanLoop[];
}

/** Why the region remains one kernel. */
export interface Whole {
  readonly loc: Loc;
  /** What stands at `loc`: a loop that the launch would repeat or divide, or the first of loops that need each other. */
  readonly loop: "in-order" | "shared";
  /** Parts need what other gangs do: the region must have only one gang, or they race since the program counts them. */
  readonly gangs?: "one" | "counted";
  readonly why: string;
  /** Variables of a scan that could not run on all groups. */
  readonly scans?: readonly string[];
}

/** A part of a region, in program order. */
export type Part =
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

export interface Ordered {
  readonly header: LoopHeader;
  readonly privates: readonly Symbol[];
  readonly body: Stmt;
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

export class Plan {
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
      const isVariable = sym.kind === "var" || sym.kind === "param";
      if (isOutside || !isVariable || this.ofScans.has(sym) || workItemIdOf(sym)) continue;
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
    const bytes = bytesOf(sym.type);
    if (bytes === undefined) this.why ??= `'${sym.name}' hands something on that is no number`;
    for (const d of users) {
      const use = uses.get(d)?.of.get(sym);
      if (use?.addressTaken) this.why ??= `the address of '${sym.name}' is taken`;
      const [loop] = d.wide ? d.stmts : [];
      const reduced = loop && asNode(loop, "loop")?.reductions.some((r) => r.sym === sym);
      if (d.wide && (use?.written || use?.elementsWritten) && !reduced)
        this.why ??= `iterations of a parallel loop change '${sym.name}'`;
    }
    this.handedOn.push({ sym, bytes: bytes ?? BYTES });
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

/** Of memory for a number or an array of numbers; undefined for other types. */
function bytesOf(type: CType): string | undefined {
  const { kind, quals } = canonical(type);
  if (quals?.volatile || quals?.atomic) return undefined;
  if (["int", "float", "enum"].includes(kind)) return BYTES;
  const element = kind === "array" ? elementType(type) : undefined;
  const size = element && bytesOf(element) !== undefined ? sizeOf(type) : undefined;
  return size === undefined ? undefined : String(Math.max(size, Number(BYTES)));
}

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

export const isWide = (s: Stmt, gangs: boolean): boolean => {
  const loop = asNode(s, "loop");
  return loop?.parallel.independence === "independent" && (!gangs || loop.parallel.levels.includes("gang"));
};

/** Whether one group runs it if what is beside it needs one group anyway. */
export const isForOneGroup = (part: Part | undefined): boolean =>
  part?.is === "code" || (part?.is === "wide" && isShort(part.stmt));
