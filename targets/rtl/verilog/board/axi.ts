/**
 * Wraps the single memory port of a kernel as an AXI4 manager: the native port's channels plus AXI's signals. Bursts
 * are INCR, of words of the port's width, all with the same id; the native port's never cross 4 KB and have at most 256
 * beats. `error` is the first error response since the start, 0 while there was none.
 */
import type { KernelModule } from "../pipeline/kernel-module.ts";
import { BEATS_BITS } from "../port/merge.ts";
import type { PortedKernel } from "../port/port.ts";
import { Module, type Port } from "../text/module.ts";
import { literal, range, zeros } from "../text/text.ts";

export interface AxiKernel {
  readonly name: string;
  readonly text: string;
  readonly ports: readonly Port[];
  /** The manager's signals, in the order of the channels. */
  readonly axi: readonly Port[];
  readonly dataBits: number;
}

/** The channels' signals; `dataBits` is the width of a word. */
function signals(addressBits: number, dataBits: number): readonly Port[] {
  const out = (name: string, bits: number): Port => ({ direction: "output", bits, name: `m_axi_${name}` });
  const into = (name: string, bits: number): Port => ({ direction: "input", bits, name: `m_axi_${name}` });
  const command = (channel: string): Port[] => [
    out(`${channel}valid`, 1),
    into(`${channel}ready`, 1),
    out(`${channel}id`, 1),
    out(`${channel}addr`, addressBits),
    out(`${channel}len`, 8),
    out(`${channel}size`, 3),
    out(`${channel}burst`, 2),
    out(`${channel}lock`, 1),
    out(`${channel}cache`, 4),
    out(`${channel}prot`, 3),
    out(`${channel}qos`, 4),
  ];
  return [
    ...command("ar"),
    into("rvalid", 1),
    out("rready", 1),
    into("rid", 1),
    into("rdata", dataBits),
    into("rresp", 2),
    into("rlast", 1),
    ...command("aw"),
    out("wvalid", 1),
    into("wready", 1),
    out("wdata", dataBits),
    out("wstrb", dataBits / 8),
    out("wlast", 1),
    into("bvalid", 1),
    out("bready", 1),
    into("bid", 1),
    into("bresp", 2),
  ];
}

const m = (signal: string): string => `m_axi_${signal}`;

export function axiKernel(kernel: KernelModule, ported: PortedKernel): AxiKernel {
  const { addressBits, dataBits } = ported.native;
  const module = new Module(`${kernel.name}_axi`);
  module.names.reserve(["unused", "kernel", "beat"]);
  const axi = signals(addressBits, dataBits);
  const kernelPorts = ported.ports.filter(({ name }) => kernel.ports.some((port) => port.name === name));
  const connections: Record<string, string> = {};
  for (const { direction, bits, name } of kernelPorts)
    connections[name] = module.port({ direction, bits, name });
  module.port({ direction: "output", bits: 2, name: "error", register: true });
  for (const port of axi) module.port(port);
  for (const { name, bits } of ported.ports.filter((port) => !kernelPorts.includes(port))) {
    connections[name] = name;
    module.declare(`wire ${range(bits)}${name};`);
  }
  const bad = [...reading(module, ported), ...writing(module, ported)];
  module.always([
    "if (rst | start) error <= 2'd0;",
    ...(bad.length > 0 ? [`else if (error == 2'd0) error <= ${bad.join(" : ")} : 2'd0;`] : []),
  ]);
  module.instance(ported.name, {}, "kernel", connections);
  return { name: `${kernel.name}_axi`, text: module.text(), ports: module.portList(), axi, dataBits };
}

/**
 * Words come in the order of the commands, which the port knows, so id and last can be ignored. Returns the error that
 * a word comes with, if there are reads, as the beginning of a conditional expression.
 */
function reading(module: Module, ported: PortedKernel): readonly string[] {
  command(module, ported, "ar", "read", ported.reads);
  leave(module, ["rid", 1], ["rlast", 1], ["bid", 1]);
  if (!ported.reads) {
    module.assign(m("rready"), zeros(1));
    leave(module, ["rvalid", 1], ["rdata", ported.native.dataBits], ["rresp", 2]);
    return [];
  }
  module.assign("data_valid", m("rvalid"));
  module.assign("data", m("rdata"));
  module.assign(m("rready"), "data_ready");
  module.leaveBits(m("rresp"), 0, 1);
  return [failedResponse("r")];
}

/** The words of a command come before the next command. Returns the error of a response, as `reading` does. */
function writing(module: Module, ported: PortedKernel): readonly string[] {
  const last = command(module, ported, "aw", "write", ported.writes);
  if (!ported.writes) {
    const { dataBits } = ported.native;
    const idle = { wvalid: 1, wdata: dataBits, wstrb: dataBits / 8, wlast: 1, bready: 1 };
    for (const [name, bits] of Object.entries(idle)) module.assign(m(name), zeros(bits));
    leave(module, ["wready", 1], ["bvalid", 1], ["bresp", 2]);
    return [];
  }
  module.declare(`reg ${range(BEATS_BITS)}beat;`);
  module.assign(m("wvalid"), "word_valid");
  module.assign(m("wdata"), "word");
  module.assign(m("wstrb"), "word_strobe");
  module.assign(m("wlast"), `beat == ${last}`);
  module.assign("word_ready", m("wready"));
  module.always([
    `if (rst) beat <= ${zeros(BEATS_BITS)};`,
    `else if (word_valid & word_ready) beat <= ${m("wlast")} ? ${zeros(BEATS_BITS)} : beat + ${literal(1n, BEATS_BITS)};`,
  ]);
  module.assign("response_valid", m("bvalid"));
  module.assign(m("bready"), "response_ready");
  module.leaveBits(m("bresp"), 0, 1);
  return [failedResponse("b")];
}

const failedResponse = (channel: "r" | "b"): string =>
  `(${m(`${channel}valid`)} & ${m(`${channel}ready`)} & ${m(`${channel}resp`)}[1]) ? ${m(`${channel}resp`)}`;

/** A command channel, connected to the native port's if that exists. Returns the number of the last beat. */
function command(
  module: Module,
  { native }: PortedKernel,
  channel: "ar" | "aw",
  from: "read" | "write",
  isThere: boolean,
): string {
  fixedSignals(module, channel, native.dataBits);
  module.assign(m(`${channel}valid`), isThere ? `${from}_valid` : zeros(1));
  module.assign(m(`${channel}addr`), isThere ? `${from}_address` : zeros(native.addressBits));
  if (!isThere) {
    module.assign(m(`${channel}len`), zeros(8));
    module.leave(m(`${channel}ready`), 0, 1);
    return zeros(BEATS_BITS);
  }
  module.assign(`${from}_ready`, m(`${channel}ready`));
  const last = module.names.unique(`${from}_last`);
  module.declare(`wire ${range(BEATS_BITS)}${last};`);
  module.assign(last, `${from}_beats - ${literal(1n, BEATS_BITS)}`);
  module.assign(m(`${channel}len`), `${last}[7:0]`);
  module.leave(last, 8, BEATS_BITS);
  return last;
}

/** Constant signals of a command channel: INCR, whole words, normal bufferable memory. */
function fixedSignals(module: Module, channel: "ar" | "aw", dataBits: number): void {
  module.assign(m(`${channel}id`), zeros(1));
  module.assign(m(`${channel}size`), literal(BigInt(Math.log2(dataBits / 8)), 3));
  module.assign(m(`${channel}burst`), "2'b01");
  module.assign(m(`${channel}lock`), zeros(1));
  module.assign(m(`${channel}cache`), "4'b0011");
  module.assign(m(`${channel}prot`), zeros(3));
  module.assign(m(`${channel}qos`), zeros(4));
}

function leave(module: Module, ...names: readonly (readonly [string, number])[]): void {
  for (const [name, bits] of names) module.leave(m(name), 0, bits);
}
