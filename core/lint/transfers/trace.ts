/** A function's operations on the host and on devices in source order: accesses, constructs and transfers. */
import { itemAt } from "../../checked/access.ts";
import type { Expr, FunctionDef, Loc, Pragma, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Access, Frame } from "../memory/access.ts";
import type { Facts } from "../memory/facts.ts";
import { byRoot, type Walked } from "../races/log.ts";
import { Owners } from "../races/owners.ts";
import type { Moment, Watcher } from "../races/recording-walk.ts";
import { Walk } from "../races/walk.ts";
import { clauseOf, clausesOf, type Directive, itemsOf, split } from "../read/directive.ts";
import { namesIn, Passed } from "./passed.ts";

export type Motion = "to" | "from" | "tofrom" | "alloc" | "present" | "release" | "other";

/** One variable of a data clause. */
export interface Mapped {
  /** Of a parameter in a call that is followed: the variable that the caller passes. */
  readonly sym: Symbol;
  /** The call that `sym` belongs to; absent for variables of the file. */
  readonly home?: Frame;
  /** Variables whose addresses it may hold, or its parameter: `f(a + 1)`, `p = a`. */
  readonly behind?: ReadonlySet<Symbol>;
  /** Those among them whose values it may hold as they are. */
  readonly copied?: ReadonlySet<Symbol>;
  readonly motion: Motion;
  readonly clause: string;
  readonly text: string;
  readonly loc: Loc;
  /** The contents of the first brackets of `a[0:n]`. */
  readonly section?: {
    readonly start?: Tokens;
    readonly length?: Tokens;
    /** More brackets follow. */
    readonly more?: true;
  };
  readonly part: boolean;
  /** For data between `enter data` and `exit data`: the latter's clause. */
  readonly until?: Mapped;
  /** Several `enter data` hold it, of which that clause takes back one. */
  readonly counted?: true;
  /** `map(delete:)`. */
  readonly deleted?: true;
}

type Tokens = Pragma["tokens"];

export interface Construct {
  readonly directive: Directive;
  /** Absent if it has no body. */
  readonly stmt?: Stmt;
  /** Runs on the device; otherwise it only holds data there. */
  readonly compute: boolean;
  readonly parent?: Construct;
  readonly begin: Moment;
  end: Moment;
  readonly mapped: readonly Mapped[];
  /** Its clauses may prevent offloading. */
  readonly conditional: boolean;
  /** The queue, as written; `?`: unnumbered. Absent: synchronous. */
  readonly queue?: string;
}

export interface Move {
  readonly directive: Directive;
  readonly at: Moment;
  readonly motion: "to-host" | "to-device" | "enter" | "exit" | "wait";
  /** Whose memory it may be. */
  readonly syms: readonly Symbol[];
  readonly items: readonly Mapped[];
  readonly queue?: string;
  /** Queues named by a wait. */
  readonly queues?: readonly string[];
}

export interface Unfollowed {
  readonly name: string;
  readonly expr: Expr;
  readonly at: Moment;
  /** Variables in its arguments, and those whose addresses they may hold. */
  readonly syms: ReadonlySet<Symbol>;
  /** The variable that is its first argument. */
  readonly first?: Symbol;
  /** It is declared in a header of the system. */
  readonly ofSystem: boolean;
  /** It is defined here, and what it does was not recorded, or not all of it. */
  readonly isDefined: boolean;
}

/** A pointer of the host gets a value. */
export interface PointerSetting {
  readonly pointer: Symbol;
  readonly value?: Expr;
  readonly at: Moment;
}

export interface Trace {
  readonly def: FunctionDef;
  readonly walked: Walked;
  readonly constructs: readonly Construct[];
  readonly moves: readonly Move[];
  readonly calls: readonly Unfollowed[];
  readonly settings: readonly PointerSetting[];
  /** Accesses by the variable at whose memory they begin, in order. */
  readonly byRoot: ReadonlyMap<Symbol, readonly Access[]>;
  /** The device construct that contains an access; of several, the innermost. */
  readonly onDevice: ReadonlyMap<Access, Construct>;
}

/** A movement of data as a construct that is over at once. */
export function asConstruct({ directive, at }: Move, mapped: readonly Mapped[]): Construct {
  return { directive, compute: false, begin: at, end: at, mapped, conditional: false };
}

export function traceOf(def: FunctionDef, facts: Facts): Trace | undefined {
  const recorder = new Recorder(facts);
  const [walked] = new Walk(facts, new Owners(new Set(), new Set()), recorder).function(def);
  if (!walked) return undefined;
  const { constructs, moves, calls, settings } = recorder;
  const { accesses } = walked;
  const onDevice = deviceAccesses(accesses, constructs);
  return { def, walked, constructs, moves, calls, settings, byRoot: byRoot(accesses), onDevice };
}

/** `accesses`, `constructs`: in order. */
function deviceAccesses(
  accesses: readonly Access[],
  constructs: readonly Construct[],
): ReadonlyMap<Access, Construct> {
  const found = new Map<Access, Construct>();
  for (const construct of constructs) {
    if (!construct.compute) continue;
    const { begin, end } = construct;
    for (let k = firstBehind(accesses, begin.order); k < accesses.length; k++) {
      const access = itemAt(accesses, k);
      if (access.order >= end.order) break;
      found.set(access, construct);
    }
  }
  return found;
}

/** Index of the first access behind a position. */
function firstBehind(accesses: readonly Access[], order: number): number {
  let [from, to] = [0, accesses.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (itemAt(accesses, middle).order > order) to = middle;
    else from = middle + 1;
  }
  return from;
}

class Recorder implements Watcher {
  readonly constructs: Construct[] = [];
  readonly moves: Move[] = [];
  readonly calls: Unfollowed[] = [];
  readonly settings: PointerSetting[] = [];
  private readonly open: Construct[] = [];
  private readonly passed: Passed;

  constructor(facts: Facts) {
    this.passed = new Passed(facts);
  }

  enter(directive: Directive, stmt: Stmt, begin: Moment): void {
    this.waits(directive, begin, clauseOf(directive, "wait")?.tokens);
    const compute = /parallel|kernels|serial|^target( simd| teams.*)?$/.test(directive.name);
    const parent = this.open.at(-1);
    const queue = queueOf(directive);
    const made: Construct = {
      directive,
      stmt,
      compute,
      begin,
      end: begin,
      mapped: mappedBy(directive).map((m) => this.atHome(m, begin.frame)),
      conditional: directive.clauses.some(mayKeepOff),
      ...(parent && { parent }),
      ...(queue !== undefined && { queue }),
    };
    this.constructs.push(made);
    this.open.push(made);
  }

  leave(_: Directive, at: Moment): void {
    const done = this.open.pop();
    if (done) done.end = at;
  }

  alone(directive: Directive, at: Moment): void {
    const queue = queueOf(directive);
    const move = (motion: Move["motion"], ...clauses: readonly string[]) => {
      const items = clauseItems(directive, clauses).map((m) => this.atHome(m, at.frame));
      const syms = items.flatMap(({ sym, behind = [] }) => [sym, ...behind]);
      this.moves.push({ directive, at, motion, syms, items, ...(queue !== undefined && { queue }) });
    };
    const { name } = directive;
    if (name.endsWith("update")) {
      // In OpenMP `device` is the number of one.
      const acc = directive.language === "acc";
      move("to-host", ...(acc ? ["self", "host"] : ["from"]));
      move("to-device", acc ? "device" : "to");
    } else if (name.endsWith("enter data")) move("enter", "copyin", "create", "attach", "map");
    else if (name.endsWith("exit data")) move("exit", "copyout", "delete", "detach", "map");
    else this.waits(directive, at, directive.argument);
    if (name !== "wait") this.waits(directive, at, clauseOf(directive, "wait")?.tokens);
  }

  /** `named`: the queues in parentheses; absent: there is no wait. */
  private waits(directive: Directive, at: Moment, named: Tokens | undefined): void {
    if (!named) return;
    const queues = split(named).map((part) => part.map((t) => t.text).join(""));
    const made = { directive, at, motion: "wait", syms: [], items: [] } as const;
    this.moves.push({ ...made, ...(queues.length > 0 && { queues }) });
  }

  call(name: string, expr: Expr, at: Moment): void {
    const argument = expr.kind === "call" ? expr.args[0] : undefined;
    const first = argument && this.passed.variable(argument, at.frame);
    const callee = expr.kind === "call" ? stripImplicit(expr.callee) : undefined;
    const sym = callee?.kind === "ident" ? callee.sym : undefined;
    this.calls.push({
      name,
      expr,
      at,
      syms: this.passed.behind(namesIn(expr), at.frame),
      ofSystem: sym?.span.start.file.startsWith("/usr/") === true,
      isDefined: sym?.definition !== undefined,
      ...(first && { first }),
    });
  }

  sets(pointer: Symbol, value: Expr | undefined, at: Moment): void {
    this.settings.push({ pointer, ...(value && { value }), at });
  }

  private atHome(mapped: Mapped, frame: Frame): Mapped {
    const { sym, frame: home } = this.passed.home(mapped.sym, frame);
    const behind = this.passed.behind([mapped.sym], frame);
    const copied = this.passed.copied(mapped.sym, frame);
    return { ...mapped, sym, behind, copied, ...(sym.scope !== "file" && { home }) };
  }
}

/** Whether a clause names a variable, or a pointer that may hold its address. */
export const names = ({ sym, behind }: Mapped, variable: Symbol): boolean =>
  sym === variable || behind?.has(variable) === true;

/** `device(0)` only selects a device, and `default(none)` moves nothing. */
export function mayKeepOff({ name, tokens }: Directive["clauses"][number]): boolean {
  const text = tokens.map((t) => t.text).join("");
  if (name === "device") return !/^\d+$/.test(text);
  return ["if", "self", "defaultmap"].includes(name) || (name === "default" && text === "present");
}

function queueOf(d: Directive): string | undefined {
  const clause = clauseOf(d, "async");
  if (clause) return clause.tokens.map((t) => t.text).join("") || "?";
  return d.language === "omp" && clauseOf(d, "nowait") ? "nowait" : undefined;
}

const motions: Readonly<Record<string, Motion>> = {
  copy: "tofrom",
  pcopy: "tofrom",
  present_or_copy: "tofrom",
  copyin: "to",
  pcopyin: "to",
  present_or_copyin: "to",
  copyout: "from",
  pcopyout: "from",
  present_or_copyout: "from",
  create: "alloc",
  pcreate: "alloc",
  present_or_create: "alloc",
  present: "present",
  delete: "release",
  no_create: "other",
  deviceptr: "other",
  attach: "other",
  use_device: "other",
  is_device_ptr: "other",
  has_device_addr: "other",
  use_device_ptr: "other",
  use_device_addr: "other",
  private: "other",
  firstprivate: "other",
  reduction: "other",
  in_reduction: "other",
};

const mapTypes: Readonly<Record<string, Motion>> = {
  to: "to",
  from: "from",
  tofrom: "tofrom",
  alloc: "alloc",
  present: "present",
  release: "release",
  delete: "release",
};

/**
 * A member of a record is a separate object from the record. Data that two clauses name is moved by both; a reduction
 * moves nothing that another clause names.
 */
function mappedBy(d: Directive): readonly Mapped[] {
  const items = clauseItems(d);
  const all = items.filter(
    (m) => m.clause !== "reduction" || !items.some((other) => other !== m && other.sym === m.sym),
  );
  return all.map((m) => {
    const plain = all.filter((other) => other.sym === m.sym).length === 1 && !/->|\./.test(m.text);
    return plain ? m : { ...m, motion: "other" };
  });
}

/** `named`: only these clauses. */
function clauseItems(d: Directive, named?: readonly string[]): readonly Mapped[] {
  const clauses = named ? clausesOf(d, ...named) : d.clauses;
  return clauses.flatMap((clause) => {
    const words = clause.tokens.map((t) => t.text);
    const colon = words.indexOf(":");
    const type = words.slice(0, Math.max(0, colon)).findLast((w) => w in mapTypes);
    const plain =
      clause.name === "map" ? (type === undefined ? "tofrom" : mapTypes[type]) : motions[clause.name];
    if (plain === undefined && !named) return [];
    // `present, to:` and `copyout(zero: a)` do more than their names say.
    const more = /\b(always|present|close|zero|capture|mapper|iterator)\b/.test(
      words.slice(0, Math.max(0, colon)).join(" "),
    );
    const motion = more ? "other" : (plain ?? "other");
    const lists = split(clause.tokens);
    return itemsOf(d, clause).map((item) => {
      const tokens = lists.find((list) => list.some((t) => t.loc === item.loc)) ?? [];
      const section = sectionOf(tokens.slice(tokens.findIndex((t) => t.loc === item.loc)));
      return {
        sym: item.sym,
        motion,
        clause: clause.name,
        text: item.text,
        loc: item.loc,
        part: item.part,
        ...(type === "delete" && { deleted: true as const }),
        ...(section && { section }),
      };
    });
  });
}

/** `name [ start : length ]`, of the first dimension. */
function sectionOf(tokens: Tokens): Mapped["section"] | undefined {
  if (tokens[1]?.text !== "[" || tokens.at(-1)?.text !== "]") return undefined;
  const inside = tokens.slice(
    2,
    tokens.findIndex((t) => t.text === "]"),
  );
  const colon = inside.findIndex((t) => t.text === ":");
  if (colon < 0 || inside.some((t) => t.text === "[" || t.text === "?")) return undefined;
  return {
    ...(colon > 0 && { start: inside.slice(0, colon) }),
    ...(colon < inside.length - 1 && { length: inside.slice(colon + 1) }),
    ...(inside.length + 3 < tokens.length && { more: true as const }),
  };
}
