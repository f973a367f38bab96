/**
 * An AXI4 manager whose arguments, start and counters are registers of an AXI4-Lite subordinate, according to
 * registers.json: the module needs nothing else but a clock and a reset. Registers are written as whole words; a write
 * with other strobes is answered with an error and changes nothing. `irq` is high from the end of a run until the next
 * start.
 */

import { apartSignal, asksApart } from "../pipeline/interlock.ts";
import type { KernelModule } from "../pipeline/kernel-module.ts";
import type { Port } from "../text/module.ts";
import { range } from "../text/text.ts";
import type { AxiKernel } from "./axi.ts";
import {
  argumentConnections,
  controlLogic,
  controlRegisters,
  REGISTER_BITS,
  registersFound,
} from "./control.ts";

export interface ControlledKernel {
  readonly name: string;
  readonly text: string;
  readonly ports: readonly Port[];
  /** Signals of the subordinate and of the manager, and the interrupt. */
  readonly buses: readonly Port[];
  readonly dataBits: number;
}

const into = (name: string, bits: number): Port => ({ direction: "input", bits, name: `s_axi_${name}` });
const out = (name: string, bits: number): Port => ({ direction: "output", bits, name: `s_axi_${name}` });

const subordinate: readonly Port[] = [
  into("awvalid", 1),
  out("awready", 1),
  into("awaddr", REGISTER_BITS),
  into("awprot", 3),
  into("wvalid", 1),
  out("wready", 1),
  into("wdata", 32),
  into("wstrb", 4),
  { ...out("bvalid", 1), register: true },
  into("bready", 1),
  { ...out("bresp", 2), register: true },
  into("arvalid", 1),
  out("arready", 1),
  into("araddr", REGISTER_BITS),
  into("arprot", 3),
  { ...out("rvalid", 1), register: true },
  into("rready", 1),
  { ...out("rdata", 32), register: true },
  out("rresp", 2),
];

export function controlledKernel(kernel: KernelModule, manager: AxiKernel): ControlledKernel {
  const name = `${manager.name}_lite`;
  const probes = kernel.probes.flatMap(({ start, enter }) => [start, enter]);
  const interrupt: Port = { direction: "output", bits: 1, name: "irq" };
  const buses = [interrupt, ...subordinate, ...manager.axi];
  const ports: readonly Port[] = [
    { direction: "input", bits: 1, name: "clk" },
    { direction: "input", bits: 1, name: "rst" },
    ...buses,
    ...probes.map((probe): Port => ({ direction: "output", bits: 1, name: probe })),
  ];
  const bus = { write: "write", address: "write_address", data: "write_data", reset: "rst", clk: "clk" };
  const waits = "(m_axi_arvalid & ~m_axi_arready) | (m_axi_awvalid & ~m_axi_awready)";
  const connections = [
    ".clk(clk)",
    ".rst(kernel_rst)",
    ...[
      ...["start", "done", "error"],
      ...(asksApart(kernel) ? [apartSignal] : []),
      ...manager.axi.map((port) => port.name),
      ...probes,
    ].map((signal) => `.${signal}(${signal})`),
    ...argumentConnections(kernel),
  ];
  const lines = [
    ...controlRegisters(kernel),
    "wire done;",
    "wire [1:0] error;",
    ...handshakes(kernel),
    ...controlLogic(kernel, bus, waits),
    `${manager.name} manager (`,
    ...connections.map((c, k) => `  ${c}${k < connections.length - 1 ? "," : ""}`),
    ");",
    "wire unused = &{1'b0, s_axi_awprot, s_axi_arprot};",
  ];
  const declared = ports.map(
    ({ direction, bits, name: port, register }, k) =>
      `  ${direction} ${register ? "reg" : "wire"} ${range(bits)}${port}${k < ports.length - 1 ? "," : ""}`,
  );
  const text = [`module ${name} (`, ...declared, ");", ...lines.map((line) => `  ${line}`), "endmodule", ""];
  return { name, text: text.join("\n"), ports, buses, dataBits: manager.dataBits };
}

/** The subordinate's channels: `write`, `write_address` and `write_data` are a register write by the host. */
function handshakes(kernel: KernelModule): readonly string[] {
  const readMux = registersFound(kernel, "s_axi_araddr", "s_axi_rdata", ["error", "{30'd0, error}"]);
  return [
    // The address and its word may be accepted in either order.
    "reg has_address;",
    "reg has_word;",
    `reg ${range(REGISTER_BITS)}write_address;`,
    "reg [31:0] write_data;",
    "reg whole;",
    "wire answers = has_address & has_word & (~s_axi_bvalid | s_axi_bready);",
    "wire write = answers & whole;",
    "assign s_axi_awready = ~has_address;",
    "assign s_axi_wready = ~has_word;",
    "assign s_axi_arready = ~s_axi_rvalid | s_axi_rready;",
    "assign s_axi_rresp = 2'b00;",
    "assign irq = finished;",
    "always @(posedge clk) begin",
    "  if (rst | answers) has_address <= 1'b0;",
    "  else if (s_axi_awvalid) has_address <= 1'b1;",
    "  if (rst | answers) has_word <= 1'b0;",
    "  else if (s_axi_wvalid) has_word <= 1'b1;",
    "  if (s_axi_awvalid & s_axi_awready) write_address <= s_axi_awaddr;",
    "  if (s_axi_wvalid & s_axi_wready) begin",
    "    write_data <= s_axi_wdata;",
    "    whole <= &s_axi_wstrb;",
    "  end",
    "  if (rst) s_axi_bvalid <= 1'b0;",
    "  else if (answers) s_axi_bvalid <= 1'b1;",
    "  else if (s_axi_bready) s_axi_bvalid <= 1'b0;",
    "  if (answers) s_axi_bresp <= {~whole, 1'b0};",
    "  if (rst) s_axi_rvalid <= 1'b0;",
    "  else if (s_axi_arready) s_axi_rvalid <= s_axi_arvalid;",
    "  if (s_axi_arvalid & s_axi_arready)",
    ...readMux.map((line) => `    ${line}`),
    "end",
  ];
}
