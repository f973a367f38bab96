/** Channels: each iteration takes one value from a channel, or hands one on. */
import type { ChannelRead, ChannelWrite } from "../../ir/idioms.ts";
import type { Loc } from "../../lang/ast.ts";
import { unqualified } from "../../lang/index.ts";
import type { Value } from "../graph.ts";
import { NotStraight } from "../region.ts";
import { shapeOf } from "../shapes.ts";
import { converted } from "./conversions.ts";
import type { Path } from "./path.ts";

export function receive(path: Path, { channel, into }: ChannelRead, base: Value, at: Loc): void {
  always(path, channel, base, at);
  if (path.graph.values.some((v) => v.op === "receive" && v.channel === channel)) throw twice(channel, at);
  const variable = path.scope.register(into, at);
  const shape = shapeOf(unqualified(into.type), path.scope.addressBits, at);
  path.set(variable, path.graph.resize(path.graph.receive(channel, shape, at), variable.shape));
}

export function send(path: Path, { channel, value }: ChannelWrite, base: Value, at: Loc): void {
  always(path, channel, base, at);
  if (path.graph.sends.some((s) => s.channel === channel)) throw twice(channel, at);
  path.graph.sends.push({ channel, data: converted(path, value, value.type, path.yes), loc: at });
}

function always(path: Path, channel: string, base: Value, at: Loc): void {
  const guard = path.effective(base);
  if (guard.op !== "const" || guard.constant !== 1n)
    throw new NotStraight(`the channel '${channel}' is used only where a condition holds`, at);
}

const twice = (channel: string, at: Loc) =>
  new NotStraight(`the channel '${channel}' is used twice in an iteration`, at);
