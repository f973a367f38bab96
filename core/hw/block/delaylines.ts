/** Delay lines: their step in each iteration, and the places that are read. */
import type { DelayLine } from "../../ir/idioms.ts";
import type { Expr, Loc } from "../../lang/ast.ts";
import type { Value } from "../graph.ts";
import { unsupportedStatement } from "../refusals.ts";
import { NotStraight } from "../region.ts";
import type { Line } from "../scope.ts";
import { shapeOf } from "../shapes.ts";
import { stripped } from "../syntax.ts";
import { truth } from "./conversions.ts";
import type { Path } from "./path.ts";

export function step(path: Path, node: DelayLine, at: Loc): void {
  const line = lineOf(path, node.line);
  if (!line) throw unsupportedStatement("delay line", at);
  if (path.lines.has(line)) throw new NotStraight(`the delay line '${line.name}' moves twice`, at);
  const shape = shapeOf(line.element, path.scope.addressBits, at);
  const lanes = Array.from({ length: node.shift }, (_, lane): Value => {
    if (node.lane)
      path.set(path.scope.register(node.lane, at), path.graph.constant(lane, { bits: 32, signed: true }));
    const guard = node.guard ? truth(path, node.guard, path.yes) : path.yes;
    return path.graph.resize(path.value(node.value, guard), shape);
  });
  path.lines.set(line, { line, lanes });
}

function lineOf(path: Path, e: Expr): Line | undefined {
  const bare = stripped(e);
  if (bare.kind !== "ident") return undefined;
  const storage = path.scope.of(bare.sym, e.span.start);
  return storage.kind === "line" ? storage.line : undefined;
}

/** The value at a place of a delay line. */
export function tapOf(path: Path, line: Line, place: bigint, at: Loc): Value {
  const state = path.lines.get(line);
  if (!state) throw new NotStraight(`the delay line '${line.name}' is read before it moves`, at);
  if (place < 0n || place >= BigInt(line.length))
    throw new NotStraight(`the delay line '${line.name}' has no place ${place}`, at);
  const back = line.length - 1 - Number(place);
  const count = state.lanes.length;
  const lane = state.lanes[count - 1 - (back % count)] as Value;
  return path.graph.delay(lane, Math.floor(back / count));
}
