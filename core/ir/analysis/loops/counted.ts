/** Recognises counted loops: the normal form that partitioned loops must have. */

import {
  evaluateInteger,
  INT_BITS,
  intKind,
  isInteger,
  isPointer,
  isSigned,
  LONG,
  sizeOf,
  walkExpr,
} from "../../../lang/index.ts";
import type { CType, Diagnostic, Expr, ForStmt, Symbol } from "../../../lang/tree/ast.ts";
import { cast, intLit, stripImplicit, unary } from "../../../lang/tree/build.ts";
import type { LoopHeader } from "../../model/ir.ts";

const REMEDY = "write for (i = lower; i < upper; i += step) with loop-invariant bounds and step";
const mirrored = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!=" } as const;

function isVar(e: Expr | undefined, sym: Symbol): boolean {
  const inner = e && stripImplicit(e);
  return inner?.kind === "ident" && inner.sym === sym;
}

function mentions(e: Expr, sym: Symbol): boolean {
  let found = false;
  walkExpr(e, {
    expr: (inner) => {
      found ||= inner.kind === "ident" && inner.sym === sym;
      // The sizeof operand is not evaluated.
      return inner.kind !== "sizeof";
    },
  });
  return found;
}

/** for-init: `i = e` or `T i = e`. */
function start(loop: ForStmt): { sym: Symbol; lower: Expr; declares: boolean } | undefined {
  const init = loop.init;
  if (!init) return undefined;
  if (init.kind === "decl") {
    const [first, ...rest] = init.decls;
    if (!first || rest.length > 0 || first.init?.kind !== "expr") return undefined;
    return { sym: first.sym, lower: first.init.expr, declares: true };
  }
  const left = init.kind === "assign" && init.op === "=" ? stripImplicit(init.left) : undefined;
  if (init.kind !== "assign" || left?.kind !== "ident") return undefined;
  return { sym: left.sym, lower: init.right, declares: false };
}

/** for-step: `i++`, `i--`, `i += e`, `i -= e`, `i = i + e`, `i = e + i`, `i = i - e`. */
function increment(step: Expr | undefined, sym: Symbol): Expr | undefined {
  if (!step) return undefined;
  if (step.kind === "incdec" && isVar(step.arg, sym)) return intLit(step.op === "++" ? 1 : -1);
  if (step.kind !== "assign" || !isVar(step.left, sym)) return undefined;
  if (step.op === "+=") return signed(step.right, sym.type);
  if (step.op === "-=") return negative(step.right, sym.type);
  const sum = stripImplicit(step.right);
  if (step.op !== "=" || sum.kind !== "binary") return undefined;
  if (sum.op === "+" && isVar(sum.left, sym)) return signed(sum.right, sym.type);
  if (sum.op === "+" && isVar(sum.right, sym)) return signed(sum.left, sym.type);
  if (sum.op === "-" && isVar(sum.left, sym)) return negative(sum.right, sym.type);
  return undefined;
}

/**
 * A constant step as it acts on the variable, which wraps around: adding 4294967295u to an unsigned variable counts
 * down.
 */
function signed(step: Expr, variable: CType): Expr {
  const value = evaluateInteger(step);
  const kind = isPointer(variable) ? "long" : intKind(variable);
  if (value === undefined || kind === undefined) return step;
  const acting = BigInt.asIntN(INT_BITS[kind], value);
  return acting === value ? step : intLit(acting, LONG);
}

/** Unsigned operands are converted before negation: `i -= 2u` steps by -2. */
function negative(step: Expr, variable: CType): Expr {
  const value = evaluateInteger(step);
  const written = stripImplicit(step);
  if (isSigned(step.type) && isSigned(written.type)) return signed(unary("-", step), variable);
  if (value !== undefined) return signed(intLit(-value, LONG), variable);
  return unary("-", isSigned(written.type) ? written : cast(LONG, written));
}

/** Loops whose variable is expected to wrap around before it reaches the bound. */
function wrapping(
  { name, type }: Symbol,
  { lower, relation, bound, step }: Pick<LoopHeader, "lower" | "relation" | "bound" | "step">,
  compared: CType,
): string | undefined {
  const narrow = (sizeOf(type) ?? 8) < 4;
  const unit = evaluateInteger(step) === 1n || evaluateInteger(step) === -1n;
  if (relation === "!=" && !unit && (narrow || !isSigned(type)))
    return `'${name}' may step over its bound and wrap around`;
  const up = relation === "<" || relation === "<=" || relation === "!=";
  const within = (e: Expr) => {
    const value = evaluateInteger(e) ?? -1n;
    return value >= 0n && value < 1n << (8n * BigInt(sizeOf(type) ?? 1) - 1n);
  };
  if (narrow && isSigned(type) && !isSigned(compared) && !(up && within(lower) && within(bound)))
    return `'${name}' is narrower than the unsigned type in which it is compared with its bound`;
  return undefined;
}

const headers = new WeakMap<ForStmt, LoopHeader | Diagnostic>();

/** The loop's header in normal form, or why it has none. Every analysis and every walk asks for it. */
export function countedHeader(loop: ForStmt): LoopHeader | Diagnostic {
  const header = headers.get(loop) ?? readHeader(loop);
  headers.set(loop, header);
  return header;
}

function readHeader(loop: ForStmt): LoopHeader | Diagnostic {
  const refuse = (message: string): Diagnostic => ({
    severity: "error",
    code: "not-a-counted-loop",
    loc: loop.span.start,
    message,
    why: "the iterations must be known before the loop starts to share them out",
    remedy: REMEDY,
  });
  const from = start(loop);
  if (!from) return refuse("the loop does not start by setting one variable");
  const { sym, lower, declares } = from;
  if (!isInteger(sym.type) && !isPointer(sym.type))
    return refuse(`the loop variable '${sym.name}' is neither an integer nor a pointer`);
  const test = loop.test && stripImplicit(loop.test);
  if (test?.kind !== "binary" || !(test.op in mirrored))
    return refuse(`the loop's condition does not compare '${sym.name}' with a bound`);
  const op = test.op as keyof typeof mirrored;
  const onLeft = isVar(test.left, sym);
  if (!onLeft && !isVar(test.right, sym))
    return refuse(`the loop's condition does not compare '${sym.name}' with a bound`);
  const relation = onLeft ? op : mirrored[op];
  const bound = onLeft ? test.right : test.left;
  const compared = onLeft ? test.left : test.right;
  const wraps = isSigned(sym.type) && isInteger(compared.type) && !isSigned(compared.type);
  if (wraps && (evaluateInteger(lower) ?? 0n) < 0n)
    return refuse(`'${sym.name}' starts below zero but is compared as unsigned, where it is huge`);
  const step = increment(loop.step, sym);
  if (!step) return refuse(`the loop does not step '${sym.name}' by a constant amount`);
  const own = [lower, bound, step].findIndex((e) => mentions(e, sym));
  if (own >= 0)
    return refuse(`the ${["start", "bound", "step"][own]} of '${sym.name}' depends on '${sym.name}' itself`);
  if (!isPointer(sym.type)) {
    const wide = [sym.type, compared.type].some((type) => (sizeOf(type) ?? 0) > 8);
    if (wide || !isInteger(compared.type) || !isInteger(step.type))
      return refuse(
        wide
          ? `the loop counts '${sym.name}' in more than 64 bits`
          : `the bound and the step of '${sym.name}' must be integers`,
      );
    const problem = wrapping(sym, { lower, relation, bound, step }, compared.type);
    if (problem) return refuse(problem);
  }
  return {
    var: sym,
    declares,
    lower,
    relation,
    bound,
    step,
    span: { start: loop.span.start, end: loop.body.span.start },
  };
}
