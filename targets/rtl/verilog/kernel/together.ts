/**
 * Kernels that run at the same time as one module: all start together, channels connect them, and the module is done
 * when the last kernel is. From outside it looks like one kernel with the ports of all.
 */
import { apartSignal, asksApart } from "../pipeline/interlock.ts";
import type { KernelModule } from "../pipeline/kernel-module.ts";
import { Module, type Port } from "../text/module.ts";
import { conjunction } from "../text/text.ts";

/** Throws if the two ends of a channel do not match. */
export function together(name: string, kernels: readonly KernelModule[]): KernelModule {
  const module = new Module(name);
  module.names.reserve(["unused", "all_done", "was_done"]);
  for (const signal of ["clk", "rst", "start"]) module.port({ direction: "input", bits: 1, name: signal });
  module.port({ direction: "output", bits: 1, name: "done" });
  const ends = new Map(kernels.flatMap((k) => k.sends.map((send) => [send.channel, send] as const)));
  for (const { channel, bits } of ends.values())
    for (const [what, width] of [
      ["valid", 1],
      ["data", bits],
      ["ready", 1],
    ] as const)
      module.declare(`wire ${width === 1 ? "" : `[${width - 1}:0] `}${channel}_${what};`);
  if (kernels.some(asksApart)) module.port({ direction: "input", bits: 1, name: apartSignal });
  const renamed = kernels.map((kernel, k) => {
    const channelPorts = new Map<string, string>(
      [...kernel.sends, ...kernel.receives].flatMap(({ prefix, channel, bits }) => {
        if (ends.get(channel)?.bits !== bits) throw new Error(`the ends of channel ${channel} do not fit`);
        return ["valid", "data", "ready"].map((what) => [`${prefix}_${what}`, `${channel}_${what}`] as const);
      }),
    );
    const outside = (port: Port): string => {
      const wire = channelPorts.get(port.name);
      if (wire !== undefined) return wire;
      const { direction, bits } = port;
      return module.port({ direction, bits, name: `k${k}_${port.name}` });
    };
    const shared: Readonly<Record<string, string>> = {
      clk: "clk",
      rst: "rst",
      start: "start",
      [apartSignal]: apartSignal,
      done: `k${k}_done`,
    };
    module.declare(`wire k${k}_done;`);
    module.declare(`reg k${k}_finished;`);
    module.always([
      `if (rst | start) k${k}_finished <= 1'b0;`,
      `else if (k${k}_done) k${k}_finished <= 1'b1;`,
    ]);
    const connections = Object.fromEntries(
      kernel.ports.map((port) => [port.name, shared[port.name] ?? outside(port)]),
    );
    module.instance(kernel.name, {}, `kernel${k}`, connections);
    return (port: string) => connections[port] as string;
  });
  // Kernels end in different cycles; the module is done in the first cycle in which all of them are.
  module.declare("wire all_done;");
  module.declare("reg was_done;");
  module.assign("all_done", conjunction(kernels.map((_, k) => `(k${k}_done | k${k}_finished)`)));
  module.always(["if (rst | start) was_done <= 1'b0;", "else if (all_done) was_done <= 1'b1;"]);
  module.assign("done", "all_done & ~was_done");
  const prefixed = <T extends { readonly prefix: string }>(list: readonly T[], k: number): T[] =>
    list.map((port) => ({ ...port, prefix: `k${k}_${port.prefix}` }));
  return {
    name,
    text: [...kernels.map((kernel) => kernel.text), module.text()].join("\n"),
    ports: module.portList(),
    reads: kernels.flatMap((kernel, k) => prefixed(kernel.reads, k)),
    writes: kernels.flatMap((kernel, k) => prefixed(kernel.writes, k)),
    processes: [],
    locations: new Map(
      kernels.flatMap((kernel, k) =>
        [...kernel.locations].map(([signal, loc]) => [`kernel${k}.${signal}`, loc] as const),
      ),
    ),
    streams: [],
    sends: [],
    receives: [],
    arguments: kernels.flatMap((kernel, k) =>
      kernel.arguments.map((a) => ({ ...a, kernel: k, name: renamed[k]?.(a.name) as string })),
    ),
    probes: kernels.flatMap((kernel, k) =>
      kernel.probes.map(({ start, enter }) => ({
        start: renamed[k]?.(start) as string,
        enter: renamed[k]?.(enter) as string,
      })),
    ),
  };
}
