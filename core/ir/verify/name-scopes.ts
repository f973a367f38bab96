/** Where each variable is declared and used, by C's scopes and those of the IR's nodes. */

import { walkExpr, walkInit, walkType } from "../../lang/index.ts";
import type {
  CType,
  DeclStmt,
  Expr,
  ExtNode,
  FunctionDef,
  Init,
  Span,
  Stmt,
  Symbol,
} from "../../lang/tree/ast.ts";
import type { Accumulate, DelayLine, Idiom } from "../model/idioms.ts";
import type { DataItem, DeviceObject, IrNode, Loop } from "../model/ir.ts";

interface ScopeVisitor {
  /** Declarations between the two calls hide outer ones. */
  enter(): void;
  leave(): void;
  declares(sym: Symbol, at: Span): void;
  /** `sym` is used in code that runs. */
  uses(sym: Symbol, at: Span): void;
  /** A clause names `sym`, or only its type is used. */
  names(sym: Symbol, at: Span): void;
  /** Every iteration of the enclosing loop has a private `sym`, which is declared outside, if at all. */
  privatises?(sym: Symbol): void;
}

/** The variables that a node's items or objects introduce, declared where its body begins. */
export function ownVariables(n: ExtNode): readonly Symbol[] {
  const { items = [], objects = [] } = n as {
    readonly items?: readonly DataItem[];
    readonly objects?: readonly DeviceObject[];
  };
  return [...new Set([...items.flatMap((i) => (i.own ? [i.sym] : [])), ...objects.map((o) => o.pointer)])];
}

/** Variables that a node's clauses name without an expression. */
function named(n: IrNode | Idiom): readonly Symbol[] {
  switch (n.kind) {
    case "spmd":
      return [...n.privates, ...n.firstprivates, ...n.reductions.map((r) => r.sym)];
    case "loop": {
      const { windows = [], apart = [] } = n.hints ?? {};
      return [
        ...n.privates,
        ...n.reductions.map((r) => r.sym),
        ...windows.flatMap((w) => [w.input, ...w.outputs]),
        ...apart.map((a) => a.array),
      ];
    }
    case "host-data":
      return n.variables;
    default:
      return [];
  }
}

export function walkFunction(def: FunctionDef, visitor: ScopeVisitor): void {
  visitor.enter();
  for (const param of def.params) visitor.declares(param, param.span);
  new ScopeWalk(visitor).stmts(def.body.kind === "compound" ? def.body.body : []);
  visitor.leave();
}

/** Walks a statement in the visitor's current scope. */
export function walkScopes(s: Stmt, visitor: ScopeVisitor): void {
  new ScopeWalk(visitor).stmt(s);
}

class ScopeWalk {
  private readonly visitor: ScopeVisitor;

  constructor(visitor: ScopeVisitor) {
    this.visitor = visitor;
  }

  stmts(list: readonly Stmt[]): void {
    for (const s of list) this.stmt(s);
  }

  /** A statement with a scope of its own. */
  private scoped(visit: () => void): void {
    this.visitor.enter();
    visit();
    this.visitor.leave();
  }

  stmt(s: Stmt): void {
    switch (s.kind) {
      case "expr":
        return this.expr(s.expr);
      case "decl":
        return this.declaration(s);
      case "compound":
        return this.scoped(() => this.stmts(s.body));
      case "if":
        this.expr(s.test);
        this.scoped(() => this.stmt(s.then));
        if (s.else) {
          const { else: otherwise } = s;
          this.scoped(() => this.stmt(otherwise));
        }
        return;
      case "switch":
      case "while":
        this.expr(s.test);
        return this.scoped(() => this.stmt(s.body));
      case "do":
        this.scoped(() => this.stmt(s.body));
        return this.expr(s.test);
      case "for":
        return this.scoped(() => {
          if (s.init?.kind === "decl") this.declaration(s.init);
          else this.expr(s.init);
          this.expr(s.test);
          this.expr(s.step);
          this.scoped(() => this.stmt(s.body));
        });
      case "goto":
        return this.expr(s.target);
      case "return":
        return this.expr(s.value);
      case "label":
        return this.stmt(s.body);
      case "case":
        this.expr(s.value);
        this.expr(s.to);
        return this.stmt(s.body);
      case "ext":
        return this.node(s.ext as IrNode | Idiom, s.span);
    }
  }

  private declaration(s: DeclStmt): void {
    for (const { sym, init } of s.decls) {
      this.type(sym.type);
      this.visitor.declares(sym, s.span);
      if (init) this.init(init);
    }
  }

  private node(n: IrNode | Idiom, span: Span): void {
    for (const sym of named(n)) this.visitor.names(sym, span);
    switch (n.kind) {
      case "loop":
        return this.loop(n);
      case "delayline":
        return this.delayLine(n, span);
      case "accumulate":
        return this.accumulate(n, span);
      case "channel-read":
        return this.visitor.declares(n.into, span);
      default:
        return this.region(n, span);
    }
  }

  private loop(n: Loop): void {
    const { gangs, workers, lanes, tile = [] } = n.parallel;
    for (const e of [gangs, workers, lanes, ...tile]) if (e !== "*") this.expr(e);
    const nest = (k: number): void => {
      const h = n.headers[k];
      if (!h) return this.scoped(() => this.stmt(n.body));
      this.scoped(() => {
        if (h.declares) this.visitor.declares(h.var, h.span);
        else {
          this.visitor.names(h.var, h.span);
          this.visitor.privatises?.(h.var);
        }
        for (const e of [h.lower, h.bound, h.step]) this.expr(e);
        nest(k + 1);
      });
    };
    this.scoped(() => {
      for (const sym of n.privates) this.visitor.privatises?.(sym);
      nest(0);
    });
  }

  private delayLine(n: DelayLine, span: Span): void {
    this.expr(n.line);
    this.scoped(() => {
      if (n.lane) this.visitor.declares(n.lane, span);
      this.expr(n.guard);
      this.expr(n.value);
    });
  }

  private accumulate(n: Accumulate, span: Span): void {
    this.expr(n.register);
    this.scoped(() => {
      this.visitor.declares(n.partial, span);
      this.stmt(n.body);
    });
  }

  /** A node whose expressions are evaluated before its body. */
  private region(n: IrNode | Idiom, span: Span): void {
    const { stmts, exprs } = n.shape.parts(n);
    const own = ownVariables(n);
    this.exprsOutside(exprs, own);
    if (own.length === 0) return this.stmts(stmts);
    this.scoped(() => {
      for (const sym of own) this.visitor.declares(sym, span);
      this.stmts(stmts);
    });
  }

  /** An item that is the region's own variable names itself as its object. */
  private exprsOutside(exprs: readonly Expr[], own: readonly Symbol[]): void {
    for (const e of exprs) if (e.kind !== "ident" || !own.includes(e.sym)) this.expr(e);
  }

  private expr(e: Expr | undefined): void {
    if (e) walkExpr(e, this.inExpressions);
  }

  private type(type: CType): void {
    walkType(type, this.inExpressions);
  }

  private init(init: Init): void {
    walkInit(init, this.inExpressions);
  }

  private readonly inExpressions = {
    expr: (e: Expr): unknown => {
      if (e.kind === "ident") this.visitor.uses(e.sym, e.span);
      if (e.kind === "sizeof" || e.kind === "alignof") {
        if (e.of) walkType(e.of, this.inExpressions);
        if (e.arg) walkExpr(e.arg, this.unevaluated);
        return false;
      }
      if (e.kind !== "stmt-expr") return undefined;
      this.stmt(e.body);
      return false;
    },
  };

  private readonly unevaluated = {
    expr: (e: Expr): void => {
      if (e.kind === "ident") this.visitor.names(e.sym, e.span);
    },
  };
}
