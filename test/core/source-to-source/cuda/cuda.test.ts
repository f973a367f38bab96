/**
 * CUDA sources in directives compute what CUDA says: g++ compiles the source itself with each thread as a thread and barriers
 * as barriers (emulator.h), and its output is that of the translations, by gcc and by arc on the host and on OpenCL.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readCuda } from "../../../../core/source-to-source/cuda/read.ts";
import { arcProgram } from "../../../cli/rig.ts";
import { start } from "../../../programs/process.ts";

const here = import.meta.dirname;
const folder = mkdtempSync(path.join(tmpdir(), "arc-cuda-"));
const environment = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
afterAll(() => rmSync(folder, { recursive: true }));

async function ran(exe: string, env: Record<string, string> = {}): Promise<string> {
  const { status, out, err } = await start(exe, [], { env: { ...environment, ...env } });
  expect(status, out + err).toBe(0);
  return out;
}

async function made(program: string, args: readonly string[]): Promise<void> {
  const { status, out, err } = await start(program, args, { env: environment, seconds: 120 });
  expect(status, out + err).toBe(0);
}

/** Launches as calls of the emulator; CUDA's headers are the emulator. */
const emulated = (text: string): string =>
  text
    .replace(
      /(\w+)<<<((?:[^<>(]|\([^()]*(?:\([^()]*\)[^()]*)*\))*?),\s*([\w]+|dim3\([^()]*\))>>>\(([^;]*)\);/g,
      "run_kernel($2, $3, [&] { $1($4); });",
    )
    .replace(/#include <cuda_runtime.h>/, "");

const programs = readdirSync(path.join(here, "programs")).filter((name) => name.endsWith(".cu"));

describe.each(programs)("%s", (name) => {
  const file = path.join(here, "programs", name);
  const base = path.join(folder, name.replace(".cu", ""));
  const text = readFileSync(file, "utf8");

  it("computes the same in directives", { timeout: 240_000 }, async () => {
    const source = emulated(text);
    expect(source).not.toContain("<<<");
    writeFileSync(`${base}.cpp`, `#include "${path.join(here, "emulator.h")}"\n${source}`);
    await made("g++", ["-O1", "-w", "-pthread", `${base}.cpp`, "-o", `${base}.reference`]);
    const right = await ran(`${base}.reference`);
    expect(right).not.toBe("");
    await made(arcProgram, ["translate", file, "--to", "openmp", "-o", base]);
    await made(arcProgram, ["translate", file, "--to", "openacc", "-o", `${base}.acc`]);
    const [omp, acc] = [base, `${base}.acc`].map((at) => path.join(at, ...translatedPath(at)));
    await made("gcc", ["-O1", "-w", "-fopenmp", omp as string, "-o", `${base}.omp`, "-lm"]);
    expect(await ran(`${base}.omp`, { OMP_NUM_THREADS: "3" })).toBe(right);
    for (const target of name === "axpy.cu" ? ["host", "opencl"] : ["opencl"]) {
      await made(arcProgram, [
        "cc",
        "-acc",
        "-target",
        target,
        "-w",
        acc as string,
        "-o",
        `${base}.${target}`,
      ]);
      expect(await ran(`${base}.${target}`, { ARC_HOST_MEMORY: "separate" }), target).toBe(right);
    }
  });
});

function translatedPath(at: string): readonly string[] {
  return (readdirSync(at, { recursive: true }) as string[]).filter((name) => name.endsWith(".c"));
}

/** A kernel around statements. */
const kernel = (body: string, host = "k<<<4, n>>>(x, 5);"): string =>
  `#define W 64\nextern int n, m; extern float *x;\n__global__ void k(float *a, int count)\n{\n${body}\n}\nvoid f(void)\n{\n${host}\n}\n`;

const refused: readonly (readonly [what: string, text: string, line: number, message: RegExp])[] = [
  ["textures", kernel("a[0] = tex1Dfetch(t, 0);"), 5, /textures/],
  ["dynamic parallelism", kernel("k<<<1, 1>>>(a, 1);"), 5, /dynamic parallelism/],
  ["streams", kernel("a[0] = 1;", "k<<<1, 1, 0, s>>>(x, 5);"), 9, /streams/],
  [
    "shared memory of the launch",
    kernel("a[0] = 1;", "k<<<1, 1, 512>>>(x, 5);"),
    9,
    /whose size the launch says/,
  ],
  [
    "extern shared arrays",
    kernel("extern __shared__ float s[];\ns[0] = 1;"),
    5,
    /whose size the launch says/,
  ],
  ["warp shuffles", kernel("a[0] = __shfl_down_sync(~0u, a[0], 1);"), 5, /warp/],
  ["warpSize", kernel("a[threadIdx.x] = warpSize;"), 5, /warp/],
  [
    "barriers under a thread's condition",
    kernel("__shared__ int s[4];\nif (threadIdx.x < 2) {\n  s[0] = 1;\n  __syncthreads();\n}"),
    6,
    /differently/,
  ],
  [
    "barriers under a condition of data",
    kernel("__shared__ int s[4];\nif (a[0] < 2) {\n  s[0] = 1;\n  __syncthreads();\n}"),
    6,
    /differently/,
  ],
  [
    "barriers under a value that came from data",
    kernel(
      "__shared__ int s[4];\nint c = a[0];\nif (c < 2) {\n  s[0] = 1;\n  __syncthreads();\n}",
      "k<<<4, W>>>(x, 5);",
    ),
    7,
    /differently/,
  ],
  [
    "returns before barriers",
    kernel("__shared__ int s[4];\nif (threadIdx.x > 2) return;\ns[0] = 1;\n__syncthreads();"),
    6,
    /returns/,
  ],
  [
    "returns out of loops",
    kernel("int i = threadIdx.x;\nfor (int k = 0; k < 3; k++)\n  if (a[k] > i) return;"),
    7,
    /out of a loop/,
  ],
  [
    "values kept in blocks of any size",
    kernel("__shared__ int s[W];\nfloat v = a[threadIdx.x];\n__syncthreads();\na[threadIdx.x] = v;"),
    6,
    /number of threads/,
  ],
  ["atomics that return", kernel("int old = atomicAdd(a, 1);"), 5, /returns/],
  ["atomics that are no operators", kernel("atomicCAS(a, 1, 2);"), 5, /atomicCAS/],
  ["fast intrinsics", kernel("a[0] = __expf(a[1]);"), 5, /of CUDA alone/],
  [
    "a parameter that threads change",
    kernel("count += threadIdx.x;\na[count] = 1;"),
    3,
    /changes its parameter/,
  ],
  [
    "indices behind macros",
    `#define AT (blockIdx.x * blockDim.x + threadIdx.x)\n${kernel("a[AT] = 1;")}`,
    6,
    /the macro 'AT' stands for 'blockIdx'/,
  ],
  [
    "bounds behind macros around a barrier",
    `#define STEPS (4 / t)\n${kernel("int t = threadIdx.x;\nfor (int s = 0; s < STEPS; s++)\n__syncthreads();")}`,
    7,
    /the macro 'STEPS' stands for '\( 4 \/ t \)'/,
  ],
  [
    "loops that macros make around a barrier",
    `#define TIMES(s) for (int s = 0; s < 4; s++)\n${kernel("a[threadIdx.x] = 1;\nTIMES(s) { __syncthreads(); }")}`,
    7,
    /what 'TIMES' makes of it/,
  ],
  ["templates", "template <class T> __global__ void k(T *a) { a[0] = 1; }\n", 1, /templates/],
  ["references", "__global__ void k(float &a) { a = 1; }\n", 1, /references/],
  ["managed memory", kernel("a[0] = 1;", "cudaMallocManaged(&x, 8);"), 9, /managed memory/],
  ["streams by call", kernel("a[0] = 1;", "cudaStreamCreate(&s);"), 9, /streams/],
  ["events", kernel("a[0] = 1;", "cudaEventRecord(e);"), 9, /events/],
  [
    "copies of an unknown direction",
    kernel("a[0] = 1;", "cudaMemcpy(x, x, 4, cudaMemcpyDefault);"),
    9,
    /which way/,
  ],
  [
    "a dimension that the kernel leaves out",
    kernel("a[threadIdx.x] = 1;", "k<<<1, dim3(4, 2)>>>(x, 5);"),
    9,
    /dimension y/,
  ],
  ["a kernel of another file", kernel("a[0] = 1;", "other<<<1, 1>>>(x);"), 9, /not in this file/],
  ["dim3 as a parameter", kernel("a[0] = 1;", "g(b);\n}\nvoid g(dim3 b)\n{"), 11, /dim3/],
  ["C++'s headers", "#include <vector>\n", 1, /C\+\+/],
  ["functions of CUDA's own", kernel("a[0] = min(a[1], a[2]);"), 5, /'min'/],
  ["fences", kernel("__threadfence();"), 5, /'__threadfence' has no counterpart/],
  ["barriers that count", kernel("a[0] = __syncthreads_count(1);"), 5, /__syncthreads_count/],
  ["calls of the runtime in kernels", kernel("cudaMalloc(&a, 4);"), 5, /in device code/],
  ["cooperative groups", kernel("this_grid().sync();"), 5, /cooperative groups/],
  ["casts of C++", kernel("a[0] = static_cast<float>(1);"), 5, /is C\+\+/],
  ["assembly", kernel('asm("nop;");'), 5, /assembly/],
  ["atomics without a value", kernel("atomicAdd(a);"), 5, /a place and a value/],
  [
    "barriers in do loops",
    kernel("__shared__ float s[W];\ndo {\n s[0] = 1;\n__syncthreads(); } while (a[0] < 3);"),
    6,
    /inside of 'do'/,
  ],
  [
    "barriers in switch",
    kernel(
      "__shared__ float s[W];\nswitch (count) { case 1: s[0] = 1; __syncthreads(); }",
      "k<<<4, W>>>(x, 5);",
    ),
    6,
    /inside of 'switch'/,
  ],
  [
    "a parameter whose address is taken",
    kernel("int *p = (int *)&count;\na[threadIdx.x] = *p;"),
    3,
    /changes its parameter 'count'/,
  ],
  ["managed variables", "__device__ __managed__ int g;\n", 1, /managed memory/],
  ['blocks of extern "C"', 'extern "C" {\nint x;\n}\n', 1, /block of extern "C"/],
  ...(
    [
      ["dim3 without sizes", "dim3 g;\nk<<<g, 4>>>(x, 5);", /not given its sizes/],
      ["dim3 that changes", "dim3 g(2); g.x = 3;", /'g.x' is changed/],
      ["dim3 as a value", "dim3 g(2); h(g);", /used as a value/],
      ["two dim3 of one name", "dim3 g(2); { dim3 g(3); }", /two variables of type dim3/],
      ["dim3 in other declarations", "dim3 g(2) + 3;", /declaration of type dim3/],
      ["pointers to dim3", "dim3 *p;", /dim3 as a type/],
      ["launches by pointer", "(*p)<<<1, 1>>>(x);", /no kernel's name/],
      ["launches without a block", "k<<<4>>>(x, 5);", /a grid and a block/],
      ["the driver API", "cuMemAlloc(&x, 4);", /driver API/],
      ["constants of CUDA", "x = cudaFoo;", /'cudaFoo': it has no counterpart/],
      ["other calls", "cudaFoo(x);", /'cudaFoo': it has no counterpart/],
      ["calls with too few arguments", "cudaMalloc(&x);", /takes 2 arguments/],
      [
        "the value of what becomes a statement",
        "int e = cudaMemset(x, 0, 4);",
        /the value of 'cudaMemset' is used/,
      ],
      ["textures of the host", "cudaBindTexture(0, t, x);", /textures and arrays/],
      ["pinned memory", "cudaHostAlloc(&x, 4, 0);", /pinned host memory/],
    ] as const
  ).map(([what, host, message]) => [what, kernel("a[threadIdx.x] = count;", host), 9, message] as const),
  ["goto", kernel("goto end;\nend: a[0] = 1;"), 5, /goto/],
];

it.each(refused)("refuses %s", (_, text, line, message) => {
  const { diagnostics } = readCuda(text, "test.cu");
  expect(diagnostics.map((d) => d.message).join()).toMatch(message);
  expect(diagnostics[0]?.loc).toMatchObject({ file: "test.cu", line });
  expect(diagnostics[0]?.remedy).toMatch(/\w/);
});

const inC = (text: string): string => {
  const { text: c, diagnostics } = readCuda(text, "test.cu");
  expect(diagnostics.map((d) => d.message)).toEqual([]);
  return c;
};

it.each([
  ["int e = cudaMalloc(&x, 4);", "int e = ((x = acc_malloc(4)) == NULL ? 2 : 0);"],
  ["cudaMalloc((void **)&x, 4); cudaFree(x);", "x = acc_malloc(4); acc_free(x);"],
  ["cudaMalloc(pp, 4);", "*(pp) = acc_malloc(4);"],
  ["(void)cudaFree(x);", "(void)(acc_free(x), 0);"],
  ["if (n) cudaFree(x); else cudaDeviceSynchronize();", "if (n) acc_free(x); else (void)0;"],
  ["if (cudaFree(x) != cudaSuccess) return;", "if ((acc_free(x), 0) != 0) return;"],
  ["cudaMemcpyFromSymbol(x, c, 4);", "{\n#pragma acc update self(c)\n  memcpy(x, &c, 4);\n}"],
  ["cudaMemcpyToSymbol(c, x, 4);", "{\n  memcpy(&c, x, 4);\n#pragma acc update device(c)\n}"],
  ["cudaMemcpy(x, y, 4, cudaMemcpyHostToHost);", "memcpy(x, y, 4);"],
  ["cudaError_t e = cudaGetLastError();", "int e = 0;"],
  [
    "const dim3 g(2);\nint z = g.x * g.y;\nk<<<g, 4>>>(x, z);",
    "const unsigned g_x = 2;\nint z = g_x * 1u;\nk(g_x, 4, x, z);",
  ],
  [
    "dim3 g(2, 1), b = dim3(g.x);\nk<<<g, b, 0, 0>>>(x, 5);",
    "const unsigned g_x = 2, g_y = 1, b_x = g_x;\nk(g_x, b_x, x, 5);",
  ],
])("host: %s", (cuda, c) => {
  expect(inC(kernel("a[threadIdx.x] = count;", cuda))).toContain(`\nvoid f(void)\n{\n${c}\n}\n`);
});

it.each([
  ["a[threadIdx.x] = __ldg(&a[1]) + __ldg(a);", "a[thread] = *(&a[1]) + *(a);"],
  ["for (int i = 0; i < 3; i++)\n  atomicAdd(&a[i], 1);", "#pragma acc atomic update\n"],
  ["++a[threadIdx.x];\nfloat *p = nullptr;", "++a[thread];\n      float *p = NULL;"],
  [
    "do { a[threadIdx.x] += 1; } while (a[threadIdx.x] < 3);",
    "do { a[thread] += 1; } while (a[thread] < 3);",
  ],
  ["a[(threadIdx.x) & count] = 1;", "a[(thread) & count] = 1;"],
])("device: %s", (cuda, c) => expect(inC(kernel(cuda))).toContain(c));

it("takes the words off functions and variables, with and without values", () => {
  const text = [
    "__constant__ float c[4] = {1, 2};",
    "__device__ float d[4] = {1};",
    "__constant__ int e;",
    "__device__ __forceinline__ float sq(float v) { return v * v; }",
    'extern "C" __global__ void k(float *a);',
    "__global__ void k(float *a) { a[threadIdx.x] = sq(c[0]) + d[1] + e; }",
    "__global__ void nothing(void) { }",
    "void f(float *x) { k<<<1, 4>>>(x); nothing<<<1, 1>>>(); }",
  ].join("\n");
  const c = inC(text);
  expect(c).not.toMatch(/__\w+__/);
  expect(c).toContain("float c[4] = {1, 2};\n#pragma acc declare copyin(c)\n");
  expect(c).toContain("float d[4] = {1};\n#pragma acc declare copyin(d)\n");
  expect(c).toContain("int e;\n#pragma acc declare create(e)\n");
  expect(c).toContain("k(1, 4, x); nothing(1, 1);");
});

it("keeps comments, macros and other code that is not CUDA", () => {
  const text = readFileSync(path.join(here, "programs/axpy.cu"), "utf8");
  const { text: c } = readCuda(text, "axpy.cu");
  for (const words of [
    "// y = a * x + y",
    "// One thread per element.",
    "// my element",
    "#define CHECK(call) ",
  ])
    expect(c).toContain(words);
  const [, main = ""] = text.split("int main(void)\n");
  expect(c.split("int main(void)\n")[1]?.split("\n").length).toBe(main.split("\n").length);
});

it("reports findings in the generated C at their location in the CUDA source", () => {
  const text = readFileSync(path.join(here, "programs/reduce.cu"), "utf8");
  const { text: c, lines } = readCuda(text, "reduce.cu");
  const lineOf = (of: string, words: string): number =>
    of.split("\n").findIndex((line) => line.includes(words)) + 1;
  for (const words of [
    "own += in[i]",
    "part[tid] += part[tid + half]",
    "static int in[n]",
    "return sum != all",
  ])
    expect(lines[lineOf(c, words) - 1], words).toBe(lineOf(text, words));
});

it("what a parameter leads to may be set", () => {
  expect(readCuda(kernel("if (threadIdx.x == 0) *a = 1;"), "test.cu").diagnostics).toEqual([]);
});
