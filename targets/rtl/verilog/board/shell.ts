/**
 * The design as a simulator and its memory see it: the same signals for every kernel, or an AXI4 manager's in addition.
 * `argument_bytes` is 0 for pointers; `argument_kernel` is the index of the kernel that takes the argument, if several
 * run together. Signals of several ports are concatenated, number 0 lowest: arguments with 64 bits each, addresses with
 * 32 (whole ones with 64), beats with 9, data and words with `data_bytes`, which is at least 8. `read_bytes` and
 * `write_bytes` are the bytes of a beat.
 */

import { apartSignal, asksApart } from "../pipeline/interlock.ts";
import type { KernelModule } from "../pipeline/kernel-module.ts";
import { BEATS_BITS } from "../port/merge.ts";
import type { PortedKernel } from "../port/port.ts";
import { literal, range } from "../text/text.ts";
import type { AxiKernel } from "./axi.ts";
import type { ControlledKernel } from "./axi-lite.ts";
import { shellName } from "./wrapper.ts";

/** Signals of the kernel, or derived from them, at one port of the shell. */
interface Attached {
  readonly bytes: number;
  readonly connections: readonly string[];
  readonly assigns: readonly string[];
  readonly spare: readonly string[];
}

/** The memory side of the shell. */
interface MemorySide {
  /** Port declarations, without commas. */
  readonly ports: readonly string[];
  readonly connections: readonly string[];
  readonly assigns: readonly string[];
  readonly spare: readonly string[];
  readonly reads: number;
  readonly writes: number;
  /** Bytes of each port in the data vectors. */
  readonly dataBytes: number;
}

/** `inner`: the module to use instead of the kernel, in which the ports are merged. */
export function shell(
  kernel: KernelModule,
  addressBits: number,
  inner?: { readonly ported: PortedKernel } | { readonly axi: AxiKernel },
): string {
  const { probes } = kernel;
  const args = kernel.arguments;
  const ported = inner && "ported" in inner ? inner.ported : undefined;
  const axi = inner && "axi" in inner ? inner.axi : undefined;
  const memory = axi ? axiSide(axi) : nativeSide(kernel, addressBits, ported);
  const p = probes.length;
  const connections = [
    ".clk(clk)",
    ".rst(rst)",
    ".start(start)",
    ".done(done)",
    ...(asksApart(kernel) ? [`.${apartSignal}(${apartSignal})`] : []),
    ...args.map(({ name, bits }, k) => `.${name}(arguments${at(k, 64, bits)})`),
    ...memory.connections,
    ...probes.flatMap(({ start, enter }, k) => [`.${start}(started[${k}])`, `.${enter}(issues[${k}])`]),
  ];
  const fixed = [
    ...(args.length === 0 ? idle({ argument_bytes: 8, argument_kernel: 8 }) : []),
    ...args.map(({ bytes }, k) => `assign argument_bytes${at(k, 8)} = 8'd${bytes};`),
    ...args.map(({ kernel: of }, k) => `assign argument_kernel${at(k, 8)} = 8'd${of};`),
    ...memory.assigns,
    ...(p === 0 ? idle({ started: 1, issues: 1 }) : []),
  ];
  // Unconnected bits: linters recognise signals of this name.
  const spare = [
    ...args.flatMap(({ bits }, k) => (bits < 64 ? [`arguments[${k * 64 + 63}:${k * 64 + bits}]`] : [])),
    ...memory.spare,
    ...(args.length === 0 ? ["arguments"] : []),
    ...(asksApart(kernel) ? [] : [apartSignal]),
  ];
  if (spare.length > 0) fixed.push(`wire unused = &{1'b0, ${spare.join(", ")}};`);
  return `module ${shellName} (
  input wire clk,
  input wire rst,
  input wire start,
  input wire ${apartSignal},
  output wire done,
  input wire ${wide(args.length, 64)} arguments,
  output wire [63:0] counts,
  output wire [7:0] data_bytes,
  output wire ${wide(args.length, 8)} argument_bytes,
  output wire ${wide(args.length, 8)} argument_kernel,
${memory.ports.map((line) => `  ${line},`).join("\n")}
  output wire ${wide(p, 1)} started,
  output wire ${wide(p, 1)} issues
);
  assign data_bytes = 8'd${memory.dataBytes};
  assign counts = {16'd${p}, 16'd${memory.writes}, 16'd${memory.reads}, 16'd${args.length}};
${fixed.map((l) => `  ${l}`).join("\n")}
  ${axi?.name ?? ported?.name ?? kernel.name} kernel (
${connections.map((c) => `    ${c}`).join(",\n")}
  );
endmodule
`;
}

/** The same for a kernel run through registers: their bus replaces arguments, start and done. */
export function controlledShell(kernel: KernelModule, controlled: ControlledKernel): string {
  const { probes, arguments: args } = kernel;
  const ports = controlled.buses.map(
    ({ direction, bits, name }) => `${direction} wire ${range(bits)}${name}`,
  );
  const connections = [
    ".clk(clk)",
    ".rst(rst)",
    ...controlled.buses.map(({ name }) => `.${name}(${name})`),
    ...probes.flatMap(({ start, enter }, k) => [`.${start}(started[${k}])`, `.${enter}(issues[${k}])`]),
  ];
  const fixed = [
    ...(args.length === 0 ? idle({ argument_bytes: 8, argument_kernel: 8 }) : []),
    ...args.map(({ bytes }, k) => `assign argument_bytes${at(k, 8)} = 8'd${bytes};`),
    ...args.map(({ kernel: of }, k) => `assign argument_kernel${at(k, 8)} = 8'd${of};`),
    ...(probes.length === 0 ? idle({ started: 1, issues: 1 }) : []),
  ];
  return `module ${shellName} (
  input wire clk,
  input wire rst,
  output wire [63:0] counts,
  output wire [7:0] data_bytes,
  output wire ${wide(args.length, 8)} argument_bytes,
  output wire ${wide(args.length, 8)} argument_kernel,
${ports.map((line) => `  ${line},`).join("\n")}
  output wire ${wide(probes.length, 1)} started,
  output wire ${wide(probes.length, 1)} issues
);
  assign data_bytes = 8'd${controlled.dataBits / 8};
  assign counts = {16'd${probes.length}, 32'd0, 16'd${args.length}};
${fixed.map((l) => `  ${l}`).join("\n")}
  ${controlled.name} kernel (
${connections.map((c) => `    ${c}`).join(",\n")}
  );
endmodule
`;
}

const wide = (n: number, bits: number) => `[${Math.max(1, n) * bits - 1}:0]`;

/** The manager's signals, unchanged. */
function axiSide({ axi, dataBits }: AxiKernel): MemorySide {
  return {
    ports: [
      "output wire [1:0] error",
      ...axi.map(({ direction, bits, name }) => `${direction} wire ${range(bits)}${name}`),
    ],
    connections: [".error(error)", ...axi.map(({ name }) => `.${name}(${name})`)],
    assigns: [],
    spare: [],
    reads: 0,
    writes: 0,
    dataBytes: dataBits / 8,
  };
}

function nativeSide(kernel: KernelModule, addressBits: number, ported?: PortedKernel): MemorySide {
  const dataBytes = dataBytesOf(kernel, ported);
  const reads =
    ported === undefined
      ? kernel.reads.map((port, k) => separateRead(port, k, addressBits, dataBytes))
      : oneRead(ported, dataBytes);
  const writes =
    ported === undefined
      ? kernel.writes.map((port, k) => separateWrite(port, k, addressBits, dataBytes))
      : oneWrite(ported, dataBytes);
  const [r, w] = [reads.length, writes.length];
  const slot = addressSlot(addressBits);
  return {
    ports: [
      `output wire ${wide(r, 1)} read_valid`,
      `output wire ${wide(r, slot)} read_address`,
      `output wire ${wide(r, BEATS_BITS)} read_beats`,
      `output wire ${wide(r, 8)} read_bytes`,
      `input wire ${wide(r, 1)} read_ready`,
      `input wire ${wide(r, 1)} data_valid`,
      `input wire ${wide(r, dataBytes * 8)} data`,
      `output wire ${wide(r, 1)} data_ready`,
      `output wire ${wide(w, 1)} write_valid`,
      `output wire ${wide(w, slot)} write_address`,
      `output wire ${wide(w, BEATS_BITS)} write_beats`,
      `output wire ${wide(w, 8)} write_bytes`,
      `input wire ${wide(w, 1)} write_ready`,
      `output wire ${wide(w, 1)} word_valid`,
      `output wire ${wide(w, dataBytes * 8)} word`,
      `output wire ${wide(w, dataBytes)} word_strobe`,
      `input wire ${wide(w, 1)} word_ready`,
      `input wire ${wide(w, 1)} response_valid`,
      `output wire ${wide(w, 1)} response_ready`,
    ],
    connections: [...reads, ...writes].flatMap((port) => port.connections),
    assigns: [
      ...[...reads, ...writes].flatMap((port) => port.assigns),
      ...reads.map(({ bytes }, k) => `assign read_bytes${at(k, 8)} = 8'd${bytes};`),
      ...writes.map(({ bytes }, k) => `assign write_bytes${at(k, 8)} = 8'd${bytes};`),
      // If there is no port, the signals of the first one are idle.
      ...(r === 0
        ? idle({ read_valid: 1, read_address: slot, read_beats: BEATS_BITS, read_bytes: 8, data_ready: 1 })
        : []),
      ...(w === 0
        ? idle({
            write_valid: 1,
            write_address: slot,
            write_beats: BEATS_BITS,
            write_bytes: 8,
            word_valid: 1,
            word: dataBytes * 8,
            word_strobe: dataBytes,
            response_ready: 1,
          })
        : []),
    ],
    spare: [
      ...[...reads, ...writes].flatMap((port) => port.spare),
      ...(r === 0 ? ["read_ready", "data_valid", "data"] : []),
      ...(w === 0 ? ["write_ready", "word_ready", "response_valid"] : []),
    ],
    reads: r,
    writes: w,
    dataBytes,
  };
}

/** Bits of each port in the address vectors. */
const addressSlot = (addressBits: number) => (addressBits > 32 ? 64 : 32);

const at = (k: number, bits: number, width = bits) => `[${k * bits + width - 1}:${k * bits}]`;

const idle = (signals: Readonly<Record<string, number>>) =>
  Object.entries(signals).map(([name, bits]) => `assign ${name} = ${bits}'d0;`);

/** Zeros that fill a slot wider than its signal. */
const upper = (signal: string, k: number, place: number, bits: number) =>
  bits < place ? [`assign ${signal}[${(k + 1) * place - 1}:${k * place + bits}] = ${place - bits}'d0;`] : [];

/** The unread bits of `data` in a slot wider than the memory word. */
const unreadData = (k: number, place: number, bits: number) =>
  bits < place ? [`data[${(k + 1) * place - 1}:${k * place + bits}]`] : [];

/** A load's own port: one element per beat, taken as soon as it is available. */
function separateRead(
  { prefix, bytes }: KernelModule["reads"][number],
  k: number,
  addressBits: number,
  dataBytes: number,
): Attached {
  return {
    bytes,
    connections: [
      `.${prefix}_read_valid(read_valid[${k}])`,
      `.${prefix}_read_address(read_address${at(k, addressSlot(addressBits), addressBits)})`,
      `.${prefix}_read_ready(read_ready[${k}])`,
      `.${prefix}_data_valid(data_valid[${k}])`,
      `.${prefix}_data(data${at(k, dataBytes * 8, bytes * 8)})`,
    ],
    assigns: [
      ...upper("read_address", k, addressSlot(addressBits), addressBits),
      `assign read_beats${at(k, BEATS_BITS)} = ${BEATS_BITS}'d1;`,
      `assign data_ready[${k}] = 1'b1;`,
    ],
    spare: unreadData(k, dataBytes * 8, bytes * 8),
  };
}

/** A store port sends address and data together: memory gets both or none. */
function separateWrite(
  { prefix, bytes, strobes }: KernelModule["writes"][number],
  k: number,
  addressBits: number,
  dataBytes: number,
): Attached {
  const valid = `${prefix}_write_valid`;
  return {
    bytes,
    connections: [
      `.${valid}(${valid})`,
      `.${prefix}_write_address(write_address${at(k, addressSlot(addressBits), addressBits)})`,
      `.${prefix}_write_data(word${at(k, dataBytes * 8, bytes * 8)})`,
      `.${prefix}_write_ready(write_ready[${k}] & word_ready[${k}])`,
      `.${prefix}_write_done(response_valid[${k}])`,
      ...(strobes ? [`.${prefix}_write_strobe(word_strobe${at(k, dataBytes, bytes)})`] : []),
    ],
    assigns: [
      `wire ${valid};`,
      `assign write_valid[${k}] = ${valid} & word_ready[${k}];`,
      `assign word_valid[${k}] = ${valid} & write_ready[${k}];`,
      ...upper("write_address", k, addressSlot(addressBits), addressBits),
      ...upper("word", k, dataBytes * 8, bytes * 8),
      `assign write_beats${at(k, BEATS_BITS)} = ${BEATS_BITS}'d1;`,
      ...(strobes
        ? upper("word_strobe", k, dataBytes, bytes)
        : [`assign word_strobe${at(k, dataBytes)} = ${literal((1n << BigInt(bytes)) - 1n, dataBytes)};`]),
      `assign response_ready[${k}] = 1'b1;`,
    ],
    spare: [],
  };
}

/** Bytes of each port in the data vectors. */
export const dataBytesOf = ({ reads, writes }: KernelModule, ported?: PortedKernel): number =>
  ported
    ? Math.max(8, ported.native.dataBits / 8)
    : Math.max(8, ...[...reads, ...writes].map(({ bytes }) => bytes));

function oneRead({ reads, native }: PortedKernel, dataBytes: number): readonly Attached[] {
  if (!reads) return [];
  const { addressBits, dataBits } = native;
  return [
    {
      bytes: dataBits / 8,
      connections: [
        ...["read_valid", "read_beats", "read_ready", "data_valid", "data_ready"].map(
          (name) => `.${name}(${name})`,
        ),
        `.read_address(read_address${at(0, addressSlot(addressBits), addressBits)})`,
        `.data(data${at(0, dataBytes * 8, dataBits)})`,
      ],
      assigns: upper("read_address", 0, addressSlot(addressBits), addressBits),
      spare: unreadData(0, dataBytes * 8, dataBits),
    },
  ];
}

function oneWrite({ writes, native }: PortedKernel, dataBytes: number): readonly Attached[] {
  if (!writes) return [];
  const { addressBits, dataBits } = native;
  return [
    {
      bytes: dataBits / 8,
      connections: [
        ...[
          "write_valid",
          "write_beats",
          "write_ready",
          "word_valid",
          "word_ready",
          "response_valid",
          "response_ready",
        ].map((name) => `.${name}(${name})`),
        `.write_address(write_address${at(0, addressSlot(addressBits), addressBits)})`,
        `.word(word${at(0, dataBytes * 8, dataBits)})`,
        `.word_strobe(word_strobe${at(0, dataBytes, dataBits / 8)})`,
      ],
      assigns: [
        ...upper("write_address", 0, addressSlot(addressBits), addressBits),
        ...upper("word", 0, dataBytes * 8, dataBits),
        ...upper("word_strobe", 0, dataBytes, dataBits / 8),
      ],
      spare: [],
    },
  ];
}
