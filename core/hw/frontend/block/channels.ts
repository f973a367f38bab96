/** Channels: an iteration takes a value from a channel, or sends one. */
import type { ChannelRead, ChannelWrite } from "../../../ir/model/idioms.ts";
import { unqualified } from "../../../lang/index.ts";
import type { Loc } from "../../../lang/tree/ast.ts";
import { NotStraight } from "../../dfg/region.ts";
import type { Value } from "../../dfg/value.ts";
import { cast } from "./conversions.ts";
import type { Path } from "./path.ts";

export function receive(path: Path, { channel, into }: ChannelRead, base: Value, at: Loc): void {
  if (path.graph.receives.some((v) => v.channel === channel)) throw twice(channel, at);
  const variable = path.scope.register(into, at);
  const shape = path.scope.memoryShapeOf(unqualified(into.type), at);
  const received = path.graph.receive(channel, shape, path.effective(base), at);
  path.set(variable, cast(path.graph, received, variable.shape, at));
}

export function send(path: Path, { channel, value }: ChannelWrite, base: Value, at: Loc): void {
  if (path.graph.sends.some((s) => s.channel === channel)) throw twice(channel, at);
  const guard = path.effective(base);
  const data = cast(path.graph, path.value(value, guard), path.scope.memoryShapeOf(value.type, at), at);
  path.graph.sends.push({ channel, data, guard, loc: at });
}

const twice = (channel: string, at: Loc) =>
  new NotStraight(`the channel '${channel}' is used twice in an iteration`, at);
