/**
 * Shift-register reduction (J. Lambert, 2.2.3.3). A pipelined `sum += x[i]` starts an iteration only when the previous
 * addition is done. With as many partial sums in a shift register as the addition has stages, one iteration starts per
 * cycle:
 *
 *     for (...) sum += x[i]   =>   accumulator(+, depth D) { for (...) accumulate { partial += x[i] } } into sum
 *
 * The order of a floating-point sum changes, as OpenACC allows. NDRange kernels reduce by a tree.
 */

import type { Assignment } from "../../../schema/document/axis.ts";
import { withoutContinue } from "../../ir/analysis/control.ts";
import { unusedName } from "../../ir/analysis/unused-name.ts";
import { combine } from "../../ir/model/combine.ts";
import { type DeviceProfile, operatorOf, typeName } from "../../ir/model/device-profile.ts";
import { fixedPoint } from "../../ir/model/fixed-format.ts";
import { identity } from "../../ir/model/identity.ts";
import { type Accumulate, type Accumulator, idiom } from "../../ir/model/idioms.ts";
import { asNode, type Loop, type Reduction } from "../../ir/model/ir.ts";
import { spmdOf } from "../../ir/model/region.ts";
import { arrayOf, canonical, mapChildren, substitute, unqualified } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";
import { assign, compound, declare, exprStmt, freshSymbol, ident } from "../../lang/tree/build.ts";
import { depthAxis, halfDepthAxis, reductionAxis } from "./axes.ts";
import { reductionFactor, windowFactor } from "./rewrite/factors.ts";
import type { Pass, PassInput, PassResult, Remark } from "./rewrite/pass.ts";
import { isSingle, loopStmt, mapLoops, withBody } from "./rewrite/region.ts";

export const reduction: Pass = {
  name: "reduction",
  description: "accumulations through a shift register",
  axes: [reductionAxis, depthAxis, halfDepthAxis],
  run,
};

function run({ task, choice, device }: PassInput): PassResult {
  const remarks: Remark[] = [];
  const note = (applied: boolean, r: Reduction, message: string) =>
    remarks.push({ pass: "reduction", applied, message, loc: r.loc });
  const body = spmdOf(task).body;
  if (!isSingle(task)) {
    mapLoops(body, (loop, at) => {
      for (const r of loop.reductions)
        note(
          false,
          r,
          `'${r.sym.name}' is reduced over a tree: an NDRange kernel has no order of iterations`,
        );
      return at;
    });
    return { task, remarks };
  }
  const changed = mapLoops(body, (loop, at) => {
    if (loop.reductions.length === 0) return at;
    return accumulating(loop, at, choice, device, note);
  });
  return { task: withBody(task, changed), remarks };
}

type Note = (applied: boolean, r: Reduction, message: string) => void;

/** The loop with its reductions implemented: none are left afterwards. */
function accumulating(loop: Loop, at: Stmt, choice: Assignment, device: DeviceProfile, note: Note): Stmt {
  const lanes = reductionFactor(loop, choice);
  const before: Stmt[] = [];
  const after: Stmt[] = [];
  let body = loop.body;
  const wraps: ((inner: Stmt) => Stmt)[] = [];
  for (const r of loop.reductions) {
    if (accumulatesInside(loop.body, r)) {
      note(false, r, `'${r.sym.name}' is accumulated by a loop inside this one`);
      continue;
    }
    const depth = depthOf(r, lanes, choice, device, note);
    const type = unqualified(r.sym.type);
    const partial = freshSymbol(unusedName(`arc_${r.sym.name}_partial`, body), type);
    const renamed = substitute(withoutContinue(body), new Map([[r.sym, ident(partial)]]));
    if (depth === 0) {
      // Use a local variable, so that the accumulation does not go through memory.
      body = renamed;
      // The device's own accumulator starts from 0.
      const own = choice.reduction !== 0 && operatorOf(device, r.op, r.sym.type)?.accumulates !== undefined;
      before.push(declare(partial, own ? identity(r.op, type) : ident(r.sym)));
      const result = own ? combine(r.op, ident(r.sym), ident(partial)) : ident(partial);
      after.push(exprStmt(assign(ident(r.sym), result)));
      continue;
    }
    const register = freshSymbol(`arc_${r.sym.name}_register`, arrayOf(type, depth + 1));
    before.push(declare(register));
    body = idiom<Accumulate>(
      { kind: "accumulate", register: ident(register), depth, partial, body: renamed },
      at,
    );
    wraps.push((inner) =>
      idiom<Accumulator>(
        {
          kind: "accumulator",
          op: r.op,
          type,
          lanes,
          depth,
          register: ident(register),
          init: identity(r.op, type),
          drain: ident(r.sym),
          body: inner,
        },
        at,
      ),
    );
  }
  const registers = wraps.length > 0;
  const hints =
    registers && windowFactor(loop, choice) === 0 && lanes > 1
      ? { ...loop.hints, unroll: lanes }
      : loop.hints;
  const rewritten = loopStmt({ ...loop, ...(hints && { hints }), reductions: [], body }, at);
  const wrapped = wraps.reduce((inner, wrap) => wrap(inner), rewritten);
  return before.length ? compound([...before, wrapped, ...after], at.span) : wrapped;
}

/** Whether an inner loop has already taken the variable's reduction. */
function accumulatesInside(body: Stmt, r: Reduction): boolean {
  let found = false;
  const look = (s: Stmt): Stmt => {
    const inner = s.kind === "ext" && s.ext.kind === "accumulator" ? (s.ext as Accumulator).drain : undefined;
    if (inner?.kind === "ident" && inner.sym === r.sym) found = true;
    if (asNode(s, "loop")?.reductions.some((x) => x.sym === r.sym)) found = true;
    return mapChildren(s, look);
  };
  look(body);
  return found;
}

const isFixed = ({ sym }: Reduction, { format }: Assignment): boolean =>
  typeName(sym.type) === "float" && fixedPoint(format) !== undefined;

/** The number of partial results; 0: one variable is enough. */
function depthOf(r: Reduction, lanes: number, choice: Assignment, device: DeviceProfile, note: Note): number {
  const name = r.sym.name;
  const type = canonical(r.sym.type);
  const requested = choice.reduction ?? "auto";
  const plain = (why: string): number => {
    note(false, r, `'${name}' is accumulated in one variable: ${why}`);
    return 0;
  };
  if (requested === 0) return plain("the variant leaves the shift register out");
  if (!["+", "*", "max", "min"].includes(r.op))
    return plain(`operator '${r.op}' has no shift-register form, its latency is that of one gate`);
  if (type.kind !== "int" && type.kind !== "float") return plain("its type is neither integer nor real");
  if (requested === "auto" && isFixed(r, choice) && r.op !== "*")
    return plain(`in fixed point its operator takes one cycle`);
  const entry = operatorOf(device, r.op, r.sym.type);
  if (requested === "auto" && entry?.accumulates)
    return plain(
      `${device.name} accumulates ${typeName(r.sym.type)} ${r.op} in one cycle (${entry.accumulates})`,
    );
  const latency = entry?.latency ?? (type.kind === "int" ? 1 : device.defaultLatency);
  if (requested === "auto" && latency <= 1) return plain("its operator takes one cycle");
  const explicit = Number(choice["reduction-depth"] ?? 0);
  const full = latency * lanes;
  const depth = explicit > 0 ? explicit : choice["half-depth"] === true ? Math.ceil(full / 2) : full;
  const source = !entry
    ? `${device.name}'s table has no entry for ${typeName(r.sym.type)} ${r.op}; ${latency} cycles are assumed`
    : entry.source === "assumed"
      ? `${latency} cycles are assumed`
      : `latency ${latency}`;
  note(
    true,
    r,
    `'${name}' is accumulated through ${depth} partial results (${source}${lanes > 1 ? `, ${lanes} iterations per step` : ""})`,
  );
  return depth;
}
