import { describe, expect, it } from "vitest";
import type { UsageError } from "../../../cli/call/usage-error.ts";
import { addressMatcher, chooseVariants, select } from "../../../cli/project/addresses.ts";

const known = [
  "cpu:default#link",
  "cpu:default#images",
  "gpu:nd#link",
  "gpu:swi_sw4#link",
  "src/a.c#compile",
  "make",
];
const goals = ["cpu:default#link", "cpu:default#images", "gpu:nd#link"];
const names = { targets: ["cpu", "gpu"], addresses: known };
const all = (patterns: readonly string[]) => select(patterns, goals, names).addresses;

describe("an address", () => {
  it("of a target means the command's products under it", () => {
    expect(all(["cpu"])).toEqual(["cpu:default#link", "cpu:default#images"]);
    expect(all(["gpu:nd"])).toEqual(["gpu:nd#link"]);
  });

  it("with a stage, or of a file, means that action", () => {
    expect(all(["cpu:default#link"])).toEqual(["cpu:default#link"]);
    expect(all(["src/a.c#compile"])).toEqual(["src/a.c#compile"]);
    expect(all(["src/a.c"])).toEqual(["src/a.c#compile"]);
  });

  it("may have wildcards, which do not reach over a stage", () => {
    expect(all(["*#link"])).toEqual(["cpu:default#link", "gpu:nd#link", "gpu:swi_sw4#link"]);
    expect(all(["?pu:default"])).toEqual(["cpu:default#link", "cpu:default#images"]);
    expect(addressMatcher(["cpu*"])("cpu:default#link")).toBe(true);
    expect(addressMatcher(["cp"])("cpu:default#link")).toBe(false);
  });

  it("of a kernel is known after translation, with or without its variant", () => {
    const { addresses, later } = select(["gpu/relax_*"], goals, names);
    expect(addresses).toEqual([]);
    expect(later?.("gpu:nd/relax_12345678#fatbin")).toBe(true);
    expect(later?.("cpu:default/relax_12345678#so")).toBe(false);
  });

  it("that match nothing are refused with the nearest valid one", () => {
    expect(() => all(["cpuu"])).toThrow("nothing is called cpuu");
    expect(() => all(["cpu:other"])).toThrow("nothing is called cpu:other");
    const remedyOf = (pattern: string): unknown => {
      try {
        return select([pattern], [], { targets: ["cpu", "gpu"], addresses: ["src/a.c#compile"] });
      } catch (error) {
        return (error as UsageError).remedy;
      }
    };
    // Only requested targets are planned, but the others must be known by name.
    expect(remedyOf("cpuu")).toBe("did you mean cpu?");
    expect(remedyOf("nothere")).toBe("there are cpu, gpu, src");
    expect(remedyOf("cpu:other")).toBe("`arc graph --all cpu` lists what there is of cpu");
  });
});

describe("the variants of a target", () => {
  const variants = ["nd", "swi", "swi_sw4"].map((name) => ({ name, all: {}, kernels: {} }));
  const target = { name: "gpu" } as never;
  const chosen = (patterns: readonly string[], everything = false) =>
    chooseVariants(patterns, everything)(target, variants).map((variant) => variant.name);

  it("are the first one, unless the address or --all selects more", () => {
    expect(chosen([])).toEqual(["nd"]);
    expect(chosen([], true)).toEqual(["nd", "swi", "swi_sw4"]);
    expect(chosen(["gpu"])).toEqual(["nd"]);
    expect(chosen(["gpu"], true)).toEqual(["nd", "swi", "swi_sw4"]);
    expect(chosen(["gpu:swi*"])).toEqual(["swi", "swi_sw4"]);
    expect(chosen(["g*:swi", "gpu:nd#link"])).toEqual(["nd", "swi"]);
    expect(chosen(["cpu"])).toEqual([]);
  });
});
