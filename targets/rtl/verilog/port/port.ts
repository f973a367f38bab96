/**
 * A kernel with all its memory ports merged into one native port, as a module of its own: round-robin arbiters accept
 * commands from the kernel's ports, and their order tells who gets each answer.
 *
 * All channels are valid-ready: read commands {address, beats}, read data, write commands {address, beats}, write words
 * {word, strobe}, write responses, one per command. Addresses are byte addresses of whole words. An element narrower
 * than a word is a lane of it (natural alignment keeps it within the word); a wider one takes several beats, the low
 * one first. Memory answers commands of a kind in their order.
 */
import type { KernelModule } from "../pipeline/kernel-module.ts";
import type { WritePort } from "../pipeline/pipeline.ts";
import { Module, type Port } from "../text/module.ts";
import { range } from "../text/text.ts";
import type { Client, Merge, NativePort } from "./merge.ts";
import { mergeReads } from "./reads.ts";
import { mergeWrites } from "./writes.ts";

export interface PortedKernel {
  readonly name: string;
  readonly text: string;
  readonly ports: readonly Port[];
  readonly native: NativePort;
  /** Which channels exist. */
  readonly reads: boolean;
  readonly writes: boolean;
  /** Beats of the widest element. */
  readonly beats: number;
  /** The kernel's ports, in the order of their turns. */
  readonly readers: readonly Client[];
  readonly writers: readonly Client[];
}

export function portedKernel(kernel: KernelModule, native: NativePort): PortedKernel {
  const name = `${kernel.name}_port`;
  const module = new Module(name);
  module.names.reserve(["unused", "kernel"]);
  const prefixes = [...kernel.reads, ...kernel.writes].map(({ prefix }) => `${prefix}_`);
  const isMemory = (port: Port) => prefixes.some((prefix) => port.name.startsWith(prefix));
  const signals = new Map<string, string>();
  for (const port of kernel.ports.filter((port) => !isMemory(port)))
    signals.set(port.name, module.port({ direction: port.direction, bits: port.bits, name: port.name }));
  const signal = (port: string) => {
    const known = signals.get(port) ?? module.names.unique(port);
    signals.set(port, known);
    return known;
  };
  const merge: Merge = { module, native, low: Math.log2(native.dataBits / 8), signal };
  const readers = kernel.reads.map((port) => clientOf(port, native));
  const writers = kernel.writes.map((port) => clientOf(port, native));
  if (readers.length > 0) mergeReads(merge, readers);
  if (writers.length > 0) mergeWrites(merge, writers);
  for (const port of kernel.ports.filter(isMemory))
    module.declare(`wire ${range(port.bits)}${signal(port.name)};`);
  const connections = kernel.ports.map((port) => [port.name, signal(port.name)] as const);
  module.instance(kernel.name, {}, "kernel", Object.fromEntries(connections));
  return {
    name,
    text: module.text(),
    ports: module.portList(),
    native,
    reads: readers.length > 0,
    writes: writers.length > 0,
    beats: Math.max(1, ...[...readers, ...writers].map(({ beats }) => beats)),
    readers,
    writers,
  };
}

function clientOf(
  port: Pick<WritePort, "prefix" | "bytes" | "strobes" | "beats">,
  native: NativePort,
): Client {
  const { prefix, bytes, strobes = false, beats: burst } = port;
  const beats = Math.max(1, (bytes * 8) / native.dataBits);
  return { prefix, bits: bytes * 8, beats, strobes, ...(burst && { burst }) };
}
