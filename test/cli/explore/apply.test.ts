import { expect, it } from "vitest";
import { withFirst } from "../../../cli/explore/apply.ts";

const yaml = `# a comment
targets:
  fpga:   # oddly   spaced
    kind: rtl
    variants:
      window: [auto, 0,  2]   # pixels
      unroll:
        - auto
        - 4  # copies
      edges: { hoist: [false, true] }
variants: { half-depth: [false, true] }
`;

it("moves the variant's values to the front of their lists, and changes no other byte", () => {
  const variant = { name: "", all: { window: 2, unroll: 4 }, kernels: { edges: { hoist: true, window: 2 } } };
  expect(withFirst(yaml, "fpga", variant)).toBe(
    yaml
      .replace("[auto, 0,  2]", "[2, auto, 0]")
      .replace("- auto\n        - 4  #", "- 4\n        - auto  #")
      .replace("[false, true] }\nvar", "[true, false] }\nvar"),
  );
});

it("leaves what is first already, and refuses lists of all targets", () => {
  const first = { name: "", all: { window: "auto", "half-depth": false }, kernels: {} };
  expect(withFirst(yaml, "fpga", first)).toBe(yaml);
  expect(() => withFirst(yaml, "fpga", { name: "", all: { "half-depth": true }, kernels: {} })).toThrow(
    "`variants.half-depth` stands at the top of arc.yaml",
  );
});
