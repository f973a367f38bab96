/** Variants with figures, for tests of reports. */
import type { Totals, VariantReport } from "../../../cli/report/model/report.ts";

export const variant = (
  address: string,
  totals: Partial<Totals> = {},
  rest: Partial<VariantReport> = {},
): VariantReport => {
  const [target = "", name = ""] = address.split(":");
  return {
    address,
    target,
    variant: name,
    kind: "rtl",
    axes: {},
    built: true,
    comparisons: [],
    totals: { resources: {}, percent: {}, ...totals },
    ...rest,
  };
};
