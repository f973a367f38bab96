/** The library as others see it: compilers, names, headers, the serial library, images inside executables. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { execute, runtime, sourcesIn, Workshop } from "./harness.ts";
import { imageBytes } from "./image.ts";
import { hostKernels, hostRegions } from "./regions.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());

const found = (program: string) =>
  (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, program)));
const clang = ["clang", "clang-14", "clang-15", "clang-19"].find(found);
const strict = [
  "-std=c11",
  "-Wall",
  "-Wextra",
  "-Wpedantic",
  "-Werror",
  "-fsyntax-only",
  `-I${runtime}/include`,
  `-I${runtime}/src`,
];

describe("the sources", () => {
  const sources = (["src", "serial", "tools"] as const).flatMap((folder) => sourcesIn(folder));

  it("compile without a warning by gcc when optimized", () => {
    expect(execute(["gcc", ...strict, "-O2", ...sources])).toMatchObject({ code: 0, stderr: "" });
  });

  it.skipIf(!clang)("compile without a warning by clang", () => {
    expect(execute([clang as string, ...strict, ...sources])).toMatchObject({ code: 0, stderr: "" });
  });

  it("define no name that could be a program's own", () => {
    const names = execute(["nm", "-g", "--defined-only", shop.archive()])
      .stdout.split("\n")
      .map((line) => line.split(" ")[2])
      .filter((name): name is string => name !== undefined);
    expect(names.length).toBeGreaterThan(150);
    expect(names.filter((name) => !/^(arc_|acc_|omp_|nanos_|__tsan_|__odr_asan)/.test(name))).toEqual([]);
  });
});

describe("the headers", () => {
  it.each(["openacc.h", "acc_prof.h", "omp.h", "nanos_omp.h", "arcrt.h", "arc_host_kernel.h"])(
    "%s stands alone in C99 and in C++",
    (header) => {
      const text = `#include <${header}>\n`;
      for (const [compiler, standard, language] of [
        ["gcc", "c99", "c"],
        ["g++", "c++11", "c++"],
      ] as const) {
        const argv = [
          compiler,
          `-std=${standard}`,
          "-Wall",
          "-Wextra",
          "-Wpedantic",
          "-Werror",
          "-fsyntax-only",
          `-I${runtime}/include`,
          "-x",
          language,
          "-",
        ];
        expect(execute(argv, { input: text })).toMatchObject({ code: 0, stderr: "" });
      }
    },
  );
});

it("omp.h has allocators with alignment, pools and what is done where these are full", () => {
  const program = shop.path("allocators");
  const text = `#include <omp.h>
int main(void) {
  omp_alloctrait_t traits[] = {{omp_atk_alignment, 64}, {omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t of = omp_init_allocator(omp_default_mem_space, 3, traits);
  char *p = omp_alloc(900, of), *full = omp_alloc(200, of), *q;
  if (!p || (size_t)p % 64 != 0 || full) return 1;
  p[899] = 7;
  omp_free(p, of);
  q = omp_calloc(20, 10, of);
  if (!q || q[199] != 0) return 2;
  q[5] = 4;
  q = omp_realloc(q, 400, of, of);
  if (!q || q[5] != 4) return 3;
  omp_free(q, of);
  omp_destroy_allocator(of);
  return 0;
}
`;
  const argv = ["gcc", "-std=c11", ...shop.flags, `-I${runtime}/include`, "-x", "c", "-", "-o", program];
  expect(execute(argv, { input: text })).toMatchObject({ code: 0, stderr: "" });
  expect(execute([program])).toMatchObject({ code: 0, stderr: "" });
});

it("offers all of openacc.h to serial programs", () => {
  const program = shop.path("serial");
  const built = execute([
    "gcc",
    "-std=c11",
    "-Wall",
    "-Werror",
    ...shop.flags,
    `-I${runtime}/include`,
    join(import.meta.dirname, "c/serial.c"),
    ...sourcesIn("serial"),
    "-o",
    program,
  ]);
  expect(built).toMatchObject({ code: 0, stderr: "" });
  expect(execute([program])).toMatchObject({ code: 0, stdout: "right\n", stderr: "" });
  const declared =
    execute(["gcc", "-E", "-P", `${runtime}/include/openacc.h`]).stdout.match(/\bacc_\w+(?= ?\()/g) ?? [];
  const defined = execute(["nm", program]).stdout;
  expect(declared.length).toBeGreaterThan(75);
  expect(declared.filter((name) => !defined.includes(` T ${name}\n`))).toEqual([]);
});

it.each(["shared", "separate"])(
  "runs images and maps declared data that constructors registered, with %s memory",
  (memory) => {
    const image = shop.path("embedded.arci");
    writeFileSync(image, imageBytes(hostRegions(shop.kernels(hostKernels))));
    const program = shop.program("embedded", `-DIMAGE="${image}"`);
    expect(execute([program], { env: { ARC_HOST_MEMORY: memory } })).toMatchObject({
      code: 0,
      stdout: "right\n",
      stderr: "",
    });
  },
);
