/** Resources of netlist cells. A cell's name identifies its family, or means the same in several families. */
import type { Resources } from "../shared/kind/report.ts";
import { families } from "./parts.ts";

const cells = families.flatMap((family) => family.cells);

export interface NetlistCell {
  readonly name: string;
  readonly type: string;
}

export function amountsOf(netlist: readonly NetlistCell[]): Resources {
  const sum: Record<string, number> = {};
  for (const { type } of netlist) {
    const [, resource, amount] = cells.find(([cell]) => cell.test(type)) ?? [];
    if (resource !== undefined) sum[resource] = (sum[resource] ?? 0) + (amount as number);
  }
  return sum;
}
