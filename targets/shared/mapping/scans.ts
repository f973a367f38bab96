/**
 * Loops with scans: each iteration combines a variable with a value that does not depend on it, and reads the
 * result. Blocks of iterations can run in parallel once the prefix of each block is known:
 *
 *     for (i = 0; i < n; i++) {          the slice, which computes what an iteration adds:
 *       int x = a[i];                      int x = a[i];
 *       if (x > 0) s += x;                 if (x > 0) s += x;
 *       b[i] = s;
 *     }
 *
 * An element computed from the previous one counts as such a variable too: `b[i] = b[i - 1] + a[i]`.
 */
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { definedFirst } from "../../../core/ir/analysis/liveness.ts";
import { countedHeader } from "../../../core/ir/analysis/loops/counted.ts";
import { pureReads } from "../../../core/ir/analysis/purity.ts";
import { scanUse } from "../../../core/ir/analysis/reductions.ts";
import { dependence } from "../../../core/ir/dependence/dependence.ts";
import { asNode, type Loop, type LoopHeader, type ReductionOp } from "../../../core/ir/model/ir.ts";
import {
  canonical,
  findStatement,
  isInteger,
  isScalar,
  isSigned,
  sizeOf,
  walkStmt,
} from "../../../core/lang/index.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import { stripImplicit } from "../../../core/lang/tree/build.ts";
import { containsAtomic, escapes, flat, usesContinue } from "../device/control.ts";
import { distinct } from "./accumulators.ts";
import { carriedElement } from "./carried-elements.ts";
import { countedLoop } from "./counted-loops.ts";
import { sliceOf } from "./slices.ts";

export interface Scan {
  readonly op: ReductionOp;
  readonly sym: Symbol;
  /** The statement that changes it, if it is the only one and every iteration runs it. */
  readonly step?: Stmt;
}

export interface ScanLoop {
  readonly header: LoopHeader;
  readonly body: Stmt;
  readonly privates: readonly Symbol[];
  readonly scans: readonly Scan[];
  /** The part of the body that determines how the variables change. */
  readonly slice: Stmt;
  /** Declarations moved before the loop. */
  readonly before: readonly Stmt[];
  /** Pointers that must not point to the same memory. */
  readonly pairs: readonly (readonly [Symbol, Symbol])[];
  /** The scanned variables, as the program names them. */
  readonly names: readonly string[];
  readonly loc: Loc;
}

/** Why a loop that looks like a scan runs in order. */
export interface InOrder {
  readonly loc: Loc;
  readonly names: readonly string[];
  readonly why: string;
  readonly remedy?: string;
}

interface ScanSurroundings {
  /** Whether a variable's value may be used after the loop. */
  liveAfter(sym: Symbol): boolean;
  /** Whether the launch can check if two pointers point to the same memory. */
  asks(a: Symbol, b: Symbol): boolean;
}

/** Analyses a statement; undefined: it does not look like a scan. */
export function scanLoop(s: Stmt, around: ScanSurroundings): ScanLoop | InOrder | undefined {
  const { loop: at, before } = withOneDeclaration(s);
  const written = asNode(at, "loop");
  // Loops that the program wants in order are analysed too, for the remark that their order is kept.
  const isWrittenSeq = written?.parallel.independence === "seq" && !written.parallel.free;
  const free = isWrittenSeq && { ...written, parallel: { ...written.parallel, free: true as const } };
  const given = free || (written ? inOrderOf(written) : countedLoop(at));
  const [header] = given?.headers ?? [];
  if (!given || !header || given.headers.length !== 1 || given.reductions.length > 0) return undefined;
  const element = carriedElement(given, header);
  const loop = element ? { ...given, body: element.body } : given;
  const found = scansIn(loop, header);
  if (!found) return undefined;
  const names = element ? [element.name] : found.scans.map(({ sym }) => sym.name);
  const loc = element?.loc ?? found.loc;
  const refused = (why: string, remedy?: string): InOrder => ({
    loc,
    names,
    why,
    ...(remedy !== undefined && { remedy }),
  });
  if (isWrittenSeq)
    return refused("the program says that its iterations run in order", "leave `seq` out to share it out");
  const wrong = found.why ?? badType(found.scans, given) ?? badShape(loop, header, at, around);
  if (wrong) return refused(...wrong);
  const pairs: (readonly [Symbol, Symbol])[] = [];
  const apart = (a: Symbol, b: Symbol): boolean => {
    if (distinct(a, b)) return true;
    if (!around.asks(a, b)) return false;
    pairs.push([a, b]);
    return true;
  };
  const slice = sliceOf(
    loop.body,
    found.scans.map((c) => c.sym),
    found.reads,
    apart,
  );
  if ("why" in slice) return refused(slice.why);
  const proof = dependence(
    { ...loop, reductions: found.scans.map(({ op, sym }) => ({ op, sym, loc })) },
    { liveAfter: around.liveAfter, distinct: apart },
  );
  if (!proof.independent) return refused(proof.why, remedyFor(proof.why));
  return {
    header,
    body: loop.body,
    privates: [...loop.privates, ...proof.privates],
    scans: found.scans,
    slice: slice.stmt,
    before: [...before, ...(element?.before ?? [])],
    pairs,
    names,
    loc,
  };
}

/** A sequential loop whose order is not the user's choice. */
function inOrderOf(loop: Loop): Loop | undefined {
  const { independence, levels, free } = loop.parallel;
  return independence === "seq" && levels.length === 0 && free ? loop : undefined;
}

const remedyFor = (why: string): string | undefined =>
  why.includes("may be the same memory") ? "declare pointers that never overlap 'restrict'" : undefined;

/** `for (int i = 0, s = 0; ...)` with the other declarations moved before the loop. */
export function withOneDeclaration(s: Stmt): { readonly loop: Stmt; readonly before: readonly Stmt[] } {
  const known = split.get(s);
  if (known) return known;
  let separated: { readonly loop: Stmt; readonly before: readonly Stmt[] } = { loop: s, before: [] };
  if (s.kind === "for" && s.init?.kind === "decl" && s.init.decls.length > 1) {
    const { init } = s;
    for (const d of init.decls) {
      const loop: Stmt = { ...s, init: { ...init, decls: [d] } };
      if ("severity" in countedHeader(loop)) continue;
      const others = init.decls.filter((o) => o !== d);
      const before: Stmt = { ...init, decls: others };
      if (!usesOf(before).of.has(d.sym) || usesOf(before).declared.has(d.sym))
        separated = { loop, before: [before] };
      break;
    }
  }
  split.set(s, separated);
  return separated;
}

/** Caches the split of each loop. */
const split = new WeakMap<Stmt, { readonly loop: Stmt; readonly before: readonly Stmt[] }>();

interface Found {
  readonly scans: readonly Scan[];
  /** The places where their values are read. */
  readonly reads: ReadonlySet<Expr>;
  readonly loc: Loc;
  /** Why loop-carried variables prevent a scan. */
  readonly why?: Reason;
}

type Reason = readonly [why: string, remedy?: string];

/** Loop-carried variables, if at least one is both combined and read. */
function scansIn(loop: Loop, header: LoopHeader): Found | undefined {
  const uses = usesOf(loop.body);
  const scans: Scan[] = [];
  const reads = new Set<Expr>();
  let [loc, why]: [Loc | undefined, Reason | undefined] = [undefined, undefined];
  for (const [sym, use] of uses.of) {
    if (!use.written || !isScalar(sym.type) || sym === header.var) continue;
    if ((uses.declared.has(sym) && sym.storage !== "static") || loop.privates.includes(sym)) continue;
    if (definedFirst(loop.body, sym)) continue;
    const scan = scanUse(loop.body, sym);
    const [step, ...more] = scan.steps;
    if (scan.op === undefined || !step) {
      why ??= [
        `'${sym.name}', which iterations hand on, is no sum, product, minimum, maximum or mask of values`,
      ];
      continue;
    }
    if (scan.op === "&&" || scan.op === "||") why ??= [`'${scan.op}' is no operator of scans`];
    for (const e of scan.reads) reads.add(e);
    if (scan.reads.length > 0) loc ??= step.span.start;
    const always = flat(loop.body).find((s) => s.kind === "expr" && s.expr === step);
    scans.push({ op: scan.op, sym, ...(always && more.length === 0 && { step: always }) });
    if ((scan.op === "max" || scan.op === "min") && !ordersAlike(loop.body, sym))
      why ??= [`'${sym.name}' is compared with values of another signedness`];
  }
  return loc && { scans, reads, loc, ...(why && { why }) };
}

/** Whether comparisons of the variable use the order of its own type. */
function ordersAlike(body: Stmt, sym: Symbol): boolean {
  let alike = true;
  walkStmt(body, {
    expr(e) {
      if (e.kind !== "binary" || !["<", "<=", ">", ">="].includes(e.op)) return;
      const [a, b] = [stripImplicit(e.left), stripImplicit(e.right)];
      const other =
        a.kind === "ident" && a.sym === sym ? b : b.kind === "ident" && b.sym === sym ? a : undefined;
      if (!other || !isInteger(other.type) || !isInteger(sym.type)) return;
      const narrower = (sizeOf(other.type) ?? 8) < (sizeOf(sym.type) ?? 0);
      alike &&= isSigned(other.type) === isSigned(sym.type) || (!isSigned(other.type) && narrower);
    },
  });
  return alike;
}

function badType(scans: readonly Scan[], { hints }: Loop): Reason | undefined {
  for (const { sym, op } of scans) {
    const { kind, ...type } = canonical(sym.type);
    const size = sizeOf(sym.type) ?? 0;
    if (kind === "float" && (size === 4 || size === 8)) {
      if (hints?.scan) continue;
      return [
        op === "+" || op === "*"
          ? `'${sym.name}' would be rounded in another order`
          : `'${sym.name}' is a floating-point number, and comparisons with NaN depend on the order`,
        "say reduction(inscan, ...) and scan in OpenMP, which allow another order",
      ];
    }
    const isBool = "name" in type && type.name === "bool";
    if (kind !== "int" || isBool || ![1, 2, 4, 8].includes(size))
      return [`'${sym.name}' has a type that groups cannot hand on`];
  }
  return undefined;
}

function badShape(
  { body }: Loop,
  header: LoopHeader,
  at: Stmt,
  { liveAfter }: ScanSurroundings,
): Reason | undefined {
  if (usesContinue(body))
    return ["iterations may end early", "write the rest of the body into an if statement"];
  if (escapes(body)) return ["the loop may be left early"];
  if (containsAtomic(body) || findStatement(body, (s) => s.kind === "ext")) return ["it contains directives"];
  const { calls, indirectCall } = usesOf(body);
  const effects = [...calls.keys()].find((f) => !pureReads(f));
  if (indirectCall || effects)
    return [effects ? `'${effects.name}' may have effects` : "it calls a function by a pointer"];
  if (!header.declares && at.kind === "for" && liveAfter(header.var))
    return [`'${header.var.name}' is used behind the loop`];
  return undefined;
}
