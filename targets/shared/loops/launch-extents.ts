/**
 * Arrays that a region declares and whose size the host can compute before the launch. Host code and kernels both use this,
 * so that the host allocates exactly what kernels use.
 *
 *     firstprivate(n)  { int m = n + 2; double t[n][m]; BODY }    =>    t: (long)n * (long)(int)(n + 2) elements
 */

import { itemAt } from "../../../core/checked/access.ts";
import { usesOf } from "../../../core/ir/analysis/access.ts";
import { hasEffects } from "../../../core/ir/analysis/purity.ts";
import type { Task } from "../../../core/ir/model/ir.ts";
import { spmdOf } from "../../../core/ir/model/region.ts";
import {
  canonical,
  evaluateInteger,
  isInteger,
  isVariablyModified,
  LONG,
  mapExpr,
  sizeOf,
  unqualified,
  walkExpr,
  walkStmt,
} from "../../../core/lang/index.ts";
import type { CType, Expr, FunctionDef, Loc, Symbol } from "../../../core/lang/tree/ast.ts";
import { binary, cast, cond, intLit, stripImplicit } from "../../../core/lang/tree/build.ts";

interface LaunchArray {
  readonly sym: Symbol;
  /** The number of elements of known size, in the program's variables: a `long`. */
  readonly elements: Expr;
}

export interface UnknownArray {
  readonly sym: Symbol;
  readonly loc: Loc;
  readonly why: string;
  readonly remedy: string;
}

interface LaunchArrays {
  /** In the order of their declarations. */
  readonly known: readonly LaunchArray[];
  readonly unknown: readonly UnknownArray[];
}

/** The region's own arrays: those of functions that it calls depend on the call. */
export function launchArrays(task: Task): LaunchArrays {
  const { body } = spmdOf(task);
  const known: LaunchArray[] = [];
  const unknown: UnknownArray[] = [];
  let sizes: LaunchSizes | undefined;
  walkStmt(body, {
    stmt(s) {
      if (s.kind !== "decl") return;
      for (const { sym, init, span } of s.decls) {
        if (sym.kind !== "var" || init || !isVariableArray(sym.type)) continue;
        sizes ??= new LaunchSizes(task);
        const elements = sizes.elements(sym.type);
        if ("why" in elements) unknown.push({ sym, loc: span.start, ...elements });
        else known.push({ sym, elements });
      }
    },
  });
  return { known, unknown };
}

const isVariableArray = (type: CType): boolean =>
  canonical(type).kind === "array" && isVariablyModified(type) && !isVariablyModified(elementOf(type));

/** An array's element type, of known size. */
export function elementOf(type: CType): CType {
  const c = canonical(type);
  return c.kind === "array" && isVariablyModified(c) ? elementOf(c.of) : type;
}

function functionCalled(e: Expr): FunctionDef | undefined {
  const callee = e.kind === "call" ? stripImplicit(e.callee) : undefined;
  return callee?.kind === "ident" ? callee.sym.definition : undefined;
}

/**
 * What a call returns, if the function is a single `return`: its expression with the arguments in it, each as often as
 * the expression names it.
 */
function valueOfCall(e: Expr, def: FunctionDef | undefined): Expr | undefined {
  if (!def || e.kind !== "call" || def.params.length !== e.args.length) return undefined;
  const [only, ...others] = def.body.body;
  const value = only?.kind === "return" && others.length === 0 ? only.value : undefined;
  if (!value || e.args.some(hasEffects)) return undefined;
  const given = new Map(def.params.map((p, k) => [p, cast(unqualified(p.type), itemAt(e.args, k))]));
  const inside = mapExpr(value, { expr: (x) => (x.kind === "ident" ? (given.get(x.sym) ?? x) : x) });
  return cast(unqualified(e.type), inside);
}

type Unknown = Pick<UnknownArray, "why" | "remedy">;

const LARGEST =
  "give it the largest size that is needed, as a constant, or map an array that has a row for each iteration";

/** Values that are constant during the region and known to the host. */
class LaunchSizes {
  private readonly task: Task;
  private readonly uses: ReturnType<typeof usesOf>;
  /** Variables of the region that keep their initial value. */
  private readonly constant = new Map<Symbol, Expr>();

  constructor(task: Task) {
    this.task = task;
    const { body } = spmdOf(task);
    this.uses = usesOf(body);
    walkStmt(body, {
      stmt: (s) => {
        if (s.kind !== "decl") return;
        for (const { sym, init } of s.decls)
          if (init?.kind === "expr" && isInteger(sym.type) && !this.changes(sym))
            this.constant.set(sym, cast(unqualified(sym.type), init.expr));
      },
    });
  }

  elements(type: CType): Expr | Unknown {
    const c = canonical(type);
    if (c.kind !== "array" || !isVariablyModified(c)) return intLit(1, LONG);
    const size = typeof c.size === "number" ? intLit(c.size, LONG) : c.size;
    if (size === undefined || size === "*") return { why: "its type has no size", remedy: LARGEST };
    const extent = this.known(this.inProgram(size));
    if ("why" in extent) return extent;
    const below = this.elements(c.of);
    if ("why" in below) return below;
    const one = evaluateInteger(below) === 1n;
    return one ? cast(LONG, extent) : binary("*", cast(LONG, extent), below);
  }

  private changes(sym: Symbol): boolean {
    const use = this.uses.of.get(sym);
    return use !== undefined && (use.written || use.addressTaken);
  }

  /** Replaces the region's own variables and calls of short functions by their values. */
  private inProgram(e: Expr, inside: ReadonlySet<FunctionDef> = new Set()): Expr {
    return mapExpr(e, {
      expr: (x) => {
        const def = functionCalled(x);
        // A function that calls itself has no expression of this kind.
        const value =
          x.kind === "ident"
            ? this.constant.get(x.sym)
            : def && inside.has(def)
              ? undefined
              : valueOfCall(x, def);
        if (value) return this.inProgram(value, def ? new Set([...inside, def]) : inside);
        // The host evaluates it even if the region would not reach it, so it must not divide by zero.
        const divides = x.kind === "binary" && (x.op === "/" || x.op === "%");
        return divides && evaluateInteger(x.right) === undefined ? cond(x.right, x, intLit(0)) : x;
      },
    });
  }

  private known(e: Expr): Expr | Unknown {
    let unknown: Unknown | undefined;
    walkExpr(e, {
      expr: (x) => {
        unknown ??= this.whyUnknown(x);
      },
    });
    return unknown ?? e;
  }

  private whyUnknown(e: Expr): Unknown | undefined {
    switch (e.kind) {
      case "ident":
        return e.sym.kind === "enumerator" ? undefined : this.whyVariable(e.sym);
      case "sizeof": {
        const type = e.of ?? e.arg?.type;
        return type && sizeOf(type) !== undefined
          ? undefined
          : {
              why: "it depends on the size of another such array",
              remedy: "compute the size from variables",
            };
      }
      case "int":
      case "char":
      case "cast":
      case "cond":
        return undefined;
      case "binary":
        return undefined;
      case "unary":
        if (["-", "+", "~", "!", "__extension__"].includes(e.op)) return undefined;
        break;
      default:
        break;
    }
    return {
      why: "it is read from memory, or computed with effects or by a call",
      remedy: "compute it in front of the region, in a variable",
    };
  }

  private whyVariable(sym: Symbol): Unknown | undefined {
    const { name } = sym;
    if (this.uses.declared.has(sym))
      return { why: `'${name}' gets its value in the region, and may have several`, remedy: LARGEST };
    if (this.changes(sym))
      return {
        why: `the region may change '${name}'`,
        remedy: "keep the size in a variable that the region does not change",
      };
    const item = this.task.items.find((i) => i.sym === sym);
    if (!isInteger(sym.type) || item?.sharing.is !== "firstprivate")
      return {
        why: `'${name}' is shared with the device, whose value may be another`,
        remedy: `write firstprivate(${name})`,
      };
    return undefined;
  }
}
