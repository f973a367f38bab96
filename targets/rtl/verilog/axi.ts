/**
 * A kernel whose one memory port is an AXI4 manager: the native port's channels with what AXI adds to them. Bursts are
 * INCR, of words of the port's width, all of the same id; the native port's never cross 4 KB and have 256 beats at
 * most. `error` is the first response since the start that was an error, 0 while there was none.
 */
import type { KernelModule } from "./kernel.ts";
import { Module, type Port } from "./module.ts";
import { BEATS_BITS, type PortedKernel } from "./port.ts";
import { literal, range, zeros } from "./text.ts";

export interface AxiKernel {
  readonly name: string;
  readonly text: string;
  readonly ports: readonly Port[];
  /** Of the manager, in the order of the channels. */
  readonly axi: readonly Port[];
  readonly dataBits: number;
}

/** The channels' signals; `dataBits` of a word. */
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

export function axiKernel(kernel: KernelModule, ported: PortedKernel): AxiKernel {
  const { addressBits, dataBits } = ported.native;
  const module = new Module(`${kernel.name}_axi`);
  module.names.reserve(["unused", "kernel", "beat"]);
  const axi = signals(addressBits, dataBits);
  const inner = new Set(ported.ports.map(({ name }) => name));
  const own = ported.ports.filter(({ name }) => kernel.ports.some((port) => port.name === name));
  const connections: Record<string, string> = {};
  for (const { direction, bits, name } of own) connections[name] = module.port({ direction, bits, name });
  module.port({ direction: "output", bits: 2, name: "error", register: true });
  for (const port of axi) module.port(port);
  for (const { name, bits } of ported.ports.filter((port) => !own.includes(port))) {
    connections[name] = name;
    module.declare(`wire ${range(bits)}${name};`);
  }
  const m = (signal: string) => `m_axi_${signal}`;
  const fixed = (channel: string) => {
    module.assign(m(`${channel}id`), zeros(1));
    module.assign(m(`${channel}size`), literal(BigInt(Math.log2(dataBits / 8)), 3));
    module.assign(m(`${channel}burst`), "2'b01");
    module.assign(m(`${channel}lock`), zeros(1));
    // Normal memory, bufferable.
    module.assign(m(`${channel}cache`), "4'b0011");
    module.assign(m(`${channel}prot`), zeros(3));
    module.assign(m(`${channel}qos`), zeros(4));
  };
  const command = (channel: string, from: string) => {
    fixed(channel);
    const there = inner.has(`${from}_valid`);
    module.assign(m(`${channel}valid`), there ? `${from}_valid` : zeros(1));
    module.assign(m(`${channel}addr`), there ? `${from}_address` : zeros(addressBits));
    if (!there) {
      module.assign(m(`${channel}len`), zeros(8));
      module.leave(m(`${channel}ready`), 0, 1);
      return false;
    }
    module.assign(`${from}_ready`, m(`${channel}ready`));
    const last = module.names.unique(`${from}_last`);
    module.declare(`wire ${range(BEATS_BITS)}${last};`);
    module.assign(last, `${from}_beats - ${literal(1n, BEATS_BITS)}`);
    module.assign(m(`${channel}len`), `${last}[7:0]`);
    module.leave(last, 8, BEATS_BITS);
    return last;
  };
  const leave = (...names: readonly (readonly [string, number])[]) => {
    for (const [name, bits] of names) module.leave(m(name), 0, bits);
  };
  const bad: string[] = [];
  // Words come in the order of the commands, which the port knows: neither id nor last need be looked at.
  const reads = command("ar", "read");
  leave(["rid", 1], ["rlast", 1], ["bid", 1]);
  if (reads) {
    module.assign("data_valid", m("rvalid"));
    module.assign("data", m("rdata"));
    module.assign(m("rready"), "data_ready");
    bad.push(`(${m("rvalid")} & ${m("rready")} & ${m("rresp")}[1]) ? ${m("rresp")}`);
    module.leaveBits(m("rresp"), 0, 1);
  } else {
    module.assign(m("rready"), zeros(1));
    leave(["rvalid", 1], ["rdata", dataBits], ["rresp", 2]);
  }
  const writes = command("aw", "write");
  if (writes) {
    // A command is followed by its words before there is another one.
    module.declare(`reg ${range(BEATS_BITS)}beat;`);
    module.assign(m("wvalid"), "word_valid");
    module.assign(m("wdata"), "word");
    module.assign(m("wstrb"), "word_strobe");
    module.assign(m("wlast"), `beat == ${writes}`);
    module.assign("word_ready", m("wready"));
    module.always([
      `if (rst) beat <= ${zeros(BEATS_BITS)};`,
      `else if (word_valid & word_ready) beat <= ${m("wlast")} ? ${zeros(BEATS_BITS)} : beat + ${literal(1n, BEATS_BITS)};`,
    ]);
    module.assign("response_valid", m("bvalid"));
    module.assign(m("bready"), "response_ready");
    bad.push(`(${m("bvalid")} & ${m("bready")} & ${m("bresp")}[1]) ? ${m("bresp")}`);
    module.leaveBits(m("bresp"), 0, 1);
  } else {
    for (const [name, bits] of [
      ["wvalid", 1],
      ["wdata", dataBits],
      ["wstrb", dataBits / 8],
      ["wlast", 1],
      ["bready", 1],
    ] as const)
      module.assign(m(name), zeros(bits));
    leave(["wready", 1], ["bvalid", 1], ["bresp", 2]);
  }
  module.always([
    "if (rst | start) error <= 2'd0;",
    ...(bad.length > 0 ? [`else if (error == 2'd0) error <= ${bad.join(" : ")} : 2'd0;`] : []),
  ]);
  module.instance(ported.name, {}, "kernel", connections);
  return { name: `${kernel.name}_axi`, text: module.text(), ports: module.portList(), axi, dataBits };
}
