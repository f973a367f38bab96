/**
 * Workarounds for barriers in PoCL 3.1. It keeps scalars across a barrier, but may lose them where they are declared in
 * an iteration of a loop that may skip the code; and what the first work-item does in a conditional branch may be
 * lost if barriers follow in the branch. A loop that its own test or `break` leaves by more than one branch before a
 * barrier may lose all of its iterations: such loops are left by one branch, and a barrier between its condition and
 * the branch keeps LLVM from making two of it.
 *
 *     for (...)                                       int s, arc_taken;
 *       if (c) {                                      for (...)
 *         int s = b[i];                     =>          for (arc_taken = !!c; arc_taken; arc_taken = 0) {
 *         barrier();                                      s = b[i];
 *         x += s;                                         barrier();
 *       }                                                 x += s;
 *                                                       }
 *
 *     while (a && b) {                                for (;;) {
 *       barrier();                          =>          arc_taken = !(a && b);
 *       ...                                             barrier();
 *                                                       if (arc_taken) break;
 *                                                       barrier();
 *                                                       ...
 */
import { itemAt } from "../../../core/checked/access.ts";
import {
  canonical,
  INT,
  mapChildren,
  NOWHERE,
  substitute,
  unqualified,
  walkExpr,
} from "../../../core/lang/index.ts";
import type { DeclStmt, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
  comma,
  compound,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
  unary,
} from "../../../core/lang/tree/build.ts";
import { escapes, flat, hasBarrier, usesContinue } from "../device/control.ts";
import { barrier, type Kernel, type LoweredRegion } from "../device/device.ts";

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
    const inner = this.leftOnce(mapChildren(s, (child) => this.of(child, inLoop || isLoop)));
    if (!inLoop) return inner;
    if (inner.kind === "if" && !escapes(inner)) return this.once(inner);
    if (inner.kind !== "compound") return inner;
    const body = inner.body.flatMap((child) =>
      child.kind === "decl" && isOfScalars(child) ? this.assigned(child) : [child],
    );
    return { ...inner, body };
  }

  /** A loop around barriers, which all items leave together, with one branch to its end. */
  private leftOnce(s: Stmt): Stmt {
    if (s.kind !== "for" && s.kind !== "while" && s.kind !== "do") return s;
    const done = freshSymbol("arc_taken", INT);
    const body = leavesLoop(s.body) ? this.withoutBreaks(flat(s.body), done) : undefined;
    if (!body) return s.kind === "do" || !s.test || !branches(s.test) ? s : this.tested(s, s.test);
    this.flags.push(done);
    const goes = unary("!", ident(done));
    const test = s.test ? binary("&&", goes, s.test) : goes;
    const own = { ...s, body: compound(body, s.body.span), test };
    // A step is none of an iteration that breaks.
    const loop =
      own.kind === "for" && own.step
        ? { ...own, step: binary("||", ident(done), comma(own.step, intLit(1))) }
        : own;
    const begun = exprStmt(assign(ident(done), intLit(0)));
    return compound([begun, loop.kind === "do" ? loop : this.tested(loop, test)], s.span);
  }

  /** The loop with its test at the head of its body, behind a barrier that follows its value. */
  private tested(s: Stmt & { readonly kind: "for" | "while" }, test: Expr): Stmt {
    const flag = this.variable();
    const inside = compound(
      [
        exprStmt(assign(ident(flag), unary("!", test))),
        barrier(),
        ifStmt(ident(flag), { kind: "break", span: NOWHERE }),
        s.body,
      ],
      s.body.span,
    );
    if (s.kind === "while") return { kind: "for", body: inside, span: s.span };
    const { test: _, ...rest } = s;
    return { ...rest, body: inside };
  }

  /**
   * A loop's statements, of which `if (c) break;` sets `done` and skips the rest; undefined if they leave the loop or
   * continue it otherwise.
   */
  private withoutBreaks(body: readonly Stmt[], done: Symbol): readonly Stmt[] | undefined {
    const at = body.findIndex(leavesLoop);
    if (at < 0) return body;
    const branch = itemAt(body, at);
    if (branch.kind !== "if" || branch.else) return undefined;
    const inside = flat(branch.then);
    const before = inside.slice(0, -1);
    if (inside.at(-1)?.kind !== "break" || before.some(leavesLoop)) return undefined;
    const behind = body.slice(at + 1);
    const rest = this.withoutBreaks(behind, done);
    if (!rest || behind.some(usesContinue)) return undefined;
    const not = this.variable();
    return [
      ...body.slice(0, at),
      exprStmt(assign(ident(done), unary("!", unary("!", branch.test)))),
      ...(before.length > 0 ? [ifStmt(ident(done), compound(before))] : []),
      ...(rest.length > 0
        ? [runsOnce(not, compound(rest), assign(ident(not), unary("!", ident(done))))]
        : []),
    ];
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

/** Whether a `break` of the loop around the statement is in it. */
function leavesLoop(s: Stmt): boolean {
  if (s.kind === "break") return true;
  if (s.kind === "for" || s.kind === "while" || s.kind === "do" || s.kind === "switch") return false;
  let found = false;
  mapChildren(s, (child) => {
    found ||= leavesLoop(child);
    return child;
  });
  return found;
}

/** Whether an expression may become more than one branch. */
function branches(e: Expr): boolean {
  let found = false;
  walkExpr(e, {
    expr(part) {
      found ||= part.kind === "cond" || part.kind === "call";
      found ||= part.kind === "binary" && (part.op === "&&" || part.op === "||");
    },
  });
  return found;
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
