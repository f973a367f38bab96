import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readAcc } from "../../../core/ir/acc/read.ts";
import type { Task } from "../../../core/ir/ir.ts";
import { normalise, tasksOf } from "../../../core/ir/normalise.ts";
import { readOpenarc } from "../../../core/ir/openarc/read.ts";
import { parse } from "../../../core/lang/index.ts";
import { findChannels, withChannels } from "../../../rules/passes/channels.ts";
import { model } from "../../../rules/passes/model.ts";
import { runPasses } from "../../../rules/passes/pipeline.ts";
import { emitConnected } from "../../../targets/intel-fpga/emit.ts";
import { lower } from "../../../targets/shared/lower.ts";
import { dataPaths } from "../../../targets/shared/pipelines.ts";
import { arria10, emit } from "./harness.ts";

const include = path.resolve(import.meta.dirname, "../../../targets/intel-fpga/include");
const ones = "num_gangs(1) num_workers(1) vector_length(1)";

interface Pair {
  readonly first?: string;
  readonly second?: string;
  readonly write?: string;
  readonly read?: string;
  readonly between?: string;
}

const pair = ({
  first = "for (int i = 0; i < 40; i++)",
  second = first,
  write = "t[i] = a[i] * 2;",
  read = "b[i] = t[i] + 1;",
  between = "",
}: Pair) => `
static float a[40], t[40], b[40];
void work(void) {
#pragma acc data copyin(a) copyout(b) pipe(t)
  {
#pragma acc parallel loop ${ones} pipeout(t)
    ${first} { ${write} }
    ${between}
#pragma acc parallel loop ${ones} pipein(t)
    ${second} { ${read} }
  }
}`;

function tasks(source: string): Task[] {
  const { unit } = parse(source, { file: "case.c" });
  const program = normalise(readOpenarc(readAcc(unit)), { kind: "whole", others: [] });
  const errors = program.diagnostics.filter((d) => d.severity === "error");
  if (errors.length > 0) throw new Error(errors[0]?.message);
  return tasksOf(program).map(({ task }) => {
    const chosen = model.run({ task, choice: {}, device: arria10 });
    return "task" in chosen ? chosen.task : task;
  });
}

/** Both kernels with a thread each, and the serial program. */
function run(source: string, depth: number): { serial: string; kernels: string; text: string } {
  const all = tasks(source);
  const { channels, diagnostics } = findChannels(all);
  if (diagnostics.length > 0) throw new Error(diagnostics[0]?.message);
  const regions = all.map((task, k) =>
    lower({
      task: runPasses(withChannels(task, k, channels), {}, arria10).task,
      functions: new Map(),
      model: dataPaths,
    }),
  );
  const { text } = emitConnected(
    regions,
    channels.map((c) => ({ ...c, depth })),
  );
  const calls = regions.map((r) => {
    const [kernel] = r.kernels;
    const args = kernel?.params
      .map((p) => (p.source.from === "argument" ? `(char *)${p.source.argument.sym.name}, 0L` : ""))
      .join(", ");
    return `static void run_${r.region}(void) { ${kernel?.name}(${args}); }`;
  });
  const print = 'for (int i = 0; i < 40; i++) printf("%g ", b[i]);';
  const fill = "for (int i = 0; i < 40; i++) { a[i] = i * i % 23; b[i] = 0; }";
  const asC = text
    .replace(/#pragma OPENCL.*\n/, "")
    .replace(/channel (\w+) (\w+) __attribute__\(\(depth\((\d+)\)\)\);/g, "ARC_CHANNEL($1, $2, $3)");
  const program = `#include "arc_channels.h"\n#define __kernel\n#define __global\n${source}\n${asC}\n${calls.join("\n")}
int main(void) {
  ${fill} work(); ${print} printf("\\n@@\\n"); ${fill}
  void (*bodies[])(void) = {${regions.map((r) => `run_${r.region}`).join(", ")}};
  const char *names[] = {${regions.map((r) => `"${r.region}"`).join(", ")}};
  arc_run_kernels(${regions.length}, bodies, names);
  ${print}
}`;
  const [serial = "", kernels = ""] = compileAndRun(program).out.split("\n@@\n");
  return { serial, kernels, text };
}

function compileAndRun(program: string): { status: number; out: string; err: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-channels-"));
  try {
    writeFileSync(path.join(folder, "program.c"), program);
    execFileSync(
      "gcc",
      [
        "-std=gnu11",
        "-O1",
        "-w",
        "-pthread",
        "-fsanitize=undefined",
        `-I${include}`,
        "program.c",
        "-o",
        "program",
      ],
      { cwd: folder, stdio: "pipe" },
    );
    try {
      return {
        status: 0,
        err: "",
        out: execFileSync(path.join(folder, "program"), { encoding: "utf8", stdio: "pipe", timeout: 20_000 }),
      };
    } catch (problem) {
      const { status, stderr, stdout } = problem as { status: number; stderr: string; stdout: string };
      return { status, err: stderr, out: stdout };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("a pipe between two regions", () => {
  it.each([1, 2, 16])("becomes a channel whose kernels run together, at depth %i", (depth) => {
    const { serial, kernels, text } = run(pair({}), depth);
    expect(kernels).toBe(serial);
    expect(text).toContain(`channel float t_channel __attribute__((depth(${depth})));`);
    expect(text).toContain("#pragma OPENCL EXTENSION cl_intel_channels : enable");
    expect(text).not.toMatch(/\bt\[|t_memory/);
  });

  it("may be read several times by the iteration that it belongs to, or only sometimes", () => {
    const { serial, kernels } = run(pair({ read: "b[i] = 1; if (i % 3) b[i] = t[i] * t[i];" }), 2);
    expect(kernels).toBe(serial);
  });

  it("may walk a nest or go backwards, if both do", () => {
    const nest = "for (int i = 0; i < 5; i++) for (int j = 7; j >= 0; j--)";
    const { serial, kernels } = run(
      pair({
        first: nest,
        write: "t[i * 8 + j] = a[i * 8 + j] * 2;",
        read: "b[j * 5 + i] = t[i * 8 + j] + 1;",
      }).replaceAll(ones, `collapse(2) ${ones}`),
      3,
    );
    expect(kernels).toBe(serial);
  });

  it("is a buffer like any other where there are no channels", () => {
    expect(
      tasks(pair({})).every((t) => t.items.some((i) => i.sym.name === "t" && i.mapping.is === "present")),
    ).toBe(true);
    expect(() => emit(pair({}))).toThrow("2 regions");
  });

  it.each([
    [
      "an element of another iteration is read",
      {
        second: "for (int i = 1; i < 40; i++)",
        first: "for (int i = 1; i < 40; i++)",
        read: "b[i] = t[i - 1];",
      },
      "not the element that the same iteration",
    ],
    [
      "the loops differ in length",
      { second: "for (int i = 0; i < 39; i++)" },
      "takes 40 iterations over 'i' and its reading loop 39",
    ],
    ["the loops differ in order", { second: "for (int i = 39; i >= 0; i--)" }, "do not run alike"],
    ["an element may not be written", { write: "if (a[i] > 3) t[i] = 1;" }, "not written in every iteration"],
    ["elements are written several times", { write: "t[i] = 1; t[i] = a[i];" }, "write one element"],
    [
      "iterations write the same element",
      { write: "t[3] = a[i];", read: "b[i] = t[3];" },
      "may write the same element",
    ],
    ["an element is read back", { write: "t[i] = a[i]; b[i] = t[i];" }, "write one element"],
    ["the regions share another array", { write: "t[i] = a[i]; b[i] = 0;" }, "also share 'b'"],
    [
      "a third region uses it",
      {
        between:
          "#pragma acc parallel loop num_gangs(1) num_workers(1) vector_length(1)\nfor (int i = 0; i < 40; i++) t[i] += 1;",
      },
      "between the two",
    ],
    [
      "it is read twice",
      {
        between:
          "#pragma acc parallel loop num_gangs(1) num_workers(1) vector_length(1) pipein(t)\nfor (int i = 0; i < 40; i++) b[i] = t[i];",
      },
      "1 regions write it and 2 read it",
    ],
  ] as const)("is refused where %s", (_name, p, message) => {
    const { diagnostics, channels } = findChannels(tasks("nd" in p ? pair(p).replaceAll(ones, "") : pair(p)));
    expect(channels).toEqual([]);
    expect(diagnostics[0]).toMatchObject({ code: "pipe" });
    expect(diagnostics[0]?.message).toContain(message);
  });
});

describe("channels on the processor", () => {
  // Two values of one channel come before the first of the other, which is asked for first.
  const crossed = (depth: number) => `#include "arc_channels.h"
ARC_CHANNEL(int, a, ${depth})
ARC_CHANNEL(int, b, 1)
static int sum;
static void send(void) { write_channel_intel(a, 1); write_channel_intel(a, 2); write_channel_intel(b, 3); }
static void take(void) { sum = read_channel_intel(b); sum += read_channel_intel(a); sum += read_channel_intel(a); }
int main(void) {
  void (*bodies[])(void) = {send, take};
  const char *names[] = {"send", "take"};
  arc_run_kernels(2, bodies, names);
  printf("%d", sum);
}`;

  it("deadlock where a channel is too short, and say who waits for what", () => {
    const { status, err } = compileAndRun(crossed(1));
    expect(status).toBe(3);
    expect(err).toContain("kernel send waits: channel a is full");
    expect(err).toContain("kernel take waits: channel b is empty");
  });

  it("run through where it is long enough", () => {
    expect(compileAndRun(crossed(2))).toEqual({ status: 0, out: "6", err: "" });
  });
});
