/**
 * Ports of accesses to consecutive elements. The kernel says once per loop where the first element is, and how
 * many it will read; then elements pass, valid-ready, without addresses. Around the kernel a module of address
 * generators turns that into the ports that memory knows: a command per element, or per word of elements.
 */
import type { KernelModule } from "./kernel.ts";
import { Module } from "./module.ts";
import type { ReadPort, WritePort } from "./pipeline.ts";
import { range } from "./text.ts";

/** A port of the kernel that has an address generator. */
export interface StreamPort {
  readonly prefix: string;
  readonly direction: "read" | "write";
  /** Of a read port: bits of the number of elements. */
  readonly beatsBits: number;
  /** Elements that pass as a word; of a read port also those of the first word that no one wants. */
  readonly word?: { readonly lanes: number; readonly lead: number };
}

/** A command that is sent when a loop starts: `start` is high for a cycle. Gives the signal that it is under way. */
export function startCommand(
  module: Module,
  prefix: string,
  start: string,
  what: readonly { readonly name: string; readonly bits: number; readonly value: string }[],
): string {
  const valid = module.port({
    direction: "output",
    bits: 1,
    name: `${prefix}_command_valid`,
    register: true,
  });
  for (const { name, bits, value } of what) {
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

/** The kernel with its address generators; as it is where it has no streams. */
export function withAddressGenerators(
  kernel: KernelModule,
  addressBits: number,
  outstanding: number,
): KernelModule {
  if (kernel.streams.length === 0) return kernel;
  const name = `${kernel.name}_memory`;
  const module = new Module(name);
  module.names.reserve(["unused", "kernel"]);
  const connections: Record<string, string> = {};
  const prefixes = [...kernel.reads, ...kernel.writes].map(({ prefix }) => prefix);
  // One prefix may begin like another: the longer one counts.
  const prefixOf = (port: string) =>
    prefixes.filter((p) => port.startsWith(`${p}_`)).sort((p, q) => q.length - p.length)[0];
  const owner = (port: string) => kernel.streams.find(({ prefix }) => prefix === prefixOf(port));
  for (const port of kernel.ports) {
    const stream = owner(port.name);
    if (!stream)
      connections[port.name] = module.port({ direction: port.direction, bits: port.bits, name: port.name });
    else {
      const wire = `${stream.prefix}_stream${port.name.slice(stream.prefix.length)}`;
      connections[port.name] = module.names.unique(wire);
      module.declare(`wire ${range(port.bits)}${wire};`);
    }
  }
  const lines = (prefix: string, names: readonly string[]) =>
    Object.fromEntries(names.map((n) => [n, `${prefix}_stream_${n}`]));
  const outer = (prefix: string, direction: "input" | "output", what: string, bits: number) =>
    module.port({ direction, bits, name: `${prefix}_${what}` });
  const of = <T extends ReadPort | WritePort>(ports: readonly T[], { prefix }: StreamPort): T =>
    ports.find((p) => p.prefix === prefix) as T;
  for (const stream of kernel.streams) {
    const { prefix, beatsBits, word } = stream;
    const lanesOf = (bytes: number, lanes: number) => ({
      LANE: bytes / lanes,
      LANES: lanes,
      BYTE_BITS: Math.log2(bytes / lanes),
      LANE_BITS: Math.log2(lanes),
    });
    if (stream.direction === "read") {
      const { bytes } = of(kernel.reads, stream);
      const counts = { ADDRESS: addressBits, BEATS: beatsBits, LOG2: Math.log2(outstanding) };
      module.instance(
        word ? "arc_words_read" : "arc_stream_read",
        word ? { ...lanesOf(bytes, word.lanes), LEAD: word.lead, ...counts } : { BYTES: bytes, ...counts },
        `${prefix}_generator`,
        {
          clk: "clk",
          rst: "rst",
          ...lines(prefix, [
            "command_valid",
            "command_address",
            "command_beats",
            "command_ready",
            "data_valid",
            "data",
            "data_ready",
          ]),
          read_valid: outer(prefix, "output", "read_valid", 1),
          read_address: outer(prefix, "output", "read_address", addressBits),
          read_ready: outer(prefix, "input", "read_ready", 1),
          arrived: outer(prefix, "input", "data_valid", 1),
          arriving: outer(prefix, "input", "data", bytes * 8),
        },
      );
    } else {
      const { bytes } = of(kernel.writes, stream);
      const size = word ? lanesOf(bytes, word.lanes) : { BYTES: bytes };
      module.instance(
        word ? "arc_words_write" : "arc_stream_write",
        { ...size, ADDRESS: addressBits },
        `${prefix}_generator`,
        {
          clk: "clk",
          rst: "rst",
          ...lines(prefix, [
            "command_valid",
            "command_address",
            "command_ready",
            "word_valid",
            "word",
            "word_ready",
            "settled",
            ...(word ? ["word_lanes", "ended"] : []),
          ]),
          ...(word && { write_strobe: outer(prefix, "output", "write_strobe", bytes) }),
          write_valid: outer(prefix, "output", "write_valid", 1),
          write_address: outer(prefix, "output", "write_address", addressBits),
          write_data: outer(prefix, "output", "write_data", bytes * 8),
          write_ready: outer(prefix, "input", "write_ready", 1),
          write_done: outer(prefix, "input", "write_done", 1),
        },
      );
    }
  }
  module.instance(kernel.name, {}, "kernel", connections);
  return { ...kernel, name, text: `${kernel.text}\n${module.text()}`, ports: module.portList(), streams: [] };
}
