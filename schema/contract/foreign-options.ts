/** Options with which other compilers choose devices and enable directives; arc has its own equivalents. */

/** What an option requests: devices, for the directives of a language; options for them; host threads. */
export type Asks = "devices" | "openacc-devices" | "openmp-devices" | "device-options" | "host-threads";

interface ForeignOption {
  /** The compiler that the option belongs to. */
  readonly of: string;
  readonly asks: Asks;
  /** The part after its name, such as the devices. */
  readonly value: string;
}

const table: readonly (readonly [option: RegExp, of: string, asks: Asks])[] = [
  [/^-fopenmp-targets=(.*)$/, "clang", "openmp-devices"],
  [/^--?offload-arch=(.*)$/, "clang", "openmp-devices"],
  [/^-Xopenmp-target(?:=.*)?$/, "clang", "device-options"],
  [/^-foffload=(.*)$/, "gcc", "devices"],
  [/^-foffload-options=(.*)$/, "gcc", "device-options"],
  [/^-ta=(.*)$/, "nvc", "openacc-devices"],
  [/^-acc=(.*)$/, "nvc", "openacc-devices"],
  [/^-mp=((?:gpu|nvidia).*)$/, "nvc", "openmp-devices"],
  [/^-mp(?:=.*)?$/, "nvc", "host-threads"],
  [/^-gpu=(.*)$/, "nvc", "devices"],
  [/^-(?:qopenmp|fiopenmp)$/, "icx", "host-threads"],
  [/^-qsmp(?:=.*)?$/, "xlc", "host-threads"],
  [/^-homp$/, "Cray's compiler", "host-threads"],
];

/** Undefined for options of arc's C compilers, and for options that choose no device. */
export function foreignOption(option: string): ForeignOption | undefined {
  if (option === "-foffload=disable") return undefined;
  for (const [pattern, of, asks] of table) {
    const found = pattern.exec(option);
    if (found) return { of, asks, value: found[1] ?? "" };
  }
  return undefined;
}
