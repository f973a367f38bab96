/** Large transfers of pageable memory through pinned buffers that several threads fill, on the stand-in for CUDA's driver. */
import { mkdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { execute, Workshop } from "../harness.ts";
import { gpuRegions, standInKernels } from "../regions.ts";

const shops = {
  addresses: new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]),
  threads: new Workshop("gcc", ["-fsanitize=thread"]),
};
afterAll(() => {
  for (const shop of Object.values(shops)) shop.remove();
});

describe.each(["addresses", "threads"] as const)("under the sanitizer of %s", (kind) => {
  const shop = shops[kind];
  const drivers = shop.path("drivers");
  mkdirSync(drivers);
  shop.library("cuda_stand_in", `${drivers}/libcuda.so.1`);
  const so = shop.kernels(standInKernels);
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(so.length));
  const log = shop.path("calls");
  const program = shop.program("data/ring");
  const run = (more: Record<string, string>, ...words: string[]) => {
    const ran = execute([program, ...words], {
      env: {
        ARC_IMAGES: shop.image("cuda", gpuRegions("cuda", "cubin", Buffer.concat([size, so]))),
        LD_LIBRARY_PATH: drivers,
        STAND_IN_LOG: log,
        ...more,
      },
    });
    const calls = readFileSync(log, "utf8").trim().split("\n");
    return { ...ran, count: (name: string) => calls.filter((call) => call.startsWith(name)).length };
  };
  const right = { code: 0, stdout: "right\n", stderr: "" };

  it.each(["1", "2", "5"])("%s threads move every byte to its place, and give all memory back", (threads) => {
    const ran = run({ ARC_COPY_FROM: "1", ARC_COPY_THREADS: threads }, "taken");
    expect(ran).toMatchObject(right);
    const pinned = ran.count("cuMemHostAlloc 2097152");
    expect(pinned).toBeGreaterThan(0);
    expect(pinned).toBeLessThanOrEqual(2 * Number(threads));
    expect(ran.count("cuMemFreeHost")).toBe(pinned);
    // Several pieces for each of the transfers.
    expect(ran.count("cuMemcpyHtoDAsync")).toBeGreaterThan(40);
  });

  it.each(["0", "4194304"])(
    "%s bytes of pinned memory do, with the driver's own way for the rest",
    (most) => {
      const ran = run({ ARC_COPY_FROM: "1", ARC_COPY_THREADS: "4", STAND_IN_PINNED: most });
      expect(ran).toMatchObject(right);
      expect(ran.count("cuMemFreeHost")).toBe(Number(most) / 2097152);
    },
  );

  it("small transfers, and the first large ones, are the driver's", () => {
    const ran = run({ ARC_COPY_THREADS: "4" });
    expect(ran).toMatchObject(right);
    expect(ran.count("cuMemHostAlloc")).toBe(0);
    expect(run({ ARC_COPY_FROM: "1", ARC_COPY_THREADS: "0" })).toMatchObject(right);
  });
});
