/** The data as the page carries it: of earlier reports what it shows of them, as a browser reads each byte at every start. */
import type { HardwareRow } from "../../hardware/rows.ts";
import type { PageData } from "../model/page-data.ts";
import type { VariantReport } from "../model/report.ts";

export function embedded(data: PageData): PageData {
  const { earlier } = data;
  if (earlier === undefined) return data;
  return {
    ...data,
    earlier: earlier.map((report) => ({ ...report, variants: report.variants.map(figuresAlone) })),
  };
}

/** Figures, and what tells what they are by. */
const figuresAlone = (variant: VariantReport): VariantReport => ({
  ...variant,
  axes: {},
  comparisons: [],
  ...(variant.hardware && { hardware: variant.hardware.map(basisAlone) }),
  ...(variant.estimate && { estimate: { ...variant.estimate, kernels: [] } }),
});

const basisAlone = ({ variant, kind, region, kernel, from, cycles }: HardwareRow): HardwareRow => ({
  ...{ variant, kind, region, kernel, from },
  ...(cycles && { cycles }),
  ...{ loops: [], resources: {}, percent: {} },
});
