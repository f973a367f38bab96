/** The code of teams: rounds over the rows, as team-code.ts describes them. */
import { firstOf, itemAt } from "../../../../core/checked/access.ts";
import { combine } from "../../../../core/ir/model/combine.ts";
import type { LoopHeader } from "../../../../core/ir/model/ir.ts";
import { evaluateInteger, INT, LONG, unqualified } from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { counted } from "../../device/counted-loop.ts";
import { barrier, groupReduce, teamReduce, workItemId } from "../../device/device.ts";
import { rowsTogether } from "../../loops/rows-together.ts";
import { tripCount } from "../../loops/trips.ts";
import { type SharedLoop, type Step, sharedLoops } from "../../mapping/team-steps.ts";
import type { TeamLoop } from "../../mapping/teams.ts";
import type { HeldElements } from "./held-elements.ts";
import { HeldRow } from "./held-rows.ts";
import { boundsOf, type heldPerLane, lengthOf, type Sizes } from "./lanes-per-team.ts";
import { BYTES } from "./neighbours.ts";
import { Place } from "./place.ts";
import { Row } from "./row.ts";
import { ScanScratch, scanCode } from "./scan-code.ts";
import { LOADS_DOWN, ROLLED, strided } from "./strided-loops.ts";
import { wideScan } from "./wide-scans.ts";
import { shiftOf } from "./wide-tile.ts";

/** Elements that stay in registers from loop to loop. */
export interface Holding {
  readonly of: HeldElements;
  /** Elements for each lane. */
  readonly per: NonNullable<ReturnType<typeof heldPerLane>>;
}

export interface Room {
  /** Items per group, and the most that the device allows. */
  readonly usual: number;
  readonly most: number;
  /** Iterations of an inner loop whose loads a lane issues at once. */
  readonly loads: number;
  /** The same of a loop beside one of wide loads. */
  readonly besideWide: number;
  /** Wide loads also in rows whose length is known only at run time. */
  readonly inAnyLength: boolean;
  /** Lanes are counted in 32 bits in all rows that are equally long. */
  readonly narrow: boolean;
}

/** What all items of a group run: rounds over the rows, each row an iteration of the loop. */
export class Rounds {
  /** Rows that a team runs at a time. */
  readonly together: number;
  /** The trip counts of a nest's loops, all but the first. */
  readonly counts: readonly Symbol[];
  private readonly team: TeamLoop;
  private readonly items: number;
  private readonly loads: number;
  private readonly besideWide: number;
  private readonly inAnyLength: boolean;
  private readonly rows: Symbol;
  private readonly lanes: Symbol;
  private readonly teams: Symbol;
  private readonly number: Symbol;
  private readonly member: Symbol;
  private readonly taken: readonly Row[];
  /** Group memory for exchanging values between lanes. */
  private readonly ofTeams = new Map<string, Symbol>();
  private readonly ofScans: ScanScratch;
  private readonly held: HeldRow | undefined;
  /** That no pointers overlap which must not, if rows are held. */
  private readonly clear: Expr | undefined;
  /** The code of a round. */
  private readonly round: Stmt[] = [];
  /** Code for the next part, which only lanes with an iteration run. */
  private next: Stmt[] = [];

  constructor(
    team: TeamLoop,
    {
      items,
      loads,
      besideWide,
      inAnyLength,
    }: Omit<Room, "usual" | "most" | "narrow"> & { readonly items: number },
    { rows, lanes }: Pick<Sizes, "rows" | "lanes">,
    holding: (Holding & { readonly clear: Expr | undefined }) | undefined,
  ) {
    this.team = team;
    this.items = items;
    this.loads = loads;
    this.besideWide = besideWide;
    this.inAnyLength = inAnyLength;
    this.rows = rows;
    this.lanes = lanes;
    this.teams = freshSymbol("arc_teams", lanes.type);
    this.number = freshSymbol("arc_team", lanes.type);
    this.member = freshSymbol("arc_member", lanes.type);
    this.together = togetherIn(team);
    this.counts = team.loop.headers.map(({ var: { name } }) => freshSymbol(`arc_${name}_count`, LONG));
    this.taken = Array.from(
      { length: this.together },
      (_, k) => new Row(team.loop, this.together === 1 ? "" : `_${k}`),
    );
    this.ofScans = new ScanScratch(items);
    const width = holding ? BYTES / holding.of.size : 0;
    const pieces = holding && { count: holding.per.elements / width, width };
    this.held = pieces && new HeldRow(holding.of, pieces, this.leading);
    this.clear = holding?.clear;
  }

  get groupMemory(): readonly Symbol[] {
    return [...this.ofTeams.values(), ...this.ofScans.symbols];
  }

  private get leading(): Row {
    return firstOf(this.taken);
  }

  code(): Stmt {
    const { teams, number, member, items, taken, together } = this;
    const beside = this.team.along === "inner";
    const item = teams.type === LONG ? workItemId("item") : cast(teams.type, workItemId("item"));
    this.steps();
    const round = freshSymbol("arc_round", LONG);
    const perRound = together === 1 ? ident(teams) : binary("*", ident(teams), intLit(together, LONG));
    const offset = (k: number): Expr =>
      k === 0 ? ident(number) : binary("+", ident(number), binary("*", intLit(k, LONG), ident(teams)));
    const body = compound([
      ...taken.flatMap((r, k) => [
        declare(r.number, binary("+", ident(round), offset(k))),
        declare(r.isTaken, binary("<", ident(r.number), ident(this.rows))),
      ]),
      ...taken.flatMap((r) => r.declarations()),
      ...this.round,
    ]);
    return compound([
      declare(teams, binary("/", intLit(items, teams.type), ident(this.lanes))),
      declare(number, binary(beside ? "/" : "%", item, ident(beside ? this.lanes : teams))),
      declare(member, binary(beside ? "%" : "/", item, ident(beside ? this.lanes : teams))),
      counted(
        round,
        binary("*", workItemId("group"), perRound),
        ident(this.rows),
        binary("*", workItemId("groups"), perRound),
        body,
      ),
    ]);
  }

  private steps(): void {
    const { steps, loop } = this.team;
    const at = (r: Row): Expr => (this.together === 1 ? ident(r.number) : r.clamped(ident(this.rows)));
    this.next = this.taken.flatMap((r) => r.begun(loop.headers, this.counts, at(r)));
    const end = steps.findLastIndex((s) => s.is === "loop" || s.by === "all" || s.fence) + 1;
    for (const [k, step] of steps.slice(0, end).entries()) {
      if (k > 0) this.next.push(...this.taken.flatMap((r) => r.late.splice(0)));
      if (step.fence) {
        this.flush();
        this.round.push(barrier());
      }
      if (step.is === "code") this.next.push(...this.taken.flatMap((r) => this.between(step, r)));
      else if (step.scan) this.scanned(step.scan, step);
      else this.shared(step);
    }
    this.flush();
    const first = binary("==", ident(this.member), intLit(0, LONG));
    for (const r of this.taken) {
      const last = steps.slice(end).flatMap((s) => (s.is === "code" ? [r.renamed(s.stmt)] : []));
      const code = [...r.late, ...last];
      if (code.length > 0) this.round.push(ifStmt(binary("&&", ident(r.isTaken), first), compound(code)));
    }
  }

  /** Lanes without an iteration skip the code up to here. */
  private flush(): void {
    if (this.next.length > 0) this.round.push(ifStmt(ident(this.leading.isTaken), compound(this.next)));
    this.next = [];
  }

  private between({ stmt, by }: Extract<Step, { is: "code" }>, r: Row): Stmt[] {
    if (by === "all") return r.assigned(stmt);
    return [ifStmt(binary("==", ident(this.member), intLit(0, LONG)), compound([r.renamed(stmt)]))];
  }

  /** Each lane's iterations, then the team's sums. */
  private shared(step: SharedLoop): void {
    const { taken: teamRows, round, lanes, items, member } = this;
    for (const r of teamRows) round.push(...r.ownSums(step));
    const beside = this.team.along === "inner";
    // By OpenCL several loops took 13 % more time with it.
    const isWide =
      beside &&
      (this.inAnyLength ||
        (sharedLoops(this.team.steps).length === 1 &&
          step.reductions.length > 0 &&
          evaluateInteger(tripCount(step.header)) !== undefined));
    // Rows that are not held are short of registers.
    const besideWide = isWide && !this.held ? this.besideWide : undefined;
    if (this.held?.begins(step))
      this.next.push(...this.held.begun(lanes, this.clear).map((s) => this.leading.renamed(s)));
    const times = this.unrolled(step.header);
    this.next.push(
      strided(step, teamRows, { member, lanes }, { unrolled: times, besideWide, held: this.held }),
    );
    if (step.reductions.length > 0) this.flush();
    const found = teamRows.map((r) => step.position && new Place(step.position, r));
    round.push(...found.flatMap((f) => (f ? [f.held()] : [])));
    for (const { op, sym } of step.reductions) {
      if (sym === step.position?.at) round.push(...found.flatMap((f) => (f ? [f.given()] : [])));
      const memory = ident(scratchFor(sym, items, this.ofTeams));
      const whole = (target: Expr) =>
        teamReduce({ op, target, scratch: memory, lanes: ident(lanes), items, beside });
      const sums = sumsOf(sym, teamRows, whole);
      round.push(...sums.code);
      for (const [k, r] of teamRows.entries())
        r.late.push(exprStmt(assign(r.of(sym), combine(op, r.of(sym), itemAt(sums.of, k)))));
    }
  }

  private scanned(scan: NonNullable<SharedLoop["scan"]>, { header }: SharedLoop): void {
    const { leading, round, items, team } = this;
    const count = leading.add(freshSymbol("arc_n", LONG));
    const trips = leading.renamedExpr(tripCount(header));
    const wide = wideScan(scan);
    const shift = wide ? leading.add(freshSymbol("arc_shift", LONG)) : count;
    const early = wide && leading.renamedExpr(shiftOf(wide, scan.header, intLit(0, LONG)));
    this.next.push(exprStmt(assign(ident(count), trips)));
    if (early) this.next.push(exprStmt(assign(ident(shift), early)));
    for (const sym of wide ? [count, shift] : [count])
      round.push(exprStmt(assign(ident(sym), intLit(0, LONG))));
    this.flush();
    const most = freshSymbol("arc_most", LONG);
    if (!wide && boundsOf(header, team.loop) === "alike") round.push(declare(most, trips));
    else {
      const all = ident(scratchFor(count, items, this.ofTeams));
      round.push(
        declare(most, wide ? binary("+", ident(count), ident(shift)) : ident(count)),
        groupReduce({ op: "max", target: ident(most), scratch: all, items }),
      );
    }
    const walk = { from: intLit(0, LONG), to: ident(count), most: ident(most) };
    const lane = { lanes: ident(this.lanes), member: ident(this.member), items };
    const ofLane = { ...walk, ...lane, ...(wide && { wide: { scan: wide, shift: ident(shift) } }) };
    round.push(...scanCode(scan, ofLane, this.ofScans).map((s) => leading.renamed(s)));
  }

  private unrolled(h: LoopHeader): number {
    const { loop, along } = this.team;
    if (lengthOf(h, loop) !== "alike") return ROLLED;
    const down = along === "outer" && evaluateInteger(tripCount(h)) !== undefined;
    return down ? Math.min(this.loads, LOADS_DOWN) : this.loads;
  }
}

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

/** Rows run together only where a sum is all that an iteration has lanes share. */
export function togetherIn({ loop, steps, along }: TeamLoop): number {
  const shared = sharedLoops(steps);
  const end = steps.findLastIndex((s) => s.is === "loop");
  const sums = steps.every(
    (s, k) =>
      !s.fence &&
      (s.is === "loop" ? s.reductions.length > 0 && !s.scan && !s.position : k > end || s.by === "all"),
  );
  const alike = shared.every((part) => boundsOf(part.header, loop) === "alike");
  if (along === "inner" || !sums || !alike) return 1;
  const code = steps.slice(0, end).flatMap((s) => (s.is === "code" ? [s.stmt] : []));
  return rowsTogether(firstOf(loop.headers), shared, code, loop.privates);
}

function scratchFor(sym: Symbol, items: number, scratch: Map<string, Symbol>): Symbol {
  const of = unqualified(sym.type);
  const key = `${of.kind} ${"name" in of ? of.name : ""}`;
  const known = scratch.get(key) ?? freshSymbol("arc_of_teams", { kind: "array", of, size: items });
  scratch.set(key, known);
  return known;
}
