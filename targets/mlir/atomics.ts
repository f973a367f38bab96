/** Atomic statements as operations of memref. */
import type { Atomic } from "../../core/ir/model/ir.ts";
import type { CType, Expr } from "../../core/lang/tree/ast.ts";
import type { Code } from "./code.ts";
import type { Expressions } from "./expressions.ts";
import type { Numbers } from "./numbers.ts";
import { isFloat, NotInMlir, scalar } from "./types.ts";

/** Prints an atomic statement. */
export function atomic(code: Code, expressions: Expressions, n: Atomic): void {
  const { numbers } = expressions;
  const { type } = n.target;
  if (n.what === "capture") throw new NotInMlir("an atomic capture", n.site.loc);
  if (n.what === "read") {
    const into = n.captured as Expr;
    expressions.store(
      numbers.converted(expressions.loadOf(n.target), type, into.type),
      expressions.lvalue(into),
    );
    return;
  }
  const value = expressions.value(n.value as Expr);
  const of = (n.value as Expr).type;
  const at = expressions.lvalue(n.target);
  const place = expressions.element(at);
  if (n.what === "write") {
    code.line(
      `${code.fresh()} = memref.atomic_rmw assign ${numbers.converted(value, of, type)}, ${place} : (${scalar(type)}, ${at.type}) -> ${scalar(type)}`,
    );
    return;
  }
  const name = code.fresh();
  code.line(`${name} = memref.generic_atomic_rmw ${place} : ${at.type} {`);
  code.inside(() => {
    const old = code.fresh();
    code.line(`^bb0(${old}: ${scalar(type)}):`);
    code.line(`memref.atomic_yield ${updated(numbers, code, n, old, value, of)} : ${scalar(type)}`);
  });
  code.line("}");
}

/** The new value of `old`, of the target's type. */
function updated(numbers: Numbers, code: Code, n: Atomic, old: string, value: string, of: CType): string {
  const { type } = n.target;
  const { op } = n;
  if (op === "max" || op === "min") {
    const right = numbers.converted(value, of, type);
    return numbers.extreme(op, old, right, type);
  }
  if (op === "&&" || op === "||") {
    const [a, b] = [numbers.nonZero(old, type), numbers.nonZero(value, of)];
    const both = code.value(`arith.${op === "&&" ? "andi" : "ori"} ${a}, ${b} : i1`);
    return code.value(
      isFloat(type)
        ? `arith.uitofp ${both} : i1 to ${scalar(type)}`
        : `arith.extui ${both} : i1 to ${scalar(type)}`,
    );
  }
  if (op === undefined || op === "=") throw new NotInMlir("this atomic update", n.site.loc);
  const operands = [
    { value: old, type },
    { value, type: of },
  ] as const;
  if (!n.reversed) return numbers.combined(op, ...operands, type);
  if (op === "<<" || op === ">>") throw new NotInMlir("this atomic update", n.site.loc);
  return numbers.combined(op, operands[1], operands[0], type);
}
