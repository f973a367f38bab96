/** The registers with which a host runs a kernel: arguments, start and reset, the result of the run, its cycles. */

import { apartSignal, asksApart } from "../pipeline/interlock.ts";
import type { KernelModule } from "../pipeline/kernel-module.ts";
import { ARGUMENT_BYTES, addressOf, identityOf, type Register } from "../text/registers.ts";
import { literal, range } from "../text/text.ts";

/** Address bits below the window of memory. */
export const REGISTER_BITS = 10;

/** Number of arguments that have registers. */
export const MOST_ARGUMENTS = Math.floor((2 ** REGISTER_BITS - addressOf("arguments")) / ARGUMENT_BYTES);

export const registerCode = (address: number): string => literal(BigInt(address), REGISTER_BITS);

interface HostBus {
  /** Signals of a write to a 32-bit register, while `address` and `data` are valid. */
  readonly write: string;
  readonly address: string;
  readonly data: string;
  readonly reset: string;
  readonly clk: string;
}

/** Declarations of what `controlLogic` sets, and a wire for the kernel's `done`. */
export const controlRegisters = (kernel: KernelModule): readonly string[] => [
  "reg start;",
  "reg running;",
  ...(asksApart(kernel) ? [`reg ${apartSignal};`] : []),
  "reg finished;",
  "reg kernel_rst;",
  "reg [31:0] cycles;",
  "reg [31:0] stalls;",
  ...kernel.arguments.map(({ bits }, k) => `reg ${range(bits)}${argumentRegister(k)};`),
];

/** The register of an argument: the kernel's own name may be used in a wrapper. */
const argumentRegister = (k: number): string => `argument_${k}`;

export const argumentConnections = (kernel: KernelModule): readonly string[] =>
  kernel.arguments.map(({ name }, k) => `.${name}(${argumentRegister(k)})`);

/** What the host reads at an address, as a statement that sets `found`; `own`: a register of one wrapper only. */
export function registersFound(
  kernel: KernelModule,
  address: string,
  target: string,
  wrapperRegister: readonly [Register, string],
): readonly string[] {
  const values: readonly (readonly [Register, string])[] = [
    ["identity", literal(BigInt(identityOf(kernel.text)), 32)],
    ["status", "{30'd0, finished, running}"],
    ["cycles", "cycles"],
    ["stalls", "stalls"],
    wrapperRegister,
  ];
  return [
    `case (${address})`,
    ...values.map(([register, value]) => `  ${registerCode(addressOf(register))}: ${target} <= ${value};`),
    `  default: ${target} <= 32'd0;`,
    "endcase",
  ];
}

/** `waits`: a command waits for memory. */
export function controlLogic(
  kernel: KernelModule,
  { write, address, data, reset, clk }: HostBus,
  waits: string,
): readonly string[] {
  const places = kernel.arguments.flatMap(({ bits }, k) =>
    Array.from({ length: Math.ceil(bits / 32) }, (_, half) => {
      const [low, high] = [32 * half, Math.min(bits, 32 * half + 32) - 1];
      const target = bits === 1 ? argumentRegister(k) : `${argumentRegister(k)}[${high}:${low}]`;
      const from = high === low ? `${data}[0]` : `${data}[${high - low}:0]`;
      const at = addressOf("arguments") + k * ARGUMENT_BYTES + 4 * half;
      return `    ${registerCode(at)}: ${target} <= ${from};`;
    }),
  );
  return [
    `wire control = ${write} & (${address} == ${registerCode(addressOf("control"))});`,
    ...(asksApart(kernel)
      ? [`always @(posedge ${clk}) if (control & ${data}[0]) ${apartSignal} <= ${data}[2];`]
      : []),
    `always @(posedge ${clk}) begin`,
    `  start <= control & ${data}[0];`,
    `  kernel_rst <= ${reset} | (control & ${data}[1]);`,
    "  if (kernel_rst) begin",
    "    running <= 1'b0;",
    "    finished <= 1'b0;",
    `  end else if (control & ${data}[0]) begin`,
    "    running <= 1'b1;",
    "    finished <= 1'b0;",
    "    cycles <= 32'd0;",
    "    stalls <= 32'd0;",
    "  end else if (done) begin",
    "    running <= 1'b0;",
    "    finished <= 1'b1;",
    "  end else if (running) begin",
    "    cycles <= cycles + 32'd1;",
    `    if (${waits}) stalls <= stalls + 32'd1;`,
    "  end",
    "end",
    ...(places.length === 0
      ? []
      : [
          `always @(posedge ${clk})`,
          `  if (${write})`,
          `    case (${address})`,
          ...places.map((line) => `  ${line}`),
          "      default: ;",
          "    endcase",
        ]),
  ];
}
