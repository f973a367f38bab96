/** What the directive `shuffle` evaluates in each thread. Threads hand values to each other at the same time: none races there. */
import { evaluateInteger, parseExpr } from "../../lang/index.ts";
import type { AssignOp, Expr, PragmaToken } from "../../lang/tree/ast.ts";
import { assign } from "../../lang/tree/build.ts";
import { type Directive, split } from "../read/directive.ts";

const operator = /^([-+*/%&|^]|<<|>>)?=$/;
const EVERYONE = 0xffffffffn;

/** `(mask, lane, target [operator], variable)`: the assignment is left out where the mask may leave threads out. */
export function evaluated(d: Directive): readonly Expr[] {
  const [mask, lane, target, variable] = split(d.argument).map((tokens) => partOf(d, tokens));
  if (!mask || !lane || !target || !variable) return [];
  const named = evaluateInteger(mask.expr);
  const all = named !== undefined && (named & EVERYONE) === EVERYONE;
  return [mask.expr, lane.expr, ...(all ? [assign(target.expr, variable.expr, target.op)] : [])];
}

interface Part {
  readonly expr: Expr;
  readonly op: AssignOp;
}

function partOf({ pragma }: Directive, tokens: readonly PragmaToken[]): Part | undefined {
  const last = tokens.at(-1)?.text ?? "";
  const op = operator.test(last) ? (last as AssignOp) : undefined;
  const expr = parseExpr(op ? tokens.slice(0, -1) : tokens, pragma.scope);
  return "severity" in expr ? undefined : { expr, op: op ?? "=" };
}
