/** Pure functions and expressions: computing them in any order, or twice, changes nothing. */

import { canonical, elementType, walkExpr, walkStmt } from "../../lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../lang/tree/ast.ts";
import { usesOf } from "./access.ts";

const mathNames =
  /^(fabs|sqrt|rsqrt|cbrt|exp|exp2|exp10|expm1|log|log2|log10|log1p|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|pow|hypot|floor|ceil|round|trunc|rint|fmod|fmin|fmax|fma|fdim|erf|erfc|tgamma|lgamma|copysign|ldexp|scalbn|scalbln|remainder|nextafter|nearbyint|logb|ilogb|lrint|llrint|lround|llround|asinh|acosh|atanh|isnan|isinf|isfinite|signbit|abs|labs|llabs)[fl]?$/;

/** Functions of <complex.h>, and the builtin behind its macro CMPLX. */
const complexNames =
  /^(creal|cimag|cabs|carg|conj|cproj|cexp|clog|csqrt|cpow|csin|ccos|ctan|csinh|ccosh|ctanh|casin|cacos|catan|casinh|cacosh|catanh)[fl]?$|^__builtin_complex$/;

/** The functions that gcc's <math.h> macros expand to. */
const mathMacros =
  /^__builtin_((nan|inf|huge_val|signbit)[fl]?|isnan|isinf(_sign)?|isfinite|isnormal|fpclassify|isgreater|isgreaterequal|isless|islessequal|islessgreater|isunordered)$/;

/** Whether computing a value may change a variable. */
export function hasEffects(e: Expr): boolean {
  let found = false;
  walkExpr(e, {
    expr({ kind }) {
      found ||= kind === "assign" || kind === "incdec" || kind === "call" || kind === "stmt-expr";
      return !found;
    },
  });
  return found;
}

/** Pure functions of <math.h>, <complex.h> and <stdlib.h>. */
export function isPureMath(sym: Symbol): boolean {
  return (
    !sym.definition && (mathNames.test(sym.name) || mathMacros.test(sym.name) || complexNames.test(sym.name))
  );
}

/** Functions of complex numbers. */
export const isComplexMath = ({ name }: Pick<Symbol, "name">): boolean => complexNames.test(name);

/** Functions of <math.h> that also store a result through a pointer. */
export function leavesResult(sym: Symbol): boolean {
  return !sym.definition && /^(__builtin_)?(frexp|modf|remquo|sincos)f?$/.test(sym.name);
}

/** What a pure function reads besides its arguments. */
interface Reads {
  /** Variables with static storage. */
  readonly globals: ReadonlySet<Symbol>;
  /** Whether it reads memory that its pointer arguments lead to. */
  readonly pointees: boolean;
}

const nothing: Reads = { globals: new Set(), pointees: false };

/** What `sym` reads, or undefined if it may have effects. `active`: functions under analysis, to detect recursion. */
export function pureReads(sym: Symbol, active: readonly Symbol[] = []): Reads | undefined {
  if (isPureMath(sym)) return nothing;
  const def = sym.definition;
  // A recursive function may never return.
  if (!def || active.includes(sym) || def.params.some((p) => isVolatile(p.type))) return undefined;
  const uses = usesOf(def.body);
  if (uses.indirectCall || opaque(def.body)) return undefined;
  const globals = new Set<Symbol>();
  let pointees = false;
  const own = (s: Symbol) =>
    s.storage !== "static" && s.storage !== "extern" && (uses.declared.has(s) || def.params.includes(s));
  for (const [s, use] of uses.of) {
    if (isVolatile(s.type)) return undefined;
    const leadsOut = canonical(s.type).kind === "pointer";
    if (!own(s)) {
      if (use.written || use.elementsWritten || use.addressTaken) return undefined;
      globals.add(s);
      if (leadsOut && use.elementsRead) pointees = true;
    } else if (leadsOut) {
      if (use.elementsWritten) return undefined;
      if (use.elementsRead) pointees = true;
    } else if (use.addressTaken) return undefined;
  }
  for (const callee of uses.calls.keys()) {
    const reads = pureReads(callee, [...active, sym]);
    if (!reads) return undefined;
    for (const g of reads.globals) globals.add(g);
    pointees ||= reads.pointees;
  }
  return { globals, pointees };
}

export function isVolatile(type: CType): boolean {
  const seen = canonical(type);
  if (seen.quals?.volatile || seen.quals?.atomic) return true;
  const element = seen.kind === "array" || seen.kind === "pointer" ? elementType(seen) : undefined;
  return element !== undefined && isVolatile(element);
}

/** Assembly text, and nodes of the IR that are more than computation. */
function opaque(body: Stmt): boolean {
  let found = false;
  walkStmt(body, {
    stmt: (s) => {
      if (s.kind === "asm" || (s.kind === "ext" && s.ext.kind !== "loop")) found = true;
    },
  });
  return found;
}
