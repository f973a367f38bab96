/** Clauses of regions and loops: reductions, tiles, and what passes are asked for. */

import type { Expr, Symbol } from "../../lang/tree/ast.ts";
import {
  type Apart,
  type Reduction,
  type ReductionOp,
  reductionOps,
  type SpmdHints,
  type Steps,
  type WindowRequest,
} from "../model/ir.ts";
import { type Clause, type Draft, enclosed, join, listed, setAt, single, valueAt } from "./clause.ts";
import type { Cursor } from "./cursor.ts";

/** `format(f16)`, or `format(fixed, 16, 16)`. */
export const format: Clause = single<NonNullable<SpmdHints["format"]>>("format", "hints.format", {
  print: (f) => (typeof f === "object" ? `fixed, ${f.whole}, ${f.fractionBits}` : f),
  read: (at) => {
    const name = at.choice(["f16", "bf16", "fixed"], "format of numbers");
    if (name !== "fixed") return name;
    at.expect(",");
    const whole = at.number();
    at.expect(",");
    return { whole, fractionBits: at.number() };
  },
});

export const tile: Clause = listed<Expr | "*">("tile", "parallel.tile", {
  print: (t, spell) => (t === "*" ? t : spell.expr(t)),
  read: (at) => {
    const after = at.peek(1)?.text;
    return at.peek()?.text === "*" && (after === "," || after === ")") && at.accept("*") ? "*" : at.expr();
  },
});

function reductionOp(at: Cursor): ReductionOp {
  const op = reductionOps.find((o) => at.accept(o));
  return (
    op ??
    at.fail(
      "unknown-reduction-operator",
      "expected a reduction operator",
      `write one of ${reductionOps.join(" ")}`,
    )
  );
}

export const operator: Clause = single<ReductionOp>("op", "op", { print: String, read: reductionOp });

export const reductions: Clause = {
  key: "reduction",
  repeats: true,
  print: (node, spell) =>
    (node.reductions as readonly Reduction[]).map((r) => `reduction(${r.op}: ${spell.name(r.sym)})`),
  read: (at, node) => {
    const { loc } = at;
    const reduction = enclosed(at, (): Reduction => {
      const op = reductionOp(at);
      at.expect(":");
      return { op, sym: at.symbol(), loc };
    });
    node.reductions = [...((node.reductions as readonly Reduction[] | undefined) ?? []), reduction];
  },
};

const requestsOf = (node: Draft) =>
  (valueAt(node, "hints.windows") as readonly WindowRequest[] | undefined) ?? [];

/** `window(input, outputs...)` for each array that has one. */
export const window: Clause = {
  key: "window",
  repeats: true,
  print: (node, spell) =>
    requestsOf(node).flatMap(({ input, outputs }) =>
      join(
        "window",
        [input, ...outputs].map((s) => spell.name(s)),
      ),
    ),
  read: (at, node) => {
    const { loc } = at;
    const [input, ...outputs] = enclosed(at, () => at.list(() => at.symbol()));
    const request: WindowRequest = { input: input as Symbol, outputs, loc };
    setAt(node, "hints.windows", [...requestsOf(node), request]);
  },
};

/** `apart(a, b: 3)` */
export const apart: Clause = {
  key: "apart",
  print: (node, spell) =>
    join(
      "apart",
      ((valueAt(node, "hints.apart") as readonly Apart[] | undefined) ?? []).map(
        ({ array, distance, loadsFirst }) =>
          distance === undefined
            ? spell.name(array)
            : `${spell.name(array)}: ${distance}${loadsFirst ? " loads-first" : ""}`,
      ),
    ),
  read: (at, node) => {
    const one = (): Apart => {
      const array = at.symbol();
      if (!at.accept(":")) return { array };
      const distance = at.number();
      if (at.peek()?.kind !== "ident") return { array, distance };
      at.choice(["loads-first"], "'loads-first'");
      return { array, distance, loadsFirst: true };
    };
    setAt(
      node,
      "hints.apart",
      enclosed(at, () => at.list(one)),
    );
  },
};

/** `operators(fadd: 1, fmul: 2)` */
export const operators: Clause = {
  key: "operators",
  print: (node) =>
    join(
      "operators",
      Object.entries((valueAt(node, "hints.operators") as Record<string, number> | undefined) ?? {}).map(
        ([operator, circuits]) => `${operator}: ${circuits}`,
      ),
    ),
  read: (at, node) => {
    const one = (): [string, number] => {
      const operator = at.word("an operator");
      at.expect(":");
      return [operator, at.number()];
    };
    const list = enclosed(at, () => at.list(one));
    setAt(node, "hints.operators", Object.fromEntries(list));
  },
};

/** `steps(4, input, output)` */
export const steps: Clause = {
  key: "steps",
  print: (node, spell) => {
    const of = valueAt(node, "hints.steps") as Steps | undefined;
    return of ? join("steps", [String(of.most), ...[of.input, of.output].map((s) => spell.name(s))]) : [];
  },
  read: (at, node) => {
    const steps = enclosed(at, (): Steps => {
      const most = at.number();
      at.expect(",");
      const input = at.symbol();
      at.expect(",");
      return { most, input, output: at.symbol() };
    });
    setAt(node, "hints.steps", steps);
  },
};
