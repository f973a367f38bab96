/** Programs of tasks print what they print as plain C, whatever the order that threads and policies give their tasks. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { translateHost } from "../../core/compiler/driver/translate.ts";
import { runtime, Workshop } from "../targets/runtime/harness.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-tasks-"));
const shop = new Workshop("gcc", ["-fsanitize=thread"]);
afterAll(() => {
  rmSync(folder, { recursive: true });
  shop.remove();
});

const programs = path.join(import.meta.dirname, "tasks");
const options = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wno-unknown-pragmas"];

async function must(argv: readonly string[]): Promise<string> {
  const [program = "", ...args] = argv;
  const { status, out, err } = await start(program, args);
  expect({ status, err: status === 0 ? "" : err }).toEqual({ status: 0, err: "" });
  return out;
}

/** The program as arc translates it, built with the thread sanitizer; `expanded`: printed, not edited. */
async function translated(name: string, expanded: boolean): Promise<string> {
  const file = path.join(programs, `${name}.c`);
  const text = await must(["gcc", "-E", "-dD", "-D_OPENMP=201811", file]);
  const original = expanded ? "" : readFileSync(file, "utf8");
  const host = translateHost({ file, text }, original);
  expect(host.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const base = path.join(folder, `${name}${expanded ? "-expanded" : ""}`);
  writeFileSync(`${base}.c`, host.text);
  const includes = [`-I${runtime}/include`];
  const libraries = [shop.archive(), "-ldl", "-lpthread", "-lm"];
  const flags = ["-Werror", "-fsanitize=thread", ...(expanded ? ["-w"] : [])];
  await must(["gcc", ...options, ...flags, ...includes, `${base}.c`, ...libraries, "-o", base]);
  return base;
}

// Made once, before tests run at the same time.
shop.archive();

const names = readdirSync(programs).map((name) => path.basename(name, ".c"));

it.each(names)("%s", { timeout: 120_000 }, async (name) => {
  const plain = path.join(folder, `${name}-plain`);
  // In OpenMP a task has copies of variables that the serial program changes.
  const openmp = name === "openmp" ? ["-fopenmp"] : [];
  await must(["gcc", ...options, ...openmp, path.join(programs, `${name}.c`), "-lm", "-o", plain]);
  const { out: expected } = await start(plain, [], { env: { OMP_NUM_THREADS: "1" } });
  expect(expected).not.toBe("");
  const machines = [
    { ARC_NUM_THREADS: "1" },
    { ARC_NUM_THREADS: "4" },
    { ARC_NUM_THREADS: "3", ARC_TASK_POLICY: "breadth-first" },
    { ARC_NUM_THREADS: "3", ARC_TASK_POLICY: "priority" },
  ];
  const edited = await translated(name, false);
  for (const env of machines)
    expect({ env, ...(await start(edited, [], { env })) }).toEqual({
      env,
      status: 0,
      out: expected,
      err: "",
    });
  if (!["saxpy", "statements"].includes(name)) return;
  const expanded = await translated(name, true);
  expect(await start(expanded, [])).toEqual({ status: 0, out: expected, err: "" });
});
