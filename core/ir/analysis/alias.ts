/**
 * Which memory two pointers of a function may share. Flow-insensitive: a pointer variable may point to anything that
 * any assignment in the function gives it.
 */

import { canonical, compatibleUnqualified, isPointer, sizeOf, walkStmt } from "../../lang/index.ts";
import type { CType, Expr, FunctionDef, Init, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { isArray } from "./access.ts";
import { isGlobal } from "./routines.ts";

/** The base of an access. */
export type Base =
  /** A variable's own storage. */
  | { readonly is: "variable"; readonly sym: Symbol }
  /** The target of a pointer variable. */
  | { readonly is: "pointee"; readonly sym: Symbol }
  /** The target of a pointer stored in memory, printed as `text`. */
  | { readonly is: "loaded"; readonly text: string }
  | { readonly is: "unknown" };

/** A piece of memory that a pointer may lead to. */
type Target =
  | { readonly is: "variable"; readonly sym: Symbol }
  /** Memory returned by an allocator call. */
  | { readonly is: "fresh"; readonly call: number }
  /** Memory passed by the caller. */
  | { readonly is: "argument"; readonly sym: Symbol }
  /** The target of a local `restrict` pointer: only pointers based on it lead there during its lifetime. */
  | { readonly is: "restricted"; readonly sym: Symbol }
  | { readonly is: "unknown" };

export interface Aliases {
  /** Whether two accesses through different bases may overlap. An undefined type stands for any type. */
  mayMeet(a: Base, typeA: CType | undefined, b: Base, typeB: CType | undefined): boolean;
}

const UNKNOWN: Target = { is: "unknown" };

/** Without a function nothing is known about the sources of pointers. */
export function aliasesOf(def: FunctionDef | undefined): Aliases {
  return new Analysis(def);
}

const allocators = /^(malloc|calloc|aligned_alloc|memalign|valloc|acc_malloc)$/;
/** Library functions that do not retain the pointers passed to them. */
const forgetful =
  /^(free|mem(set|cpy|move|cmp)|str(len|cmp|ncmp|cpy|ncpy)|printf|fprintf|sprintf|snprintf|puts|fread|fwrite|acc_\w+|__builtin_\w+)$/;

class Analysis implements Aliases {
  private readonly sources = new Map<Symbol, Expr[]>();
  private readonly targets = new Map<Symbol, Map<string, Target>>();
  private readonly exposed = new Set<Symbol>();
  private readonly escaped = new Set<string>();
  private readonly params: ReadonlySet<Symbol>;
  private readonly calls = new Map<Expr, number>();

  constructor(def: FunctionDef | undefined) {
    this.params = new Set(def?.params ?? []);
    if (!def) return;
    this.collect(def.body);
    this.solve();
    this.findEscapes(def.body);
  }

  mayMeet(a: Base, typeA: CType | undefined, b: Base, typeB: CType | undefined): boolean {
    if (a.is === "variable" && b.is === "variable") return a.sym === b.sym;
    if (typeA && typeB && !sharesType(typeA, typeB)) return false;
    for (const x of this.of(a)) for (const y of this.of(b)) if (this.overlap(x, y)) return true;
    return false;
  }

  private of(base: Base): readonly Target[] {
    if (base.is === "variable") return [base];
    if (base.is !== "pointee") return [UNKNOWN];
    return [...(this.targets.get(base.sym) ?? new Map([["", this.initial(base.sym)]])).values()];
  }

  /** The target of a pointer without a known assignment. */
  private initial(sym: Symbol): Target {
    if (this.params.has(sym)) return { is: "argument", sym };
    return isRestrict(sym) && sym.scope === "block" ? { is: "restricted", sym } : UNKNOWN;
  }

  private overlap(x: Target, y: Target): boolean {
    if (keyOf(x) === keyOf(y)) return true;
    // Other pointers lead there only if they are based on it (C11 6.7.3.1), as one that was stored and loaded again.
    if (isApart(x)) return y.is === "unknown" && this.escaped.has(keyOf(x));
    if (isApart(y)) return x.is === "unknown" && this.escaped.has(keyOf(y));
    if (x.is === "unknown") return this.reachable(y);
    if (y.is === "unknown") return this.reachable(x);
    // Memory allocated by the call cannot have been passed to it.
    if (x.is === "argument") return y.is === "argument" || (y.is === "variable" && isGlobal(y.sym));
    return y.is === "argument" && x.is === "variable" && isGlobal(x.sym);
  }

  /** Whether a pointer of unknown origin may lead there. */
  private reachable(t: Target): boolean {
    if (t.is === "variable") return isGlobal(t.sym) || this.escaped.has(keyOf(t));
    return t.is !== "fresh" || this.escaped.has(keyOf(t));
  }

  // ---------------------------------------------------------------- assignments

  private collect(body: Stmt): void {
    const gives = (sym: Symbol, value: Expr) => {
      if (isPointer(sym.type)) this.sources.set(sym, [...(this.sources.get(sym) ?? []), value]);
    };
    walkStmt(body, {
      stmt: (s) => {
        if (s.kind !== "decl") return;
        for (const d of s.decls) {
          if (!isPointer(d.sym.type)) continue;
          this.sources.set(d.sym, this.sources.get(d.sym) ?? []);
          if (d.init?.kind === "expr") gives(d.sym, d.init.expr);
          else if (d.init) this.exposed.add(d.sym);
        }
      },
      expr: (e) => {
        if (e.kind === "assign" && e.op === "=") {
          const left = stripImplicit(e.left);
          if (left.kind === "ident") gives(left.sym, e.right);
        }
        if (e.kind === "unary" && e.op === "&") {
          const object = stripImplicit(e.arg);
          if (object.kind === "ident") this.exposed.add(object.sym);
        }
      },
    });
  }

  /** A pointer that only this function's assignments change. */
  private isLocal(sym: Symbol): boolean {
    return (sym.kind === "param" || sym.scope === "block") && !isGlobal(sym) && !this.exposed.has(sym);
  }

  private solve(): void {
    for (const sym of new Set([...this.sources.keys(), ...this.params])) {
      if (!isPointer(sym.type)) continue;
      const found = new Map<string, Target>();
      const add = (t: Target) => found.set(keyOf(t), t);
      if (!this.isLocal(sym)) add(UNKNOWN);
      else if (this.params.has(sym)) add({ is: "argument", sym });
      else if (isRestrict(sym)) add({ is: "restricted", sym });
      this.targets.set(sym, found);
    }
    for (let changed = true; changed; ) {
      changed = false;
      for (const [sym, found] of this.targets) {
        if (found.has(keyOf({ is: "restricted", sym }))) continue;
        const before = found.size;
        for (const value of this.sources.get(sym) ?? [])
          for (const t of this.valueTargets(value)) found.set(keyOf(t), t);
        changed ||= found.size !== before;
      }
    }
  }

  private valueTargets(e: Expr): readonly Target[] {
    switch (e.kind) {
      case "cast":
        return isArray(e.arg)
          ? this.storage(e.arg)
          : isPointer(e.arg.type)
            ? this.valueTargets(e.arg)
            : this.fromInteger(e.arg);
      case "ident":
        if (e.sym.kind === "function") return [];
        return isArray(e) ? [{ is: "variable", sym: e.sym }] : this.of({ is: "pointee", sym: e.sym });
      case "unary":
        return e.op === "&" ? this.storage(e.arg) : [UNKNOWN];
      case "binary":
        return this.valueTargets(isPointer(e.left.type) || isArray(e.left) ? e.left : e.right);
      case "incdec":
        return this.valueTargets(e.arg);
      case "assign":
        return e.op === "=" ? this.valueTargets(e.right) : this.valueTargets(e.left);
      case "comma":
        return this.valueTargets(e.right);
      case "cond":
        return [
          ...(e.then ? this.valueTargets(e.then) : this.valueTargets(e.test)),
          ...this.valueTargets(e.else),
        ];
      case "call": {
        const callee = stripImplicit(e.callee);
        const name = callee.kind === "ident" && !callee.sym.definition ? callee.sym.name : "";
        return allocators.test(name) ? [{ is: "fresh", call: this.numberOf(e) }] : [UNKNOWN];
      }
      case "string":
        return [];
      default:
        return [UNKNOWN];
    }
  }

  private numberOf(call: Expr): number {
    const known = this.calls.get(call) ?? this.calls.size;
    this.calls.set(call, known);
    return known;
  }

  /** A null pointer has no target. */
  private fromInteger(e: Expr): readonly Target[] {
    const inner = stripImplicit(e);
    return inner.kind === "int" && inner.value === 0n ? [] : [UNKNOWN];
  }

  /** The memory that contains an object. */
  private storage(e: Expr): readonly Target[] {
    const object = stripImplicit(e);
    switch (object.kind) {
      case "ident":
        return [{ is: "variable", sym: object.sym }];
      case "index":
        return isArray(object.base) ? this.storage(object.base) : this.valueTargets(object.base);
      case "member":
        return object.arrow ? this.valueTargets(object.base) : this.storage(object.base);
      case "unary":
        return object.op === "*" ? this.valueTargets(object.arg) : [UNKNOWN];
      default:
        return [UNKNOWN];
    }
  }

  // ---------------------------------------------------------------- escapes

  private findEscapes(body: Stmt): void {
    const escape = (e: Expr) => {
      if (!isPointer(e.type) && !isArray(e)) return;
      for (const t of this.valueTargets(e)) this.escaped.add(keyOf(t));
    };
    const init = (i: Init): void => {
      if (i.kind === "expr") escape(i.expr);
      else for (const it of i.items) init(it.init);
    };
    walkStmt(body, {
      stmt: (s) => {
        if (s.kind === "return" && s.value) escape(s.value);
        if (s.kind !== "decl") return;
        for (const d of s.decls) if (d.init && !(isPointer(d.sym.type) && this.isLocal(d.sym))) init(d.init);
      },
      expr: (e) => {
        if (e.kind === "assign") {
          const left = stripImplicit(e.left);
          if (!(left.kind === "ident" && this.isLocal(left.sym))) escape(e.right);
        }
        if (e.kind === "compound") init(e.init);
        if (e.kind === "call") {
          const callee = stripImplicit(e.callee);
          const name = callee.kind === "ident" && !callee.sym.definition ? callee.sym.name : "";
          if (!forgetful.test(name)) for (const arg of e.args) escape(arg);
        }
        // A pointer converted to an integer may be converted back.
        if (e.kind === "cast" && !isPointer(e.to) && (isPointer(e.arg.type) || isArray(e.arg))) escape(e.arg);
      },
    });
    for (const sym of this.exposed)
      if (isPointer(sym.type)) for (const t of this.of({ is: "pointee", sym })) this.escaped.add(keyOf(t));
  }
}

function keyOf(t: Target): string {
  switch (t.is) {
    case "fresh":
      return `fresh ${t.call}`;
    case "unknown":
      return "unknown";
    default:
      return `${t.is} ${t.sym.id}`;
  }
}

/** The target of a `restrict` pointer. */
const isApart = (t: Target): boolean => t.is === "restricted" || (t.is === "argument" && isRestrict(t.sym));

function isRestrict(sym: Symbol): boolean {
  return sym.type.quals?.restrict === true;
}

/** C's effective types (C11 6.5p7): an int and a double never share memory; a char may alias anything. */
function sharesType(a: CType, b: CType): boolean {
  const [x, y] = [canonical(a), canonical(b)];
  const plain = (t: CType) =>
    t.kind === "int" || t.kind === "float" || t.kind === "pointer" || t.kind === "enum";
  if (!plain(x) || !plain(y) || sizeOf(x) === 1 || sizeOf(y) === 1) return true;
  if (x.kind === "pointer" || y.kind === "pointer") return x.kind === y.kind;
  if (x.kind === "float" || y.kind === "float") return compatibleUnqualified(x, y);
  return sizeOf(x) === sizeOf(y);
}
