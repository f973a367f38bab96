/** Maps names of cells and nets in tools' results back to source lines. */
import type { DesignFacts, SourceLine } from "../shared/kind/report.ts";

/**
 * The prefix of the kernel's instance: it is inside its registers and AXI4 manager, and with one memory port one level
 * deeper.
 */
const instance = /^(?:registers\.)?(?:manager\.)?(?:kernel\.)+/;

export const isOfKernel = (name: string): boolean => instance.test(name);

/** Tools derive names from a nearby net: `kernel.loop2_sum_SB_LUT4_O_3` comes from `loop2_sum`. */
export function signalLines(signals: DesignFacts["signals"]): (name: string) => SourceLine | undefined {
  const lines = new Map(signals.map(([signal, file, line]) => [signal, { file, line }]));
  return (name) => {
    if (!isOfKernel(name)) return undefined;
    let rest = name.replace(instance, "");
    while (rest !== "") {
      const sourceLine = lines.get(rest);
      if (sourceLine !== undefined) return sourceLine;
      rest = rest.replace(/(?:^|[_.[$])[^_.[$]*$/, "");
    }
    return undefined;
  };
}
