/**
 * Loops shared by teams (mapping/teams.ts), as code that all items of a group run together. The number of lanes per team
 * is chosen when the kernel starts, from the trip counts of the outer and inner loop:
 *
 *     lanes = 1, 2, 4, ...                          rows of 11 elements take 8, those of a thousand 32
 *     for each round of the group's teams           all items of a group go round alike
 *       if (the team has an iteration) own part of the sum
 *       the team's sum
 *       if (the team has an iteration and this is its first lane) code after the reductions
 *       if (the team has an iteration) own part of a final independent loop
 *
 * A team takes several iterations in a round where they share what they load (loops/rows-together.ts).
 */
import { usesOf } from "../../../../core/ir/analysis/access.ts";
import { type Affine, affine } from "../../../../core/ir/analysis/affine.ts";
import { combine } from "../../../../core/ir/model/combine.ts";
import { identity } from "../../../../core/ir/model/identity.ts";
import { extStmt, type Loop, type LoopHeader, node, type Threads } from "../../../../core/ir/model/ir.ts";
import {
  evaluateInteger,
  INT,
  isPointer,
  LONG,
  printExpr,
  sizeOf,
  substitute,
  substituteExpr,
  unqualified,
  walkExpr,
} from "../../../../core/lang/index.ts";
import type { Diagnostic, Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  cond,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
  stripImplicit,
} from "../../../../core/lang/tree/build.ts";
import { flat } from "../../device/control.ts";
import { counted } from "../../device/counted-loop.ts";
import { barrier, groupReduce, place, teamReduce } from "../../device/device.ts";
import { unrollPragma } from "../../device/pragmas.ts";
import { interleave } from "../../loops/interleave.ts";
import { rowsTogether } from "../../loops/rows-together.ts";
import { long, tripCount, valueAt } from "../../loops/trips.ts";
import type { SharedReduction, TeamLoop } from "../../mapping/teams.ts";
import { ScanScratch, scanCode } from "./scan-code.ts";
import { scanByLanes } from "./scan-remarks.ts";

/** Items that keep the device busy, passed by the launch to kernels that use it. */
export const capacity = freshSymbol("arc_capacity", LONG);
export const CAPACITY = "cu 1024 *";

/** Lanes of a team that can use shuffles; wider teams need group memory, which only more work per lane repays. */
const NEIGHBOURS = 32;
/** Iterations of the inner loop per lane that make a wider team worthwhile. */
const ROUNDS = 8;
/** Iterations per lane that repay unrolled code only where inner loops have equal lengths. */
const ROLLED = 1;
/**
 * The same down columns of constant length. nvcc then orders loads behind each other's sums: 8192 columns took 147
 * microseconds with eight at once, and 120 with four.
 */
const LOADS_DOWN = 4;
/** Limit on copies of the inner loop's body, over iterations and rows. */
const COPIES = 32;
/** Iterations per lane that justify doubling the lanes, for the same two cases: short rows leave lanes idle. */
const ENOUGH = { alike: 2, others: 4 };
/**
 * Columns get twice the lanes while at most so many quarters of the capacity work, so that no more than one and a half
 * times the capacity start. The last groups of more would run nearly alone.
 */
const MOST_QUARTERS = 3;
/** Bytes of memory that neighbouring teams access together: the smallest unit that memory delivers. */
const SECTOR = 32;

export interface TeamCode {
  readonly body: Stmt;
  readonly groupMemory: readonly Symbol[];
  readonly remarks: readonly Diagnostic[];
}

/** `items`: items per group; `loads`: iterations of an inner loop whose loads a lane issues at once. */
export function teamCode(team: TeamLoop, items: number, loads: number): TeamCode {
  const { header, along } = team;
  const rows = freshSymbol("arc_rows", LONG);
  const trips = freshSymbol("arc_trips", LONG);
  const lanes = freshSymbol("arc_lanes", LONG);
  const mean = meanTrips(team, rows);
  const scratch: Scratch = { ofTeams: new Map(), ofScans: new ScanScratch(items) };
  const together = extStmt(
    node<Threads>({
      kind: "threads",
      body: rounds(team, { items, loads }, { rows, lanes }, scratch),
      site: team.loop.site,
    }),
    team.loop.body.span,
  );
  const plain = extStmt(team.loop, team.loop.body.span);
  const body = compound([
    declare(rows, tripCount(header)),
    declare(trips, cond(binary(">", ident(rows), intLit(0)), mean, intLit(0, LONG))),
    declare(lanes, intLit(1, LONG)),
    ...widths(team, items, { rows, trips, lanes }),
    along === "inner"
      ? together
      : ifStmt(binary("==", ident(lanes), intLit(1, LONG)), plain, compound([together])),
  ]);
  const groupMemory = [...scratch.ofTeams.values(), ...scratch.ofScans.symbols];
  const scans = team.shared.flatMap(({ scan }) => (scan ? [scanByLanes(scan)] : []));
  return { body, groupMemory, remarks: [remarkOn(team), ...scans] };
}

/** Group memory for exchanging values between lanes. */
interface Scratch {
  readonly ofTeams: Map<string, Symbol>;
  readonly ofScans: ScanScratch;
}

function remarkOn({ loop, shared, along }: TeamLoop): Diagnostic {
  const names = shared
    .flatMap((s) => s.scan?.names ?? s.reductions.map((r) => r.sym.name))
    .map((name) => `'${name}'`)
    .join(", ");
  const scans = shared.some((s) => s.scan);
  const inner = shared[0]?.header.span.start;
  return {
    severity: "note",
    code: "shared-by-teams",
    loc: loop.site.loc,
    message:
      along === "inner"
        ? `lanes share what this loop ${scans ? "scans" : "reduces"} inside each iteration (${names}), so that neighbours read memory side by side`
        : `lanes share what this loop reduces inside each iteration (${names}) where its own iterations leave the device idle`,
    remedy: "say `loop seq` on the loop inside to have its iterations in order",
    ...(inner && inner.line > 0 && { notes: [{ message: "the loop inside is here", loc: inner }] }),
  };
}

interface Sizes {
  readonly rows: Symbol;
  readonly trips: Symbol;
  readonly lanes: Symbol;
}

/** Whether a loop has the same length in every iteration of the enclosing one: pieces may begin at `i * n`. */
function lengthOf(header: LoopHeader, loop: Loop): "alike" | "others" {
  const [from, to] = [affine(header.lower), affine(header.bound)];
  return from && to && sameTerms(from, to) ? "alike" : boundsOf(header, loop);
}

/** Whether a loop has the same bounds in every iteration of the enclosing one. */
function boundsOf({ lower, bound }: LoopHeader, loop: Loop): "alike" | "others" {
  const changed = usesOf(loop.body);
  let length: "alike" | "others" = "alike";
  for (const e of [lower, bound])
    walkExpr(e, {
      expr(sub) {
        if (sub.kind === "index" || (sub.kind === "unary" && sub.op === "*")) length = "others";
        if (sub.kind !== "ident") return;
        if (
          sub.sym === loop.headers[0]?.var ||
          changed.declared.has(sub.sym) ||
          changed.of.get(sub.sym)?.written
        )
          length = "others";
      },
    });
  return length;
}

function widths(team: TeamLoop, items: number, { rows, trips, lanes }: Sizes): Stmt[] {
  const { along, shared, loop } = team;
  const times = (e: Expr, n: number): Expr => binary("*", e, intLit(n, LONG));
  const double = exprStmt(assign(ident(lanes), intLit(2, LONG), "*="));
  const widen = (most: number, ...also: Expr[]): Stmt => ({
    kind: "while",
    test: also.reduce((a, b) => binary("&&", a, b), binary("<", ident(lanes), intLit(most, LONG))),
    body: double,
    span: double.span,
  });
  const enough = binary("<=", times(ident(lanes), ROUNDS), ident(trips));
  const working = binary("*", ident(rows), ident(lanes));
  const together = togetherIn(team);
  const idle = binary("<", working, together === 1 ? ident(capacity) : times(ident(capacity), together));
  if (along === "outer") {
    const bytes = Math.min(...shared.flatMap((s) => s.reductions.map((r) => sizeOf(r.sym.type) ?? 8)));
    // Teams that load the same need not be neighbours for what differs.
    if (together > 1) return [widen(items, idle, enough)];
    const most = Math.max(1, Math.floor(items / (SECTOR / bytes)));
    return [widen(most, binary("<=", times(working, 4), times(ident(capacity), MOST_QUARTERS)), enough)];
  }
  return [
    widen(
      Math.min(NEIGHBOURS, items),
      binary(
        "<=",
        times(ident(lanes), ENOUGH[lengthOf((shared[0] as SharedReduction).header, loop)]),
        ident(trips),
      ),
    ),
    widen(items, idle, enough),
  ];
}

function rounds(
  team: TeamLoop,
  { items, loads }: { readonly items: number; readonly loads: number },
  { rows, lanes }: Pick<Sizes, "rows" | "lanes">,
  scratch: Scratch,
): Stmt {
  const { loop, behind, spread } = team;
  const [teams, number, member] = ["arc_teams", "arc_team", "arc_member"].map((n) =>
    freshSymbol(n, LONG),
  ) as [Symbol, Symbol, Symbol];
  const round = freshSymbol("arc_round", LONG);
  const beside = team.along === "inner";
  const times = togetherIn(team);
  const unrolled = (h: LoopHeader): number => {
    if (lengthOf(h, loop) !== "alike") return ROLLED;
    return !beside && evaluateInteger(tripCount(h)) !== undefined ? Math.min(loads, LOADS_DOWN) : loads;
  };
  const taken = Array.from({ length: times }, (_, k) => new Row(team, times === 1 ? "" : `_${k}`));
  const [leading] = taken as [Row];
  const inside: Stmt[] = [];
  /** Code for the next part, which only lanes with an iteration run. */
  let next = taken.map((r) => r.begun(team.header, times === 1 ? ident(r.number) : r.clamped(ident(rows))));
  for (const [n, part] of team.shared.entries()) {
    next.push(...taken.flatMap((r) => part.before.flatMap((s) => r.assigned(s))));
    if (part.scan) {
      const count = leading.add(freshSymbol("arc_n", LONG));
      const trips = leading.renamedExpr(tripCount(part.header));
      next.push(exprStmt(assign(ident(count), trips)));
      inside.push(
        exprStmt(assign(ident(count), intLit(0, LONG))),
        ifStmt(ident(leading.isTaken), compound(next)),
      );
      const most = freshSymbol("arc_most", LONG);
      if (boundsOf(part.header, loop) === "alike") inside.push(declare(most, trips));
      else {
        const all = ident(scratchFor(count, items, scratch.ofTeams));
        inside.push(
          declare(most, ident(count)),
          groupReduce({ op: "max", target: ident(most), scratch: all, items }),
        );
      }
      const walk = { from: intLit(0, LONG), to: ident(count), most: ident(most) };
      const ofLane = { ...walk, lanes: ident(lanes), member: ident(member), items };
      inside.push(...scanCode(part.scan, ofLane, scratch.ofScans).map((s) => leading.renamed(s)));
      const rest = [
        ...team.shared.slice(n + 1).flatMap((p) => [...p.before, p.body]),
        ...behind.map((b) => b.stmt),
      ];
      if (reachesMemory([...rest, ...(spread ? [spread.body] : [])])) inside.push(barrier());
      next = [];
      continue;
    }
    for (const r of taken) inside.push(...r.ownSums(part));
    next.push(strided(part, taken, { member, lanes }, unrolled(part.header)));
    inside.push(ifStmt(ident(leading.isTaken), compound(next)));
    next = [];
    for (const { op, sym } of part.reductions) {
      const memory = ident(scratchFor(sym, items, scratch.ofTeams));
      const whole = (target: Expr) =>
        teamReduce({ op, target, scratch: memory, lanes: ident(lanes), items, beside });
      const sums = sumsOf(sym, taken, whole);
      inside.push(...sums.code);
      for (const [k, r] of taken.entries())
        r.late.push(exprStmt(assign(r.of(sym), combine(op, r.of(sym), sums.of[k] as Expr))));
    }
    if (part !== team.shared.at(-1)) next.push(...taken.flatMap((r) => r.late.splice(0)));
  }
  const first = binary("==", ident(member), intLit(0, LONG));
  if (spread) {
    next.push(...leading.late);
    for (const { stmt, by } of behind)
      next.push(
        ...(by === "all" ? leading.assigned(stmt) : [ifStmt(first, compound([leading.renamed(stmt)]))]),
      );
    next.push(strided({ ...spread, reductions: [] }, taken, { member, lanes }, unrolled(spread.header)));
    inside.push(ifStmt(ident(leading.isTaken), compound(next)));
  } else
    for (const r of taken) {
      const end = behind.map(({ stmt }) => r.renamed(stmt));
      inside.push(ifStmt(binary("&&", ident(r.isTaken), first), compound([...r.late, ...end])));
    }
  const perRound = times === 1 ? ident(teams) : binary("*", ident(teams), intLit(times, LONG));
  const offset = (k: number): Expr =>
    k === 0 ? ident(number) : binary("+", ident(number), binary("*", intLit(k, LONG), ident(teams)));
  const body = compound([
    ...taken.flatMap((r, k) => [
      declare(r.number, binary("+", ident(round), offset(k))),
      declare(r.isTaken, binary("<", ident(r.number), ident(rows))),
    ]),
    ...taken.flatMap((r) => r.declarations()),
    ...inside,
  ]);
  return compound([
    declare(teams, binary("/", intLit(items, LONG), ident(lanes))),
    declare(number, binary(beside ? "/" : "%", place("item"), ident(beside ? lanes : teams))),
    declare(member, binary(beside ? "%" : "/", place("item"), ident(beside ? lanes : teams))),
    counted(
      round,
      binary("*", place("group"), perRound),
      ident(rows),
      binary("*", place("groups"), perRound),
      body,
    ),
  ]);
}

/** Code after a scan that accesses memory may read other lanes' stores, or change what they load. */
const reachesMemory = (code: readonly Stmt[]): boolean =>
  [...usesOf(...code).of.values()].some((use) => use.elementsRead || use.elementsWritten);

interface Sums {
  readonly code: readonly Stmt[];
  /** The team's sum of each row. */
  readonly of: readonly Expr[];
}

/** A loop combines the sums of several rows: OpenCL compilers for CPUs take minutes for so many barriers. */
function sumsOf(sym: Symbol, rows: readonly Row[], whole: (target: Expr) => Stmt): Sums {
  const own = rows.map((r) => ident(r.laneOf(sym)));
  const [only, ...more] = own as [Expr, ...Expr[]];
  if (more.length === 0) return { code: [whole(only)], of: own };
  const of = unqualified(sym.type);
  const all = freshSymbol(`${sym.name}_rows`, { kind: "array", of, size: rows.length });
  const k = freshSymbol("arc_k", INT);
  const at = (e: Expr): Expr => index(ident(all), e);
  const code = [
    declare(all),
    ...own.map((e, n) => exprStmt(assign(at(intLit(n)), e))),
    counted(k, intLit(0), intLit(rows.length), intLit(1), compound([whole(at(ident(k)))])),
  ];
  return { code, of: rows.map((_, n) => at(intLit(n))) };
}

const togetherIn = ({ loop, header, shared, spread, along }: TeamLoop): number => {
  const alike = shared.every((part) => boundsOf(part.header, loop) === "alike");
  return along === "outer" && !spread && alike && !shared.some((part) => part.scan)
    ? rowsTogether(header, shared, loop.privates)
    : 1;
};

/** An iteration of the outer loop. Its variables are declared before the parts that only lanes with an iteration run. */
class Row {
  readonly number: Symbol;
  readonly isTaken: Symbol;
  /** What follows the reductions. */
  readonly late: Stmt[] = [];
  private readonly suffix: string;
  private readonly own = new Map<Symbol, Symbol>();
  private readonly lane = new Map<Symbol, Symbol>();

  constructor({ header, loop }: TeamLoop, suffix: string) {
    this.suffix = suffix;
    this.number = freshSymbol(`arc_row${suffix}`, LONG);
    this.isTaken = freshSymbol(`arc_taken${suffix}`, INT);
    for (const s of [header.var, ...loop.privates]) this.add(s);
  }

  add(sym: Symbol): Symbol {
    const known = this.own.get(sym) ?? freshSymbol(`${sym.name}${this.suffix}`, unqualified(sym.type));
    this.own.set(sym, known);
    return known;
  }

  of(sym: Symbol): Expr {
    return ident(this.own.get(sym) ?? sym);
  }

  /** Sets the loop variable to its value in iteration `at`. */
  begun(header: LoopHeader, at: Expr): Stmt {
    return exprStmt(assign(this.of(header.var), valueAt(header, at)));
  }

  /** Lanes beyond the last row repeat it, so that they can compute along with the others. */
  clamped(rows: Expr): Expr {
    return cond(ident(this.isTaken), ident(this.number), binary("-", rows, intLit(1, LONG)));
  }

  /** A declaration as assignments. */
  assigned(s: Stmt): Stmt[] {
    if (s.kind !== "decl") return [this.renamed(s)];
    return s.decls.flatMap(({ sym, init }) => {
      const own = this.add(sym);
      return init?.kind === "expr" ? [this.renamed(exprStmt(assign(ident(own), init.expr)))] : [];
    });
  }

  /** The lane's part of each sum. */
  ownSums({ reductions }: SharedReduction): Stmt[] {
    return reductions.map(({ op, sym }) => {
      const lane = freshSymbol(`${sym.name}_lane${this.suffix}`, unqualified(sym.type));
      this.lane.set(sym, lane);
      return declare(lane, identity(op, sym.type));
    });
  }

  laneOf(sym: Symbol): Symbol {
    return this.lane.get(sym) as Symbol;
  }

  declarations(): Stmt[] {
    return [...this.own.values()].map((sym) => declare(sym));
  }

  renamed(s: Stmt): Stmt {
    return substitute(s, this.names());
  }

  renamedExpr(e: Expr): Expr {
    return substituteExpr(e, this.names());
  }

  names(): Map<Symbol, Expr> {
    return new Map([...this.own].map(([from, to]) => [from, ident(to)]));
  }
}

/** Every `lanes`th iteration of an inner loop, into the lane's private variables for each row. */
function strided(
  { header, body, privates, reductions }: Omit<SharedReduction, "before">,
  rows: readonly Row[],
  { member, lanes }: { readonly member: Symbol; readonly lanes: Symbol },
  unrolled: number,
): Stmt {
  const t = freshSymbol(`arc_${header.var.name}`, LONG);
  const count = freshSymbol("arc_n", LONG);
  const counter = freshSymbol(header.var.name, unqualified(header.var.type));
  const copies = rows.map((r) => {
    const names = r.names().set(header.var, ident(counter));
    for (const p of privates) names.delete(p);
    for (const { sym } of reductions) names.set(sym, ident(r.laneOf(sym)));
    return names;
  });
  const [one] = copies as [Map<Symbol, Expr>];
  const own =
    copies.length > 1
      ? interleave(flat(body), copies)
      : [...privates.map((p) => declare(p)), ...flat(substitute(body, one))];
  const loop = counted(
    t,
    ident(member),
    ident(count),
    ident(lanes),
    compound([declare(counter, valueAt(header, ident(t))), ...own]),
  );
  return (rows[0] as Row).renamed(
    compound([
      declare(count, tripCount(header)),
      { ...loop, pragmas: [unrollPragma(Math.min(unrolled, COPIES / rows.length))] },
    ]),
  );
}

function scratchFor(sym: Symbol, items: number, scratch: Map<string, Symbol>): Symbol {
  const of = unqualified(sym.type);
  const key = `${of.kind} ${"name" in of ? of.name : ""}`;
  const known = scratch.get(key) ?? freshSymbol("arc_of_teams", { kind: "array", of, size: items });
  scratch.set(key, known);
  return known;
}

// ---------------------------------------------------------------- length of the inner loop

/** Used if nothing is known. */
const UNKNOWN_TRIPS = 32;

/** The trip count of the first inner loop, or about its mean: an expression computable before the loop. */
function meanTrips({ loop, header: outer, shared }: TeamLoop, rows: Symbol): Expr {
  const unknown = intLit(UNKNOWN_TRIPS, LONG);
  const inner = shared[0] as SharedReduction;
  if (isPointer(inner.header.var.type) || isPointer(outer.var.type)) return unknown;
  const initial = new Map<Symbol, Expr>();
  const changed = usesOf(loop.body).of;
  for (const s of inner.before)
    for (const { sym, init } of s.kind === "decl" ? s.decls : [])
      if (init?.kind === "expr" && !changed.get(sym)?.written && !changed.get(sym)?.addressTaken)
        initial.set(sym, init.expr);
  const { lower, bound, step, ...rest } = inner.header;
  const h: LoopHeader = { ...rest, lower: resolved(lower, initial), bound: resolved(bound, initial), step };
  const { declared } = usesOf(loop.body);
  let [known, alike] = [evaluateInteger(step) !== undefined, true];
  for (const e of [h.lower, h.bound])
    walkExpr(e, {
      expr(sub) {
        if (["call", "stmt-expr", "assign", "incdec"].includes(sub.kind)) known = false;
        if (sub.kind !== "ident" || sub.sym.kind === "enumerator") return;
        if (sub.sym === outer.var) alike = false;
        else if (declared.has(sub.sym) || changed.get(sub.sym)?.written) known = false;
        else if (changed.get(sub.sym)?.elementsWritten) known = false;
      },
    });
  if (!known) return unknown;
  if (alike) return long(tripCount(h));
  const at = (e: Expr, t: Expr): Expr => substituteExpr(e, new Map([[outer.var, valueAt(outer, t)]]));
  if (adjoining(h, outer)) {
    const last = at(h.bound, binary("-", ident(rows), intLit(1, LONG)));
    return binary("/", binary("-", long(last), long(at(h.lower, intLit(0, LONG)))), ident(rows));
  }
  const middle = binary("/", ident(rows), intLit(2, LONG));
  return long(tripCount({ ...h, lower: at(h.lower, middle), bound: at(h.bound, middle) }));
}

/** Replaces variables that are computed once per iteration by their values. */
function resolved(e: Expr, initial: ReadonlyMap<Symbol, Expr>, depth = 4): Expr {
  const one = substituteExpr(e, initial);
  return one === e || depth === 0 ? one : resolved(one, initial, depth - 1);
}

/** Ranges x[i] to x[i + 1], as for rows of sparse matrices: together they span from the first to the last. */
function adjoining({ lower, bound, relation, step }: LoopHeader, outer: LoopHeader): boolean {
  const [from, to] = [stripImplicit(lower), stripImplicit(bound)];
  if (from.kind !== "index" || to.kind !== "index" || relation !== "<") return false;
  if (evaluateInteger(step) !== 1n || evaluateInteger(outer.step) !== 1n) return false;
  if (printExpr(from.base) !== printExpr(to.base)) return false;
  const [a, b] = [affine(from.index), affine(to.index)];
  return (
    a !== undefined &&
    b !== undefined &&
    a.terms.get(outer.var) === 1n &&
    b.constant - a.constant === 1n &&
    sameTerms(a, b)
  );
}

const sameTerms = (a: Affine, b: Affine): boolean =>
  a.terms.size === b.terms.size && [...a.terms].every(([sym, n]) => b.terms.get(sym) === n);
