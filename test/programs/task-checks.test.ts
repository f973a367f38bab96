/** ARC_CHECK=tasks: programs whose tasks do what their clauses do not say, beside programs that are right. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { translateHost } from "../../core/compiler/driver/translate.ts";
import { withKernelFiles } from "../../core/ir/ompss/kernel-files.ts";
import { runtime, Workshop } from "../targets/runtime/harness.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-task-checks-"));
const shop = new Workshop();
afterAll(() => {
  rmSync(folder, { recursive: true });
  shop.remove();
});

/** Compiled so that loads and stores are seen, and linked as always. */
async function built(file: string, seen = "-fsanitize=thread"): Promise<string> {
  const preprocessed = await start("gcc", ["-E", "-dD", "-D_OPENMP=201811", file]);
  const text = withKernelFiles(preprocessed.out, () => undefined);
  const host = translateHost({ file, text }, readFileSync(file, "utf8"));
  const base = path.join(folder, path.basename(file, ".c"));
  writeFileSync(`${base}.c`, host.text);
  const options = ["-std=gnu11", "-O1", "-w", seen, `-I${runtime}/include`];
  await start("gcc", [...options, "-c", `${base}.c`, "-o", `${base}.o`]);
  const { err } = await start("gcc", [`${base}.o`, shop.archive(), "-ldl", "-lpthread", "-lm", "-o", base]);
  expect(err).toBe("");
  return base;
}

const checked = { env: { ARC_CHECK: "tasks" } };

describe("ARC_CHECK=tasks", () => {
  it("names both tasks and the conflict between them", { timeout: 60_000 }, async () => {
    const file = path.join(import.meta.dirname, "task-checks/mistakes.c");
    const program = await built(file);
    const { status, out, err } = await start(program, [], checked);
    expect(`${status} ${out}`).toBe("0 2080\n2080 6 3\n");
    const reported = err.replaceAll(file, "F").trim().split("\n");
    expect(reported).toEqual([
      "F:14: warning[undeclared-access]: task: task 'add' (F:14) reads memory that its clauses do not name: task 'copy' (F:8) says that it uses it, as '[n]y'",
      "F:21: warning[undeclared-access]: task: task 'scale' (F:21) writes to '*x', and its clauses say that it only reads it",
      "F:21: warning[unordered-tasks]: task: task 'scale' (F:21) writes '*x', which task 'copy' (F:8) read before, and nothing orders the two",
      "F:25: warning[unordered-tasks]: task: task 'count' (F:25) reads memory that no clause names, which task 'count' (F:25) wrote before, and nothing orders the two",
      "F:14: warning[missing-taskwait]: task: the program reads '*sum', which task 'add' (F:14) wrote before, and no taskwait orders the two",
    ]);
    expect((await start(program, [])).err).toBe("");
  });

  it.each(["saxpy", "sparse_lu", "cholesky", "statements"])(
    "finds nothing in %s.c",
    { timeout: 60_000 },
    async (name) => {
      const program = await built(path.join(import.meta.dirname, "tasks", `${name}.c`));
      const { status, err } = await start(program, [], checked);
      expect(`${status} ${err}`).toBe("0 ");
    },
  );

  it("detects kernels that write past sections, or to sections that they only declare as read", {
    timeout: 60_000,
  }, async () => {
    const file = path.join(import.meta.dirname, "task-checks/kernels.c");
    const program = await built(file);
    const env = { ...checked.env, ARC_OPENCL_PLATFORM: "Portable" };
    const { status, out, err } = await start(program, [], { env });
    expect(`${status} ${out}`).toBe("0 63\n");
    expect(err.replaceAll(file, "F").trim().split("\n")).toEqual([
      "F:6: warning[undeclared-access]: task: task 'copied' (F:6) writes up to 16 bytes behind '[n]y', which its clauses do not name",
      "F:14: warning[undeclared-access]: task: task 'swapped' (F:14) writes to '[n]x', and its clauses say that it only reads it",
    ]);
  });

  it("reports where it cannot observe anything", { timeout: 60_000 }, async () => {
    const program = await built(path.join(import.meta.dirname, "tasks/saxpy.c"), "-g");
    const { err } = await start(program, [], checked);
    expect(err).toContain("ARC_CHECK=tasks has seen no access: compile the program with -fsanitize=thread");
  });
});
