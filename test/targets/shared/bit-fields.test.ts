/** Records with bit-fields, as OpenCL C without any: the same bytes as gcc's, whatever the members. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { count, kernelsOf } from "../translate.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-bit-fields-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Member {
  readonly type: string;
  readonly width: number;
}

const bits: Readonly<Record<string, number>> = {
  _Bool: 1,
  char: 8,
  "unsigned char": 8,
  short: 16,
  "unsigned short": 16,
  int: 32,
  unsigned: 32,
  // gcc computes with wider ones in as many bits as they have.
  long: 32,
  "unsigned long": 32,
};

/** A width of -1: no bit-field. */
const members = fc.array(
  fc.tuple(fc.constantFrom(...Object.keys(bits)), fc.integer({ min: -6, max: 32 })).map(
    ([type, n]): Member => ({
      type,
      // Other bytes than 0 and 1 are no truth values.
      width: n < 0 && type !== "_Bool" ? -1 : Math.min(Math.abs(n), bits[type] as number),
    }),
  ),
  { minLength: 1, maxLength: 7 },
);
const records = fc.record({
  members,
  head: fc.constantFrom("struct", "struct", "struct", "struct __attribute__((packed))", "union"),
  pack: fc.constantFrom(0, 0, 0, 2, 4),
});
type Sample = typeof records extends fc.Arbitrary<infer T> ? T : never;

const steps = [
  (m: string, k: number) => `${m} = v[${k}];`,
  (m: string, k: number) => `${m} += v[${k}];`,
  (m: string, k: number) => `out[${k}] = ${m}++;`,
  (m: string, k: number) => `out[${k}] = (${m} = v[${k}]) - 5 < 0;`,
  (m: string, k: number) => `out[${k}] = --${m};`,
  (m: string) => `${m} ^= p[i].m0, ${m} >>= 1;`,
];

function source({ members, head, pack }: Sample, n: number): string {
  const named = members.map((m, k) => ({ ...m, name: `m${k}` })).filter((m, k) => m.width !== 0 || k === 0);
  const declared = members.map(({ type, width }, k) =>
    width === 0 && k > 0 ? `${type} : 0;` : `${type} m${k}${width > 0 ? ` : ${width}` : ""};`,
  );
  const code = named.flatMap(({ name }, k) => [
    steps[(n + k) % steps.length]?.(`p[i].${name}`, k) ?? "",
    `out[${k + 8}] = p[i].${name};`,
  ]);
  const record = head
    .replace(/^\w+/, (word) => `${word} record_${n}`)
    .replace(/^(\w+) (\w+) (.*)$/, "$1 $3 $2");
  const name = `${head.split(" ")[0]} record_${n}`;
  return `
#pragma pack(push${pack ? `, ${pack}` : ""})
${record} { ${declared.join(" ")} };
#pragma pack(pop)
int size_${n} = sizeof(${name});
void run_${n}(${name} *p, const long *v, long *out) {
#pragma acc parallel loop copy(p[0:1]) copyin(v[0:16]) copy(out[0:16])
  for (int i = 0; i < 1; i++) {
    ${code.join("\n    ")}
    ${name} other = {${declared.some((d) => d.includes("m0")) && head !== "union" ? `.m0 = v[3]` : "0"}};
    out[7] = other.m0;
  }
}
`;
}

/** What gcc needs for OpenCL C of one work-item. */
const shim = `
#define __kernel
#define __global
#define __constant
#define bool _Bool
#define uchar unsigned char
#define ulong unsigned long
#define get_group_id(d) 0
#define get_num_groups(d) 1
#define get_local_id(d) 0
#define get_local_size(d) 1
`;

test("bit-fields of random records hold what gcc's hold, in the same bytes", { timeout: 120_000 }, () => {
  const samples = fc.sample(records, { seed: 7, numRuns: 30 });
  const text = samples.map(source).join("");
  const kernels = kernelsOf(text, "opencl");
  expect(kernels).toHaveLength(samples.length);
  const kernelText = kernels.map((k) =>
    k.text.replaceAll(/__attribute__\(\(reqd_work_group_size.*\)\)/g, ""),
  );
  expect(count(kernelText.join("\n"), /\b\w+ \w+ : \d+;/)).toBe(0);
  const calls = kernels.map(({ text: kernel, entries }, n) => {
    const parameters = [...kernel.matchAll(/__global char \*(\w+)_memory, const long/g)].map((m) => m[1]);
    const given = parameters.map(
      (name) => `(char *)${name === "p" ? "made" : name === "v" ? "v" : "got"}, 0L`,
    );
    return { declared: `void ${entries[0]}();`, run: `${entries[0]}(${given.join(", ")}); check(${n});` };
  });
  const main = `
#include <stdio.h>
#include <string.h>
static long v[16] = {3, -7, 100, -1, 77777, 12, 1 << 30, 5};
static long got[16], want[16];
static unsigned char made[256] __attribute__((aligned(16))), real[256] __attribute__((aligned(16)));
static void begin(void) {
  for (int k = 0; k < 256; k++) made[k] = real[k] = 37 * k + 11;
  memset(got, 0, sizeof got), memset(want, 0, sizeof want);
}
static void check(int n) {
  if (memcmp(got, want, sizeof got) || memcmp(made, real, sizeof made)) printf("%d\\n", n);
}
${samples.map((_, n) => `void run_${n}();`).join("\n")}
${calls.map((c) => c.declared).join("\n")}
int main(void) {
${calls.map((c, n) => `  begin(); run_${n}(real, v, want); ${c.run}`).join("\n")}
}
`;
  const files = { "source.c": text, "main.c": main } as Record<string, string>;
  kernelText.forEach((kernel, n) => {
    files[`kernel_${n}.c`] = shim + kernel;
  });
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
  execFileSync(
    "gcc",
    [
      "-w",
      "-Wno-packed-bitfield-compat",
      "-O1",
      "-fno-strict-aliasing",
      ...Object.keys(files),
      "-o",
      "compare",
    ],
    {
      cwd: folder,
    },
  );
  const differing = execFileSync(path.join(folder, "compare")).toString().split("\n").filter(Boolean);
  expect(differing.map((n) => source(samples[Number(n)] as Sample, Number(n)))).toEqual([]);
});
