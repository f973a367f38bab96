import { mkdirSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { cases } from "../../../cases.ts";
import { execute, Workshop } from "../harness.ts";
import { type ImageText, imageBytes } from "../image.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());

const program = shop.program("launch");
/** `count` adds 1 to the first bytes, one for each work-item of the launch. */
const so = shop.kernels(`
#include "arc_host_kernel.h"
void count(const struct arc_host_grid *g, void *const *args) {
  unsigned char *p = args[0];
  for (int64_t z = 0; z < g->grid[2] * g->group[2]; z++)
    for (int64_t y = 0; y < g->grid[1] * g->group[1]; y++)
      for (int64_t x = 0; x < g->grid[0] * g->group[0]; x++) *p++ += 1;
}`);

/** A kind of payload that each back end loads. */
const loads = { host: "so", opencl: "source", cuda: "cubin" } as const;

function image(change: Partial<ImageText> = {}): ImageText {
  const kernel = { name: "count", grid: ["t0 2 *", "2"], group: ["4"], params: ["a0"] };
  const region = { name: "region", args: 1, site: "some file.c 7 parallel", kernels: [kernel] };
  return {
    backend: "host",
    target: "cpu",
    regions: [region],
    payloads: [{ kind: "so", bytes: so }],
    ...change,
  };
}

const run = (images: string, env: Record<string, string> = {}, args: string[] = []) =>
  execute([program, ...args], { env: { ARC_IMAGES: images, ...env } });

describe("choosing an image set", () => {
  const tree = shop.path("tree");
  const put = (target: string, variant: string, backend: keyof typeof loads, times: string) => {
    const kernel = { name: "count", grid: [times], group: ["1"], params: ["a0"] };
    mkdirSync(`${tree}/${target}/${variant}`, { recursive: true });
    writeFileSync(
      `${tree}/${target}/${variant}/program.arci`,
      imageBytes({
        ...image(),
        backend,
        target,
        variant,
        payloads: [{ kind: loads[backend], bytes: so }],
        regions: [{ name: "region", args: 1, kernels: [kernel] }],
      }),
    );
  };
  put("cpu", "default", "host", "1");
  put("cpu", "wide", "host", "2");
  put("other", "narrow", "host", "3");
  put("other", "wide", "host", "4");
  put("gpu", "default", "cuda", "5");

  it("takes the target and variant that ARC_TARGET names", () => {
    expect(run(tree, { ARC_TARGET: "cpu:wide" }).stdout).toBe("2\n");
    expect(run(tree, { ARC_TARGET: "other:narrow" }).stdout).toBe("3\n");
  });

  it("takes a target's default variant when only the target is named", () => {
    expect(run(tree, { ARC_TARGET: "cpu" }).stdout).toBe("1\n");
  });

  it("asks for a choice if several fit", () => {
    const { code, stderr } = run(tree, { ARC_TARGET: "other" });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^launch\.c:7: error\[which-image\]: parallel: other:narrow \(host\) and other:wide \(host\) could both run/,
    );
    expect(run(tree).stderr).toContain("error[which-image]");
  });

  it("never falls back to the host: an error lists the existing images if none fits", () => {
    const { code, stderr } = run(tree, { ARC_TARGET: "cpu:large" });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^launch\.c:7: error\[no-image\]: parallel: no image set fits ARC_TARGET=cpu:large; there are:/,
    );
    for (const name of ["cpu:default (host)", "cpu:wide (host)", "other:wide (host)", "gpu:default (cuda)"])
      expect(stderr).toContain(name);
    expect(run(tree, { ARC_DEVICE: "opencl" }).stderr).toContain("error[no-image]");
  });

  it("names the driver that is missing for the chosen device", () => {
    const { code, stderr } = run(tree, { ARC_DEVICE: "cuda" });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /error\[no-device\]: parallel: cuda device 0 cannot be used: the CUDA driver cannot be used: libcuda\.so\.1/,
    );
  });

  it("finds images beside the executable when ARC_IMAGES is not set", () => {
    mkdirSync(`${program}.arc/cpu/default`, { recursive: true });
    writeFileSync(`${program}.arc/cpu/default/program.arci`, imageBytes(image()));
    expect(execute([program]).stdout).toBe("16\n");
  });

  it("does not choose images of kernels of the author's own, which belong to no target", () => {
    const both = shop.path("both");
    mkdirSync(both);
    writeFileSync(`${both}/program.arci`, imageBytes(image()));
    const head = "arc-image 1\nbackend opencl\ntarget cpu\nvariant default\noptions \n";
    const own = "kernels a.c k.cl\nsymbol k _Z1kv\npayload source 4\nend\ntext";
    writeFileSync(`${both}/a_c_k_cl.arci`, head + own);
    const { stdout, stderr } = run(both, { ARC_VERBOSE: "1" });
    expect(stdout).toBe("16\n");
    expect(stderr).not.toContain("the kernels for");
  });

  it("reports that there are no images at all", () => {
    const lonely = shop.path("lonely");
    execute(["cp", program, lonely]);
    const { code, stderr } = execute([lonely]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "there is no code for region region: no image fits host:0; there are no images at all",
    );
  });
});

describe("kernels for several kinds", () => {
  const drivers = shop.path("drivers");
  mkdirSync(drivers, { recursive: true });
  shop.library("cuda_stand_in", `${drivers}/libcuda.so.1`);
  /** A program with no images beside it. */
  const lonely = shop.path("alone");
  execute(["cp", program, lonely]);
  const runAlone = (images: string, env: Record<string, string>) =>
    execute([lonely], { env: { ARC_IMAGES: images, ...env } });
  const order = ["cuda", "opencl", "host"] as const;
  type Kind = (typeof order)[number];

  /** A folder with images for these back ends. */
  function imagesFor(kinds: readonly Kind[]): string {
    const folder = shop.path(`several-${kinds.join("-")}`);
    for (const backend of kinds) {
      mkdirSync(`${folder}/${backend}`, { recursive: true });
      writeFileSync(
        `${folder}/${backend}/program.arci`,
        imageBytes({
          ...image(),
          backend,
          target: `t-${backend}`,
          payloads: [{ kind: loads[backend], bytes: so }],
        }),
      );
    }
    return folder;
  }
  const subsets = [...Array(8).keys()]
    .map((bits) => order.filter((_, i) => bits & (1 << i)))
    .filter((kinds) => kinds.length > 1);
  const narrowed: readonly (readonly [Readonly<Record<string, string>>, readonly Kind[]])[] = [
    [{}, order],
    [{ ACC_DEVICE_TYPE: "NVIDIA" }, ["cuda", "opencl"]],
    [{ ACC_DEVICE_TYPE: "host" }, ["host"]],
    [{ OMP_TARGET_OFFLOAD: "MANDATORY" }, ["cuda", "opencl"]],
    [{ OMP_TARGET_OFFLOAD: "disabled" }, ["host"]],
    [{ OMP_TARGET_OFFLOAD: "default" }, order],
    [{ OMP_TARGET_OFFLOAD: "disabled", ACC_DEVICE_TYPE: "not_host" }, ["cuda", "opencl"]],
    [{ ARC_DEVICE: "opencl", ACC_DEVICE_TYPE: "host" }, ["opencl"]],
  ];
  const cases = subsets.flatMap((kinds) =>
    narrowed.flatMap(([env, allowed]) => [true, false].map((hasCuda) => ({ kinds, env, allowed, hasCuda }))),
  );

  it.each(cases)("$kinds with $env, CUDA's driver here: $hasCuda", ({ kinds, env, allowed, hasCuda }) => {
    const { stderr } = runAlone(imagesFor(kinds), {
      ...env,
      ARC_VERBOSE: "1",
      ARC_OPENCL_LIBRARY: "libNothing.so.1",
      ASAN_OPTIONS: "detect_leaks=0",
      ...(hasCuda ? { LD_LIBRARY_PATH: drivers } : { ARC_CUDA_LIBRARY: "libNothing.so.1" }),
    });
    const left = kinds.filter((kind) => allowed.includes(kind));
    const runs = left.filter((kind) => kind === "host" || (kind === "cuda" && hasCuda));
    const [taken] = runs.length > 0 ? runs : left;
    if (taken === undefined) {
      const [variable = "", value = ""] =
        Object.entries(env).find(([name]) => name !== "OMP_TARGET_OFFLOAD") ?? Object.entries(env)[0] ?? [];
      expect(stderr).toContain(`no image set fits ${variable}=${value}; there are:`);
    } else if (left.length > 1) expect(stderr).toContain(`the kernels for ${taken} are taken`);
    else expect(stderr).not.toContain("are taken");
    if (taken !== undefined && !runs.includes(taken))
      expect(stderr).toContain(`${taken} device 0 cannot be used`);
    if (taken === "host") expect(stderr).toContain("opened host:0");
  });

  it("reports an invalid value of OMP_TARGET_OFFLOAD", () => {
    const { code, stderr } = runAlone(imagesFor(["cuda", "host"]), { OMP_TARGET_OFFLOAD: "perhaps" });
    expect(code).toBe(1);
    expect(stderr).toContain("OMP_TARGET_OFFLOAD=perhaps means nothing");
    expect(stderr).toContain("mandatory, disabled or default");
  });
});

describe("a launch", () => {
  const folder = shop.image("good", image());

  it("runs the geometry that the expressions give", () => {
    expect(run(folder, {}, ["region", "1", "5"]).stdout).toBe("80\n");
  });

  it("launches nothing for zero trips", () => {
    expect(run(folder, {}, ["region", "1", "0"])).toMatchObject({ code: 0, stdout: "0\n" });
  });

  it("repeats kernels, with the iteration number, in nested loops", () => {
    const kernel = (grid: string, lines: { before?: string[]; after?: string[] }) => ({
      ...{ name: "count", grid: [grid], group: ["1"], params: ["a0"] },
      ...lines,
    });
    const kernels = [
      kernel("1000", {}),
      kernel("n0 1 +", { before: ["loop t0"] }),
      kernel("n0 10 * n1 +", { before: ["loop 3"], after: ["end-loop"] }),
      kernel("100", { before: ["loop n0", "loop 2"], after: ["end-loop", "end-loop"] }),
      kernel("7", { after: ["end-loop"] }),
      kernel("5", { before: ["loop 0"], after: ["end-loop"] }),
    ];
    const looped = shop.image("looped", image({ regions: [{ name: "region", args: 1, kernels }] }));
    let wanted = 1000;
    for (let o = 0; o < 4; o++) {
      wanted += o + 1 + 7 + 200 * o;
      for (let i = 0; i < 3; i++) wanted += o * 10 + i;
    }
    const { stdout } = run(looped, {}, ["region", "1", "4", "2000"]);
    expect(stdout).toBe(`${wanted}\n`);
  });

  it("refuses host code that the image was not built with", () => {
    const { code, stderr } = run(folder, {}, ["region", "2"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /error\[mismatch\]: parallel: .*program\.arci was built from other host code: region region takes 1 arguments and 1 trip counts, the program passes 2 and 1/,
    );
  });

  it("names a region that the images do not hold", () => {
    expect(run(folder, {}, ["elsewhere"]).stderr).toMatch(
      /^launch\.c:7: error\[no-image\]: parallel: there is no code for region elsewhere: the images of cpu:default \(host\) do not hold it/,
    );
  });

  it("names a kernel that the payload does not hold", () => {
    const kernel = { name: "lost", grid: ["1"], group: ["1"], params: ["a0"] };
    const images = shop.image("lost", image({ regions: [{ name: "region", args: 1, kernels: [kernel] }] }));
    expect(run(images).stderr).toMatch(
      /error\[load\]: parallel: .* holds no kernel lost: .*undefined symbol: lost/,
    );
  });

  it("runs the kernels of a region in order, with the first one's grid and the scratch sized by it", () => {
    const two = shop.kernels(`
#include "arc_host_kernel.h"
void first(const struct arc_host_grid *g, void *const *args) {
  for (int64_t i = 0; i < g->grid[0]; i++) ((int *)args[1])[i] = (int)i;
}
void second(const struct arc_host_grid *g, void *const *args) {
  unsigned char *p = args[0];
  for (int64_t i = 0; i < *(const int64_t *)args[2]; i++) p[0] = (unsigned char)(p[0] + ((const int *)args[1])[i]);
}`);
    const images = shop.image("two", {
      ...image(),
      payloads: [{ kind: "so", bytes: two }],
      regions: [
        {
          name: "region",
          args: 1,
          scratch: ["4 gx *"],
          kernels: [
            { name: "first", grid: ["t0 2 ceildiv"], group: ["1"], params: ["a0", "s0"] },
            { name: "second", grid: ["1"], group: ["1"], params: ["a0", "s0", "i gx"] },
          ],
        },
      ],
    });
    expect(run(images, { ARC_HOST_MEMORY: "separate" }, ["region", "1", "19"]).stdout).toBe("45\n");
  });
});

describe("a counter of a region's groups", () => {
  // The last item to come adds what `lg` is, and leaves zero.
  const counting = shop.kernels(`
#include "arc_host_kernel.h"
void count(const struct arc_host_grid *g, void *const *args) {
  unsigned char *p = args[0];
  for (int64_t i = 0; i < g->grid[0]; i++)
    if (++*(int *)args[1] == 5) p[0] = (unsigned char)(p[0] + 10 + *(const int64_t *)args[2]), *(int *)args[1] = 0;
}
void count_last(const struct arc_host_grid *g, void *const *args) {}`);
  const launched = (sign: string) => {
    const once = { name: "count", grid: ["5"], group: ["1"], params: ["a0", "s1", "i lg"] };
    const images = shop.image(`counted-${sign}`, {
      ...image(),
      payloads: [{ kind: "so", bytes: counting }],
      regions: [{ name: "region", args: 1, scratch: ["8", "4"], zeroed: `1 ${sign}`, kernels: [once, once] }],
    });
    return run(images, { ARC_HOST_MEMORY: "separate" }, ["region", "1", "19"]).stdout;
  };

  it("is zero at first, and `lg` says whether the code has the kernel that the image names", () => {
    expect(launched("count_last")).toBe("22\n");
    expect(launched("elsewhere")).toBe("20\n");
  });
});

describe("a damaged image", () => {
  const bytes = imageBytes(image());
  const damaged = shop.path("damaged.arci");
  const runBytes = (content: Buffer) => {
    writeFileSync(damaged, content);
    return run(damaged);
  };

  it("is refused with the line that is wrong", () => {
    const text = bytes.toString("latin1");
    const edits: [string, string, RegExp][] = [
      ["arc-image 1", "arc-image 2", /damaged\.arci:1: this runtime reads version 1/],
      ["args 1", "args one", /:8: a number is needed/],
      ["param a0", "param a1", /:12: the region has no such argument/],
      ["grid t0 2 * ;", "grid t0 2 ;", /:11: it leaves more than one value/],
      ["grid t0 2 *", "grid gx 2 *", /a grid is defined by itself/],
      ["payload so ", "payload so 1", /the file ends inside its payloads/],
      ["payload so ", "payload hsaco ", /the back end 'host' loads no payload of the kind 'hsaco'/],
      ["kernel count\n", "", /:9: this line is unknown, or belongs inside a kernel/],
      ["param a0\n", "param a0\nend-loop\n", /no loop is open here/],
      [
        "kernel count\n",
        "zeroed 0 last\nkernel count\n",
        /:9: the number of a scratch and a kernel's name are/,
      ],
      ["kernel count\n", "loop 2\nkernel count\n", /a loop has no end/],
      ["kernel count\n", "loop 2\nend-loop\nkernel count\n", /a loop has no kernel/],
      ["kernel count\n", `${"loop 2\n".repeat(9)}kernel count\n`, /loops are nested too deeply/],
      [
        "region region\n",
        "symbol saxpy\nregion region\n",
        /:6: a kernel's name and that of its code are needed/,
      ],
      ["region region\n", "kernels a\nkernels b\nregion region\n", /:7: this line may appear only once/],
      ["backend host\n", "", /the lines 'backend', 'target' and 'variant' are needed/],
    ];
    for (const [from, to, message] of edits) {
      const { code, stderr } = runBytes(Buffer.from(text.replace(from, to), "latin1"));
      expect(stderr).toMatch(message);
      expect(code).toBe(1);
    }
  });

  it("never crashes the program, wherever it is cut or changed", () => {
    const manifest = bytes.indexOf("\nend\n") + 5;
    fc.assert(
      fc.property(fc.nat(manifest), fc.nat(255), fc.boolean(), (at, byte, cut) => {
        const changed = Buffer.from(cut ? bytes.subarray(0, at) : bytes);
        if (!cut && at < changed.length) changed[at] = byte;
        const { code, signal, stderr } = runBytes(changed);
        expect(signal).toBeNull();
        expect(stderr).not.toContain("Sanitizer");
        expect([0, 1]).toContain(code);
      }),
      cases(200),
    );
  });
});
