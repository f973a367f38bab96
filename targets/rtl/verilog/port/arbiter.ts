/**
 * Round-robin arbitration among the kernel's ports: `channel_pick`, one bit per client, selects the one whose turn it
 * is, when `channel_take` accepts a command. Each accepted command is remembered until it is answered: its client, and
 * whatever is needed to interpret the answer.
 */

import { firstOf } from "../../../../core/checked/access.ts";
import { mapTuple } from "../../../../core/checked/tuples.ts";
import { disjunction, literal, range, zeros } from "../text/text.ts";
import {
  addressOf,
  beatsAfter,
  bitOf,
  type Channel,
  type Client,
  type Merge,
  selectClient,
} from "./merge.ts";

interface Arbitration {
  readonly channel: Channel;
  /** In the order of their turns. */
  readonly clients: readonly Client[];
  /** There is space for a command. */
  readonly free: string;
  /** The oldest command under way is done. */
  readonly answered: string;
  /** Remember the lane of a command's element. */
  readonly lanes?: boolean;
  /** Bits of the number of beats after the first, if that is remembered. */
  readonly creditBits?: number;
}

/** Data about the oldest command under way. */
export interface Oldest {
  /** Client `k` sent it. */
  readonly owner: (k: number) => string;
  /** There is one. */
  readonly known: string;
  /** A bit of its element's lane. */
  readonly lane: (step: number) => string;
  /** Its number of beats after the first; "" if that is not remembered. */
  readonly more: string;
}

export function arbiter(merge: Merge, arbitration: Arbitration): Oldest {
  const { channel } = arbitration;
  merge.module.names.reserve(
    ["wanted", "pick", "take", "any", "room", "turn", "above", "from", "order", "known", "open"].map(
      (what) => `${channel}_${what}`,
    ),
  );
  pickInTurn(merge, arbitration);
  countOpen(merge, arbitration);
  return rememberOrder(merge, arbitration);
}

/** Picks the first requesting client from the turn on; after its command is accepted the turn goes to the next. */
function pickInTurn({ module, signal }: Merge, { channel, clients, free }: Arbitration): void {
  const n = clients.length;
  const [wanted, pick, take, any, room] = mapTuple(
    ["wanted", "pick", "take", "any", "room"],
    (what) => `${channel}_${what}`,
  );
  for (const wire of [wanted, pick]) module.declare(`wire ${range(n)}${wire};`);
  for (const wire of [take, any, room]) module.declare(`wire ${wire};`);
  const valids = clients.map(({ prefix }) => signal(`${prefix}_${channel}_valid`));
  module.assign(wanted, n === 1 ? firstOf(valids) : `{${[...valids].reverse().join(", ")}}`);
  module.assign(any, n === 1 ? wanted : `|${wanted}`);
  module.assign(take, `${free} & ${room}`);
  clients.forEach(({ prefix }, k) => {
    module.assign(signal(`${prefix}_${channel}_ready`), `${bitOf(pick, k, n)} & ${take}`);
  });
  if (n === 1) {
    module.assign(pick, wanted);
    return;
  }
  const one = literal(1n, n);
  const [turn, above, from] = mapTuple(["turn", "above", "from"], (what) => `${channel}_${what}`);
  module.declare(`reg ${range(n)}${turn};`);
  for (const wire of [above, from]) module.declare(`wire ${range(n)}${wire};`);
  module.assign(above, `${wanted} & ${turn}`);
  module.assign(from, `(${above} != ${zeros(n)}) ? ${above} : ${wanted}`);
  module.assign(pick, `${from} & (~${from} + ${one})`);
  module.always([
    `if (rst) ${turn} <= ${zeros(n)};`,
    `else if (${take} & ${any}) ${turn} <= ~(${pick} | (${pick} - ${one}));`,
  ]);
}

/** Limits the commands under way. */
function countOpen({ module, native }: Merge, { channel, answered }: Arbitration): void {
  const depth = Math.log2(native.outstanding);
  const open = `${channel}_open`;
  const one = (signal: string) => `{${zeros(depth)}, ${signal}}`;
  module.declare(`reg ${range(depth + 1)}${open};`);
  module.always([
    `if (rst) ${open} <= ${zeros(depth + 1)};`,
    `else ${open} <= ${open} + ${one(`${channel}_take & ${channel}_any`)} - ${one(answered)};`,
  ]);
  module.assign(`${channel}_room`, `~${open}[${depth}]`);
}

/** A queue of the commands under way: client, lane, beats. With a single client nothing need be remembered. */
function rememberOrder(merge: Merge, arbitration: Arbitration): Oldest {
  const { module } = merge;
  const { channel, clients, answered, creditBits: counted = 0 } = arbitration;
  const owner = clients.length === 1 ? 0 : Math.ceil(Math.log2(clients.length));
  const lane = arbitration.lanes ? merge.low : 0;
  const width = owner + lane + counted;
  if (width === 0) return { owner: () => "1'b1", known: "1'b1", lane: () => "1'b0", more: "" };
  const order = `${channel}_order`;
  const known = `${channel}_known`;
  module.declare(`wire ${range(width)}${order};`);
  module.declare(`wire ${known};`);
  const entry = [
    ...pickedIndex(channel, clients.length, owner),
    ...(lane === 0
      ? []
      : [selectClient(channel, clients, (c) => `${addressOf(merge, channel, c)}[${lane - 1}:0]`, lane)]),
    ...(counted === 0
      ? []
      : [selectClient(channel, clients, (c) => beatsAfter(merge, channel, c, counted), counted)]),
  ];
  module.instance(
    "arc_queue",
    { WIDTH: width, LOG2: Math.log2(merge.native.outstanding) },
    `${channel}_orders`,
    {
      clk: "clk",
      rst: "rst",
      push: `${channel}_take & ${channel}_any`,
      in: entry.length === 1 ? firstOf(entry) : `{${entry.join(", ")}}`,
      pop: answered,
      out: order,
      valid: known,
    },
  );
  const slice = (from: number, bits: number) =>
    width === 1 ? order : bits === 1 ? `${order}[${from}]` : `${order}[${from + bits - 1}:${from}]`;
  return {
    owner: (k) =>
      owner === 0 ? "1'b1" : `(${slice(lane + counted, owner)} == ${literal(BigInt(k), owner)})`,
    known,
    lane: (step) => slice(counted + step, 1),
    more: counted === 0 ? "" : slice(0, counted),
  };
}

/** The picked client's number, bit by bit, the highest first. */
function pickedIndex(channel: Channel, n: number, bits: number): readonly string[] {
  const clients = Array.from({ length: n }, (_, k) => k);
  return Array.from({ length: bits }, (_, bit) => {
    const having = clients.filter((k) => (k >> bit) % 2 === 1);
    return `(${disjunction(having.map((k) => bitOf(`${channel}_pick`, k, n)))})`;
  }).reverse();
}
