/**
 * Kernels of the author's own through `arc build` and `arc cc`: compiled when the program is built, kept in images, told with
 * their places if they do not compile, and run without a compiler. nvcc is a stand-in that makes what the stand-in for CUDA's
 * driver loads; OpenCL's are checked by the clang of this machine, and run on its driver.
 */
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hasOpenCl } from "../../programs/devices.ts";
import { Workshop } from "../../targets/runtime/harness.ts";
import { pathWithout } from "../path-without.ts";
import { Rig } from "../rig.ts";

const hasClang = existsSync("/usr/bin/clang-15");

/** A unit with kernels of one name in files of one name. */
const part = (name: string) => `
#pragma omp target device(cuda) ndrange(1, n, 64) file(kernels.cu)
#pragma omp task inout([n]x)
void change(int n, float *x);

void ${name}(int n, float *x) { change(n, x); }
`;
const kernel = (body: string) => `#include "index.h"
__global__ void change(int n, float *x) {
  int i = INDEX;
  if (i < n) ${body};
}
`;
const files = {
  "arc.yaml": `arc: 1
project: p
sources: [main.c, one/part.c, two/part.c]
include: [inc]
targets:
  cpu: { kind: host }
`,
  "main.c": `#include <stdio.h>
void one(int n, float *x);
void two(int n, float *x);

#pragma omp target device(opencl) ndrange(1, n, 64) file(more.cl)
#pragma omp task inout([n]x)
void more(int n, float *x);

#pragma omp target device(opencl) ndrange(1, n, 64)
#pragma omp task inout([n]x)
__kernel void own(int n, __global float *x) {
  int i = get_global_id(0);
  if (i < n) x[i] *= 10;
}

enum { N = 100 };
int main(void) {
  static float x[N];
  for (int i = 0; i < N; i++) x[i] = i;
  one(N, x);
  more(N, x);
  two(N, x);
  own(N, x);
#pragma omp taskwait
  printf("%g %g\\n", x[0], x[N - 1]);
  return 0;
}
`,
  "one/part.c": part("one"),
  "one/kernels.cu": kernel("x[i] += 1"),
  "two/part.c": part("two"),
  "two/kernels.cu": kernel("x[i] *= 2"),
  "inc/index.h": "#define INDEX (int)(blockIdx.x * blockDim.x + threadIdx.x)\n",
  "more.cl":
    "__kernel void more(int n, __global float *x) {\n  int i = get_global_id(0);\n  if (i < n) x[i] += 0.5f;\n}\n",
};
/** (x + 1 + 0.5) * 2 * 10 */
const printed = "30 2010\n";

/** Like the stand-in for NVRTC, with names mangled as by nvcc. */
const nvcc = (log: string) => `
for word; do case $word in kernel.*) text=$word ;; esac; last=$word; done
echo "$*" >> '${log}'
names=$(sed -n 's/.*__global__ void \\([a-z]*\\).*/\\1/p' $text)
{
  cat <<'END'
#include <cstddef>
#include <utility>
#define __global__
struct dim { unsigned x, y, z; };
static dim threadIdx, blockIdx, blockDim;
template <class... A, std::size_t... I>
static void start(void (*f)(A...), void **p, std::index_sequence<I...>) { f(*(A *)p[I]...); }
template <class... A> static void launch(void (*f)(A...), void **p, const unsigned *g, const unsigned *b) {
  blockDim = {b[0], b[1], b[2]};
  for (blockIdx.x = 0; blockIdx.x < g[0]; blockIdx.x++)
    for (threadIdx.x = 0; threadIdx.x < b[0]; threadIdx.x++) start(f, p, std::index_sequence_for<A...>());
}
struct table { unsigned list[32]; };
template <class... A> static constexpr table listed(void (*)(A...)) { return {{sizeof(A)..., 0}}; }
END
  cat $text
  for name in $names; do
    echo "extern \\"C\\" void run_$name(void **, const unsigned *, const unsigned *) __asm__(\\"_Z\${#name}\${name}v\\");"
    echo "void run_$name(void **p, const unsigned *g, const unsigned *b) { launch(&$name, p, g, b); }"
    echo "extern \\"C\\" { extern const table sizes_$name __asm__(\\"_Z\${#name}\${name}v_sizes\\");"
    echo "const table sizes_$name = listed(&$name); }"
  done
} | g++ -std=c++17 -w -shared -fPIC -Wl,-Bsymbolic -x c++ - -o library || exit 1
size=$(stat -c %s library)
for i in 1 2 3 4 5 6 7 8; do printf "\\\\$(printf %03o $((size % 256)))"; size=$((size / 256)); done > $last
cat library >> $last
for name in $names; do echo ".entry _Z\${#name}\${name}v("; done >> $last`;

const shop = new Workshop();
afterAll(() => shop.remove());
const drivers = shop.path("cuda");
mkdirSync(drivers);
shop.library("cuda_stand_in", path.join(drivers, "libcuda.so.1"));
const env = {
  ARC_OPENCL_PLATFORM: "Portable",
  LD_LIBRARY_PATH: drivers,
  ARC_NVRTC_LIBRARY: "none.so",
  ARC_VERBOSE: "1",
};

describe.skipIf(!hasOpenCl || !hasClang)("kernels of the author's own", () => {
  const rig = new Rig(files, "shared");
  const log = path.join(rig.root, "calls");
  rig.tool("nvcc", nvcc(log));
  const broken = async (file: keyof typeof files, from: string, to: string) => {
    rig.write(file, files[file].replace(from, to));
    const { status, out, err } = await rig.arc(["build"]);
    rig.write(file, files[file]);
    expect(status).toBe(1);
    return out + err;
  };

  it("are compiled when the program is built, which needs no compiler to run", async () => {
    const { status, out, err } = await rig.arc(["build"]);
    expect(status, out + err).toBe(0);
    expect(out + err).toContain("compile one/kernels.cu for cuda");
    expect(rig.readOutside("calls").match(/-fatbin/g)).toHaveLength(2);
    const images = rig.list().filter((name) => name.endsWith(".arci"));
    expect(images).toHaveLength(4);
    for (const name of images) expect(rig.read(name)).toContain("\nsymbol ");
    const ran = await rig.run("out/cpu/default/p", [], { env });
    expect(`${ran.status} ${ran.out}`, ran.err).toBe(`0 ${printed}`);
    expect(ran.err).not.toContain("is not taken");
  });

  it("hold the file byte for byte", () => {
    const images = rig.list().filter((name) => name.endsWith(".arci"));
    expect(images.some((name) => rig.read(name).endsWith(`end\n${files["more.cl"]}`))).toBe(true);
  });

  it("are compiled alone when they change: the host's code stays as it was", async () => {
    rig.write("two/kernels.cu", kernel("x[i] *= 4"));
    const { out, err } = await rig.arc(["build"]);
    expect(out + err).toContain("compile two/kernels.cu for cuda");
    expect(out + err).not.toMatch(/compile (one|\S*\.c\b)|link/);
    const ran = await rig.run("out/cpu/default/p", [], { env });
    expect(ran.out).toBe("60 4020\n");
    rig.write("two/kernels.cu", files["two/kernels.cu"]);
    await rig.arc(["build"]);
  });

  it("are reported with their locations if they do not compile", async () => {
    expect(await broken("more.cl", "0.5f", "half_of(1)")).toMatch(
      /^more.cl:3:22: error\[kernel-compiler\]: .*half_of[\s\S]*\n {2}3 \| .*half_of/m,
    );
    expect(await broken("two/kernels.cu", "*= 2", "*= factor")).toMatch(
      /^two\/kernels.cu:4:\d+: error\[kernel-compiler\]: .*factor/m,
    );
    expect(await broken("main.c", "x[i] *= 10", "x[i] *= ten")).toMatch(
      /^main.c:13:22: error\[kernel-compiler\]: .*ten/m,
    );
    expect(await broken("inc/index.h", "INDEX (int)", "INDEX (integer)")).toMatch(
      /error\[kernel-compiler\]: .*integer/,
    );
  });

  it("have to be in the file", async () => {
    expect(await broken("more.cl", "void more", "void mode")).toMatch(
      /^more.cl:1:1: error\[kernel-missing\]: there is no kernel 'more' in more.cl[\s\S]*write name\(\.\.\.\) with one that it has: mode/m,
    );
    expect(await broken("one/kernels.cu", "void change", "void charge")).toMatch(
      /error\[kernel-missing\]: there is no kernel 'change' in one\/kernels.cu[\s\S]*it has: charge/,
    );
  });

  it("are only text if there is no compiler, which is reported", async () => {
    const without = pathWithout(path.join(rig.root, "without"), /^nvcc$/);
    const { status, out, err } = await rig.arc(["build"], { env: { PATH: without } });
    expect(status, out + err).toBe(0);
    expect(out + err).toContain(
      "one/kernels.cu is compiled by NVRTC when the program runs: nvcc is not here",
    );
    const result = await rig.run("out/cpu/default/p", [], { env });
    expect(result.err).toContain("NVRTC compiles kernels from text, and cannot be used: none.so");
  });

  it("go into the program of arc cc", async () => {
    const sources = ["main.c", "one/part.c", "two/part.c"];
    const objects = sources.map((source, i) => [source, `${i}.o`] as const);
    for (const [source, object] of objects)
      expect(await rig.arc(["cc", "-acc", "-Iinc", "-c", source, "-o", object])).toMatchObject({
        status: 0,
        err: "",
      });
    const link = await rig.arc(["cc", "-acc", ...objects.map(([, object]) => object), "-o", "linked"]);
    expect(`${link.status} ${link.err}`).toBe("0 ");
    const ran = await rig.run("./linked", [], { env });
    expect(`${ran.status} ${ran.out}`, ran.err).toBe(`0 ${printed}`);
    rig.write("more.cl", files["more.cl"].replace("0.5f", "half_of(1)"));
    const wrong = await rig.arc(["cc", "-acc", "-Iinc", ...sources, "-o", "linked"]);
    rig.write("more.cl", files["more.cl"]);
    expect(wrong.status).toBe(1);
    expect(wrong.err).toMatch(/^more.cl:3:22: error\[kernel-compiler\]: .*half_of/m);
  });
});
