/** OpenMP's selectors of devices in regions: one region, and each kind's image has what its own device selects. */
import { describe, expect, test } from "vitest";
import { kernelOf } from "./translate.ts";

const functions = ["fast", "host", "nvidia", "amd"]
  .map((name, k) => `static int ${name}(int x) { return x + ${k + 1}; }`)
  .join("\n");
const called = (matches: readonly (readonly [string, string])[]): string =>
  [
    functions,
    ...matches.map(([name, match]) => `#pragma omp declare variant(${name}) match(${match})`),
    "static int base(int x) { return x; }",
    "void f(int *a) {\n#pragma omp target map(a[0:1])\na[0] = base(7);\n}",
  ].join("\n");

/** The variant that a kernel's text calls: its conditions compare constants. `kind`: of a device of OpenCL. */
function choice(text: string, kind = 0): string {
  const written = /a\[0\] = ([^;]*\(7\));/.exec(text)?.[1] ?? text;
  const constants = written
    .replaceAll("ARC_DEVICE_KIND", `${kind}`)
    .replace(/\b\w+\(7\)/g, (call) => `"${call.replace(/_?\(7\)/, "")}"`);
  expect(constants).toMatch(/^[\s\d()=|&?:"a-z]*$/);
  return String(new Function(`return ${constants};`)());
}

describe("a variant's device is that of the image", () => {
  test.each([
    ["device={kind(gpu)}", { host: "base", opencl: "base", cuda: "fast", hip: "fast" }],
    ["construct={target}, device={kind(cpu)}", { host: "fast", opencl: "base", cuda: "base", hip: "base" }],
    ["device={arch(nvptx64)}", { host: "base", opencl: "base", cuda: "fast", hip: "base" }],
    ["device={kind(gpu), arch(amdgcn)}", { host: "base", opencl: "base", cuda: "base", hip: "fast" }],
    [
      "construct={target}, device={arch(x86_64)}",
      { host: process.arch === "x64" ? "fast" : "base", cuda: "base" },
    ],
    [
      "device={kind(fpga)}",
      { host: "base", opencl: "base", cuda: "base", hip: "base", "intel-fpga": "fast", vitis: "fast" },
    ],
    [
      "construct={target}, device={isa(sse2)}",
      { host: process.arch === "x64" ? "fast" : "base", opencl: "base", cuda: "base", vitis: "base" },
    ],
    ["construct={target}, device={isa(no_such_set)}", { host: "base", cuda: "base" }],
    ["device={kind(nohost)}", { host: "fast", opencl: "fast", cuda: "fast", hip: "fast" }],
  ] as const)("%s", (match, of) => {
    for (const [kind, wanted] of Object.entries(of))
      expect(choice(kernelOf(called([["fast", match]]), kind as keyof typeof of).text), kind).toBe(wanted);
  });

  test.each([
    ["kind(gpu)", { host: "base", cuda: "fast", hip: "fast", vitis: "base", "intel-fpga": "base" }],
    ["kind(cpu)", { host: "fast", cuda: "base", hip: "base" }],
    ["kind(fpga)", { host: "base", cuda: "base", vitis: "fast", "intel-fpga": "fast" }],
    ["arch(nvptx64)", { host: "base", cuda: "fast", hip: "base" }],
    ["kind(nohost)", { host: "fast", cuda: "fast", opencl: "fast" }],
  ] as const)("target_device={%s} is the region's own device", (traits, of) => {
    const source = called([["fast", `target_device={${traits}}`]]);
    for (const [kind, wanted] of Object.entries(of))
      expect(choice(kernelOf(source, kind as keyof typeof of).text), kind).toBe(wanted);
  });

  test("of OpenCL, images that are compiled for a device know its kind", () => {
    const { text } = kernelOf(called([["fast", "target_device={kind(gpu)}"]]), "opencl");
    expect(text).toContain("#ifndef ARC_DEVICE_KIND\n#define ARC_DEVICE_KIND 0\n#endif");
    expect([0, 9, 10, 11].map((kind) => choice(text, kind))).toEqual(["base", "fast", "base", "base"]);
  });

  test("the most specific one comes first", () => {
    const source = called([
      ["fast", "device={kind(gpu)}"],
      ["nvidia", "device={kind(gpu), arch(nvptx64)}"],
      ["host", "construct={target}, device={kind(cpu)}"],
    ]);
    const chosen = (["host", "opencl", "cuda", "hip"] as const).map((kind) =>
      choice(kernelOf(source, kind).text),
    );
    expect(chosen).toEqual(["host", "base", "nvidia", "fast"]);
  });

  test("a call under several directives and in nested constructs is one choice at each place", () => {
    const source = called([["fast", "device={kind(gpu)}"]]).replace(
      "a[0] = base(7);",
      "#pragma omp metadirective when(device={kind(gpu)}: parallel for) otherwise(simd)\nfor (int i = 0; i < 9; i++) a[i] = base(i);",
    );
    const { text } = kernelOf(source.replace("map(a[0:1])", "map(a[0:9])"), "host");
    expect(text.match(/\? fast/g)).toHaveLength(2);
    expect(text.match(/: base/g)).toHaveLength(2);
  });
});

test("a metadirective's statement is in an image as its device selects", () => {
  const source =
    "void f(int *a) {\n#pragma omp target map(a[0:64])\n{\n" +
    "#pragma omp metadirective when(device={kind(gpu)}: parallel for) otherwise(nothing)\n" +
    "for (int i = 0; i < 64; i++) a[i] = i;\n}\n}";
  const [cuda, host] = (["cuda", "host"] as const).map((kind) => kernelOf(source, kind).text);
  expect(cuda).toContain("((4) == 3 || (4) == 4) || ((5) == 3 || (5) == 4)");
  expect(cuda).toContain("threadIdx.x");
  expect(host).toContain("((4) == 2) || ((5) == 2)");
});

test("host code has the architecture and the instruction sets of its compiler", () => {
  const wanted = process.arch === "x64" ? "x86_64" : "aarch64";
  const source = (device: string) =>
    `void f(int *a) {\n#pragma omp metadirective when(device={${device}}: target map(a[0:9])) otherwise(nothing)\nfor (int i = 0; i < 9; i++) a[i] = i;\n}`;
  expect(() => kernelOf(source(`arch(${wanted})`), "host")).not.toThrow();
  expect(() => kernelOf(source("isa(no_such_set)"), "host")).toThrow("0 regions");
  if (process.arch === "x64") expect(() => kernelOf(source("isa(sse2)"), "host")).not.toThrow();
});
