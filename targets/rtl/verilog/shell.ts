/**
 * The design as a simulator and its memory see it: the same ports for every kernel. `argument_bytes` is 0 for
 * pointers. Signals of several
 * ports stand side by side, number 0 lowest: arguments in 64 bits each, addresses in 32, data in 64.
 */
import type { KernelModule } from "./kernel.ts";

export const shellName = "arc_design";

export function shell(kernel: KernelModule, addressBits: number): string {
  const { reads, writes, probes } = kernel;
  const args = kernel.arguments;
  const wide = (n: number, bits: number) => `[${Math.max(1, n) * bits - 1}:0]`;
  const at = (k: number, bits: number, width = bits) => `[${k * bits + width - 1}:${k * bits}]`;
  const [r, w, p] = [reads.length, writes.length, probes.length];
  const connections = [
    ".clk(clk)",
    ".rst(rst)",
    ".start(start)",
    ".done(done)",
    ...args.map(({ name, bits }, k) => `.${name}(arguments${at(k, 64, bits)})`),
    ...reads.flatMap(({ prefix, bytes }, k) => [
      `.${prefix}_read_valid(read_valid[${k}])`,
      `.${prefix}_read_address(read_address${at(k, 32, addressBits)})`,
      `.${prefix}_read_ready(read_ready[${k}])`,
      `.${prefix}_data_valid(data_valid[${k}])`,
      `.${prefix}_data(data${at(k, 64, bytes * 8)})`,
    ]),
    ...writes.flatMap(({ prefix, bytes }, k) => [
      `.${prefix}_write_valid(write_valid[${k}])`,
      `.${prefix}_write_address(write_address${at(k, 32, addressBits)})`,
      `.${prefix}_write_data(write_data${at(k, 64, bytes * 8)})`,
      `.${prefix}_write_ready(write_ready[${k}])`,
      `.${prefix}_write_done(write_done[${k}])`,
    ]),
    ...probes.flatMap(({ start, enter }, k) => [`.${start}(started[${k}])`, `.${enter}(issues[${k}])`]),
  ];
  const upper = (signal: string, k: number) =>
    addressBits < 32
      ? [`assign ${signal}[${k * 32 + 31}:${k * 32 + addressBits}] = ${32 - addressBits}'d0;`]
      : [];
  const fixed = [
    ...(args.length === 0 ? ["assign argument_bytes = 8'd0;"] : []),
    ...args.map(({ bytes }, k) => `assign argument_bytes${at(k, 8)} = 8'd${bytes};`),
    ...reads.flatMap((_, k) => upper("read_address", k)),
    ...writes.flatMap((_, k) => upper("write_address", k)),
    ...reads.map(({ bytes }, k) => `assign read_bytes${at(k, 8)} = 8'd${bytes};`),
    ...writes.map(({ bytes }, k) => `assign write_bytes${at(k, 8)} = 8'd${bytes};`),
    // Where there is no port the signals of the first one are idle.
    ...(r === 0
      ? ["assign read_valid = 1'b0;", "assign read_address = 32'd0;", "assign read_bytes = 8'd0;"]
      : []),
    ...(w === 0
      ? [
          "assign write_valid = 1'b0;",
          "assign write_address = 32'd0;",
          "assign write_data = 64'd0;",
          "assign write_bytes = 8'd0;",
        ]
      : []),
    ...writes.flatMap(({ bytes }, k) =>
      bytes < 8 ? [`assign write_data[${k * 64 + 63}:${k * 64 + bytes * 8}] = ${64 - bytes * 8}'d0;`] : [],
    ),
    ...(p === 0 ? ["assign started = 1'b0;", "assign issues = 1'b0;"] : []),
  ];
  // What no port takes: linters know signals of this name.
  const spare = [
    ...args.flatMap(({ bits }, k) => (bits < 64 ? [`arguments[${k * 64 + 63}:${k * 64 + bits}]`] : [])),
    ...reads.flatMap(({ bytes }, k) => (bytes < 8 ? [`data[${k * 64 + 63}:${k * 64 + bytes * 8}]`] : [])),
    ...(args.length === 0 ? ["arguments"] : []),
    ...(r === 0 ? ["read_ready", "data_valid", "data"] : []),
    ...(w === 0 ? ["write_ready", "write_done"] : []),
  ];
  if (spare.length > 0) fixed.push(`wire unused = &{1'b0, ${spare.join(", ")}};`);
  return `module ${shellName} (
  input wire clk,
  input wire rst,
  input wire start,
  output wire done,
  input wire ${wide(args.length, 64)} arguments,
  output wire [31:0] counts,
  output wire ${wide(args.length, 8)} argument_bytes,
  output wire ${wide(r, 1)} read_valid,
  output wire ${wide(r, 32)} read_address,
  output wire ${wide(r, 8)} read_bytes,
  input wire ${wide(r, 1)} read_ready,
  input wire ${wide(r, 1)} data_valid,
  input wire ${wide(r, 64)} data,
  output wire ${wide(w, 1)} write_valid,
  output wire ${wide(w, 32)} write_address,
  output wire ${wide(w, 64)} write_data,
  output wire ${wide(w, 8)} write_bytes,
  input wire ${wide(w, 1)} write_ready,
  input wire ${wide(w, 1)} write_done,
  output wire ${wide(p, 1)} started,
  output wire ${wide(p, 1)} issues
);
  assign counts = {8'd${p}, 8'd${w}, 8'd${r}, 8'd${args.length}};
${fixed.map((l) => `  ${l}`).join("\n")}
  ${kernel.name} kernel (
${connections.map((c) => `    ${c}`).join(",\n")}
  );
endmodule
`;
}
