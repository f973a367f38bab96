/** The test programs of c/ on every machine that runs here, under the sanitizers. */
import { afterAll, describe, expect, it } from "vitest";
import { execute, Workshop } from "./harness.ts";
import { hostKernels, hostRegions, openclRegions } from "./regions.ts";

/** PoCL, LLVM and the dynamic linker keep what they allocated. */
const leaks = `
leak:libpocl
leak:libOpenCL
leak:libLLVM
leak:libhwloc
leak:ld-linux
leak:dl_init
`;

const shops = {
  addresses: new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]),
  threads: new Workshop("gcc", ["-fsanitize=thread"]),
};
afterAll(() => {
  for (const shop of Object.values(shops)) shop.remove();
});

const suppressions = shops.addresses.path("leaks");
const { writeFileSync } = await import("node:fs");
writeFileSync(suppressions, leaks);

const programs = ["deep", "async", "threads", "api", "defer"] as const;

describe.each(["addresses", "threads"] as const)("under the sanitizer of %s", (kind) => {
  const shop = shops[kind];
  const built = Object.fromEntries(programs.map((name) => [name, shop.program(name)]));
  const host = shop.image("host", hostRegions(shop.kernels(hostKernels)));
  const opencl = shop.image("opencl", openclRegions);
  const machines: [string, Record<string, string>][] = [
    ["the host's own memory", { ARC_IMAGES: host }],
    ["separate host memory", { ARC_IMAGES: host, ARC_HOST_MEMORY: "separate" }],
    [
      "separate host memory that wants aligned transfers",
      { ARC_IMAGES: host, ARC_HOST_MEMORY: "separate", ARC_ALIGN: "64" },
    ],
  ];
  // PoCL is not built for the thread sanitizer.
  if (kind === "addresses")
    machines.push([
      "PoCL",
      {
        ARC_IMAGES: opencl,
        ARC_OPENCL_PLATFORM: "Portable",
        LSAN_OPTIONS: `suppressions=${suppressions}:print_suppressions=0`,
      },
    ]);

  describe.each(machines)("on %s", (machine, env) => {
    it.each(programs)("%s.c is right and clean", (name) => {
      const ran = execute([built[name] as string], { env });
      expect(ran).toMatchObject({ code: 0, stdout: "right\n" });
      expect(ran.stderr.replace(/^arc: warning\[no-unified-memory\].*\n/m, "")).toBe("");
    });

    it.skipIf(machine === "the host's own memory")(
      "under_way.c is right and clean, however early launches are waited for",
      () => {
        for (const ARC_WAIT of ["late", "each"]) {
          const ran = execute([shop.program("under_way")], { env: { ...env, ARC_WAIT } });
          expect(ran).toMatchObject({ code: 0, stdout: "right\n", stderr: "" });
        }
      },
    );

    it.each(programs)("%s.c is right and clean while it is traced", (name) => {
      const ran = execute([built[name] as string], { env: { ...env, ARC_TRACE: shop.path("trace.json") } });
      expect(ran).toMatchObject({ code: 0, stdout: "right\n" });
    });
  });
});
