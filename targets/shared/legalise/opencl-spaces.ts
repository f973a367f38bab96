/**
 * Address spaces of pointers. OpenCL C 1.2 has no generic pointers, so each pointer gets the one space that all its
 * values point to: pointers that flow into each other form a class (after B. Steensgaard, POPL 1996), seeded by kernel
 * parameters, group memory, constants and addresses of locals. Each member is one class for all objects of its record;
 * members of different records are one class if casts, unions or byte copies place them at the same bytes.
 */

import { calleeOf } from "../../../core/ir/analysis/pointer-flow.ts";
import {
  compatibleUnqualified,
  elementType,
  isArray,
  isPointer,
  memberRecord,
  walkStmt,
} from "../../../core/lang/index.ts";
import type {
  CType,
  Diagnostic,
  Expr,
  Field,
  Init,
  RecordDecl,
  Stmt,
  Symbol,
} from "../../../core/lang/tree/ast.ts";
import type { LoweredRegion } from "../device/device.ts";
import { calledFunction } from "../device/math.ts";
import { placedValues } from "./initialisers.ts";
import { Memory, Pointers, type Space } from "./pointer-classes.ts";
import { innermost, Slots } from "./pointer-slots.ts";

/** What holds a pointer, itself or in an array's elements: a variable, a member, a function's result. */
type Holder = Symbol | Field;

export interface Spaces {
  /** The space that a held pointer points to; `depth` 1: that the pointer stored there points to. */
  of(holder: Holder, depth?: number): Space;
  /** The same for a pointer-valued expression. */
  pointee(e: Expr, depth?: number): Space;
  /** The space that an lvalue is in. */
  place(e: Expr): Space;
  /** A null pointer that is not a constant, and so needs the space of its destination. */
  isPlacedNull(e: Expr): boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export function inferSpaces(region: LoweredRegion): Spaces {
  const inference = new Inference(region);
  return {
    of: (holder, depth = 0) => inference.spaceOf(inference.held(holder), depth),
    pointee: (e, depth = 0) => inference.spaceOf(inference.value(e), depth),
    place: (e) => inference.place(e)?.space ?? "__global",
    isPlacedNull: (e) => inference.nulls.has(e),
    diagnostics: [...inference.conflicts.values()],
  };
}

class Inference {
  readonly conflicts = new Map<string, Diagnostic>();
  /** Null pointers at the end of comma or statement expressions, which are no null pointer constants. */
  readonly nulls = new Map<Expr, Pointers>();
  private readonly site: LoweredRegion["site"];
  private readonly shared: ReadonlySet<Symbol>;
  private readonly params: ReadonlyMap<Symbol, readonly Symbol[]>;
  private readonly holders = new Map<Holder, Pointers>();
  private readonly variables = new Map<Symbol, Pointers>();
  private readonly slots = new Slots((field) => this.held(field));
  /** Records whose members the host wrote. */
  private readonly mapped = new Set<RecordDecl>();

  constructor(region: LoweredRegion) {
    this.site = region.site;
    this.shared = new Set(region.kernels.flatMap((k) => k.shared));
    this.params = new Map(region.functions.map((f) => [f.sym, f.params.map((p) => p.sym)]));
    for (const p of region.kernels.flatMap((k) => k.params)) this.fromHost(p.sym.type, this.held(p.sym));
    for (const f of region.functions) this.flows(f.body, f.sym);
    for (const s of region.kernels.flatMap((k) => k.body)) this.flows(s);
  }

  spaceOf(pointers: Pointers | undefined, depth: number): Space {
    let at = pointers;
    for (let k = 0; k < depth; k++) at = at?.inside();
    return at?.memory.space ?? "__global";
  }

  held(holder: Holder): Pointers {
    let known = this.holders.get(holder);
    if (!known) {
      known = new Pointers();
      this.holders.set(holder, known);
    }
    return known;
  }

  /** Pointers stored by the host point to device memory. */
  private fromHost(type: CType, pointers: Pointers): void {
    const c = innermost(type);
    if (c.kind === "pointer") {
      this.join(pointers, new Pointers(new Memory("__global")));
      this.fromHost(c.to, pointers.inside());
    }
    if (c.kind !== "record" || this.mapped.has(c.decl)) return;
    this.mapped.add(c.decl);
    for (const f of c.decl.fields ?? []) this.fromHost(f.type, this.held(f));
  }

  private flows(code: Stmt, inside?: Symbol): void {
    walkStmt(code, {
      stmt: (s) => {
        if (s.kind === "decl")
          for (const d of s.decls) if (d.init) this.initialised(d.init, d.sym.type, d.sym);
        if (s.kind === "return" && s.value && isPointer(s.value.type) && inside)
          this.join(this.held(inside), this.value(s.value), s.value);
      },
      expr: (e) => this.flow(e),
    });
  }

  private flow(e: Expr): void {
    if (e.kind === "assign" && isPointer(e.left.type))
      this.join(this.contents(e.left), this.value(e.right), e.right);
    if (e.kind === "compound") this.initialised(e.init, e.of, this.anonymous);
    if (e.kind === "member") this.overlapping(memberRecord(e), e);
    if (e.kind === "cast" && isPointer(e.to)) this.value(e);
    if (e.kind === "binary" && isAddress(e.left) && isAddress(e.right))
      this.join(this.value(e.left), this.value(e.right), e);
    if (e.kind === "cond" && isPointer(e.type)) this.value(e);
    if (e.kind !== "call") return;
    if (/^mem(cpy|move)$/.test(calledFunction(e) ?? "")) this.copiedBytes(e);
    const callee = calleeOf(e);
    if (!callee) return;
    this.params.get(callee)?.forEach((p, k) => {
      const argument = e.args[k];
      if (argument && isPointer(p.type)) this.join(this.held(p), this.value(argument), argument);
    });
  }

  /** Holder for arrays of pointers without a name, which point to device memory. */
  private readonly anonymous = {} as Symbol;

  private copiedBytes(e: Expr & { readonly kind: "call" }): void {
    const [to, from] = e.args.map((arg) => this.value(arg));
    if (to && from) this.agree(from.copiedTo(to), e);
  }

  private initialised(init: Init, type: CType, holder: Symbol): void {
    const c = innermost(type);
    if (c.kind === "record") this.overlapping(c.decl);
    for (const { value, member } of placedValues(init, type)) {
      if (!isAddress(value)) continue;
      const to = member ?? holder;
      const pointers = to === this.anonymous ? new Pointers(new Memory("__global")) : this.held(to);
      this.join(pointers, this.value(value), value);
    }
  }

  /** The class of an expression's value; undefined if unknown. */
  value(e: Expr): Pointers | undefined {
    switch (e.kind) {
      case "ident":
      case "index":
      case "member":
      case "compound":
        return isArray(e.type) ? this.addresses(e) : isPointer(e.type) ? this.contents(e) : undefined;
      case "string":
        return new Pointers(new Memory("__constant"));
      case "cast":
        return this.nulls.get(e) ?? this.converted(e);
      // Integers may be converted from pointers, and back to pointers.
      case "binary":
        if (isAddress(e.left) || isAddress(e.right)) return this.value(isAddress(e.left) ? e.left : e.right);
        return this.value(e.left) ?? this.value(e.right);
      case "cond": {
        const [then, otherwise] = [this.value(e.then ?? e.test), this.value(e.else)];
        if (then && otherwise) this.join(then, otherwise, e);
        return then ?? otherwise;
      }
      case "comma":
        return this.last(e.right);
      case "assign":
        return this.contents(e.left);
      case "incdec":
        return this.contents(e.arg);
      case "unary":
        if (e.op === "&") return this.addresses(e.arg);
        if (e.op !== "*") return this.value(e.arg);
        return isArray(e.type) ? this.addresses(e) : this.contents(e);
      case "call": {
        const callee = calleeOf(e);
        return callee && this.params.has(callee) ? this.held(callee) : undefined;
      }
      case "stmt-expr": {
        const last = e.body.body.at(-1);
        return last?.kind === "expr" && last.expr ? this.last(last.expr) : undefined;
      }
      default:
        return undefined;
    }
  }

  /** The value of the last of several expressions. */
  private last(e: Expr): Pointers | undefined {
    if (e.kind === "cast" && e.implicit) return this.last(e.arg);
    if (isAddress(e) && isZero(e) && !this.nulls.has(e)) this.nulls.set(e, new Pointers());
    return this.value(e);
  }

  /** A cast pointer points to the same memory, where its type may see other members at the same bytes. */
  private converted(e: Expr & { readonly kind: "cast" }): Pointers | undefined {
    const pointers = this.value(e.arg);
    const [from, to] = [elementType(e.arg.type), elementType(e.to)];
    if (!pointers || !from || !to || compatibleUnqualified(from, to)) return pointers;
    const seen = [from, to].map((type) => pointers.seenAs(this.slots.behind(pointers, type)));
    this.agree(!seen.includes(false), e);
    return pointers;
  }

  /** Joins members of a record at the same bytes: those in unions. */
  private overlapping(decl: RecordDecl | undefined, e?: Expr): void {
    if (decl && !this.slots.has(decl)) this.agree(new Pointers().seenAs(this.slots.ofRecord(decl)), e);
  }

  /** The class of pointers to an lvalue, or to an array's first element. */
  private addresses(e: Expr): Pointers | undefined {
    if (e.kind === "ident") return this.variable(e);
    // Both point to the same memory, so to the same pointers in it.
    if (e.kind === "unary" && e.op === "*" && !isArray(e.type)) return this.value(e.arg);
    if (e.kind === "index" && !isArray(e.type) && isPointer(e.base.type)) return this.value(e.base);
    const memory = this.place(e);
    if (!memory) return undefined;
    return new Pointers(memory, this.pointersIn(e));
  }

  private variable(e: Expr & { readonly kind: "ident" }): Pointers {
    let known = this.variables.get(e.sym);
    if (!known) {
      known = new Pointers(this.place(e), this.pointersIn(e));
      this.variables.set(e.sym, known);
    }
    return known;
  }

  private pointersIn(e: Expr): Pointers | undefined {
    return innermost(e.type).kind === "pointer" ? this.contents(e) : undefined;
  }

  /** The class of the pointers that an lvalue or an array's elements hold. */
  private contents(e: Expr): Pointers | undefined {
    switch (e.kind) {
      case "ident":
        return this.held(e.sym);
      case "member":
        return e.field && this.held(ownField(e) ?? e.field);
      case "index":
        return isArray(e.base.type) ? this.contents(e.base) : this.value(e.base)?.inside();
      case "unary":
        return e.op === "*" ? this.value(e.arg)?.inside() : this.contents(e.arg);
      case "cast":
        return this.contents(e.arg);
      default:
        return undefined;
    }
  }

  place(e: Expr): Memory | undefined {
    switch (e.kind) {
      case "ident":
        return new Memory(this.shared.has(e.sym) ? "__local" : "");
      case "compound":
        return new Memory("");
      case "string":
        return new Memory("__constant");
      case "index":
        return isArray(e.base.type) ? this.place(e.base) : this.value(e.base)?.memory;
      case "member":
        return e.arrow ? this.value(e.base)?.memory : this.place(e.base);
      case "unary":
        return e.op === "*" ? this.value(e.arg)?.memory : this.place(e.arg);
      case "cast":
        return isArray(e.arg.type) || !isPointer(e.type) ? this.place(e.arg) : this.value(e.arg)?.memory;
      default:
        return isPointer(e.type) ? undefined : new Memory("");
    }
  }

  /** `e`: the expression that makes them equal. */
  private join(a: Pointers | undefined, b: Pointers | undefined, e?: Expr): void {
    if (!a || !b) return;
    const spaces = [a, b].map((p) => p.memory.space);
    if (!a.join(b)) this.conflict(e, spaces);
  }

  private agree(same: boolean, e?: Expr): void {
    if (!same) this.conflict(e, []);
  }

  /** Reported once per source location, since the region may contain renamed copies of the code. */
  private conflict(e: Expr | undefined, spaces: readonly (Space | undefined)[]): void {
    const { file, line } = this.site;
    const loc = e?.span.start ?? { file, line, col: 1 };
    const [one, other] = spaces.map((space) => memoryNames[space ?? "__global"]);
    const where = one === other ? "different memories" : `${one} in one place, and of ${other} in another`;
    this.conflicts.set(`${loc.file}:${loc.line}:${loc.col}`, {
      severity: "error",
      code: "mixed-address-spaces",
      loc,
      message: `a pointer takes addresses of ${where}`,
      why: "OpenCL C 1.2 pointers belong to one address space",
      remedy: "use two variables, or two functions",
    });
  }
}

const memoryNames: Readonly<Record<Space, string>> = {
  __global: "device memory",
  __local: "group memory",
  __constant: "constant memory",
  "": "private memory",
};

export const isZero = (e: Expr): boolean =>
  e.kind === "cast" ? isZero(e.arg) : e.kind === "int" && e.value === 0n;

const isAddress = (e: Expr): boolean => isPointer(e.type) || isArray(e.type);

/** The member as declared: expressions may see it with other qualifiers. */
const ownField = (e: Expr & { readonly kind: "member" }): Field | undefined =>
  memberRecord(e)?.fields?.find((f) => f.name === e.name);
