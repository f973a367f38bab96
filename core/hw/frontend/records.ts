/**
 * Splits local structs into a variable per member, and arrays of structs into an array per member:
 *
 *     struct p { int a; short b; } q[3];   q[i].b = 1;   =>   int q_a[3]; short q_b[3];   q_b[i] = 1;
 *
 * Structs can be copied as a whole. Other uses are left unchanged and refused elsewhere. A bit-field stays one, of a
 * variable that is a struct with this member alone: q[i].u => q_u[i].u.
 */

import { entryOf } from "../../checked/access.ts";
import { mapTuple } from "../../checked/tuples.ts";
import { usesOf } from "../../ir/analysis/access.ts";
import { calleeOf } from "../../ir/analysis/pointer-flow.ts";
import { hasEffects } from "../../ir/analysis/purity.ts";
import {
  arrayOf,
  canonical,
  evaluateInteger,
  INT,
  isArray,
  isPointer,
  mapStmt,
  sizeOf,
} from "../../lang/index.ts";
import type { CType, Declarator, Expr, Init, InitItem, Span, Stmt, Symbol } from "../../lang/tree/ast.ts";
import {
  assign,
  binary,
  compound,
  declare,
  exprStmt,
  forStmt,
  freshSymbol,
  ident,
  incdec,
  index,
  intLit,
  member,
} from "../../lang/tree/build.ts";
import { type Member, membersIn, membersOf } from "./record-members.ts";
import { extentsOf } from "./scope/extents.ts";
import { holds, pointee, stripped } from "./scope/syntax.ts";

/** Up to this many elements are loaded by ports of their own; a loop needs one port. */
const MOST_SIDE_BY_SIDE = 4;

const isInMemory = (e: Expr): boolean => {
  let root = stripped(e);
  while ((root.kind === "member" && !root.arrow) || root.kind === "index") root = stripped(root.base);
  return root.kind === "unary" || root.kind === "member";
};

const isThroughPointer = (e: Expr): boolean =>
  (e.kind === "unary" && e.op === "*") ||
  (e.kind === "member" && e.arrow) ||
  (e.kind === "index" && canonical(stripped(e.base).type).kind !== "array");

/**
 * An lvalue whose subscripts and pointers are stored in variables if they have side effects or `moves` applies to a
 * part.
 */
function settled(e: Expr, moves: (part: Expr) => boolean, statements: Stmt[]): Expr {
  const still = (part: Expr): Expr => {
    if (!hasEffects(part) && !holds(part, moves)) return part;
    const variable = freshSymbol("arc_at", part.type);
    statements.push(declare(variable, part));
    return ident(variable, part.span);
  };
  const bare = stripped(e);
  switch (bare.kind) {
    case "index": {
      const inner = stripped(bare.base);
      const isInside = canonical(inner.type).kind === "array";
      const base = isInside ? settled(inner, moves, statements) : still(bare.base);
      const at = still(bare.index);
      return (isInside ? base === inner : base === bare.base) && at === bare.index
        ? e
        : index(base, at, e.span);
    }
    case "member": {
      const base = bare.arrow ? still(bare.base) : settled(bare.base, moves, statements);
      return base === bare.base ? e : { ...bare, base };
    }
    case "unary": {
      const arg = bare.op === "*" ? still(bare.arg) : bare.arg;
      return arg === bare.arg ? e : { ...bare, arg };
    }
    default:
      return e;
  }
}

class Records {
  private readonly members = new Map<Symbol, ReadonlyMap<string, Symbol>>();

  /** The variables for a struct's members, or for those of an array's elements. */
  of(sym: Symbol): ReadonlyMap<string, Symbol> | undefined {
    const known = this.members.get(sym);
    if (known) return known;
    const extents = extentsOf(sym.type);
    const members = membersIn(sym.type);
    if (!extents || !members) return undefined;
    const memberSymbols = new Map(
      members.map(({ name, type: of }) => [
        name,
        freshSymbol(
          `${sym.name}_${name}`,
          extents.reduceRight<CType>((t, n) => arrayOf(t, n), of),
        ),
      ]),
    );
    this.members.set(sym, memberSymbols);
    for (const symbol of memberSymbols.values()) this.of(symbol);
    return memberSymbols;
  }

  isSplit(sym: Symbol): boolean {
    return this.members.has(sym);
  }

  /** A member of an element: if the variable is split, the same element of the member's variable. */
  member(base: Expr, name: string): Expr {
    return this.piece(base, name) ?? (member(base, name, false) as Expr);
  }

  /** Undefined if the variable is not split. */
  piece(base: Expr, name: string): Expr | undefined {
    const subscripts: Expr[] = [];
    let root = stripped(base);
    for (; root.kind === "index"; root = stripped(root.base)) subscripts.unshift(root.index);
    if (root.kind !== "ident" || !this.isSplit(root.sym)) return undefined;
    const members = membersIn(root.sym.type) ?? [];
    const one = members.find((m) => m.inside?.includes(name) ?? m.name === name);
    const symbol = one && this.of(root.sym)?.get(one.name);
    if (!symbol) return undefined;
    const variable = subscripts.reduce<Expr>((of, at) => index(of, at), ident(symbol, base.span));
    return one.inside ? member(variable, name, false) : variable;
  }

  /** left = right; nothing is evaluated twice, or read after members have changed. */
  copy(left: Expr, right: Expr): readonly Stmt[] {
    const [to, from] = [stripped(left), stripped(right)];
    if (from.kind === "assign" && from.op === "=")
      return [...this.copy(from.left, from.right), ...this.copy(left, from.left)];
    const moves = this.changedBy(to);
    const statements: Stmt[] = [];
    const [target, source] = mapTuple([to, from], (e) => settled(e, moves, statements));
    return [...statements, ...this.copied(target, source)];
  }

  /** Tests whether an expression reads what an assignment to this lvalue changes. */
  private changedBy(left: Expr): (part: Expr) => boolean {
    let root = left;
    while ((root.kind === "member" || root.kind === "index") && !isThroughPointer(root))
      root = stripped(root.base);
    if (root.kind !== "ident") return isThroughPointer;
    const variables = new Set([root.sym, ...this.all(root.sym)]);
    return (part) => part.kind === "ident" && variables.has(part.sym);
  }

  private all(sym: Symbol): readonly Symbol[] {
    const memberSymbols = [...(this.members.get(sym)?.values() ?? [])];
    return memberSymbols.flatMap((member) => [member, ...this.all(member)]);
  }

  /** Copies member by member. */
  private copied(left: Expr, right: Expr): readonly Stmt[] {
    const [extent] = extentsOf(left.type) ?? [];
    if (extent !== undefined && extent > MOST_SIDE_BY_SIDE && isInMemory(right)) {
      const k = freshSymbol("arc_k", INT);
      const test = binary("<", ident(k), intLit(extent));
      const body = this.copied(index(left, ident(k)), index(right, ident(k)));
      return [forStmt(declare(k, intLit(0)), test, incdec("++", false, ident(k)), compound(body))];
    }
    if (extent !== undefined)
      return Array.from({ length: extent }, (_, k) =>
        this.copied(index(left, intLit(k)), index(right, intLit(k))),
      ).flat();
    const members = membersOf(left.type);
    if (!members) return [exprStmt(assign(left, right))];
    return members.flatMap(({ name }) => this.copied(this.member(left, name), this.member(right, name)));
  }

  declared(declarator: Declarator, decl: Stmt): readonly Stmt[] {
    const { sym, init } = declarator;
    if (!this.isSplit(sym)) return [{ ...decl, decls: [declarator] } as Stmt];
    if (init?.kind === "expr")
      return [...this.declarations(sym, decl.span), ...this.copy(ident(sym), init.expr)];
    const recordCopies: (readonly [Expr, Expr])[] = [];
    const rest = init && this.withoutRecordCopies(init, ident(sym, decl.span), recordCopies);
    return [
      ...this.declarations(sym, decl.span, rest),
      ...recordCopies.flatMap(([left, right]) => this.copy(left, right)),
    ];
  }

  /** The parts of an explicit initialiser that can be split; `wholes` are assigned after it. */
  private withoutRecordCopies(
    init: Init,
    to: Expr,
    recordCopies: (readonly [Expr, Expr])[],
  ): Init | undefined {
    if (init.kind === "expr") {
      const isWhole = membersOf(to.type) && (hasArrays(to.type) || hasEffects(init.expr));
      if (isWhole) recordCopies.push([to, init.expr]);
      return isWhole ? undefined : init;
    }
    const items = init.items.flatMap((item): readonly InitItem[] => {
      const [first] = item.designators;
      const part = first?.kind === "index" ? index(to, first.index) : first && this.member(to, first.name);
      const rest = part && this.withoutRecordCopies(item.init, part, recordCopies);
      return rest ? [{ ...item, init: rest }] : [];
    });
    return { ...init, items };
  }

  private declarations(sym: Symbol, span: Span, init?: Init): readonly Stmt[] {
    const depth = extentsOf(sym.type)?.length ?? 0;
    const members = this.of(sym) ?? new Map<string, Symbol>();
    return (membersIn(sym.type) ?? []).flatMap((one): readonly Stmt[] => {
      const symbol = entryOf(members, one.name);
      const value = init && this.picked(init, depth, one);
      if (this.isSplit(symbol))
        return this.declared({ sym: symbol, span, ...(value && { init: value }) }, declare(symbol));
      const plain = declare(symbol, undefined, span);
      return [value ? { ...plain, decls: [{ sym: symbol, span, init: value }] } : plain];
    });
  }

  /** From an explicit initialiser of structs below `depth` subscripts, the part for one member's variable. */
  private picked(init: Init, depth: number, one: Member): Init {
    if (init.kind === "expr") {
      const value: Init = { kind: "expr", expr: this.member(init.expr, one.name) };
      return one.inside ? { kind: "list", items: [fieldItem(one.name, value)], span: init.expr.span } : value;
    }
    if (depth > 0) {
      const items = init.items.map((item) => ({ ...item, init: this.picked(item.init, depth - 1, one) }));
      return { ...init, items };
    }
    const ofMember = (name: string) =>
      init.items.find(({ designators: [first] }) => first?.kind === "field" && first.name === name)?.init;
    if (one.inside) {
      const items = one.inside.flatMap((name) => {
        const value = ofMember(name);
        return value ? [fieldItem(name, value)] : [];
      });
      return { ...init, items };
    }
    const isWhole = ["array", "record"].includes(canonical(one.type).kind);
    const none: Init = isWhole ? { ...init, items: [] } : { kind: "expr", expr: intLit(0) };
    return ofMember(one.name) ?? none;
  }
}

const fieldItem = (name: string, init: Init): InitItem => ({ designators: [{ kind: "field", name }], init });

/** Whether the type contains arrays, each element of which would be a member. */
const hasArrays = (type: CType): boolean =>
  isArray(type) || (membersOf(type) ?? []).some((one) => hasArrays(one.type));

function canBeSplit({ sym, init }: Declarator): boolean {
  if (sym.storage === "static" || sym.storage === "extern") return false;
  return membersIn(sym.type) !== undefined && !(init?.kind === "expr" && isArray(sym.type));
}

/** Tests whether a variable's structs contain pointers, and the variable's address is not taken. */
export function withPointers(body: readonly Stmt[]): (sym: Symbol) => boolean {
  const { of } = usesOf(...body);
  return (sym) => {
    const members = membersIn(sym.type) ?? [];
    return !of.get(sym)?.addressTaken && members.some((one) => isPointer(one.type));
  };
}

/** The statements with their declared structs split: for all variables, or only those that `isSelected` selects. */
export function withoutRecords(
  body: readonly Stmt[],
  isSelected: (sym: Symbol) => boolean = () => true,
): readonly Stmt[] {
  const records = new Records();
  const find = (s: Stmt): Stmt => {
    if (s.kind === "decl")
      for (const declarator of s.decls)
        if (canBeSplit(declarator) && isSelected(declarator.sym)) records.of(declarator.sym);
    return s;
  };
  for (const s of body) mapStmt(s, { stmt: find });
  return body.map((s) =>
    mapStmt(s, {
      expr: (e) => (e.kind === "member" && !e.arrow ? (records.piece(e.base, e.name) ?? e) : e),
      stmt(child) {
        if (child.kind === "decl" && child.decls.some(({ sym }) => records.isSplit(sym)))
          return child.decls.flatMap((d) => records.declared(d, child));
        const e = child.kind === "expr" && child.expr ? (copyOf(child.expr) ?? child.expr) : undefined;
        const recordAssignment =
          e?.kind === "assign" && e.op === "=" && membersOf(e.left.type) ? e : undefined;
        return recordAssignment ? records.copy(recordAssignment.left, recordAssignment.right) : child;
      },
    }),
  );
}

/** A memcpy between structs of the same type as an assignment. */
function copyOf(e: Expr): Expr | undefined {
  if (e.kind !== "call" || calleeOf(e)?.name.replace(/^__builtin_/, "") !== "memcpy") return undefined;
  const [to, from] = e.args.slice(0, 2).map(pointee);
  const size = e.args[2] && evaluateInteger(e.args[2]);
  if (!to || !from || !membersOf(to.type) || size !== BigInt(sizeOf(to.type) ?? -1)) return undefined;
  const [left, right] = [canonical(to.type), canonical(from.type)];
  const same = left.kind === "record" && right.kind === "record" && left.decl === right.decl;
  return same ? assign(to, from) : undefined;
}
