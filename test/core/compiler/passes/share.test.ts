import { describe, expect, it } from "vitest";
import { axes } from "../../../../core/compiler/passes/axes.ts";
import { spmdOf } from "../../../../core/ir/model/region.ts";
import { formatVariant, parseVariant } from "../../../../schema/contract/variant-name.ts";
import { translate } from "./harness.ts";

const source = `
void work(float *restrict a) {
#pragma acc serial loop copy(a[0:64])
  for (int i = 0; i < 64; i++) a[i] = a[i] * a[i] + 1;
}`;

describe("operators that operations take turns on", () => {
  it("reach the hardware as numbers of circuits, with a remark", () => {
    const { regions } = translate(source, { "share-fadd": 1, "share-mul": 2 });
    const [region] = regions;
    expect(region && spmdOf(region.task).hints?.operators).toEqual({ fadd: 1, mul: 2 });
    expect(region?.remarks.map((r) => r.message)).toContain("operations take turns: mul on 2, fadd on 1");
  });

  it("are none by default", () => {
    const [region] = translate(source).regions;
    expect(region && spmdOf(region.task).hints?.operators).toBeUndefined();
  });

  it("have short names in variants", () => {
    const choice = { window: 0, "share-fadd": 1, "share-fmul": 2 };
    expect(formatVariant([choice], axes)).toBe("sw0_fadd1_fmul2");
    expect(parseVariant("sw0_fadd1_fmul2", axes)).toEqual({ parts: [choice] });
  });
});
