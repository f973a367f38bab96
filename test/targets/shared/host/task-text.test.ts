/** Host code of tasks with kernels: what is created, and that the kernel's text arrives as it is. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { translateHost } from "../../../../core/compiler/driver/translate.ts";
import { withKernelFiles } from "../../../../core/ir/ompss/kernel-files.ts";

const kernels = readFileSync(
  resolve(import.meta.dirname, "../../../programs/task-kernels/kernels.cl"),
  "utf8",
);
const source = [
  "struct pair { double a, b; };",
  "#pragma omp target device(opencl) ndrange(1, n, 128) shmem(4 * n, 16384 - 2048) file(kernels.cl)",
  "#pragma omp task in([n]x) inout([n]y)",
  "void saxpy(int n, float a, float *l, float *x, struct pair p, float *m, float *y);",
  "void user(int n, float a, float *x, float *y, struct pair p) {",
  "  saxpy(n, a, 0, x, p, 0, y);",
  "#pragma omp taskwait",
  "}",
  "",
].join("\n");
const { text, diagnostics } = translateHost(
  { file: "user.c", text: withKernelFiles(source, (path) => ({ path, text: kernels })) },
  source,
);

it("creates one task for a call, and waits once", () => {
  expect(diagnostics).toEqual([]);
  const user = text.slice(text.indexOf("void user("));
  expect(user.match(/arc_task_saxpy\(/g)).toHaveLength(1);
  expect(user.match(/arc_task_wait\(/g)).toHaveLength(1);
  expect(text.match(/arc_task_create\(/g)).toHaveLength(1);
  expect(text).not.toMatch(/\bcl[A-Z]\w+\(|\bcu[A-Z]\w+\(/);
});

it("holds the kernel's file byte for byte", () => {
  const lines = text.slice(text.indexOf("saxpy_source[] =")).split("\n").slice(1);
  const end = lines.findIndex((line) => line.endsWith('";'));
  const bytes = lines
    .slice(0, end + 1)
    .join("\n")
    .replace(/^\s*"|";?$/gm, "")
    .replaceAll("\n", "")
    .replace(/\\([0-7]{3}|.)/g, (_, c: string) =>
      c.length === 3 ? String.fromCharCode(Number.parseInt(c, 8)) : c === "n" ? "\n" : c,
    );
  expect(Buffer.from(bytes, "latin1").toString("utf8")).toBe(kernels);
});

it("passes arguments in their order: values by their size, memory, and memory of groups by its sizes", () => {
  const rows = text.match(/\{ARC_TASK_[^}]*\}/g)?.map((row) => row.replace(/struct \w+/g, "S"));
  expect(rows).toEqual([
    "{ARC_TASK_VALUE, __builtin_offsetof(S, n), sizeof ((S *)0)->n}",
    "{ARC_TASK_VALUE, __builtin_offsetof(S, a), sizeof ((S *)0)->a}",
    "{ARC_TASK_LOCAL, __builtin_offsetof(S, arc_shared[0]), 0}",
    "{ARC_TASK_MEMORY, __builtin_offsetof(S, x), 0}",
    "{ARC_TASK_VALUE, __builtin_offsetof(S, p), sizeof ((S *)0)->p}",
    "{ARC_TASK_LOCAL, __builtin_offsetof(S, arc_shared[1]), 0}",
    "{ARC_TASK_MEMORY, __builtin_offsetof(S, y), 0}",
  ]);
  expect(text).toContain("arc_shared[0] = (long)(4 * n);");
  expect(text).toContain("arc_shared[1] = (long)(16384 - 2048);");
});
