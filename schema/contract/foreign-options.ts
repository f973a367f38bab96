/** Options by which other compilers choose devices and read directives: arc has ways of its own to say the same. */

/** What an option asks for: devices, for the directives of a language; options of theirs; threads of the host. */
export type Asks = "devices" | "openacc-devices" | "openmp-devices" | "device-options" | "host-threads";

export interface ForeignOption {
  /** Whose it is. */
  readonly of: string;
  readonly asks: Asks;
  /** What stands behind its name, such as the devices. */
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

/** Undefined for options of arc's C compilers, and for those that choose no device. */
export function foreignOption(option: string): ForeignOption | undefined {
  if (option === "-foffload=disable") return undefined;
  for (const [pattern, of, asks] of table) {
    const found = pattern.exec(option);
    if (found) return { of, asks, value: found[1] ?? "" };
  }
  return undefined;
}
