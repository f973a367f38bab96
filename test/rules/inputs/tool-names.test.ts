import { expect, test } from "vitest";
import type { TranslatedKernel } from "../../../core/compiler/driver/kernel-texts.ts";
import { inToolNames, namedForTools, regionName } from "../../../rules/inputs/tool-names.ts";

const kernel = (region: string, factor: number, more: Partial<TranslatedKernel> = {}): TranslatedKernel => ({
  region,
  text: `void ${region}(int *x) { *x *= ${factor}; }\nvoid ${region}_finish(void) {}\n`,
  mappings: [],
  entries: [region, `${region}_finish`],
  headers: { "names.h": `ENTRY(${region})` },
  links: [`${region}_1.out:`],
  manifest: `region ${region}\nargs 1\nkernel ${region}\nparam a0\nkernel ${region}_finish\n`,
  site: { file: "a.c", line: 1, what: "parallel loop" },
  ...more,
});
const only = (kernels: readonly TranslatedKernel[]): TranslatedKernel => kernels[0] as TranslatedKernel;
const named = (...kernels: readonly TranslatedKernel[]) => namedForTools(kernels);

test("a kernel is called the same wherever a tool sees it, and launched by the name of its region", () => {
  const made = only(named(kernel("scale_00000001", 2)));
  const [name] = made.entries;
  expect(name).toMatch(/^scale_[0-9a-f]{8}$/);
  expect(name).not.toBe("scale_00000001");
  expect(made).toEqual({
    ...kernel(name as string, 2),
    region: "scale_00000001",
    manifest: `region scale_00000001\nargs 1\nkernel ${name}\nparam a0\nkernel ${name}_finish\n`,
    toolNames: { scale_00000001: name },
  });
  expect(made.entries.map((entry) => regionName(entry, made))).toEqual([
    "scale_00000001",
    "scale_00000001_finish",
  ]);
});

test("the name depends on the compiled text: regions with the same text share it, others do not", () => {
  const nameOf = (one: TranslatedKernel): string | undefined => only(named(one)).entries[0];
  const name = nameOf(kernel("scale_00000001", 2));
  expect(nameOf(kernel("scale_00000002", 2))).toBe(name);
  expect(nameOf(kernel("scale_00000001", 3))).not.toBe(name);
  expect(nameOf(kernel("scale_00000001", 2, { headers: {} }))).not.toBe(name);
});

test("regions of a program whose names would collide keep their own", () => {
  const kernels = [kernel("scale_00000001", 2), kernel("scale_00000002", 2), kernel("scale_00000003", 3)];
  const made = named(...kernels);
  expect(made.slice(0, 2)).toEqual(kernels.slice(0, 2));
  expect(made[2]?.toolNames).toBeDefined();
});

test("regions compiled together have separate names, and names with a common prefix are unchanged", () => {
  const both = kernel("put_00000001", 1, {
    text: "void put_00000001() { my_put_00000001(); put_000000012(); } void get_00000002() {}",
    manifest: "region put_00000001\nkernel put_00000001\nregion get_00000002\nkernel get_00000002\n",
    entries: ["put_00000001", "get_00000002"],
  });
  const [put, get] = only(named(both)).entries;
  expect(only(named(both)).text).toBe(
    `void ${put}() { my_put_00000001(); put_000000012(); } void ${get}() {}`,
  );
});

test("a later schedule of a kernel is called as the first one", () => {
  const { toolNames = {} } = only(named(kernel("scale_00000001", 2)));
  expect(inToolNames(kernel("scale_00000001", 3), toolNames).text).toContain(
    `void ${toolNames.scale_00000001}(int *x) { *x *= 3; }`,
  );
});
