/** Which kernels share an image, and how groups that start together are distinguished. */
import { describe, expect, it } from "vitest";
import type { TranslatedKernel } from "../../core/compiler/driver/kernel-texts.ts";
import { imageGroups } from "../../rules/inputs/kernel-sources.ts";
import { type ImagesOptions, imagesExpansion } from "../../rules/steps/kernels/kernels.ts";

const kernel = (region: string, image?: string, manifest = ""): TranslatedKernel => ({
  region,
  text: `// ${region}`,
  mappings: [],
  entries: [region],
  manifest,
  site: { file: "a.c", line: 1, what: "loop" },
  ...(image !== undefined && { image }),
});
const names = (kernels: readonly TranslatedKernel[], whole: boolean) =>
  imageGroups(kernels, whole).map((g) => [g.name, g.kernels.map((k) => k.region)]);

describe("images", () => {
  it("hold one kernel each where a load brings one", () => {
    expect(names([kernel("a"), kernel("b")], false)).toEqual([
      ["a", ["a"]],
      ["b", ["b"]],
    ]);
  });

  it("contain all kernels by default, otherwise each named group and one image for the rest", () => {
    expect(names([kernel("a"), kernel("b")], true)).toEqual([["all", ["a", "b"]]]);
    expect(names([kernel("a", "x+y"), kernel("b"), kernel("c", "x+y"), kernel("d")], true)).toEqual([
      ["x+y", ["a", "c"]],
      ["others", ["b", "d"]],
    ]);
    expect(names([], true)).toEqual([]);
  });

  it("number groups that start together through all texts", async () => {
    const group = (n: number) => `region r\ntogether wait ${n}\nregion s\ntogether last ${n}\n`;
    const kernels = [kernel("a", undefined, group(0) + group(1)), kernel("b", undefined, group(0))];
    const options: ImagesOptions = {
      target: "t",
      variantName: "default",
      backend: "opencl",
      extension: "cpp",
      driverOptions: "",
      whole: true,
      payloads: [],
      authoredTools: {},
      device: { kind: "intel-fpga", options: {} },
    };
    const actions = await imagesExpansion.expand(
      {
        address: "t:default#kernels",
        step: "kernels",
        options: { variant: "t:default", ...(options as object) },
        inputs: [],
        outputs: [],
      },
      async (output) => Buffer.from(JSON.stringify(output === "authored.json" ? [] : kernels)),
    );
    const texts = JSON.stringify(actions.find((a) => a.address === "t:default/all#image"));
    expect(texts.match(/together (wait|last) \d/g)).toEqual(
      [0, 1, 2].flatMap((n) => [`together wait ${n}`, `together last ${n}`]),
    );
  });
});
