import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatVariant, parseVariant } from "../../../schema/contract/variant-name.ts";
import { expandVariants, type VariantSpace } from "../../../schema/contract/variants.ts";
import { type Assignment, type Axis, checkAxes } from "../../../schema/document/axis.ts";
import { cases } from "../../cases.ts";

const axes: readonly Axis[] = [
  {
    key: "model",
    description: "",
    values: ["nd", "swi"],
    default: "nd",
    token: { words: true },
    targets: ["fpga"],
  },
  { key: "collapse", description: "", values: [false, true], default: false, token: "coll" },
  { key: "eliminate", description: "", values: [false, true], default: false, token: "elim" },
  { key: "hoist", description: "", values: [false, true], default: false, token: "hoist" },
  { key: "replicate", description: "", values: { minimum: 1, maximum: 64 }, default: 1, token: "r" },
  { key: "window", description: "", values: { minimum: 0, maximum: 1024 }, default: 0, token: "sw" },
  { key: "simd", description: "", values: [1, 2, 4, 8, 16], default: 1, token: "simd" },
  { key: "units", description: "", values: { minimum: 1, maximum: 64 }, default: 1, token: "numc" },
  { key: "layout", description: "", values: ["row_major", "a/b", "é:#", "x"], default: "x" },
  { key: "format", description: "", values: { words: ["f32"], pattern: "q[1-9][.][0-9]" }, default: "f32" },
  { key: "depth", description: "", values: { minimum: -8, maximum: 8 }, default: 0 },
  { key: "safe", description: "", values: [true, false], default: true },
];

const space = (
  values: Record<string, readonly (string | number | boolean)[]>,
  exclude = [],
): VariantSpace => ({
  all: { values, exclude },
  kernels: [],
});

/** Any assignment, with values that equal the default left out where the name leaves them out. */
const assignment: fc.Arbitrary<Assignment> = fc
  .record(
    Object.fromEntries(
      axes.map((axis) => {
        const { values } = axis;
        const value =
          "minimum" in values
            ? fc.integer({ min: values.minimum, max: values.maximum })
            : "words" in values
              ? fc.oneof(
                  fc.constantFrom(...values.words),
                  fc.stringMatching(new RegExp(`^${values.pattern}$`)),
                )
              : fc.constantFrom(...values);
        return [axis.key, fc.option(value, { nil: undefined })];
      }),
    ),
  )
  .map((record) =>
    Object.fromEntries(
      axes.flatMap((axis) => {
        const value = record[axis.key];
        const named = value !== undefined && (typeof axis.token === "object" || value !== axis.default);
        return named ? [[axis.key, value]] : [];
      }),
    ),
  );

describe("names of variants", () => {
  it("parse back to the assignment that they name", () => {
    fc.assert(
      fc.property(fc.array(assignment, { minLength: 1, maxLength: 4 }), (parts) => {
        expect(parseVariant(formatVariant(parts, axes), axes)).toEqual({ parts });
      }),
      cases(2000),
    );
  });

  it("have one spelling: what parses prints the same", () => {
    const tokens = [
      "nd",
      "swi",
      "coll",
      "r4",
      "r04",
      "sw0",
      "sw16",
      "simd3",
      "x",
      "default",
      "depth=-3",
      "depth=0",
      "safe=false",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...tokens), { minLength: 1, maxLength: 5 }), (words) => {
        const name = words.join("_");
        const parsed = parseVariant(name, axes);
        if ("parts" in parsed) expect(formatVariant(parsed.parts, axes)).toBe(name);
      }),
      cases(2000),
    );
  });

  it("use the literature's tokens in fixed order and join kernels by _x_", () => {
    const parts = [
      { window: 16, model: "swi", hoist: true },
      { units: 32, model: "nd" },
    ];
    expect(formatVariant(parts, axes)).toBe("swi_hoist_sw16_x_nd_numc32");
  });

  it("keep the characters of addresses and paths out", () => {
    expect(formatVariant([{ layout: "row_major", depth: 3 }], axes)).toBe("layout=row%5fmajor_depth=3");
    expect(formatVariant([{ layout: "a/b" }], axes)).toBe("layout=a%2Fb");
  });

  it.each([
    ["sw2_nd", /out of order/],
    ["nd_swi", /two values/],
    ["simd3", /names no value/],
    ["r04", /names no value/],
    ["", /names no value/],
    ["nd_x_", /names no value/],
  ])("%s is refused", (name, says) => {
    expect(parseVariant(name, axes)).toMatchObject({ error: expect.stringMatching(says) });
  });
});

describe("an axis table", () => {
  it("of these tests is sound", () => {
    expect(checkAxes(axes)).toEqual([]);
  });

  it("with a token that is another axis's word is refused", () => {
    const clash: Axis = {
      key: "other",
      description: "",
      values: [false, true],
      default: false,
      token: "swi",
    };
    expect(checkAxes([...axes, clash])).toEqual(["axes `model` and `other` share `swi`"]);
  });

  it("with `x` as a word is refused, for it would read as the joint of two kernels", () => {
    const bad: Axis = { key: "m", description: "", values: ["x", "y"], default: "x", token: { words: true } };
    expect(checkAxes([bad])).toHaveLength(1);
  });
});

describe("expansion", () => {
  it("is the product, first values first", () => {
    const { variants } = expandVariants(space({ model: ["nd", "swi"], window: [0, 4] }), "fpga", axes);
    expect(variants.map((v) => v.name)).toEqual(["nd", "nd_sw4", "swi", "swi_sw4"]);
  });

  it("of a project without variants is the default one", () => {
    const { variants } = expandVariants(space({}), "fpga", axes);
    expect(variants).toEqual([{ name: "default", all: {}, kernels: {} }]);
  });

  it("leaves out what is excluded", () => {
    const exclude = [{ model: ["nd"], window: [1, 4] }];
    const all = { values: { model: ["nd", "swi"], window: [0, 1, 4] }, exclude };
    const { variants } = expandVariants({ all, kernels: [] }, "fpga", axes);
    expect(variants.map((v) => v.name)).toEqual(["nd", "swi", "swi_sw1", "swi_sw4"]);
  });

  it("projects away axes that the kind does not honour, and says which", () => {
    const { variants, projected } = expandVariants(
      space({ model: ["nd", "swi"], window: [0, 4] }),
      "cuda",
      axes,
    );
    expect(variants.map((v) => v.name)).toEqual(["default", "sw4"]);
    expect(projected).toEqual(["model"]);
  });

  it("multiplies kernels that vary on their own, on top of what all share", () => {
    const kernels = [
      { kernel: "step", choice: { values: { window: [0, 16] }, exclude: [] } },
      { kernel: "copy", choice: { values: { units: [1, 32] }, exclude: [] } },
    ];
    const { variants } = expandVariants(
      { all: { values: { model: ["swi"] }, exclude: [] }, kernels },
      "fpga",
      axes,
    );
    expect(variants.map((v) => v.name)).toEqual([
      "swi_x_swi",
      "swi_x_swi_numc32",
      "swi_sw16_x_swi",
      "swi_sw16_x_swi_numc32",
    ]);
    const last = variants[3];
    expect(last?.kernels.step).toMatchObject({ model: "swi", window: 16 });
    expect(last?.kernels.copy).toMatchObject({ model: "swi", units: 32 });
    expect(last?.all).toEqual({ model: "swi" });
  });

  it("never names two variants alike", () => {
    const values = fc.record({
      model: fc.subarray(["nd", "swi"], { minLength: 1 }),
      hoist: fc.subarray([true, false], { minLength: 1 }),
      window: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 3 }),
      layout: fc.subarray(["row_major", "x"], { minLength: 1 }),
    });
    fc.assert(
      fc.property(values, fc.constantFrom("fpga", "cuda"), (chosen, kind) => {
        const { variants } = expandVariants(space(chosen), kind, axes);
        expect(new Set(variants.map((v) => v.name)).size).toBe(variants.length);
        const models = kind === "fpga" ? chosen.model.length : 1;
        expect(variants).toHaveLength(
          models * chosen.hoist.length * chosen.window.length * chosen.layout.length,
        );
      }),
      cases(300),
    );
  });
});
