/** When images are loaded: on the host the first one with the device, so that no launch waits for the OpenMP library. */
import { afterAll, expect, it } from "vitest";
import { execute, Workshop } from "../harness.ts";
import type { ImageText } from "../image.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());
const program = shop.program("first_image");

const image = (bytes: Uint8Array): ImageText => ({
  backend: "host",
  target: "t",
  regions: [{ name: "say", args: 1, kernels: [{ name: "say", grid: ["1"], group: ["1"], params: ["a0"] }] }],
  payloads: [{ kind: "so", bytes }],
});

const right = shop.kernels(`
#include "arc_host_kernel.h"
#include <unistd.h>
__attribute__((constructor)) static void loaded(void) { write(1, "loaded\\n", 7); }
void say(const struct arc_host_grid *g, void *const *args) { write(1, "kernel\\n", 7); }`);

const run = (name: string, bytes: Uint8Array, ...args: string[]) =>
  execute([program, ...args], { env: { ARC_IMAGES: shop.image(name, image(bytes)) } });

it("the host's first image is loaded with the device, once", () => {
  expect(run("right", right, "launch")).toMatchObject({
    code: 0,
    stdout: "start\nloaded\ndata\nkernel\n",
    stderr: "",
  });
});

it("an image that does not load is an error of the launch that needs it alone", () => {
  const damaged = Buffer.from("no shared object");
  expect(run("damaged", damaged)).toMatchObject({ code: 0, stdout: "start\ndata\n", stderr: "" });
  const { code, stderr } = run("damaged", damaged, "launch");
  expect(code).not.toBe(0);
  expect(stderr).toContain("does not load on host:0");
});
