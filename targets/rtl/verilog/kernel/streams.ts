/**
 * Ports for consecutive elements. Once per loop the kernel sends the first element's address and, for reads, the number
 * of elements; then elements are transferred, valid-ready, without addresses. Address generators around the kernel
 * convert that to memory's ports: one command per element or word of elements, or one per burst.
 */

import type { KernelModule } from "../pipeline/kernel-module.ts";
import type { MemoryOptions, ReadPort, StreamPort, WritePort } from "../pipeline/pipeline.ts";
import { BEATS_BITS } from "../port/merge.ts";
import { Module, type Port } from "../text/module.ts";
import { literal, range } from "../text/text.ts";

/** A command sent when a loop starts: `start` is high for one cycle. Returns the signal that it is under way. */
export function startCommand(
  module: Module,
  prefix: string,
  start: string,
  signals: readonly { readonly name: string; readonly bits: number; readonly value: string }[],
): string {
  const valid = module.port({
    direction: "output",
    bits: 1,
    name: `${prefix}_command_valid`,
    register: true,
  });
  for (const { name, bits, value } of signals) {
    const port = module.port({ direction: "output", bits, name: `${prefix}_command_${name}` });
    module.assign(port, value);
  }
  const ready = module.port({ direction: "input", bits: 1, name: `${prefix}_command_ready` });
  module.always([
    `if (rst) ${valid} <= 1'b0;`,
    `else if (${start}) ${valid} <= 1'b1;`,
    `else if (${ready}) ${valid} <= 1'b0;`,
  ]);
  return valid;
}

/** The kernel with its address generators; unchanged if it has no streams. */
export function withAddressGenerators(kernel: KernelModule, memory: MemoryOptions): KernelModule {
  if (kernel.streams.length === 0) return kernel;
  return new Generators(kernel, memory).make();
}

class Generators {
  private readonly kernel: KernelModule;
  private readonly memory: MemoryOptions;
  private readonly module: Module;

  constructor(kernel: KernelModule, memory: MemoryOptions) {
    this.kernel = kernel;
    this.memory = memory;
    this.module = new Module(`${kernel.name}_memory`);
  }

  make(): KernelModule {
    const { kernel, memory, module } = this;
    module.names.reserve(["unused", "kernel"]);
    const connections: Record<string, string> = {};
    const prefixes = [...kernel.reads, ...kernel.writes].map(({ prefix }) => prefix);
    // A prefix may be a prefix of another one: the longest match counts.
    const prefixOf = (port: string) =>
      prefixes.filter((p) => port.startsWith(`${p}_`)).sort((p, q) => q.length - p.length)[0];
    const owner = (port: string) => kernel.streams.find(({ prefix }) => prefix === prefixOf(port));
    for (const port of kernel.ports) {
      const stream = owner(port.name);
      if (!stream)
        connections[port.name] = module.port({
          direction: port.direction,
          bits: port.bits,
          name: port.name,
        });
      else {
        const wire = `${stream.prefix}_stream${port.name.slice(stream.prefix.length)}`;
        connections[port.name] = module.names.unique(wire);
        module.declare(`wire ${range(port.bits)}${wire};`);
      }
    }
    const of = <T extends ReadPort | WritePort>(ports: readonly T[], { prefix }: StreamPort): T =>
      ports.find((p) => p.prefix === prefix) as T;
    for (const stream of kernel.streams)
      if (stream.direction === "read") this.readStream(stream, of(kernel.reads, stream));
      else this.write(stream, of(kernel.writes, stream));
    module.instance(kernel.name, {}, "kernel", connections);
    const inBursts = <T extends ReadPort | WritePort>(ports: readonly T[]): readonly T[] =>
      ports.map((port) =>
        memory.bursts && kernel.streams.some(({ prefix }) => prefix === port.prefix)
          ? { ...port, bytes: memory.bursts.bytes, beats: memory.bursts.beats }
          : port,
      );
    return {
      ...kernel,
      name: `${kernel.name}_memory`,
      text: `${kernel.text}\n${module.text()}`,
      ports: module.portList(),
      reads: inBursts(kernel.reads),
      writes: inBursts(kernel.writes),
      streams: [],
    };
  }

  private lines(prefix: string, names: readonly string[]): Record<string, string> {
    return Object.fromEntries(names.map((n) => [n, `${prefix}_stream_${n}`]));
  }

  /** Ports with equal names after the prefix; `as`: their prefix in the generator. */
  private outer(
    prefix: string,
    ports: readonly (readonly [direction: Port["direction"], what: string, bits: number, as?: string])[],
  ): Record<string, string> {
    return Object.fromEntries(
      ports.map(([direction, suffix, bits, as = suffix]) => [
        as,
        this.module.port({ direction, bits, name: `${prefix}_${suffix}` }),
      ]),
    );
  }

  /** Wires between a generator and the module that makes bursts of its accesses. */
  private inner(
    prefix: string,
    wires: readonly (readonly [what: string, bits: number])[],
  ): Record<string, string> {
    return Object.fromEntries(
      wires.map(([suffix, bits]) => {
        const name = this.module.names.unique(`${prefix}_part_${suffix}`);
        this.module.declare(`wire ${range(bits)}${name};`);
        return [suffix, name];
      }),
    );
  }

  private readStream({ prefix, beatsBits, word }: StreamPort, { bytes }: ReadPort): void {
    const { module, memory } = this;
    const { addressBits, bursts } = memory;
    const clocked = { clk: "clk", rst: "rst" };
    const requested = [
      ["read_valid", 1],
      ["read_address", addressBits],
      ["read_ready", 1],
    ] as const;
    const toMemory = bursts
      ? this.inner(prefix, [...requested, ["arrived", 1], ["arriving", bytes * 8]])
      : this.outer(prefix, [
          ["output", "read_valid", 1],
          ["output", "read_address", addressBits],
          ["input", "read_ready", 1],
          ["input", "data_valid", 1, "arrived"],
          ["input", "data", bytes * 8, "arriving"],
        ]);
    const counts = { ADDRESS: addressBits, BEATS: beatsBits, LOG2: Math.log2(memory.outstanding) };
    const size = word
      ? { ...lanesOf(bytes, word.lanes), LEAD: summand(word.lead, addressBits) }
      : { BYTES: summand(bytes, addressBits) };
    module.instance(
      word ? "arc_words_read" : "arc_stream_read",
      { ...size, ...counts },
      `${prefix}_generator`,
      {
        ...clocked,
        ...this.lines(prefix, [
          "command_valid",
          "command_address",
          "command_beats",
          "command_ready",
          "data_valid",
          "data",
          "data_ready",
        ]),
        ...toMemory,
      },
    );
    if (!bursts) return;
    const element = bytes / (word?.lanes ?? 1);
    module.instance(
      "arc_burst_read",
      {
        BYTES: bytes,
        BYTE_BITS: Math.log2(bytes),
        WORD: bursts.bytes,
        WORD_BITS: Math.log2(bursts.bytes),
        UNIT_BITS: Math.log2(element),
        LEAD: summand((word?.lead ?? 0) * element, addressBits),
        ADDRESS: addressBits,
        BEATS: beatsBits,
        LOG2: Math.log2(bursts.beats),
      },
      `${prefix}_bursts`,
      {
        ...clocked,
        ...this.lines(prefix, ["command_address", "command_beats"]),
        command_valid: `${prefix}_stream_command_valid & ${prefix}_stream_command_ready`,
        ...toMemory,
        ...this.outer(prefix, [
          ["output", "read_valid", 1, "burst_valid"],
          ["output", "read_address", addressBits, "burst_address"],
          ["output", "read_beats", BEATS_BITS, "burst_beats"],
          ["input", "read_ready", 1, "burst_ready"],
          ["input", "data_valid", 1],
          ["input", "data", bursts.bytes * 8],
        ]),
      },
    );
  }

  private write({ prefix, word }: StreamPort, { bytes }: WritePort): void {
    const { module, memory } = this;
    const { addressBits, bursts } = memory;
    const clocked = { clk: "clk", rst: "rst" };
    const outputs = [
      ["output", "write_valid", 1],
      ["output", "write_address", addressBits],
      ["output", "write_data", bytes * 8],
      ...(word ? ([["output", "write_strobe", bytes]] as const) : []),
      ["input", "write_ready", 1],
      ["input", "write_done", 1],
    ] as const;
    const toMemory = bursts
      ? this.inner(
          prefix,
          outputs.map(([, what, bits]) => [what, bits] as const),
        )
      : this.outer(prefix, outputs);
    const all = bursts && this.inner(prefix, [["settled", 1]]);
    const gatheredPort = bursts && this.inner(prefix, [["gathered", 1]]);
    const size = word ? lanesOf(bytes, word.lanes) : { BYTES: summand(bytes, addressBits) };
    module.instance(
      word ? "arc_words_write" : "arc_stream_write",
      { ...size, ADDRESS: addressBits },
      `${prefix}_generator`,
      {
        ...clocked,
        ...this.lines(prefix, [
          "command_valid",
          "command_address",
          "command_ready",
          "word_valid",
          "word",
          "word_ready",
          "settled",
          ...(word ? ["word_lanes", "ended"] : []),
        ]),
        ...all,
        ...toMemory,
      },
    );
    if (!bursts || !all || !gatheredPort) return;
    module.assign(`${prefix}_stream_settled`, `${all.settled} & ${gatheredPort.gathered}`);
    module.instance(
      "arc_burst_write",
      {
        BYTES: bytes,
        BYTE_BITS: Math.log2(bytes),
        WORD: bursts.bytes,
        WORD_BITS: Math.log2(bursts.bytes),
        ADDRESS: addressBits,
        LOG2: Math.log2(bursts.beats),
      },
      `${prefix}_bursts`,
      {
        ...clocked,
        ...this.lines(prefix, ["ended"]),
        write_strobe: literal((1n << BigInt(bytes)) - 1n, bytes),
        ...toMemory,
        settled: gatheredPort.gathered as string,
        ...this.outer(prefix, [
          ["output", "write_valid", 1, "burst_valid"],
          ["output", "write_address", addressBits, "burst_address"],
          ["output", "write_beats", BEATS_BITS, "burst_beats"],
          ["input", "write_ready", 1, "burst_ready"],
          ["input", "write_done", 1, "burst_done"],
          ["output", "word_valid", 1],
          ["output", "word", bursts.bytes * 8],
          ["output", "word_strobe", bursts.bytes],
          ["input", "word_ready", 1],
        ]),
      },
    );
  }
}

/** A number that modules add to addresses, of whose bits they take as many: plain numbers have 32. */
const summand = (value: number, addressBits: number) =>
  addressBits > 32 ? literal(BigInt(value), addressBits) : value;

const lanesOf = (bytes: number, lanes: number) => ({
  LANE: bytes / lanes,
  LANES: lanes,
  BYTE_BITS: Math.log2(bytes / lanes),
  LANE_BITS: Math.log2(lanes),
});
