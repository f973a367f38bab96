/**
 * Energy of this machine's processors and their memory as the kernel counts it (RAPL; Documentation/power/powercap). It
 * includes everything that runs meanwhile, so measure on an otherwise idle machine.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

interface Zone {
  readonly counter: string;
  /** The counter wraps around at this many microjoules. */
  readonly range: number;
}

/**
 * Returns a function that gives the joules since this call; undefined if there is no counter, or only root may read it.
 */
export function energyMeter(folder = "/sys/class/powercap"): () => number | undefined {
  const zones = zonesOf(folder);
  const before = zones.map(({ counter }) => numberIn(counter));
  return () => {
    let sum = 0;
    for (const [at, { counter, range }] of zones.entries()) {
      const [from, to] = [before[at], numberIn(counter)];
      if (from === undefined || to === undefined) return undefined;
      sum += to >= from ? to - from : to + range - from;
    }
    return zones.length === 0 ? undefined : sum / 1e6;
  };
}

/**
 * Zones of packages, and of memory, which is not part of them. `psys` would count both again; cores and graphics are
 * parts of packages.
 */
function zonesOf(folder: string): readonly Zone[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name): Zone[] => {
    if (!/^intel-rapl:\d+(:\d+)?$/.test(name)) return [];
    const zone = path.join(folder, name);
    const what = textIn(path.join(zone, "name"));
    if (!/^(package-\d+(-die-\d+)?|dram)$/.test(what)) return [];
    return [
      {
        counter: path.join(zone, "energy_uj"),
        range: numberIn(path.join(zone, "max_energy_range_uj")) ?? 0,
      },
    ];
  });
}

function textIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}

function numberIn(file: string): number | undefined {
  const text = textIn(file);
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
