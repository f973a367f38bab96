/**
 * The kernel in a frame that fits the pins of any part: its inputs come from a shift register, its outputs go into
 * another. The frame's size, one flip-flop per signal, is known and can be subtracted.
 */
import type { Port } from "../text/module.ts";
import { boardName, keepHierarchy } from "./wrapper.ts";

/** `instance`: name of the instance in the frame, by which reports distinguish the kernel from what is around it. */
export function frameBoard(
  kernel: { readonly name: string; readonly ports: readonly Port[] },
  instance: "kernel" | "manager" | "registers",
): string {
  const slice = (signals: readonly { name: string; bits: number }[], from: string) => {
    let at = 0;
    return signals.map(({ name, bits }) => {
      const text = `.${name}(${from}[${at + bits - 1}:${at}])`;
      at += bits;
      return text;
    });
  };
  const inputs = kernel.ports.filter(({ direction, name }) => direction === "input" && name !== "clk");
  const outputs = kernel.ports.filter(({ direction }) => direction === "output");
  const width = (signals: readonly { bits: number }[]) => signals.reduce((sum, { bits }) => sum + bits, 0);
  const [i, o] = [width(inputs), width(outputs)];
  const connections = [".clk(clk)", ...slice(inputs, "in"), ...slice(outputs, "out")];
  return `module ${boardName} (
  input wire clk,
  input wire shift_in,
  input wire take,
  output wire shift_out
);
  reg [${i - 1}:0] in;
  wire [${o - 1}:0] out;
  reg [${o - 1}:0] held;
  always @(posedge clk) begin
    in <= {in[${i - 2}:0], shift_in};
    held <= take ? out : {held[${o - 2}:0], 1'b0};
  end
  assign shift_out = held[${o - 1}];
  ${keepHierarchy} ${kernel.name} ${instance} (
${connections.map((c) => `    ${c}`).join(",\n")}
  );
endmodule
`;
}
