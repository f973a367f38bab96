/** Which variables a piece of code reads and writes, directly or through pointers and subscripts. */

import { itemAt } from "../../checked/access.ts";
import { canonical, elementType, walkExpr, walkStmt } from "../../lang/index.ts";
import type { CType, Expr, Init, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Accumulate, Accumulator, ChannelRead } from "../model/idioms.ts";
import type { IrNode } from "../model/ir.ts";

export interface Use {
  /** The variable's own value. */
  read: boolean;
  written: boolean;
  addressTaken: boolean;
  /** The object it points to, or its elements if it is an array. */
  elementsRead: boolean;
  elementsWritten: boolean;
  /** First use. */
  at: Expr;
}

export interface Uses {
  /** In order of first appearance. */
  readonly of: ReadonlyMap<Symbol, Use>;
  readonly declared: ReadonlySet<Symbol>;
  /** Those of a declaration with `static`; copies that loops and clauses make of such variables are not among them. */
  readonly statics: readonly Symbol[];
  /** Called functions. */
  readonly calls: ReadonlyMap<Symbol, Expr>;
  /** A call through a pointer. */
  readonly indirectCall?: Expr;
}

type Mode = "read" | "write" | "both" | "address";

class Collector {
  readonly of = new Map<Symbol, Use>();
  readonly declared = new Set<Symbol>();
  readonly statics: Symbol[] = [];
  readonly calls = new Map<Symbol, Expr>();
  indirectCall?: Expr;

  private use(sym: Symbol, at: Expr): Use {
    let use = this.of.get(sym);
    if (!use) {
      use = {
        read: false,
        written: false,
        addressTaken: false,
        elementsRead: false,
        elementsWritten: false,
        at,
      };
      this.of.set(sym, use);
    }
    return use;
  }

  private direct(sym: Symbol, mode: Mode, at: Expr): void {
    const use = this.use(sym, at);
    if (mode === "read" || mode === "both") use.read = true;
    if (mode === "write" || mode === "both") use.written = true;
    if (mode === "address") use.addressTaken = true;
  }

  private elements(sym: Symbol, mode: Mode, at: Expr): void {
    const use = this.use(sym, at);
    if (mode !== "write") use.elementsRead = true;
    if (mode !== "read") use.elementsWritten = true;
    // The address of a pointer's target is not the pointer's own address.
    if (mode === "address" && canonical(sym.type).kind === "array") use.addressTaken = true;
  }

  /** Records the access of an lvalue. */
  private lvalue(e: Expr, mode: Mode): void {
    switch (e.kind) {
      case "ident":
        if (e.sym.kind === "var" || e.sym.kind === "param")
          isArray(e) ? this.elements(e.sym, mode, e) : this.direct(e.sym, mode, e);
        return;
      case "index":
        this.expr(e.index);
        return this.object(e.base, mode);
      case "member":
        return e.arrow ? this.object(e.base, mode) : this.lvalue(e.base, mode);
      case "cast":
        this.sizesOfCast(e);
        return this.lvalue(e.arg, mode);
      case "unary":
        if (e.op === "*") return this.object(e.arg, mode);
        if (e.op === "__real__" || e.op === "__imag__" || e.op === "__extension__")
          return this.lvalue(e.arg, mode);
        return this.expr(e);
      case "cond":
        this.expr(e.test);
        if (e.then) this.lvalue(e.then, mode);
        return this.lvalue(e.else, mode);
      case "comma":
        this.expr(e.left);
        return this.lvalue(e.right, mode);
      default:
        return this.expr(e);
    }
  }

  /** Records the access of the object that a pointer or array expression designates. */
  private object(e: Expr, mode: Mode): void {
    switch (e.kind) {
      case "ident":
        if (e.sym.kind !== "var" && e.sym.kind !== "param") return;
        if (!isArray(e)) this.direct(e.sym, "read", e);
        return this.elements(e.sym, mode, e);
      case "binary":
        if (pointerLike(e.right)) {
          this.expr(e.left);
          return this.object(e.right, mode);
        }
        this.expr(e.right);
        return this.object(e.left, mode);
      case "cast":
        this.sizesOfCast(e);
        return this.object(e.arg, mode);
      case "unary":
        if (e.op === "&") return this.lvalue(e.arg, mode);
        if (e.op === "*" && isArray(e)) return this.object(e.arg, mode);
        break;
      case "index":
      case "member":
        // An array inside an object is part of that object. A pointer inside it leads to other memory, which is
        // attributed to the root variable, too.
        this.lvalue(e, isArray(e) ? mode : "read");
        if (!isArray(e)) {
          const root = rootOf(e);
          if (root) this.elements(root.sym, mode, root);
        }
        return;
      case "cond":
        this.expr(e.test);
        if (e.then) this.object(e.then, mode);
        return this.object(e.else, mode);
      case "comma":
        this.expr(e.left);
        return this.object(e.right, mode);
      case "incdec":
      case "assign": {
        this.expr(e);
        return this.object(e.kind === "incdec" ? e.arg : e.left, mode);
      }
      default:
        break;
    }
    this.expr(e);
  }

  /** A pointer's value is passed on to code that may change its elements. */
  private handedOn(e: Expr & { readonly kind: "ident" }, as: CType): void {
    const variable = e.sym.kind === "var" || e.sym.kind === "param";
    if (variable && canonical(as).kind === "pointer" && !leadsToConstant(as)) this.elements(e.sym, "both", e);
  }

  /** Run-time size expressions of an array type. */
  private sizes(type: CType): void {
    if (type.kind === "pointer") this.sizes(type.to);
    if (type.kind !== "array") return;
    if (typeof type.size === "object") this.expr(type.size);
    this.sizes(type.of);
  }

  /** `((double (*)[m])p)[i][j]` */
  private sizesOfCast({ to, implicit }: Expr & { readonly kind: "cast" }): void {
    if (!implicit) this.sizes(to);
  }

  expr(e: Expr): void {
    switch (e.kind) {
      case "ident":
        this.lvalue(e, "read");
        this.handedOn(e, e.type);
        return;
      case "unary":
        if (e.op === "&") return this.lvalue(e.arg, "address");
        if (e.op === "*") return this.lvalue(e, "read");
        return this.expr(e.arg);
      case "incdec":
        return this.lvalue(e.arg, "both");
      case "assign":
        this.expr(e.right);
        return this.lvalue(e.left, e.op === "=" ? "write" : "both");
      case "binary":
      case "comma":
        this.expr(e.left);
        return this.expr(e.right);
      case "cond":
        this.expr(e.test);
        if (e.then) this.expr(e.then);
        return this.expr(e.else);
      case "call": {
        const callee = e.callee.kind === "cast" ? e.callee.arg : e.callee;
        if (callee.kind === "ident" && callee.sym.kind === "function") this.calls.set(callee.sym, e);
        else {
          this.indirectCall ??= e;
          this.expr(e.callee);
        }
        for (const arg of e.args) {
          this.expr(arg);
          // The callee may use a pointer argument's target in any way.
          if (pointerLike(arg)) this.object(arg, "both");
        }
        return;
      }
      case "index":
      case "member":
        return this.lvalue(e, "read");
      case "cast": {
        this.sizesOfCast(e);
        const array = e.arg.kind === "cast" ? e.arg.arg : e.arg;
        if (isArray(array)) this.lvalue(array, leadsToConstant(e.to) ? "read" : "address");
        else if (e.arg.kind === "ident" && leadsToConstant(e.to)) this.lvalue(e.arg, "read");
        else this.expr(e.arg);
        return;
      }
      case "sizeof":
        if (e.of) this.sizes(e.of);
        return;
      case "compound":
        return this.init(e.init);
      case "stmt-expr":
        return this.stmt(e.body);
      case "generic":
        return this.expr(itemAt(e.assocs, e.chosen).value);
      case "builtin":
        for (const arg of e.args) if ("span" in arg && "type" in arg) this.expr(arg);
        return;
      default:
        return;
    }
  }

  init(init: Init): void {
    if (init.kind === "expr") this.expr(init.expr);
    else for (const it of init.items) this.init(it.init);
  }

  stmt(s: Stmt): void {
    switch (s.kind) {
      case "expr":
        if (s.expr) this.expr(s.expr);
        return;
      case "decl":
        for (const d of s.decls) {
          // `extern` in a block refers to a variable at file scope.
          if (d.sym.scope !== "file") this.declared.add(d.sym);
          if (d.sym.storage === "static") this.statics.push(d.sym);
          this.sizes(d.sym.type);
          if (d.init) this.init(d.init);
        }
        return;
      case "compound":
        return s.body.forEach((c) => void this.stmt(c));
      case "if":
        this.expr(s.test);
        this.stmt(s.then);
        if (s.else) this.stmt(s.else);
        return;
      case "for":
        if (s.init) s.init.kind === "decl" ? this.stmt(s.init) : this.expr(s.init);
        if (s.test) this.expr(s.test);
        if (s.step) this.expr(s.step);
        return this.stmt(s.body);
      case "while":
      case "switch":
        this.expr(s.test);
        return this.stmt(s.body);
      case "do":
        this.stmt(s.body);
        return this.expr(s.test);
      case "return":
        if (s.value) this.expr(s.value);
        return;
      case "label":
      case "case":
        return this.stmt(s.body);
      case "ext":
        return this.ext(s.ext as IrNode | ChannelRead | Accumulate | Accumulator);
      default:
        return;
    }
  }

  private ext(n: IrNode | ChannelRead | Accumulate | Accumulator): void {
    if (n.kind === "atomic") {
      if (n.value) this.expr(n.value);
      if (n.expected) this.expr(n.expected);
      this.lvalue(n.target, n.what === "read" ? "read" : n.what === "write" ? "write" : "both");
      if (n.captured) this.lvalue(n.captured, "write");
      return;
    }
    if (n.kind === "cache") return;
    if (n.kind === "accumulator") this.lvalue(n.drain, "both");
    const { exprs, stmts } = n.shape.parts(n);
    for (const e of exprs) this.expr(e);
    if (n.kind === "channel-read") this.declared.add(n.into);
    if (n.kind === "accumulate") this.declared.add(n.partial);
    if (n.kind === "loop") {
      for (const h of n.headers) this.declared.add(h.var);
      for (const p of n.privates) this.declared.add(p);
    }
    for (const child of stmts) this.stmt(child);
    if (n.kind === "loop" || n.kind === "spmd")
      for (const r of n.reductions) {
        const use = this.of.get(r.sym);
        if (use) use.read = use.written = true;
      }
  }
}

export function isArray(e: Expr): boolean {
  return canonical(e.type).kind === "array";
}

export function leadsToConstant(type: CType): boolean {
  const element = elementType(type);
  return element !== undefined && canonical(element).quals?.const === true;
}

function pointerLike(e: Expr): boolean {
  const kind = canonical(e.type).kind;
  return kind === "pointer" || kind === "array";
}

/** The variable a subscripted, dereferenced or member expression starts from. */
export function rootOf(e: Expr): (Expr & { kind: "ident" }) | undefined {
  switch (e.kind) {
    case "ident":
      return e;
    case "index":
    case "member":
      return rootOf(e.base);
    case "cast":
    case "unary":
      return rootOf(e.arg);
    case "binary":
      return rootOf(pointerLike(e.right) ? e.right : e.left);
    default:
      return undefined;
  }
}

/** The variable that an lvalue is a part of, if no pointer is dereferenced on the way. */
export function objectOf(place: Expr): Symbol | undefined {
  const e = stripImplicit(place);
  if (e.kind === "ident") return canonical(e.type).kind === "pointer" ? undefined : e.sym;
  if (e.kind === "member") return e.arrow ? undefined : objectOf(e.base);
  return e.kind === "index" && isArray(stripImplicit(e.base)) ? objectOf(e.base) : undefined;
}

export function usesOf(...code: (Stmt | Expr)[]): Uses {
  const collector = new Collector();
  for (const c of code) "type" in c ? collector.expr(c) : collector.stmt(c);
  return collector;
}

/** Whether an expression names a variable. */
export function mentions(e: Expr, sym: Symbol): boolean {
  let found = false;
  walkExpr(e, {
    expr: (inner) => {
      found ||= inner.kind === "ident" && inner.sym === sym;
    },
  });
  return found;
}

/** How often a statement names a variable. */
export function usesIn(s: Stmt, sym: Symbol): number {
  let count = 0;
  walkStmt(s, {
    expr(e) {
      if (e.kind === "ident" && e.sym === sym) count++;
    },
  });
  return count;
}
