/** Kernel parameters for a region's arguments, and the body rewritten to use them. */

import { entryOf, itemAt } from "../../../core/checked/access.ts";
import { type Argument, variableDims } from "../../../core/ir/model/region.ts";
import {
  canonical,
  LONG,
  mapStmt,
  NOWHERE,
  pointerTo,
  SIZE,
  sizeOf,
  substitute,
  unqualified,
  walkStmt,
} from "../../../core/lang/index.ts";
import type { CType, Expr, Init, RecordDecl, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import {
  declare,
  deref,
  freshSymbol,
  ident,
  intLit,
  member,
  stripImplicit,
} from "../../../core/lang/tree/build.ts";
import type { KernelParam } from "../device/device.ts";
import { flattenExtents } from "./extents.ts";
import type { LowerInput } from "./input.ts";

export class Parameters {
  private readonly args: readonly Argument[];
  private readonly passed: number;
  private readonly symbols = new Map<Argument, Symbol>();
  private readonly used = new Set<Argument>();
  private readonly fixed: ReadonlyMap<Argument, Init>;
  private readonly extents: NonNullable<LowerInput["extents"]>;
  private readonly isGiven: NonNullable<LowerInput["isRetained"]>;

  /**
   * `args` come from the launch, `globals` from other units; `fixed` ones are local constants of the kernel. `extents`:
   * expressions for extents in the code; `isGiven`: whether a pointer parameter keeps what the caller gave.
   */
  constructor(
    args: readonly Argument[],
    globals: readonly Argument[],
    fixed: ReadonlyMap<Argument, Init> = new Map(),
    extents: LowerInput["extents"] = new Map(),
    isGiven: LowerInput["isRetained"] = ({ kind }) => kind === "param",
  ) {
    this.extents = extents;
    this.isGiven = isGiven;
    this.args = [...args, ...globals];
    this.passed = args.length;
    this.fixed = fixed;
    for (const a of this.args)
      this.symbols.set(a, freshSymbol(a.name, fixed.has(a) ? a.sym.type : parameterType(a)));
  }

  /** Declarations of the fixed ones. */
  constants(): readonly Stmt[] {
    return [...this.fixed].flatMap(([a, init]): readonly Stmt[] => {
      const sym = this.symbolOf(a);
      return this.used.has(a) ? [{ ...declare(sym), decls: [{ sym, init, span: NOWHERE }] }] : [];
    });
  }

  /** Replaces the region's variables by parameters. */
  rewrite(body: Stmt): Stmt {
    const arrays = this.args.filter((a) => a.how === "buffer" && variableDims(a.sym).length === 0);
    const folded = arraysAsPointers(body, new Set(arrays.map((a) => a.sym)));
    const extents = new Map<Symbol, ReadonlyMap<number, Symbol>>();
    for (const a of this.args)
      if (a.how === "extent")
        extents.set(
          a.sym,
          new Map([...(extents.get(a.sym) ?? []), [a.dim as number, entryOf(this.symbols, a)]]),
        );
    const flattened = flattenExtents(folded, extents);
    const replace = new Map<Symbol, Expr>();
    for (const a of this.args) {
      const extent = a.dim === undefined ? undefined : this.extents.get(a.sym)?.get(a.dim);
      if (extent) replace.set(extent, ident(this.symbolOf(a)));
      if (a.how !== "extent") replace.set(a.sym, this.reference(a));
    }
    const result = substitute(flattened, replace);
    const names = namesIn(result);
    for (const a of this.args) if (names.has(entryOf(this.symbols, a))) this.used.add(a);
    return result;
  }

  /** The argument's type as a function parameter. */
  typeOf(a: Argument): CType {
    return parameterType(a);
  }

  /** An expression for the argument's variable in the kernel. */
  reference(a: Argument): Expr {
    const sym = ident(entryOf(this.symbols, a));
    if (a.how === "object") return deref(sym);
    return isArrayValue(a) ? (member(sym, "value", false) as Expr) : sym;
  }

  use(a: Argument): void {
    this.used.add(a);
  }

  /** The argument's value as an expression; marks it as used. */
  value(a: Argument): Expr {
    this.use(a);
    return this.reference(a);
  }

  /** Whether a variable of the rewritten code is a parameter. */
  has(sym: Symbol): boolean {
    return this.args.some((a) => a.how !== "extent" && this.symbols.get(a) === sym);
  }

  symbolOf(a: Argument): Symbol {
    return entryOf(this.symbols, a);
  }

  /** `exchanges`: items exchange data through memory, so that the compiler must not delay stores. */
  params(exchanges: boolean): KernelParam[] {
    return this.args.flatMap((a, i) => {
      if (!this.used.has(a) || this.fixed.has(a)) return [];
      const unaliased = (!exchanges || a.item.access === "read-only") && this.isUnaliased(a);
      return [{ ...this.param(a, i), ...(unaliased && { unaliased }) }];
    });
  }

  /**
   * As promised by `restrict`, unless another pointer may be based on it (C11 6.7.3.1p3); distinct arrays do not alias
   * anyway, unless another pointer may point into them.
   */
  private isUnaliased(a: Argument): boolean {
    if (a.how !== "buffer") return false;
    if (isRestrict(a))
      return this.args.every(
        (b) =>
          isRestrict(b) || !leadsElsewhere(b.sym.type) || (a.sym.scope !== "file" && this.isGiven(b.sym)),
      );
    return (
      canonical(a.sym.type).kind === "array" &&
      this.args.every((b) => isRestrict(b) || !leadsElsewhere(b.sym.type))
    );
  }

  /** The parameter of a mapped variable, for kernels that only need that one. */
  object(sym: Symbol): KernelParam {
    const i = this.args.findIndex((a) => a.sym === sym && a.how === "object");
    return this.param(itemAt(this.args, i), i);
  }

  /** Parameters passed by value: private to each work-item. */
  values(): Symbol[] {
    return this.args
      .filter((a) => a.how === "value" && !this.fixed.has(a))
      .map((a) => entryOf(this.symbols, a));
  }

  private param(argument: Argument, index: number): KernelParam {
    return {
      sym: entryOf(this.symbols, argument),
      pointer: argument.how === "buffer" || argument.how === "object",
      source:
        argument.global === undefined
          ? { from: "argument", index, argument }
          : { from: "global", index: index - this.passed, argument },
    };
  }
}

function isRestrict(a: Argument): boolean {
  return a.sym.type.quals?.restrict === true;
}

/** Whether values of the type contain pointers. */
function leadsElsewhere(type: CType): boolean {
  const c = canonical(type);
  if (c.kind === "array") return leadsElsewhere(c.of);
  return c.kind !== "int" && c.kind !== "float" && c.kind !== "enum";
}

function isArrayValue(a: Argument): boolean {
  return a.how === "value" && canonical(a.sym.type).kind === "array";
}

/** C passes arrays by value only inside a struct. */
function wrapped(sym: Symbol): CType {
  const decl: RecordDecl = {
    kind: "record-decl",
    id: -sym.id,
    union: false,
    tag: `arc_copy_of_${sym.name}`,
    fields: [{ name: "value", type: unqualified(sym.type), span: NOWHERE }],
    span: NOWHERE,
  };
  return { kind: "record", decl };
}

function parameterType(a: Argument): CType {
  const type = canonical(a.sym.type);
  if (a.how === "extent") return LONG;
  if (isArrayValue(a)) return wrapped(a.sym);
  if (a.how === "value") return unqualified(a.sym.type);
  if (a.how === "object") return pointerTo(a.sym.type);
  let of = type.kind === "pointer" ? type.to : type.kind === "array" ? type.of : type;
  if (variableDims(a.sym).length > 0)
    for (let t = canonical(of); t.kind === "array"; t = canonical(of)) of = t.of;
  return pointerTo(of);
}

/** Arrays become pointers in the kernel: `sizeof` and `&` must keep their meaning. */
export function arraysAsPointers(body: Stmt, arrays: ReadonlySet<Symbol>): Stmt {
  return mapStmt(body, {
    expr(e) {
      const size = e.kind === "sizeof" && e.arg ? sizeOf(e.arg.type) : undefined;
      if (size !== undefined) return intLit(size, SIZE);
      if (e.kind !== "unary" || e.op !== "&") return e;
      const array = stripImplicit(e.arg);
      const isOne = array.kind === "ident" && arrays.has(array.sym) && canonical(array.type).kind === "array";
      return isOne ? { kind: "cast", to: e.type, arg: array, type: e.type, span: e.span } : e;
    },
  });
}

function namesIn(body: Stmt): ReadonlySet<Symbol> {
  const names = new Set<Symbol>();
  walkStmt(body, {
    expr: (e) => {
      if (e.kind === "ident") names.add(e.sym);
    },
  });
  return names;
}
