/**
 * Names of C programs that mean something in the languages of kernels, in C++, or in arc's own texts, in every role that a
 * name can have.
 */
import { describeAsPlainC } from "./as-plain-c.ts";

const words = `
uchar half float4 int2 double8 uchar16 event_t sampler_t image2d_t image1d_array_t queue_t pipe reserve_id_t vec vec3 size4
kernel global local constant generic read_only write_only uniform __kernel __global __local __constant __private
get_global_id get_local_size barrier mem_fence dot cross length normalize mix step clamp sign smoothstep as_int
convert_int4 atomic_add atom_inc vload4 mad mad24 native_sin half_sqrt rotate popcount max min any all shuffle prefetch
work_group_barrier bitselect hadd CLK_GLOBAL_MEM_FENCE
threadIdx blockIdx blockDim gridDim warpSize __global__ __shared__ __device__ __host__ __constant__ __managed__
__syncthreads dim3 uint3 cudaError_t cudaMalloc atomicAdd atomicCAS __shfl_sync __ballot_sync tex1Dfetch surf2Dread rsqrt
half2 __half nv_bfloat16 clock64 std cuda hipThreadIdx_x hipMalloc __ldg __popc
class new this template public protected virtual operator typename namespace using try catch throw friend delete explicit
and or not xor bitand compl and_eq constexpr decltype noexcept concept requires co_await wchar_t char16_t nullptr export
static_assert thread_local alignas alignof mutable typeid bool true false
größe Ω \\u00fcber x_u00e4 xä
item items group groups args at bytes from grid k_ lanes other to value warp n t total i_ x_memory x_offset region task
device host queue entry launch module process always wire reg logic begin end input output signal
`
  .trim()
  .split(/\s+/);

/** Names that the programs' headers and helpers have at file scope. */
const declared = new Set(["wchar_t", "mix", "total"]);

/** What a loop does with the name; `file` is declared in front of the function, `before` in front of the region. */
interface Role {
  readonly file?: (word: string, k: number) => string;
  readonly before?: (word: string, k: number) => string;
  readonly inside: (word: string, k: number) => string;
  readonly clause?: (word: string) => string;
}

const roles: Readonly<Record<string, Role>> = {
  type: { inside: (w, k) => `{ typedef int ${w}; ${w} v = i + ${k}; x[i] += (${w})(v * 3); }` },
  "type of the file": {
    file: (w, k) => `typedef struct { int a[${k + 1}]; } ${w};`,
    inside: (w, k) => `{ ${w} v; v.a[${k}] = i; x[i] += v.a[${k}] + (int)sizeof(${w}); }`,
  },
  record: {
    inside: (w, k) => `{ struct ${w} { int ${w}; short b; } v = {i, ${k}}; x[i] += v.${w} * v.b; }`,
  },
  "array of records": {
    file: (w, k) => `struct ${w} { int ${w}; double of[${k + 1}]; };`,
    before: (w, k) => `struct ${w} s${k}[9]; for (int j = 0; j < 9; j++) s${k}[j].${w} = j + ${k};`,
    inside: (w, k) => `x[i] += s${k}[i].${w};`,
  },
  variable: { inside: (w, k) => `{ int ${w} = i + ${k}; ${w} *= 3; x[i] += ${w}; }` },
  array: {
    before: (w, k) => `int ${w}[9]; for (int j = 0; j < 9; j++) ${w}[j] = j * ${k};`,
    inside: (w) => `x[i] += ${w}[8 - i];`,
  },
  scalar: { before: (w, k) => `int ${w} = ${k + 1};`, inside: (w) => `x[i] += ${w} * i;` },
  private: {
    before: (w) => `int ${w};`,
    clause: (w) => `private(${w})`,
    inside: (w, k) => `${w} = i + ${k}; x[i] += ${w};`,
  },
  reduction: {
    before: (w) => `int ${w} = 0;`,
    clause: (w) => `reduction(+ : ${w})`,
    inside: (w, k) => `${w} += i * ${k};`,
  },
  function: {
    file: (w, k) => `static inline int ${w}(int a, int b) { return a * ${k} + b; }`,
    inside: (w) => `x[i] += ${w}(i, 2);`,
  },
  parameter: {
    file: (w, k) =>
      `static inline int use_${k}_of_${w}(int ${w}, int *p) { int q = ${w} + ${k}; return q + *p; }`,
    inside: (w, k) => `{ int one = 1; x[i] += use_${k}_of_${w}(i, &one); }`,
  },
  "file scope": { file: (w, k) => `static int ${w} = ${k};`, inside: (w) => `x[i] += ${w} + i;` },
  constant: { file: (w, k) => `enum { ${w} = ${k + 1} };`, inside: (w) => `x[i] += ${w} * i;` },
  label: { inside: (w, k) => `if (x[i] % ${k + 2} == 0) goto ${w}; x[i] += i; ${w}: x[i] += 1;` },
};

const constructs = [
  "acc parallel loop copy(x)",
  "acc kernels loop independent copy(x)",
  "omp target teams distribute parallel for map(tofrom: x)",
];

/** Names in one function: the stand-in for CUDA passes up to 32 arguments, and a reduction takes two of them. */
const PER_FUNCTION = 28;

function functionOf(role: Role, chunk: readonly string[], construct: string, name: string): string {
  const each = (f: ((word: string, k: number) => string) | undefined) => (f ? chunk.map(f) : []);
  const clauses = each(role.clause).join(" ");
  return `${each(role.file).join("\n")}
static void ${name}(void) {
  int x[9];
  for (int j = 0; j < 9; j++) x[j] = j;
  ${each(role.before).join("\n  ")}
#pragma ${construct} ${clauses}
  for (int i = 0; i < 9; i++) {
    ${each(role.inside).join("\n    ")}
  }
  printf("${name}");
  for (int j = 0; j < 9; j++) printf(" %d", x[j]);
  ${role.clause?.("").startsWith("reduction") ? chunk.map((w) => `printf(" %d", ${w});`).join("\n  ") : ""}
  printf("\\n");
}
`;
}

const chunksOf = (all: readonly string[], size: number): readonly string[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, k) => all.slice(k * size, (k + 1) * size));

const slow = process.env.ARC_SLOW_TESTS !== undefined;
const names = Object.keys(roles);
const ofFile = names.filter((name) => roles[name]?.file);
/** Roles that share a program. With `ARC_SLOW_TESTS=1` each name of the file has every role, one program for each. */
const programs = [
  names.filter((name) => !ofFile.includes(name)),
  ...(slow ? ofFile.map((name) => [name]) : [ofFile]),
];

function wordsOf(name: string): readonly string[] {
  if (!ofFile.includes(name)) return words;
  const usable = words.filter((word) => !declared.has(word));
  return slow ? usable : usable.filter((_, k) => k % ofFile.length === ofFile.indexOf(name));
}

for (const of of programs) {
  const cases = of.flatMap((name) =>
    chunksOf(wordsOf(name), name === "reduction" ? PER_FUNCTION / 2 : PER_FUNCTION).map((chunk) => ({
      role: roles[name] as Role,
      chunk,
    })),
  );
  describeAsPlainC(
    `names of other languages as ${of.join(", ")}`,
    cases.map(({ role, chunk }, k) =>
      functionOf(role, chunk, constructs[k % constructs.length] as string, `f${k}`),
    ),
  );
}
