/**
 * Rewrites `goto` into choices and loops, by a variable that says which label control is on its way to:
 *
 *     if (c) goto out; rest; out: end;   =>   if (c) jump = 1; if (!jump) rest; if (jump == 1) jump = 0; end;
 *     again: rest; if (c) goto again;    =>   do { jump = 0; rest; if (c) jump = 1; } while (jump == 1);
 *
 * Loops and switches are left by `break`, one after the other. A jump into a block stays, and is refused later.
 */
import { itemAt } from "../../checked/access.ts";
import { canonical, INT, walkStmt } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
  unary,
} from "../../lang/tree/build.ts";
import { Unsupported } from "../dfg/region.ts";

/** The statements of a function or region without jumps. */
export function withoutJumps(body: readonly Stmt[]): readonly Stmt[] {
  const targets = targetsOf(body);
  if (targets.size === 0) return body;
  const jumps = new Jumps(targets);
  const list = jumps.list(body, { near: new Set(), far: new Set(), isInside: false });
  return [declare(jumps.jump, intLit(0)), ...list];
}

interface Where {
  /** Labels that conditions lead to, as no loop or switch is between them and here. */
  readonly near: ReadonlySet<string>;
  /** Labels outside the loops and switches around here. */
  readonly far: ReadonlySet<string>;
  /** In a loop or switch. */
  readonly isInside: boolean;
}

/** A label or a statement of a block; `done` was rewritten already. */
interface Entry {
  readonly label?: string;
  readonly stmt?: Stmt;
  readonly done?: readonly Stmt[];
  readonly targets: ReadonlySet<string>;
}

class Jumps {
  readonly jump = freshSymbol("arc_jump", INT);
  private readonly numbers: ReadonlyMap<string, number>;

  constructor(targets: ReadonlySet<string>) {
    this.numbers = new Map([...targets].map((label, k) => [label, k + 1]));
  }

  list(body: readonly Stmt[], where: Where): readonly Stmt[] {
    const entries = this.entriesOf(body);
    const own = entries.flatMap(({ label }) => label ?? []);
    if (own.length === 0) return this.run(entries, where);
    const { hoisted, rest } = withDeclarationsFirst(entries);
    if (rest.some(({ stmt }) => stmt?.kind === "case")) throw jumpInto("a switch", rest);
    return [...hoisted, ...this.run(rest, { ...where, near: new Set([...where.near, ...own]) })];
  }

  private entriesOf(body: readonly Stmt[]): Entry[] {
    return body.flatMap((s): Entry[] => {
      if (s.kind !== "label") return [{ stmt: s, targets: targetsOf([s]) }];
      const label = this.numbers.has(s.name) ? [{ label: s.name, targets: new Set<string>() }] : [];
      return [...label, ...this.entriesOf([s.body])];
    });
  }

  /** Labels that are jumped back to begin loops; from each other jump to its label nothing happens. */
  private run(given: readonly Entry[], where: Where): Stmt[] {
    const entries = this.withLoops(given, where);
    const result: Stmt[] = [];
    const pending = new Set<string>();
    let at = 0;
    while (at < entries.length) {
      const { label } = itemAt(entries, at);
      if (label !== undefined) {
        if (pending.delete(label)) result.push(this.arrives(label));
        at++;
        continue;
      }
      const next = entries.findIndex((entry, k) => k > at && entry.label !== undefined);
      const part = entries.slice(at, next < 0 ? entries.length : next);
      const code = this.guarded(part, where);
      result.push(...(pending.size > 0 ? [this.unlessJumping(code)] : code));
      for (const { targets } of part) for (const to of targets) if (where.near.has(to)) pending.add(to);
      at += part.length;
    }
    return result;
  }

  /** Statements without labels: those after a jump happen unless it was taken. */
  private guarded(part: readonly Entry[], where: Where): Stmt[] {
    const at = part.findIndex(({ targets }) => [...targets].some((to) => where.near.has(to)));
    const upTo = at < 0 ? part.length : at + 1;
    const code = part
      .slice(0, upTo)
      .flatMap(({ stmt, done }) => done ?? (stmt ? this.visit(stmt, where) : []));
    const rest = part.slice(upTo);
    return rest.length === 0 ? code : [...code, this.unlessJumping(this.guarded(rest, where))];
  }

  private withLoops(entries: readonly Entry[], where: Where): readonly Entry[] {
    const lastJumpTo = (label: string): number => entries.findLastIndex(({ targets }) => targets.has(label));
    const head = entries.findIndex(({ label }, k) => label !== undefined && lastJumpTo(label) > k);
    if (head < 0) return entries;
    let end = head;
    for (let k = head; k <= end; k++) {
      const { label } = itemAt(entries, k);
      if (label !== undefined) end = Math.max(end, lastJumpTo(label));
    }
    const inside = entries.slice(head, end + 1);
    const labels = new Set(inside.flatMap(({ label }) => label ?? []));
    const first = itemAt(inside, 0).label ?? "";
    if (leavesLoop(inside)) throw jumpInto("code that a 'break' or 'continue' leaves", inside);
    if (
      entries.slice(0, head).some(({ targets }) => [...labels].some((to) => to !== first && targets.has(to)))
    )
      throw jumpInto("a loop that another 'goto' makes", inside);
    return this.withLoops(
      [...entries.slice(0, head + 1), this.loop(first, inside, labels, where), ...entries.slice(end + 1)],
      where,
    );
  }

  /** `inside` begins with the label `first`, after which the loop stands. */
  private loop(first: string, inside: readonly Entry[], labels: ReadonlySet<string>, where: Where): Entry {
    const far = new Set([...where.near, ...where.far].filter((to) => !labels.has(to)));
    const body = this.run(inside.slice(1), { near: labels, far, isInside: true });
    const span = itemAt(inside, 0).stmt?.span ?? spanOf(inside);
    const repeated: Stmt = {
      kind: "do",
      body: compound([this.set(0), ...body], span),
      test: this.isOnItsWay(first),
      span,
    };
    const targets = new Set(inside.flatMap((entry) => [...entry.targets]).filter((to) => !labels.has(to)));
    return { done: [repeated, ...this.leaving(targets, where)], targets };
  }

  private visit(s: Stmt, where: Where): Stmt[] {
    switch (s.kind) {
      case "goto": {
        const number = s.label === undefined ? undefined : this.numbers.get(s.label);
        if (s.label === undefined || number === undefined) return [s];
        const set: Stmt = { ...this.set(number), span: s.span };
        if (where.near.has(s.label)) return [set];
        if (!where.far.has(s.label)) throw jumpInto("a block, loop or switch", [], s);
        return [set, { kind: "break", span: s.span }];
      }
      case "label":
      case "compound":
        return [compound([...this.list(s.kind === "label" ? [s] : s.body, where)], s.span)];
      case "if": {
        const [then, other] = [this.block(s.then, where), s.else && this.block(s.else, where)];
        return [{ ...s, then, ...(other && { else: other }) }];
      }
      case "for":
      case "while":
      case "do":
      case "switch": {
        const far = new Set([...where.near, ...where.far]);
        const body = this.block(s.body, { near: new Set(), far, isInside: true });
        return [{ ...s, body }, ...this.leaving(targetsOf([s.body]), where)];
      }
      case "case":
        return [{ ...s, body: this.block(s.body, where) }];
      case "ext": {
        const { stmts, exprs } = s.ext.shape.parts(s.ext);
        const apart: Where = { near: new Set(), far: new Set(), isInside: false };
        return [
          {
            ...s,
            ext: s.ext.shape.withParts(
              s.ext,
              stmts.map((part) => this.block(part, apart)),
              exprs,
            ),
          },
        ];
      }
      default:
        return [s];
    }
  }

  private block(s: Stmt, where: Where): Stmt {
    const code = this.visit(s, where);
    return code.length === 1 ? itemAt(code, 0) : compound(code, s.span);
  }

  /** After a loop or switch: it was left towards labels outside the next one. */
  private leaving(targets: ReadonlySet<string>, where: Where): Stmt[] {
    const [first, ...others] = [...targets].filter((to) => where.far.has(to) && !where.near.has(to));
    if (first === undefined || !where.isInside) return [];
    const test = others.reduce((left, to) => binary("||", left, this.isOnItsWay(to)), this.isOnItsWay(first));
    return [ifStmt(test, { kind: "break", span: test.span })];
  }

  private arrives(label: string): Stmt {
    return ifStmt(this.isOnItsWay(label), this.set(0));
  }

  private isOnItsWay(label: string) {
    return binary("==", ident(this.jump), intLit(this.numbers.get(label) ?? 0));
  }

  private unlessJumping(code: readonly Stmt[]): Stmt {
    return ifStmt(unary("!", ident(this.jump)), compound([...code]));
  }

  private set(number: number): Stmt {
    return exprStmt(assign(ident(this.jump), intLit(number)));
  }
}

/** The labels that `goto` names. */
function targetsOf(body: readonly Stmt[]): Set<string> {
  const targets = new Set<string>();
  for (const s of body)
    walkStmt(s, {
      stmt(child) {
        if (child.kind === "goto" && child.label !== undefined) targets.add(child.label);
      },
    });
  return targets;
}

/** Code after a label may use variables whose declaration was jumped over; their initialisers become assignments. */
function withDeclarationsFirst(entries: readonly Entry[]): {
  hoisted: readonly Stmt[];
  rest: readonly Entry[];
} {
  const from = entries.findIndex(({ label, targets }) => label !== undefined || targets.size > 0);
  const hoisted: Stmt[] = [];
  const rest = entries.flatMap((entry, k): readonly Entry[] => {
    const { stmt } = entry;
    if (k < from || stmt?.kind !== "decl") return [entry];
    return stmt.decls.flatMap(({ sym, init, span }): readonly Entry[] => {
      if (init === undefined || sym.storage === "static") {
        hoisted.push({ ...stmt, decls: [{ sym, span, ...(init && { init }) }] });
        return [];
      }
      if (init.kind === "list" || canonical(sym.type).kind === "array")
        throw jumpInto("the scope of an array", [], stmt);
      hoisted.push({ ...stmt, decls: [{ sym, span }] });
      return [{ stmt: { ...exprStmt(assign(ident(sym), init.expr)), span }, targets: new Set() }];
    });
  });
  return { hoisted, rest };
}

/** Whether a `break` or `continue` of a loop around these statements is among them. */
function leavesLoop(entries: readonly Entry[]): boolean {
  const visit = (s: Stmt | undefined, isInSwitch: boolean): boolean => {
    switch (s?.kind) {
      case "break":
        return !isInSwitch;
      case "continue":
        return true;
      case "compound":
        return s.body.some((child) => visit(child, isInSwitch));
      case "if":
        return visit(s.then, isInSwitch) || visit(s.else, isInSwitch);
      case "switch":
        return visit(s.body, true);
      case "case":
      case "label":
        return visit(s.body, isInSwitch);
      default:
        return false;
    }
  };
  return entries.some(({ stmt }) => visit(stmt, false));
}

function spanOf(entries: readonly Entry[]) {
  const stmt = entries.find((entry) => entry.stmt)?.stmt;
  return (stmt ?? compound([])).span;
}

function jumpInto(what: string, entries: readonly Entry[], s?: Stmt): Unsupported {
  return new Unsupported(
    "no-hardware",
    (s?.span ?? spanOf(entries)).start,
    `a 'goto' leads into ${what}, which has no form in hardware`,
    "jumps become choices and loops, which control enters at their beginning",
    "write it with if, for and while",
  );
}
