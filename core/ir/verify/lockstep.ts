/**
 * All threads of a team must reach each shuffle, equally often: conditions around it must be uniform, that is, not
 * depend on the thread. A variable counts as uniform only if everything assigned to it is. Memory that the region does
 * not write has one value for all threads that read it at one address.
 */
import { walkExpr } from "../../lang/index.ts";
import type { Diagnostic, Expr, Loc, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import { usesOf } from "../analysis/access.ts";
import { hasEffects, isBuiltin } from "../analysis/routines.ts";
import { routineCalled } from "../model/device-routines.ts";
import type { IrNode, Loop, Shuffle, Threads } from "../model/ir.ts";
import { hasNode } from "../model/nodes.ts";
import { WrittenMemory } from "./written-memory.ts";

/** The location of a non-uniform condition around the code, if any. */
type Apart = Loc | undefined;

export function lockstep(n: IrNode, around: readonly IrNode[]): Diagnostic[] {
  if (n.kind !== "threads" || !hasNode(n.body, "shuffle")) return [];
  const region = around.find((one) => one.kind === "task")?.body ?? n.body;
  return [...new Threading(n, region).apart].map(([shuffle, loc]) => ({
    severity: "error" as const,
    code: "shuffle-in-branch",
    loc: shuffle.site.loc,
    message: `'${shuffle.site.what}' stands where some threads of the team may not arrive`,
    why: "threads exchange values at the same time, as they meet at a barrier",
    remedy: "let all of them reach it, and leave threads out by the mask",
    notes: [{ message: "this may decide otherwise for each thread", loc }],
  }));
}

class Threading {
  /** Shuffles that not all threads reach, and why. */
  readonly apart = new Map<Shuffle, Loc>();
  /** Non-uniform variables. */
  private readonly varying = new Set<Symbol>();
  /** Loops that not all threads leave at the same time. */
  private readonly loops = new Map<Stmt, Loc>();
  /** Enclosing loops and switches, innermost last: the targets of `break` and `continue`. */
  private readonly around: { readonly stmt: Stmt; readonly isLoop: boolean }[] = [];

  private readonly memory: WrittenMemory;

  constructor({ body }: Threads, region: Stmt) {
    this.memory = new WrittenMemory(region);
    const uses = usesOf(body);
    for (const [sym, use] of uses.of)
      if (use.addressTaken || (use.written && !uses.declared.has(sym))) this.varying.add(sym);
    // In loops, facts about a variable may affect earlier code, so this repeats until nothing changes.
    for (let before = -1; before < this.known(); ) {
      before = this.known();
      this.stmt(body, undefined);
    }
  }

  private known(): number {
    return this.varying.size + this.loops.size + this.apart.size;
  }

  // -------------------------------------------------------------- values

  /** Whether threads may compute different values. */
  private differs(e: Expr): boolean {
    let found = false;
    walkExpr(e, {
      expr: (inner) => {
        if (found || inner.kind === "sizeof" || inner.kind === "alignof") return false;
        found = this.isOwn(inner);
        return !found;
      },
    });
    return found;
  }

  private isOwn(e: Expr): boolean {
    switch (e.kind) {
      case "ident":
        return this.varying.has(e.sym);
      case "stmt-expr":
        return true;
      case "index":
        return !this.memory.isConstant(e);
      case "member":
        return e.arrow && !this.memory.isConstant(e);
      case "unary":
        return e.op === "*" && !this.memory.isConstant(e);
      case "call": {
        const routine = routineCalled(e);
        if (routine) return routine === "omp_get_thread_num";
        const callee = stripImplicit(e.callee);
        return callee.kind !== "ident" || !isBuiltin(callee.sym) || hasEffects(callee.sym);
      }
      default:
        return false;
    }
  }

  /** Handles an expression's assignments; `apart`: set if not all threads evaluate it. */
  private sets(e: Expr, apart: Apart): void {
    walkExpr(e, {
      expr: (inner) => {
        // Only some threads may evaluate parts of these.
        if (inner.kind === "cond" || (inner.kind === "binary" && /^(&&|\|\|)$/.test(inner.op)))
          apart ??= this.differs(inner) ? inner.span.start : undefined;
        if (inner.kind === "assign") this.set(inner.left, inner, apart);
        if (inner.kind === "incdec") this.set(inner.arg, inner, apart);
      },
    });
  }

  private set(target: Expr, by: Expr, apart: Apart): void {
    const own = stripImplicit(target);
    const value = by.kind === "assign" ? by.right : by;
    if (own.kind === "ident") {
      if (apart || this.differs(value)) this.varying.add(own.sym);
      return;
    }
    // A part of a variable, or memory behind a pointer.
    for (const [sym, use] of usesOf(by).of) if (use.written || use.elementsWritten) this.varying.add(sym);
  }

  // -------------------------------------------------------------- statements

  private stmt(s: Stmt, apart: Apart): void {
    switch (s.kind) {
      case "expr":
        if (s.expr) this.sets(s.expr, apart);
        return;
      case "decl":
        for (const { sym, init } of s.decls) {
          if (init?.kind === "list" || sym.storage === "static") this.varying.add(sym);
          else if (init) {
            this.sets(init.expr, apart);
            if (apart || this.differs(init.expr)) this.varying.add(sym);
          }
        }
        return;
      case "compound":
        for (const child of s.body) this.stmt(child, apart);
        return;
      case "if": {
        this.sets(s.test, apart);
        const inside = apart ?? this.decides(s.test, s);
        this.stmt(s.then, inside);
        if (s.else) this.stmt(s.else, inside);
        return;
      }
      case "for":
      case "while":
      case "do":
        return this.loop(s, apart);
      case "switch": {
        this.sets(s.test, apart);
        this.around.push({ stmt: s, isLoop: false });
        this.stmt(s.body, apart ?? this.decides(s.test, s) ?? this.loops.get(s));
        this.around.pop();
        return;
      }
      case "label":
      case "case":
        return this.stmt(s.body, apart);
      case "break":
      case "continue": {
        const left = this.around.findLast((one) => s.kind === "break" || one.isLoop);
        if (left && apart) this.loops.set(left.stmt, apart);
        return;
      }
      case "goto":
        // The target is not analysed, so all enclosing loops count as non-uniform.
        for (const { stmt } of this.around) this.loops.set(stmt, s.span.start);
        return;
      case "ext":
        return this.node(s.ext as IrNode, s, apart);
      default:
        return;
    }
  }

  /** The location of a non-uniform test; for tests generated by arc, that of their statement. */
  private decides(test: Expr | undefined, { span }: Stmt): Apart {
    if (!test || !this.differs(test)) return undefined;
    return test.span.start.line > 0 ? test.span.start : span.start;
  }

  private loop(s: Extract<Stmt, { kind: "for" | "while" | "do" }>, apart: Apart): void {
    if (s.kind === "for" && s.init)
      s.init.kind === "decl" ? this.stmt(s.init, apart) : this.sets(s.init, apart);
    const inside = apart ?? this.decides(s.test, s) ?? this.loops.get(s);
    if (s.test) this.sets(s.test, inside);
    this.around.push({ stmt: s, isLoop: true });
    this.stmt(s.body, inside);
    this.around.pop();
    if (s.kind === "for" && s.step) this.sets(s.step, inside);
  }

  private node(n: IrNode, s: Stmt, apart: Apart): void {
    if (n.kind === "shuffle") {
      if (apart) this.apart.set(n, apart);
      if (n.assignment.kind === "assign") this.set(n.assignment.left, n.assignment, n.site.loc);
      return;
    }
    if (n.kind === "loop") return this.counted(n, s, apart);
    const { exprs, stmts } = n.shape.parts(n);
    for (const e of exprs) this.sets(e, apart);
    if (n.kind === "atomic") for (const e of [n.target, n.captured]) if (e) this.set(e, e, n.site.loc);
    for (const child of stmts) this.stmt(child, apart);
  }

  private counted(n: Loop, s: Stmt, apart: Apart): void {
    const isShared = n.parallel.independence !== "seq" && n.parallel.levels.length > 0;
    const bounds = n.headers.flatMap((h) => [h.lower, h.bound, h.step]);
    const decides = isShared ? n.site.loc : bounds.map((e) => this.decides(e, s)).find((loc) => loc);
    const inside = apart ?? decides ?? this.loops.get(s);
    if (inside) for (const h of n.headers) this.varying.add(h.var);
    this.around.push({ stmt: s, isLoop: true });
    this.stmt(n.body, inside);
    this.around.pop();
  }
}
