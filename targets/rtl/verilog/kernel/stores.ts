/** Stores: their ports, and the queues between pipelines and ports. */

import { firstOf } from "../../../../core/checked/access.ts";
import type { StorePort } from "../../../../core/hw/binding/process.ts";
import { queuedBits, wordQueue } from "../../../../core/hw/dfg/store-queue.ts";
import type { Store, Stream, Word } from "../../../../core/hw/dfg/value.ts";
import type { MemoryOptions, PipelineText, Placed } from "../pipeline/pipeline.ts";
import type { Port } from "../text/module.ts";
import { conjunction, disjunction, literal, range, zeros } from "../text/text.ts";
import { startCommand } from "./streams.ts";

/** Stores to consecutive elements; returns false if they are not consecutive. */
export function writeStream(pipeline: PipelineText, from: Placed, port: StorePort): boolean {
  const { module, memory, scheduled, start, ports } = pipeline;
  const store = firstOf(port.stores);
  const stream = scheduled.pipeline.graph.streams.get(store);
  if (!stream) return false;
  if (stream.word) {
    writeWords(pipeline, from, stream, stream.word);
    return true;
  }
  const { bytes } = store.memory;
  const prefix = module.names.unique(`${scheduled.pipeline.name}_${store.memory.name}_port`);
  const command = startCommand(module, prefix, start, [
    {
      name: "address",
      bits: memory.addressBits,
      value: from.text.operand(stream.address, 0, memory.addressBits),
    },
  ]);
  const valid = module.port({ direction: "output", bits: 1, name: `${prefix}_word_valid` });
  const word = module.port({ direction: "output", bits: bytes * 8, name: `${prefix}_word` });
  const ready = module.port({ direction: "input", bits: 1, name: `${prefix}_word_ready` });
  const settled = module.port({ direction: "input", bits: 1, name: `${prefix}_settled` });
  const endedPort = memory.bursts && module.port({ direction: "output", bits: 1, name: `${prefix}_ended` });
  ports.writes.push({ prefix, bytes, pipeline: pipeline.index, port });
  ports.streams.push({ prefix, direction: "write", beatsBits: 0 });
  const cycle = from.text.when(store);
  const always = store.guard.op === "const";
  const guard = always ? undefined : from.text.operand(store.guard, cycle, 1);
  const { depth, storage } = wordQueue(bytes * 8, cycle, scheduled.ii);
  const [queue, size] =
    storage === "ram"
      ? (["arc_fifo", { LOG2: Math.log2(depth) }] as const)
      : (["arc_shift_queue", { DEPTH: depth }] as const);
  module.instance(queue, { WIDTH: bytes * 8, ...size }, `${prefix}_words`, {
    clk: "clk",
    rst: "rst",
    push: conjunction([from.text.valid(cycle), ...(guard === undefined ? [] : [guard])]),
    in: from.text.operand(store.data, cycle, bytes * 8),
    pop: ready,
    out: word,
    valid,
  });
  const bits = Math.ceil(Math.log2(depth + 1));
  const flight = `${prefix}_flight`;
  module.declare(`reg ${range(bits)}${flight};`);
  const one = (signal: string) => `{${zeros(bits - 1)}, ${signal}}`;
  // An iteration that does not store is not counted, or only until that is known.
  const early = guard !== undefined && (from.process.ready.get(store.guard) ?? 0) === 0;
  const comes = early
    ? `${from.prefix}_enter & ${from.text.operand(store.guard, 0, 1)}`
    : `${from.prefix}_enter`;
  const skipped = guard === undefined || early ? "" : ` - ${one(`${from.text.valid(cycle)} & ~${guard}`)}`;
  module.always([
    `if (rst) ${flight} <= ${zeros(bits)};`,
    `else ${flight} <= ${flight} + ${one(comes)} - ${one(`${valid} & ${ready}`)}${skipped};`,
  ]);
  if (endedPort) module.assign(endedPort, `~${from.prefix}_running & (${flight} == ${zeros(bits)})`);
  from.ready.push(`(${flight} != ${literal(BigInt(depth), bits)})`);
  from.busy.push(command, `(${flight} != ${zeros(bits)})`, `~${settled}`);
  return true;
}

/** Each iteration makes a word; the lanes whose guards hold are stored. */
function writeWords(pipeline: PipelineText, from: Placed, stream: Stream, word: Word): void {
  const { module, memory, scheduled, start, ports } = pipeline;
  const lanes = word.lanes as readonly Store[];
  const [lowest] = lanes as [Store];
  const { name, bytes } = lowest.memory;
  const width = lanes.length * bytes * 8;
  const prefix = module.names.unique(`${scheduled.pipeline.name}_${name}_port`);
  const port = (direction: Port["direction"], suffix: string, bits: number) =>
    module.port({ direction, bits, name: `${prefix}_${suffix}` });
  const command = startCommand(module, prefix, start, [
    {
      name: "address",
      bits: memory.addressBits,
      value: from.text.operand(stream.address, 0, memory.addressBits),
    },
  ]);
  const valid = port("output", "word_valid", 1);
  const data = port("output", "word", width);
  const strobes = port("output", "word_lanes", lanes.length);
  const ready = port("input", "word_ready", 1);
  const endedPort = port("output", "ended", 1);
  const settled = port("input", "settled", 1);
  ports.writes.push({
    prefix,
    bytes: width / 8,
    pipeline: pipeline.index,
    port: { stores: lanes },
    strobes: true,
  });
  ports.streams.push({ prefix, direction: "write", beatsBits: 0, word: { lanes: lanes.length, lead: 0 } });
  const cycle = from.text.when(lowest);
  const values = lanes.map((lane) => from.text.operand(lane.data, cycle, bytes * 8));
  const guards = lanes.map((lane) => from.text.operand(lane.guard, cycle, 1));
  const always = lanes.every((lane) => lane.guard.op === "const");
  const parts = always ? values : [...values, ...guards];
  const bits = queuedBits(lowest, stream);
  const { depth, storage } = wordQueue(bits, cycle, scheduled.ii);
  const [queue, size] =
    storage === "ram"
      ? (["arc_fifo", { LOG2: Math.log2(depth) }] as const)
      : (["arc_shift_queue", { DEPTH: depth }] as const);
  module.instance(queue, { WIDTH: bits, ...size }, `${prefix}_words`, {
    clk: "clk",
    rst: "rst",
    push: from.text.valid(cycle),
    in: `{${[...parts].reverse().join(", ")}}`,
    pop: ready,
    out: always ? data : `{${strobes}, ${data}}`,
    valid,
  });
  if (always) module.assign(strobes, literal((1n << BigInt(lanes.length)) - 1n, lanes.length));
  const countBits = Math.ceil(Math.log2(depth + 1));
  const flight = `${prefix}_flight`;
  module.declare(`reg ${range(countBits)}${flight};`);
  const one = (signal: string) => `{${zeros(countBits - 1)}, ${signal}}`;
  module.always([
    `if (rst) ${flight} <= ${zeros(countBits)};`,
    `else ${flight} <= ${flight} + ${one(`${from.prefix}_enter`)} - ${one(`${valid} & ${ready}`)};`,
  ]);
  module.assign(endedPort, `~${from.prefix}_running & (${flight} == ${zeros(countBits)})`);
  from.ready.push(`(${flight} != ${literal(BigInt(depth), countBits)})`);
  from.busy.push(command, `(${flight} != ${zeros(countBits)})`, `~${settled}`);
}

export function store(pipeline: PipelineText, from: Placed, { stores }: StorePort): void {
  const { module, memory, scheduled } = pipeline;
  const { addressBits } = memory;
  const first = firstOf(stores);
  const count = stores.length;
  const bytes = Math.max(...stores.map((s) => s.memory.bytes));
  if (stores.some((s) => s.memory.bytes !== bytes)) throw new Error("stores of several sizes share a port");
  const name = module.names.unique(`${scheduled.pipeline.name}_${first.memory.name}_port`);
  const port = (direction: Port["direction"], suffix: string, bits: number) =>
    module.port({ direction, bits, name: `${name}_${suffix}` });
  const valid = port("output", "write_valid", 1);
  const address = port("output", "write_address", addressBits);
  const data = port("output", "write_data", bytes * 8);
  const ready = port("input", "write_ready", 1);
  const arrived = port("input", "write_done", 1);
  pipeline.ports.writes.push({ prefix: name, bytes, pipeline: pipeline.index, port: { stores } });
  const last = Math.max(...stores.map((s) => from.text.when(s)));
  const depth = Math.ceil(Math.log2(storeDepth(count, last, scheduled.ii, memory)));
  const width = addressBits + bytes * 8;
  const pushes = stores.map((s) => {
    const cycle = from.text.when(s);
    const always = s.guard.op === "const";
    const guard = always ? undefined : from.text.operand(s.guard, cycle, 1);
    return {
      push: conjunction([from.text.valid(cycle), ...(guard === undefined ? [] : [guard])]),
      skip: guard === undefined ? undefined : `${from.text.valid(cycle)} & ~${guard}`,
      word: `{${from.text.operand(s.address, cycle, addressBits)}, ${from.text.operand(s.data, cycle, bytes * 8)}}`,
    };
  });
  module.declare(`wire ${range(width)}${name}_word;`);
  const [only] = pushes as [(typeof pushes)[0]];
  const word = pushes
    .slice(0, -1)
    .reduceRight((rest, p) => `(${p.push}) ? ${p.word} : ${rest}`, (pushes.at(-1) ?? only).word);
  module.instance("arc_fifo", { WIDTH: width, LOG2: depth }, `${name}_words`, {
    clk: "clk",
    rst: "rst",
    push: count === 1 ? only.push : disjunction(pushes.map((p) => `(${p.push})`)),
    in: word,
    pop: ready,
    out: `${name}_word`,
    valid,
  });
  module.assign(address, `${name}_word[${width - 1}:${bytes * 8}]`);
  module.assign(data, `${name}_word[${bytes * 8 - 1}:0]`);
  const bits = depth + 1;
  module.declare(`reg ${range(bits)}${name}_flight;`);
  const extended = (signal: string) => (bits === 1 ? signal : `{${zeros(bits - 1)}, ${signal}}`);
  const less = [arrived, ...pushes.flatMap((p) => (p.skip === undefined ? [] : [p.skip]))];
  module.always([
    `if (rst) ${name}_flight <= ${zeros(bits)};`,
    `else ${name}_flight <= ${name}_flight + (${from.prefix}_enter ? ${literal(BigInt(count), bits)} : ${zeros(bits)})${less.map((s) => ` - ${extended(s)}`).join("")};`,
  ]);
  from.ready.push(`(${name}_flight <= ${literal(BigInt(2 ** depth - count), bits)})`);
  from.busy.push(`(${name}_flight != ${zeros(bits)})`);
}

/** Depth in words that a store FIFO needs so that iterations can enter every `ii` cycles. */
function storeDepth(count: number, cycle: number, ii: number, memory: MemoryOptions): number {
  const inFlight = Math.ceil((cycle + memory.outstanding) / ii) + 1;
  return 2 ** Math.ceil(Math.log2(Math.max(2, count * inFlight)));
}
