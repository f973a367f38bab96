/**
 * Delay lines: their step in each iteration, and the places that are read. A place that the body writes is a register
 * that cuts the line in two: its value at the end of an iteration moves on through the rest of the line.
 */
import { itemAt } from "../../../checked/access.ts";
import type { DelayLine } from "../../../ir/model/idioms.ts";
import type { Expr, Loc } from "../../../lang/tree/ast.ts";
import { NotStraight } from "../../dfg/region.ts";
import type { Value, Variable } from "../../dfg/value.ts";
import { unsupportedStatement } from "../scope/refusals.ts";
import type { Line } from "../scope/scope.ts";
import { stripped } from "../scope/syntax.ts";
import { truth } from "./conversions.ts";
import type { LineState, Path } from "./path.ts";

export function step(path: Path, node: DelayLine, at: Loc): void {
  const line = lineOf(path, node.line);
  if (!line) throw unsupportedStatement("delay line", at);
  if (path.lines.has(line)) throw new NotStraight(`the delay line '${line.name}' moves twice`, at);
  const shape = path.scope.shapeOf(line.element, at);
  const lanes = Array.from({ length: node.shift }, (_, lane): Value => {
    if (node.lane)
      path.set(path.scope.register(node.lane, at), path.graph.constant(lane, { bits: 32, signed: true }));
    const guard = node.guard ? truth(path, node.guard, path.yes) : path.yes;
    return path.graph.resize(path.value(node.value, guard), shape);
  });
  const writtenRegisters = new Map(
    (node.written ?? []).map((place) => [place, registerAt(path, line, place, at)]),
  );
  const state: LineState = { line, lanes, written: writtenRegisters };
  path.lines.set(line, state);
  for (const [place, register] of writtenRegisters) path.set(register, arriving(path, state, place));
}

const registerAt = (path: Path, line: Line, place: number, at: Loc): Variable =>
  path.scope.hidden(`${line.name}_${place}`, path.scope.shapeOf(line.element, at));

/** What a place holds after the step: a new value, or that of an earlier place. */
function arriving({ graph }: Path, { line, lanes, written }: LineState, place: number): Value {
  const count = lanes.length;
  for (let steps = 1; place + steps * count < line.length; steps++) {
    const above = written.get(place + steps * count);
    if (above) return graph.delay(graph.read(above), steps - 1);
  }
  const back = line.length - 1 - place;
  return graph.delay(itemAt(lanes, count - 1 - (back % count)), Math.floor(back / count));
}

function lineOf(path: Path, e: Expr): Line | undefined {
  const bare = stripped(e);
  if (bare.kind !== "ident") return undefined;
  const storage = path.scope.of(bare.sym, e.span.start);
  return storage.kind === "line" ? storage.line : undefined;
}

/** The value at a place of a delay line. */
export function tapOf(path: Path, line: Line, place: bigint, at: Loc): Value {
  const state = stateOf(path, line, place, at);
  const register = state.written.get(Number(place));
  return register ? path.get(register) : arriving(path, state, Number(place));
}

/** The register of a place that is written. */
export function writtenPlace(path: Path, line: Line, place: bigint, at: Loc): Variable {
  const register = stateOf(path, line, place, at).written.get(Number(place));
  if (!register) throw new Error(`place ${place} of '${line.name}' is written, and its node does not say so`);
  return register;
}

function stateOf(path: Path, line: Line, place: bigint, at: Loc): LineState {
  const state = path.lines.get(line);
  if (!state) throw new NotStraight(`the delay line '${line.name}' is used before it moves`, at);
  if (place < 0n || place >= BigInt(line.length))
    throw new NotStraight(`the delay line '${line.name}' has no place ${place}`, at);
  return state;
}
