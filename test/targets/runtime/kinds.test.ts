/** What the kinds of target say of their images, the runtime knows: each back end, and what it loads. */
import { afterAll, expect, it } from "vitest";
import { kinds } from "../../../targets/registry.ts";
import { execute, Workshop } from "./harness.ts";

const shop = new Workshop("gcc", []);
afterAll(() => shop.remove());

const cases = kinds.flatMap((kind) =>
  [{}, { emulate: true }]
    .filter((options) => Object.keys(options).every((name) => name in kind.options))
    .map((options) => ({ name: kind.kind, kind, options })),
);

it.each(cases)("the runtime takes images of kind $name with $options", ({ kind, options }) => {
  const { backend } = kind.device(options);
  const payloads = kind.toolchain(options).payloads.map((payload) => ({ kind: payload.kind, bytes: "" }));
  const images = shop.image("any", {
    backend,
    target: "any",
    regions: [{ name: "other", args: 0, kernels: [{ name: "k", grid: ["1"], group: ["1"], params: [] }] }],
    payloads,
  });
  const ran = execute([shop.program("launch")], { env: { ARC_IMAGES: images, ARC_DEVICE: backend } });
  expect(ran.stderr).not.toMatch(/no payload of the kind|does not have|no image set fits/);
  expect(ran.stderr).toMatch(/cannot be used|there is no code for region/);
});
