import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isConstraint, parseConstraint } from "../../../schema/contract/constraint.ts";
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

const expanded = (...call: Parameters<typeof expandVariants>) => {
  const { variants, projected } = expandVariants(...call);
  return { variants: [...variants], projected };
};

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

describe("a constraint", () => {
  const judged = (text: string, values: Assignment): boolean | undefined => {
    const parsed = parseConstraint(text, axes);
    if (!isConstraint(parsed)) throw new Error(parsed.error);
    return parsed.holds(values);
  };

  it.each([
    ["window >= 2 * simd", { window: 8, simd: 4 }, true],
    ["window >= 2 * simd", { window: 7, simd: 4 }, false],
    ["window - 1 >= units", { window: 4 }, true],
    ["window % 2 == 0 or not hoist", { window: 3, hoist: true }, false],
    ["window % 2 == 0 or not hoist", { window: 3 }, true],
    ["model == swi => window > 0 and simd == 1", { model: "swi", window: 4, simd: 2 }, false],
    ["model == swi => window > 0 and simd == 1", { model: "nd", simd: 2 }, true],
    ["hoist => collapse => window == 1", { hoist: true, collapse: true, window: 2 }, false],
    ["(hoist or collapse) and safe", { collapse: true }, true],
    ["hoist == no", { hoist: true }, false],
    ["window / units >= 2", { window: 4, units: 2 }, true],
    ["format == q4.4", { format: "q4.4" }, true],
    // Words have no size: nothing is certain.
    ["layout < 4", { layout: "x" }, undefined],
    ["layout < 4 or hoist", { layout: "x", hoist: true }, true],
    ["layout < 4 and hoist", { layout: "x", hoist: false }, false],
    ["window % depth == 0", { depth: 0, window: 4 }, undefined],
  ])("%s, of %j", (text, values, holds) => {
    expect(judged(text, values as Assignment)).toBe(holds);
  });

  it.each([
    ["windw >= 2", "there is no axis `windw`", "did you mean `window`?"],
    ["window >=", "`window >=` ends too early", "write for example"],
    ["window % 0 == 1", "`window % 0 == 1` divides by 0", "write for example"],
    ["1 / 0.0 > window", "`1 / 0.0 > window` divides by 0", "write for example"],
    ["window >= 2)", "cannot be read from `)` on", "write for example"],
    ["window", "`window` alone is a value, neither true nor false", "compare it"],
    ["window + 1", "`window + 1` is a value", "compare it"],
    ["model == sw", "`sw` is neither an axis nor a value of `model`", "`model` has `nd`, `swi`"],
    ["1 < 2", "speaks of no axis", "write for example"],
    ["hoist + 1 > 2", "calculates with what is true or false", "write for example"],
    ["window = 4", "cannot be read from `=` on", "write for example"],
    ["", "ends too early", "write for example"],
  ])("%s is refused", (text, message, remedy) => {
    const parsed = parseConstraint(text, axes);
    expect(parsed).toMatchObject({
      error: expect.stringContaining(message),
      remedy: expect.stringContaining(remedy),
    });
  });

  it("leaves out exactly the combinations for which a constraint is false", () => {
    const texts = [
      "window >= simd",
      "hoist => window * simd <= 8",
      "simd != 4 or collapse",
      "layout == x => not collapse",
      "window % 2 == 0",
    ];
    const chosen = fc.record({
      texts: fc.subarray(texts),
      window: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 4 }),
      simd: fc.subarray([1, 2, 4, 8, 16], { minLength: 1 }),
      order: fc.shuffledSubarray(["hoist", "collapse", "layout", "window", "simd"], {
        minLength: 5,
      }),
    });
    fc.assert(
      fc.property(chosen, ({ texts, window, simd, order }) => {
        const all = { hoist: [false, true], collapse: [false, true], layout: ["x", "a/b"], window, simd };
        const values = Object.fromEntries(order.map((key) => [key, all[key as keyof typeof all]]));
        const require = texts.map((text) => parseConstraint(text, axes)).filter(isConstraint);
        const names = (space: VariantSpace) => expanded(space, "fpga", axes).variants;
        const kept = names({ all: { values, exclude: [], require }, kernels: [] });
        const free = names({ all: { values, exclude: [] }, kernels: [] });
        expect(kept).toEqual(free.filter(({ all }) => require.every((one) => one.holds(all) !== false)));
      }),
      cases(200),
    );
  });
});

describe("expansion", () => {
  it("of 10^12 combinations begins at once, and skips what a constraint forbids with all behind it", () => {
    const many = Array.from({ length: 1000 }, (_, i) => i);
    const require = ["window >= 900", "depth + 1 == window", "units * 2 == window"]
      .map((text) => parseConstraint(text, axes))
      .filter(isConstraint);
    const values = { window: many, depth: many, units: many, replicate: many };
    const { variants } = expandVariants({ all: { values, exclude: [], require }, kernels: [] }, "fpga", axes);
    const [first] = variants;
    expect(first?.all).toEqual({ window: 900, depth: 899, units: 450, replicate: 0 });
  });

  it("has named variants, in their place or at the end", () => {
    // The order of values, which `arc explore --apply` changes, is nothing to them.
    const all = { values: { model: ["nd", "swi"], window: [4, 0] }, exclude: [] };
    const kernels = [{ kernel: "step", choice: { values: { units: [1, 2] }, exclude: [] } }];
    const named = [
      { name: "fast", all: { model: "swi" }, kernels: { step: { units: 2 } } },
      { name: "quick", all: { model: "swi" }, kernels: { step: { units: 2 } } },
      { name: "wide", all: { window: 64 }, kernels: {} },
    ];
    const { variants } = expanded({ all, kernels, named }, "fpga", axes);
    expect(variants).toHaveLength(9);
    expect(variants.filter(({ called }) => called)).toEqual([
      expect.objectContaining({ name: "swi_numc2", called: ["fast", "quick"] }),
      expect.objectContaining({ name: "nd_sw64", called: ["wide"], all: { model: "nd", window: 64 } }),
    ]);
    expect(variants.at(-1)?.name).toBe("nd_sw64");
  });

  it("is the product, first values first", () => {
    const { variants } = expanded(space({ model: ["nd", "swi"], window: [0, 4] }), "fpga", axes);
    expect(variants.map((v) => v.name)).toEqual(["nd", "nd_sw4", "swi", "swi_sw4"]);
  });

  it("of a project without variants is the default one", () => {
    const { variants } = expanded(space({}), "fpga", axes);
    expect(variants).toEqual([{ name: "default", all: {}, kernels: {} }]);
  });

  it("omits excluded combinations", () => {
    const exclude = [{ model: ["nd"], window: [1, 4] }];
    const all = { values: { model: ["nd", "swi"], window: [0, 1, 4] }, exclude };
    const { variants } = expanded({ all, kernels: [] }, "fpga", axes);
    expect(variants.map((v) => v.name)).toEqual(["nd", "swi", "swi_sw1", "swi_sw4"]);
  });

  it("drops axes that the kind does not support, and names them", () => {
    const { variants, projected } = expanded(space({ model: ["nd", "swi"], window: [0, 4] }), "cuda", axes);
    expect(variants.map((v) => v.name)).toEqual(["default", "sw4"]);
    expect(projected).toEqual(["model"]);
  });

  it("multiplies kernels that vary on their own, on top of what all share", () => {
    const kernels = [
      { kernel: "step", choice: { values: { window: [0, 16] }, exclude: [] } },
      { kernel: "copy", choice: { values: { units: [1, 32] }, exclude: [] } },
    ];
    const { variants } = expanded(
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

  it("never gives two variants the same name", () => {
    const values = fc.record({
      model: fc.subarray(["nd", "swi"], { minLength: 1 }),
      hoist: fc.subarray([true, false], { minLength: 1 }),
      window: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 3 }),
      layout: fc.subarray(["row_major", "x"], { minLength: 1 }),
    });
    fc.assert(
      fc.property(values, fc.constantFrom("fpga", "cuda"), (chosen, kind) => {
        const { variants } = expanded(space(chosen), kind, axes);
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
