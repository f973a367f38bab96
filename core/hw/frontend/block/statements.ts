/** Statements: their effects on variables, stores and control flow. */
import { asIdiom } from "../../../ir/model/idioms.ts";
import { asNode } from "../../../ir/model/ir.ts";
import { evaluateInteger } from "../../../lang/index.ts";
import type { CType, Init, Loc, Stmt } from "../../../lang/tree/ast.ts";
import { NotStraight, Unsupported } from "../../dfg/region.ts";
import type { Value } from "../../dfg/value.ts";
import { elementsOf } from "../scope/initialisers.ts";
import { unsupportedStatement } from "../scope/refusals.ts";
import { accumulate } from "./accumulators.ts";
import { effect } from "./assignments.ts";
import { receive, send } from "./channels.ts";
import { converted, truth } from "./conversions.ts";
import { step } from "./delaylines.ts";
import { initialWord } from "./parts.ts";
import type { Path } from "./path.ts";
import { choose } from "./switches.ts";
import { unrolled } from "./unrolling.ts";

/** Limit of values in one graph: larger hardware would not fit any device. */
const MOST_VALUES = 20_000;

export function statement(path: Path, s: Stmt, base: Value): void {
  if (path.graph.values.length > MOST_VALUES)
    throw new Unsupported(
      "too-large",
      s.span.start,
      `one iteration has more than ${MOST_VALUES} operations`,
      "each of them is a circuit",
      "unroll less",
    );
  path.graph.from(s.span.start, () => meaning(path, s, base));
}

function meaning(path: Path, s: Stmt, base: Value): void {
  const at = s.span.start;
  switch (s.kind) {
    case "expr":
      if (s.expr) effect(path, s.expr, base);
      return;
    case "compound":
      for (const child of s.body) statement(path, child, base);
      return;
    case "decl":
      declaration(path, s, base);
      return;
    case "if": {
      const test = truth(path, s.test, path.effective(base));
      const other = s.else;
      path.branch(
        test,
        () => statement(path, s.then, path.graph.and(base, test)),
        () => other && statement(path, other, path.graph.and(base, path.graph.not(test))),
      );
      return;
    }
    case "for":
      unrolled(path, s, base);
      return;
    case "do":
      if (evaluateInteger(s.test) !== 0n) throw new NotStraight("a loop stands in it", at);
      path.enter("loop");
      statement(path, s.body, base);
      path.leave();
      return;
    case "while":
      throw new NotStraight("a loop stands in it", at);
    case "switch":
      choose(path, s, base);
      return;
    case "continue":
    case "break": {
      const level = s.kind === "break" ? path.innermost("loop", "switch") : path.innermost("loop");
      if (!level) throw new NotStraight(`'${s.kind}' leaves a loop that is not pipelined`, at);
      const leaves = path.effective(base);
      if (s.kind === "continue") level.passed = path.graph.or(level.passed, leaves);
      else level.returned = path.graph.or(level.returned, leaves);
      return;
    }
    case "return": {
      const level = path.innermost("function");
      if (!level)
        throw new Unsupported(
          "control-flow",
          at,
          "'return' leaves the region",
          "a region ends at its end",
          "guard what follows by a condition instead",
        );
      const leaves = path.effective(base);
      if (s.value) {
        const value = path.value(s.value, leaves);
        level.result = level.result ? path.graph.mux(leaves, value, level.result) : value;
      }
      level.returned = path.graph.or(level.returned, leaves);
      return;
    }
    case "ext": {
      // A kernel is a single thread, so there is nothing to synchronise.
      if (asNode(s, "sync")) return;
      const line = asIdiom(s, "delayline");
      if (line) return step(path, line, at);
      const accumulator = asIdiom(s, "accumulator");
      if (accumulator) throw new NotStraight("a reduction stands in it", at);
      const part = asIdiom(s, "accumulate");
      if (part) return accumulate(path, part, base);
      const incoming = asIdiom(s, "channel-read");
      if (incoming) return receive(path, incoming, base, at);
      const outgoing = asIdiom(s, "channel-write");
      if (outgoing) return send(path, outgoing, base, at);
      throw unsupportedStatement(s.ext.kind, at);
    }
    case "static-assert":
    case "local-labels":
      return;
    default:
      throw unsupportedStatement(s.kind, at);
  }
}

function declaration(path: Path, s: Stmt & { readonly kind: "decl" }, base: Value): void {
  for (const declarator of s.decls) {
    const { sym, init, span } = declarator;
    if (sym.kind !== "var" || sym.storage === "extern") continue;
    const storage = path.scope.of(sym, span.start);
    if (storage.kind === "line") {
      if (init) throw unsupportedStatement("initialised delay line", span.start);
      continue;
    }
    if (storage.kind === "table") continue;
    if (storage.kind === "ram") {
      if (init && !storage.ram.contents)
        throw new NotStraight(`setting the array '${sym.name}' takes a cycle for each element`, span.start);
      continue;
    }
    const registers = storage.kind === "register" ? [storage.variable] : storage.elements;
    // A variable is set before it is read: values of earlier iterations do not matter.
    for (const variable of registers) path.forget(variable);
    if (!init) continue;
    if (storage.kind === "register") {
      path.set(storage.variable, initialValue(path, sym.type, init, path.effective(base), span.start));
      continue;
    }
    const { elements } = elementsOf(declarator);
    registers.forEach((variable, k) => {
      const item = elements.get(k);
      const value = item
        ? initialValue(path, storage.element, item, path.effective(base), span.start)
        : path.graph.constant(0, variable.shape);
      path.set(variable, value);
    });
  }
}

function initialValue(path: Path, type: CType, init: Init, guard: Value, at: Loc): Value {
  if (init.kind === "expr") return converted(path, init.expr, type, guard);
  return initialWord(path, type, init, guard, at);
}
