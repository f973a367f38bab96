/** Loads: their ports, and the queues between ports and pipelines. */
import { takesElement, type Value } from "../../../../core/hw/dfg/value.ts";
import { inputName, type PipelineText, type Placed } from "../pipeline/pipeline.ts";
import type { Port } from "../text/module.ts";
import { conjunction, range, resized, sliced, zeros } from "../text/text.ts";
import { startCommand } from "./streams.ts";

export function request(pipeline: PipelineText, from: Placed, load: Value): void {
  const { module, memory, placed, scheduled } = pipeline;
  const { addressBits } = memory;
  const [address, guard] = load.args as [Value, Value];
  const cycle = from.text.when(load);
  const bytes = load.memory?.bytes as number;
  const name = module.names.unique(`${scheduled.pipeline.name}_${inputName(scheduled, load)}_port`);
  const port = (direction: Port["direction"], suffix: string, bits: number) =>
    module.port({ direction, bits, name: `${name}_${suffix}` });
  const valid = port("output", "read_valid", 1);
  const addressPort = port("output", "read_address", addressBits);
  const ready = port("input", "read_ready", 1);
  const arrives = port("input", "data_valid", 1);
  const data = port("input", "data", bytes * 8);
  pipeline.ports.reads.push({ prefix: name, bytes, pipeline: pipeline.index, load });
  const real = guard.op === "const" ? undefined : from.text.operand(guard, cycle, 1);
  const push = conjunction([from.text.valid(cycle), ...(real === undefined ? [] : [real])]);
  // Space for what is on its way to the queue, so that requests may be sent in every cycle.
  const countBits = Math.max(1, Math.ceil(Math.log2(cycle + 2)));
  module.declare(`reg ${range(countBits + 1)}${name}_asked;`);
  const bit = (signal: string) => `{${zeros(countBits)}, ${signal}}`;
  const skipped = real === undefined ? "" : ` - ${bit(`${from.text.valid(cycle)} & ~${real}`)}`;
  module.always([
    `if (rst) ${name}_asked <= ${zeros(countBits + 1)};`,
    `else ${name}_asked <= ${name}_asked + ${bit(`${from.prefix}_enter`)} - ${bit(`${valid} & ${ready}`)}${skipped};`,
  ]);
  from.ready.push(`~${name}_asked[${countBits}]`);
  module.instance("arc_queue", { WIDTH: addressBits, LOG2: countBits }, `${name}_addresses`, {
    clk: "clk",
    rst: "rst",
    push,
    in: from.text.operand(address, cycle, addressBits),
    pop: ready,
    out: addressPort,
    valid,
  });
  const { bits } = pipeline.widths.of(load);
  module.leave(data, bits, bytes * 8);
  const what = { from, load, cycle, guard: real, arrives, data };
  for (const to of placed.filter((p) => p.process.inputs.includes(load))) deliver(pipeline, to, what);
}

interface Requested {
  readonly from: Placed;
  readonly load: Value;
  /** Of the request, in an iteration of `from`. */
  readonly cycle: number;
  /** Whether memory is accessed at all; absent: always. */
  readonly guard: string | undefined;
  /** The port's data, and when it arrives. */
  readonly arrives: string;
  readonly data: string;
}

/** A queue of a load's data for a process that uses it, with space for all that is on its way. */
function deliver(
  pipeline: PipelineText,
  to: Placed,
  { from, load, cycle, guard, arrives, data }: Requested,
): void {
  const { module, memory, scheduled } = pipeline;
  const bytes = load.memory?.bytes as number;
  const { bits } = pipeline.widths.of(load);
  const inputPrefix = `${to.prefix}_${inputName(scheduled, load)}`;
  const iterations = pipeline.underWay(from.process, to.process);
  const depth = Math.ceil(Math.log2(Math.max(memory.outstanding, iterations)));
  module.declare(`wire ${range(bits)}${inputPrefix};`);
  module.declare(`wire ${range(1)}${inputPrefix}_valid;`);
  module.declare(`reg ${range(depth + 1)}${inputPrefix}_flight;`);
  let pop = `${to.prefix}_enter`;
  if (guard === undefined) to.ready.push(`${inputPrefix}_valid`);
  else {
    for (const signal of ["known", "real"]) module.declare(`wire ${inputPrefix}_${signal};`);
    module.instance("arc_queue", { WIDTH: 1, LOG2: depth }, `${inputPrefix}_order`, {
      clk: "clk",
      rst: "rst",
      push: from.text.valid(cycle),
      in: guard,
      pop: `${to.prefix}_enter`,
      out: `${inputPrefix}_real`,
      valid: `${inputPrefix}_known`,
    });
    to.ready.push(`${inputPrefix}_known`, `(${inputPrefix}_valid | ~${inputPrefix}_real)`);
    pop = `${to.prefix}_enter & ${inputPrefix}_real`;
  }
  module.instance("arc_fifo", { WIDTH: bits, LOG2: depth }, `${inputPrefix}_fifo`, {
    clk: "clk",
    rst: "rst",
    push: arrives,
    in: resized(data, { bits: bytes * 8, signed: false }, bits),
    pop,
    out: inputPrefix,
    valid: `${inputPrefix}_valid`,
  });
  const one = (signal: string) => `{${zeros(depth)}, ${signal}}`;
  module.always([
    `if (rst) ${inputPrefix}_flight <= ${zeros(depth + 1)};`,
    `else ${inputPrefix}_flight <= ${inputPrefix}_flight + ${one(`${from.prefix}_enter`)} - ${one(`${to.prefix}_enter`)};`,
  ]);
  from.ready.push(`~${inputPrefix}_flight[${depth}]`);
}

/** A load from consecutive elements: the port counts addresses. The lanes of a word share a port. */
export function readStream(pipeline: PipelineText, to: Placed, load: Value): void {
  const { module, memory, scheduled, start, widths, ports } = pipeline;
  const stream = scheduled.pipeline.graph.streams.get(load);
  if (!stream) return;
  const lanes = (stream.word?.lanes ?? [load]) as readonly Value[];
  const usedLanes = lanes.filter((lane) => to.process.inputs.includes(lane));
  if (usedLanes[0] !== load) return;
  const bytes = load.memory?.bytes as number;
  const width = lanes.length * bytes * 8;
  const beats = stream.beats as Value;
  // The count cannot exceed the address space.
  const beatsBits = Math.min(memory.addressBits - 1 - Math.log2(bytes), widths.of(beats).bits);
  if (beats.variable)
    module.leave(pipeline.register(beats.variable), beatsBits, widths.ofVariable(beats.variable).bits);
  const name = stream.word ? load.hint : inputName(scheduled, load);
  const prefix = module.names.unique(`${scheduled.pipeline.name}_${name}_port`);
  startCommand(module, prefix, start, [
    {
      name: "address",
      bits: memory.addressBits,
      value: to.text.operand(stream.address, 0, memory.addressBits),
    },
    { name: "beats", bits: beatsBits, value: to.text.operand(beats, 0, beatsBits) },
  ]);
  const valid = module.port({ direction: "input", bits: 1, name: `${prefix}_data_valid` });
  const data = module.port({ direction: "input", bits: width, name: `${prefix}_data` });
  const ready = module.port({ direction: "output", bits: 1, name: `${prefix}_data_ready` });
  lanes.forEach((lane, k) => {
    const bits = usedLanes.includes(lane) ? widths.of(lane).bits : 0;
    const low = k * bytes * 8;
    module.leave(data, low + bits, low + bytes * 8);
    if (bits === 0) return;
    const inputPrefix = `${to.prefix}_${inputName(scheduled, lane)}`;
    module.declare(`wire ${range(bits)}${inputPrefix};`);
    module.assign(inputPrefix, sliced(data, { bits: width, signed: false }, low, bits));
  });
  const guard = takesElement(load, stream);
  const requested = guard.op === "const" ? undefined : to.text.operand(guard, 0, 1);
  to.ready.push(requested === undefined ? valid : `(${valid} | ~${requested})`);
  module.assign(ready, conjunction([`${to.prefix}_enter`, ...(requested === undefined ? [] : [requested])]));
  ports.reads.push({ prefix, bytes: width / 8, pipeline: pipeline.index, load });
  const word = stream.word && { word: { lanes: lanes.length, lead: stream.word.lead ?? 0 } };
  ports.streams.push({ prefix, direction: "read", beatsBits, ...word });
}
