/** Recognises counted loops: the normal form that partitioned loops must have. */
import type { Diagnostic, Expr, ForStmt, Symbol } from "../lang/ast.ts";
import { intLit, unary } from "../lang/build.ts";
import { evaluateInteger, isInteger, isPointer, isSigned } from "../lang/index.ts";
import type { LoopHeader } from "./ir.ts";

const REMEDY = "write for (i = lower; i < upper; i += step) with loop-invariant bounds and step";
const mirrored = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!=" } as const;

/** Looks through casts that C inserts and parentheses leave no trace of. */
export function bare(e: Expr): Expr {
  return e.kind === "cast" && e.implicit ? bare(e.arg) : e;
}

function isVar(e: Expr | undefined, sym: Symbol): boolean {
  const inner = e && bare(e);
  return inner?.kind === "ident" && inner.sym === sym;
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
  const left = init.kind === "assign" && init.op === "=" ? bare(init.left) : undefined;
  if (init.kind !== "assign" || left?.kind !== "ident") return undefined;
  return { sym: left.sym, lower: init.right, declares: false };
}

/** for-step: `i++`, `i--`, `i += e`, `i -= e`, `i = i + e`, `i = e + i`, `i = i - e`. */
function increment(step: Expr | undefined, sym: Symbol): Expr | undefined {
  if (!step) return undefined;
  if (step.kind === "incdec" && isVar(step.arg, sym)) return intLit(step.op === "++" ? 1 : -1);
  if (step.kind !== "assign" || !isVar(step.left, sym)) return undefined;
  if (step.op === "+=") return step.right;
  if (step.op === "-=") return unary("-", step.right);
  const sum = bare(step.right);
  if (step.op !== "=" || sum.kind !== "binary") return undefined;
  if (sum.op === "+" && isVar(sum.left, sym)) return sum.right;
  if (sum.op === "+" && isVar(sum.right, sym)) return sum.left;
  if (sum.op === "-" && isVar(sum.left, sym)) return unary("-", sum.right);
  return undefined;
}

/** The loop's header in normal form, or why it has none. */
export function countedHeader(loop: ForStmt): LoopHeader | Diagnostic {
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
  const test = loop.test && bare(loop.test);
  if (test?.kind !== "binary" || !(test.op in mirrored))
    return refuse(`the loop's condition does not compare '${sym.name}' with a bound`);
  const op = test.op as keyof typeof mirrored;
  const onLeft = isVar(test.left, sym);
  if (!onLeft && !isVar(test.right, sym))
    return refuse(`the loop's condition does not compare '${sym.name}' with a bound`);
  const compared = onLeft ? test.left : test.right;
  const wraps = isSigned(sym.type) && isInteger(compared.type) && !isSigned(compared.type);
  if (wraps && (evaluateInteger(lower) ?? 0n) < 0n)
    return refuse(`'${sym.name}' starts below zero but is compared as unsigned, where it is huge`);
  const step = increment(loop.step, sym);
  if (!step) return refuse(`the loop does not step '${sym.name}' by a constant amount`);
  return {
    var: sym,
    declares,
    lower,
    relation: onLeft ? op : mirrored[op],
    bound: onLeft ? test.right : test.left,
    step,
    span: { start: loop.span.start, end: loop.body.span.start },
  };
}
