/**
 * The kernel with on-chip memory and a serial line to a host: everything that a board needs except its pins. The host
 * can access memory while the kernel does not run.
 */

import { apartSignal, asksApart } from "../pipeline/interlock.ts";
import type { KernelModule } from "../pipeline/kernel-module.ts";
import type { PortedKernel } from "../port/port.ts";
import type { BoardMemory } from "../text/ram.ts";
import { addressOf, FIRST_BAUD } from "../text/registers.ts";
import { literal, range } from "../text/text.ts";
import {
  argumentConnections,
  controlLogic,
  controlRegisters,
  registerCode,
  registersFound,
} from "./control.ts";
import { type Pll, pllInstance } from "./pll.ts";
import { boardName, keepHierarchy } from "./wrapper.ts";

interface UartOptions {
  /** The clock in MHz. */
  readonly clock: number;
  /** The PLL that makes it from the oscillator; absent: the oscillator is the clock. */
  readonly pll?: Pll;
  readonly memory: BoardMemory;
}

/** What the parts of a board share. */
interface Board {
  readonly kernel: KernelModule;
  readonly ported: PortedKernel;
  readonly options: UartOptions;
  /** Name of the clock that drives everything. */
  readonly clk: string;
  /** Address bits of the memory. */
  readonly log2: number;
}

export function uartBoard(kernel: KernelModule, ported: PortedKernel, options: UartOptions): string {
  const { pll, memory } = options;
  const clk = pll === undefined ? "clk" : "clock";
  const board: Board = { kernel, ported, options, clk, log2: Math.log2(memory.bytes) };
  return `module ${boardName} (
  input wire clk,
  input wire rx,
  output wire tx
);
${awakening(pll)}

${serialLine(board)}

${indented(controlRegisters(kernel))}
  wire done;
${indented(kernelSignals(board))}
${hostRegisters(board)}

${memoryInstance(board)}
${kernelInstance(board)}
  wire unused = &{1'b0, ${unused(board).join(", ")}};
endmodule
`;
}

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");

/** The clock, and the power-on reset. */
function awakening(pll: Pll | undefined): string {
  const clock =
    pll === undefined
      ? "  always @(posedge clk) if (rst) awake <= awake + 4'd1;"
      : `  wire clock;
  wire locked;
  ${pllInstance(pll)}
  always @(posedge clock)
    if (~locked) awake <= 4'd0;
    else if (rst) awake <= awake + 4'd1;`;
  return `  // High for some cycles after power-on: registers of the part begin with 0.
  reg [3:0] awake = 4'd0;
  wire rst = ~awake[3];
${clock}`;
}

/** Bytes to and from the host, and its accesses: `address`, `write`, `written`, `found`. */
const serialLine = ({ clk }: Board): string => `  reg [15:0] divisor;
  wire [7:0] received;
  wire received_valid;
  wire broken;
  arc_receive receiver (
    .clk(${clk}), .rst(rst), .divisor(divisor), .rx(rx), .data(received), .valid(received_valid), .broken(broken)
  );
  wire [7:0] sent;
  wire sent_valid;
  wire sent_ready;
  arc_transmit transmitter (
    .clk(${clk}), .rst(rst), .divisor(divisor), .data(sent), .valid(sent_valid), .ready(sent_ready), .tx(tx)
  );
  wire [23:0] address;
  wire [31:0] written;
  wire write;
  reg [31:0] found;
  arc_host_port host (
    .clk(${clk}), .rst(rst), .received(received), .received_valid(received_valid), .broken(broken), .sent(sent),
    .sent_valid(sent_valid), .sent_ready(sent_ready), .address(address), .written(written), .write(write), .found(found)
  );`;

const probesOf = (kernel: KernelModule): readonly string[] =>
  kernel.probes.flatMap(({ start, enter }) => [start, enter]);

/** Signals between kernel and memory. If the kernel lacks a channel, only the host uses it. */
function kernelSignals(board: Board): readonly string[] {
  const { kernel, ported, log2 } = board;
  const { native, reads, writes } = ported;
  // The host uses the memory's ports while the kernel does not run.
  const word = (of: string) => `${of}[${log2 - 1}:2]`;
  const at = (channel: string, exists: boolean) =>
    `wire [${log2 - 3}:0] ${channel}_at = ${exists ? `running ? ${word(`${channel}_address`)} : ` : ""}${word("address")};`;
  return [
    ...probesOf(kernel).map((name) => `wire ${name};`),
    ...(reads
      ? [
          "wire read_valid;",
          `wire ${range(native.addressBits)}read_address;`,
          "wire [8:0] read_beats;",
          "wire data_ready;",
        ]
      : ["wire read_valid = 1'b0;", "wire [8:0] read_beats = 9'd1;", "wire data_ready = 1'b1;"]),
    at("read", reads),
    "wire read_ready;",
    "wire data_valid;",
    "wire [31:0] data;",
    ...(writes
      ? [
          "wire write_valid;",
          `wire ${range(native.addressBits)}write_address;`,
          "wire [8:0] write_beats;",
          "wire word_valid;",
          "wire [31:0] word;",
          "wire [3:0] word_strobe;",
          "wire response_ready;",
        ]
      : [
          "wire write_valid = 1'b0;",
          "wire [8:0] write_beats = 9'd1;",
          "wire word_valid = 1'b0;",
          "wire [31:0] word = 32'd0;",
          "wire [3:0] word_strobe = 4'd0;",
          "wire response_ready = 1'b1;",
        ]),
    at("write", writes),
    "wire write_ready;",
    "wire word_ready;",
    "wire response_valid;",
  ];
}

/** What the host writes and reads: state of the kernel's run and of the board, or a word of memory. */
function hostRegisters({ kernel, ported, options, clk }: Board): string {
  const first = Math.round((options.clock * 1e6) / FIRST_BAUD);
  const bytes = literal(BigInt(options.memory.bytes), 32);
  const readMux = registersFound(kernel, "address[9:0]", "found", ["memory", bytes]);
  const waits = [
    ...(ported.reads ? ["(read_valid & ~read_ready)"] : []),
    ...(ported.writes ? ["(write_valid & ~write_ready)"] : []),
  ];
  const bus = { write: "register_write", address: "address[9:0]", data: "written", reset: "rst", clk };
  return `  wire register_write = write & ~address[23];
${indented(controlLogic(kernel, bus, waits.join(" | ") || "1'b0"))}
  always @(posedge ${clk}) begin
    if (rst) divisor <= ${literal(BigInt(first), 16)};
    else if (register_write & (address[9:0] == ${registerCode(addressOf("divisor"))})) divisor <= written[15:0];
  end
  always @(posedge ${clk}) begin
    if (address[23]) found <= data;
    else
${readMux.map((line) => `      ${line}`).join("\n")}
  end`;
}

const memoryInstance = ({
  ported,
  options,
  clk,
  log2,
}: Board): string => `  ${options.memory.module} #(.LOG2(${log2 - 2}), .BURSTS(${ported.beats > 1 ? 1 : 0})) memory (
    .clk(${clk}),
    .rst(rst | ~running),
    .read_valid(read_valid), .read_address(read_at), .read_beats(read_beats), .read_ready(read_ready),
    .data_valid(data_valid), .data(data), .data_ready(data_ready),
    .write_valid(running ? write_valid : write & address[23]), .write_address(write_at),
    .write_beats(running ? write_beats : 9'd1), .write_ready(write_ready),
    .word_valid(running ? word_valid : write & address[23]), .word(running ? word : written),
    .word_strobe(running ? word_strobe : 4'd15), .word_ready(word_ready),
    .response_valid(response_valid), .response_ready(response_ready)
  );`;

function kernelInstance({ kernel, ported, clk }: Board): string {
  const parameters = [
    "start",
    "done",
    ...(asksApart(kernel) ? [apartSignal] : []),
    ...(ported.reads
      ? ["read_valid", "read_address", "read_beats", "read_ready", "data_valid", "data", "data_ready"]
      : []),
    ...(ported.writes
      ? [
          ...["write_valid", "write_address", "write_beats", "write_ready", "word_valid", "word"],
          ...["word_strobe", "word_ready", "response_valid", "response_ready"],
        ]
      : []),
    ...probesOf(kernel),
  ];
  const connections = [
    `.clk(${clk})`,
    ...parameters.map((name) => `.${name}(${name})`),
    ...argumentConnections(kernel),
    ".rst(kernel_rst)",
  ];
  return `  ${keepHierarchy} ${ported.name} kernel (
${connections.map((c) => `    ${c}`).join(",\n")}
  );`;
}

/** Unused bits. */
function unused({ kernel, ported, log2 }: Board): readonly string[] {
  const { native, reads, writes } = ported;
  const beyond = (address: string) => [
    `${address}[1:0]`,
    ...(native.addressBits > log2 ? [`${address}[${native.addressBits - 1}:${log2}]`] : []),
  ];
  return [
    ...(reads ? beyond("read_address") : []),
    ...(writes ? beyond("write_address") : []),
    "address[1:0]",
    `address[22:${Math.max(log2, 10)}]`,
    ...(reads ? [] : ["read_ready", "data_valid"]),
    ...(writes ? [] : ["write_ready", "word_ready", "response_valid"]),
    ...probesOf(kernel),
  ];
}
