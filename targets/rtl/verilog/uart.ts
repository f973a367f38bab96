/**
 * The kernel with memory on the chip and a serial line to a host: all that a board needs but its pins. The host
 * reaches memory while the kernel does not run.
 */
import { addressOf, FIRST_BAUD, identityOf, type Register } from "../registers.ts";
import { argumentConnections, controlLogic, controlRegisters, registerCode } from "./control.ts";
import { apartSignal, asksApart } from "./interlock.ts";
import type { KernelModule } from "./kernel.ts";
import { type Pll, pllInstance } from "./pll.ts";
import type { PortedKernel } from "./port.ts";
import type { BoardMemory } from "./ram.ts";
import { literal, range } from "./text.ts";
import { boardName, kept } from "./wrapper.ts";

export interface UartOptions {
  /** Of the clock, in MHz. */
  readonly clock: number;
  /** What makes it of the oscillator's; absent: the oscillator is the clock. */
  readonly pll?: Pll;
  readonly memory: BoardMemory;
}

export function uartBoard(kernel: KernelModule, ported: PortedKernel, options: UartOptions): string {
  const log2 = Math.log2(options.memory.bytes);
  const { pll } = options;
  const clk = pll === undefined ? "clk" : "clock";
  const found: readonly [Register, string][] = [
    ["identity", literal(BigInt(identityOf(kernel.text)), 32)],
    ["status", "{30'd0, finished, running}"],
    ["cycles", "cycles"],
    ["stalls", "stalls"],
    ["memory", literal(BigInt(options.memory.bytes), 32)],
  ];
  const { native, reads, writes, beats } = ported;
  const spare: string[] = [];
  const address = (name: string) => {
    spare.push(`${name}[1:0]`);
    if (native.addressBits > log2) spare.push(`${name}[${native.addressBits - 1}:${log2}]`);
    return `${name}[${log2 - 1}:2]`;
  };
  const channels = [
    ...(reads
      ? ["read_valid", "read_address", "read_beats", "read_ready", "data_valid", "data", "data_ready"]
      : []),
    ...(writes
      ? [
          ...["write_valid", "write_address", "write_beats", "write_ready", "word_valid", "word"],
          ...["word_strobe", "word_ready", "response_valid", "response_ready"],
        ]
      : []),
  ];
  const probes = kernel.probes.flatMap(({ start, enter }) => [start, enter]);
  const connections = [
    `.clk(${clk})`,
    ...["start", "done", ...(asksApart(kernel) ? [apartSignal] : []), ...channels, ...probes].map(
      (n) => `.${n}(${n})`,
    ),
    ...argumentConnections(kernel),
    ".rst(kernel_rst)",
  ];
  const waits = [
    ...(reads ? ["(read_valid & ~read_ready)"] : []),
    ...(writes ? ["(write_valid & ~write_ready)"] : []),
  ];
  // The host has the memory's ports while the kernel does not run.
  const lines = [
    ...probes.map((name) => `wire ${name};`),
    ...(reads
      ? [
          `wire read_valid;`,
          `wire ${range(native.addressBits)}read_address;`,
          "wire [8:0] read_beats;",
          "wire data_ready;",
          `wire [${log2 - 3}:0] read_at = running ? ${address("read_address")} : address[${log2 - 1}:2];`,
        ]
      : [
          "wire read_valid = 1'b0;",
          "wire [8:0] read_beats = 9'd1;",
          "wire data_ready = 1'b1;",
          `wire [${log2 - 3}:0] read_at = address[${log2 - 1}:2];`,
        ]),
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
          `wire [${log2 - 3}:0] write_at = running ? ${address("write_address")} : address[${log2 - 1}:2];`,
        ]
      : [
          "wire write_valid = 1'b0;",
          "wire [8:0] write_beats = 9'd1;",
          "wire word_valid = 1'b0;",
          "wire [31:0] word = 32'd0;",
          "wire [3:0] word_strobe = 4'd0;",
          "wire response_ready = 1'b1;",
          `wire [${log2 - 3}:0] write_at = address[${log2 - 1}:2];`,
        ]),
    "wire write_ready;",
    "wire word_ready;",
    "wire response_valid;",
  ];
  spare.push("address[1:0]", `address[22:${Math.max(log2, 10)}]`);
  if (!reads) spare.push("read_ready", "data_valid");
  if (!writes) spare.push("write_ready", "word_ready", "response_valid");
  spare.push(...probes);
  const first = Math.round((options.clock * 1e6) / FIRST_BAUD);
  return `module ${boardName} (
  input wire clk,
  input wire rx,
  output wire tx
);
  // High for some cycles after power-on: registers of the part begin with 0.
  reg [3:0] awake = 4'd0;
  wire rst = ~awake[3];
${
  pll === undefined
    ? "  always @(posedge clk) if (rst) awake <= awake + 4'd1;"
    : `  wire clock;
  wire locked;
  ${pllInstance(pll, "clk", "clock", "locked")}
  always @(posedge clock)
    if (~locked) awake <= 4'd0;
    else if (rst) awake <= awake + 4'd1;`
}

  reg [15:0] divisor;
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
  );

${controlRegisters(kernel)
  .map((l) => `  ${l}`)
  .join("\n")}
  wire done;
${lines.map((l) => `  ${l}`).join("\n")}
  wire register_write = write & ~address[23];
${controlLogic(
  kernel,
  { write: "register_write", address: "address[9:0]", data: "written", reset: "rst", clk },
  waits.join(" | ") || "1'b0",
)
  .map((l) => `  ${l}`)
  .join("\n")}
  always @(posedge ${clk}) begin
    if (rst) divisor <= ${literal(BigInt(first), 16)};
    else if (register_write & (address[9:0] == ${registerCode(addressOf("divisor"))})) divisor <= written[15:0];
  end
  always @(posedge ${clk}) begin
    if (address[23]) found <= data;
    else
      case (address[9:0])
${found.map(([register, value]) => `        ${registerCode(addressOf(register))}: found <= ${value};`).join("\n")}
        default: found <= 32'd0;
      endcase
  end

  ${options.memory.module} #(.LOG2(${log2 - 2}), .BURSTS(${beats > 1 ? 1 : 0})) memory (
    .clk(${clk}),
    .rst(rst | ~running),
    .read_valid(read_valid), .read_address(read_at), .read_beats(read_beats), .read_ready(read_ready),
    .data_valid(data_valid), .data(data), .data_ready(data_ready),
    .write_valid(running ? write_valid : write & address[23]), .write_address(write_at),
    .write_beats(running ? write_beats : 9'd1), .write_ready(write_ready),
    .word_valid(running ? word_valid : write & address[23]), .word(running ? word : written),
    .word_strobe(running ? word_strobe : 4'd15), .word_ready(word_ready),
    .response_valid(response_valid), .response_ready(response_ready)
  );
  ${kept} ${ported.name} kernel (
${connections.map((c) => `    ${c}`).join(",\n")}
  );
  wire unused = &{1'b0, ${spare.join(", ")}};
endmodule
`;
}
