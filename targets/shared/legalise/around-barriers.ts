/**
 * Workarounds for barriers in PoCL 3.1. It keeps scalars across a barrier, but may lose them where they are declared in
 * an iteration of a loop that may skip the code; and what the first work-item does in a conditional branch may be
 * lost if barriers follow in the branch.
 *
 *     for (...)                                       int s, arc_taken;
 *       if (c) {                                      for (...)
 *         int s = b[i];                     =>          for (arc_taken = !!c; arc_taken; arc_taken = 0) {
 *         barrier();                                      s = b[i];
 *         x += s;                                         barrier();
 *       }                                                 x += s;
 *                                                       }
 */
import { canonical, INT, mapChildren, NOWHERE, substitute, unqualified } from "../../../core/lang/index.ts";
import type { DeclStmt, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  intLit,
  unary,
} from "../../../core/lang/tree/build.ts";
import { escapes, hasBarrier } from "../device/control.ts";
import type { Kernel, LoweredRegion } from "../device/device.ts";

export function aroundBarriers(region: LoweredRegion): LoweredRegion {
  return { ...region, kernels: region.kernels.map((k) => (k.body.some(hasBarrier) ? ofKernel(k) : k)) };
}

function ofKernel(kernel: Kernel): Kernel {
  const rewriting = new Rewriting();
  const body = kernel.body.map((s) => rewriting.of(s, false));
  const names = new Map([...rewriting.moved].map(([sym, own]) => [sym, ident(own)]));
  const head = [...rewriting.moved.values(), ...rewriting.flags].map((sym) => declare(sym));
  return { ...kernel, body: [...head, ...body.map((s) => substitute(s, names))] };
}

class Rewriting {
  /** Scalars, and the kernel variables that replace them. */
  readonly moved = new Map<Symbol, Symbol>();
  /** Variables that say whether a branch is taken. */
  readonly flags: Symbol[] = [];

  /** `inLoop`: `s` is inside a loop around barriers. */
  of(s: Stmt, inLoop: boolean): Stmt {
    if (!hasBarrier(s)) return s;
    const isLoop = s.kind === "for" || s.kind === "while" || s.kind === "do";
    const inner = mapChildren(s, (child) => this.of(child, inLoop || isLoop));
    if (!inLoop) return inner;
    if (inner.kind === "if" && !escapes(inner)) return this.once(inner);
    if (inner.kind !== "compound") return inner;
    const body = inner.body.flatMap((child) =>
      child.kind === "decl" && isOfScalars(child) ? this.assigned(child) : [child],
    );
    return { ...inner, body };
  }

  private once({ test, then, else: other, span }: Stmt & { readonly kind: "if" }): Stmt {
    const flag = this.variable();
    const truth = unary("!", unary("!", test));
    if (!other) return runsOnce(flag, then, assign(ident(flag), truth));
    const not = this.variable();
    return compound(
      [
        exprStmt(assign(ident(not), unary("!", test))),
        runsOnce(flag, then, assign(ident(flag), unary("!", ident(not)))),
        runsOnce(not, other),
      ],
      span,
    );
  }

  private variable(): Symbol {
    const sym = freshSymbol("arc_taken", INT);
    this.flags.push(sym);
    return sym;
  }

  private assigned({ decls }: DeclStmt): Stmt[] {
    return decls.flatMap(({ sym, init }) => {
      this.moved.set(sym, freshSymbol(sym.name, unqualified(sym.type)));
      return init?.kind === "expr" ? [exprStmt(assign(ident(sym), init.expr))] : [];
    });
  }
}

const runsOnce = (flag: Symbol, body: Stmt, init?: Expr): Stmt => ({
  kind: "for",
  ...(init && { init }),
  test: ident(flag),
  step: assign(ident(flag), intLit(0)),
  body: compound([body]),
  span: NOWHERE,
});

const isOfScalars = (s: DeclStmt): boolean =>
  s.defines.length === 0 &&
  s.decls.every(
    ({ sym, init }) =>
      ["int", "float", "enum", "pointer"].includes(canonical(sym.type).kind) &&
      !canonical(sym.type).quals?.volatile &&
      sym.kind !== "typedef" &&
      sym.storage === "none" &&
      (init === undefined || init.kind === "expr"),
  );
