import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { translateKernels } from "../../../../core/compiler/driver/translate.ts";
import { findChannels, withChannels } from "../../../../core/compiler/passes/channels.ts";
import { model } from "../../../../core/compiler/passes/model.ts";
import { noOtherUnits } from "../../../../core/ir/analysis/routines.ts";
import type { Task } from "../../../../core/ir/model/ir.ts";
import { normalise, tasksOf } from "../../../../core/ir/normalise/normalise.ts";
import { readOpenarc } from "../../../../core/ir/openarc/read.ts";
import { readDirectives } from "../../../../core/ir/read/read.ts";
import { regionText } from "../../../../core/ir/text/print.ts";
import { parse } from "../../../../core/lang/index.ts";
import { imageGroups } from "../../../../rules/inputs/kernel-sources.ts";
import { hostEmitter } from "../../../../targets/host/emit.ts";
import { intelFpgaEmitter } from "../../../../targets/intel-fpga/emit.ts";
import { vitisEmitter } from "../../../../targets/vitis/emit.ts";
import { arria10, emit } from "./harness.ts";

const include = path.resolve(import.meta.dirname, "../../../../targets/runtime/emulation");
const ones = "num_gangs(1) num_workers(1) vector_length(1)";

interface Pair {
  readonly first?: string;
  readonly second?: string;
  readonly write?: string;
  readonly read?: string;
  readonly between?: string;
}

const directive = (code: string) =>
  code.startsWith("{") ? "parallel" : `parallel loop${code.includes(" j ") ? " collapse(2)" : ""}`;

const pair = ({
  first = "for (int i = 0; i < 40; i++)",
  second = first,
  write = "t[i] = a[i] * 2;",
  read = "b[i] = t[i] + 1;",
  between = "",
}: Pair) => `
static float a[40], t[40], u[40], b[40], other[40];
void work(int n, int m) {
#pragma acc data copyin(a) copyout(b) pipe(t)
  {
#pragma acc ${directive(first)} ${ones} pipeout(t)
    ${first} { ${write} }
    ${between}
#pragma acc ${directive(second)} ${ones} pipein(t)
    ${second} { ${read} }
  }
}`;

const rows = (n: string, m: string) => `for (int i = 0; i < ${n}; i++) for (int j = 0; j < ${m}; j++)`;

const plain = "for (int i = 0; i < 40; i++)";

function tasks(source: string): Task[] {
  const { unit } = parse(source, { file: "case.c" });
  const program = normalise(readOpenarc(readDirectives(unit)), { kind: "whole", others: noOtherUnits });
  const errors = program.diagnostics.filter((d) => d.severity === "error");
  if (errors.length > 0) throw new Error(errors[0]?.message);
  return tasksOf(program).map(({ task }) => {
    const chosen = model.run({ task, choice: {}, device: arria10 });
    return "task" in chosen ? chosen.task : task;
  });
}

function compileAndRun(program: string, language: "c" | "c++"): { status: number; out: string; err: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "arc-channels-"));
  try {
    const file = language === "c" ? "program.c" : "program.cpp";
    writeFileSync(path.join(folder, file), program);
    execFileSync(
      language === "c" ? "gcc" : "g++",
      ["-O1", "-w", "-pthread", "-fsanitize=undefined", `-I${include}`, file, "-o", "program"],
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
      "takes 40 iterations over 'i' and the other 39",
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
    ["it is set where it should be read", { read: "t[i] += 1; b[i] = t[i];" }, "is written where it should"],
    ["the reader changes what the writer reads", { read: "b[i] = t[i]; a[i] = 0;" }, "also share 'a'"],
    [
      "the writer does more than a loop",
      { first: "{ a[0] = 1; for (int i = 0; i < 40; i++)", second: plain, write: "t[i] = 1; }" },
      "the region that writes it is more than one loop",
    ],
    [
      "later elements are read, too",
      { first: "for (int i = 0; i < 39; i++)", read: "b[i] = t[i] + t[i + 1];" },
      "'t[i + 1]' is not the element",
    ],
    [
      "a row is read",
      { first: "for (int i = 0; i < 38; i++)", read: "for (int k = 0; k < 2; k++) b[i] += t[i + k];" },
      "'t[i + k]' is not the element",
    ],
    ["only the writer knows where", { write: "t[i + n] = a[i];" }, "'t[i]' is not the element"],
    ["only the reader knows where", { read: "b[i] = t[i + n];" }, "'t[i + n]' is not the element"],
    [
      "both begin elsewhere",
      { write: "t[i + n] = a[i];", read: "b[i] = t[i + m];" },
      "'t[i + m]' is not the element",
    ],
    ["they walk apart", { read: "b[i] = t[2 * i];" }, "'t[2 * i]' is not the element"],
    ["data chooses what is written", { write: "t[(int)a[i]] = 1;" }, "is not a sum of loop variables"],
    ["data chooses what is read", { read: "b[i] = t[(int)b[i]];" }, "is not a sum of loop variables"],
    ["it is never read", { read: "b[i] = 1;" }, "does not use 't'"],
    [
      "rows overlap",
      { first: rows("3", "10"), write: "t[i * 9 + j] = 1;", read: "b[i] = t[i * 9 + j];" },
      "may write the same element",
    ],
    [
      "rows are of unknown length",
      { first: rows("3", "n"), write: "t[i * 9 + j] = 1;", read: "b[i] = t[i * 9 + j];" },
      "may write the same element",
    ],
    [
      "the reader walks along columns",
      { first: rows("4", "4"), write: "t[i * 4 + j] = 1;", read: "b[i] = t[j * 4 + i];" },
      "'t[j * 4 + i]' is not the element",
    ],
  ] as const)("is refused where %s", (_name, p, message) => {
    const { diagnostics, channels } = findChannels(tasks(pair(p)));
    expect(channels).toEqual([]);
    expect(diagnostics[0]).toMatchObject({
      code: "pipe",
      why: "a channel hands each element on once, in the order in which it was written",
      remedy: "use create and present instead of pipe, pipeout and pipein",
    });
    expect(diagnostics[0]?.message).toContain(message);
  });

  it("is refused where work-items have no order, and where the reader comes first", () => {
    const refused = (source: string) => findChannels(tasks(source)).diagnostics;
    const sized = pair({}).replace(ones, "num_gangs(1) vector_length(8)");
    expect(refused(sized)).toMatchObject([
      {
        loc: { line: 6 },
        message: "'t' cannot be a channel: only a single work-item has an order in which elements pass",
        remedy: "add num_gangs(1) num_workers(1) vector_length(1) to both directives",
      },
    ]);
    const turned = pair({}).replace("pipeout", "PIPE").replace("pipein", "pipeout").replace("PIPE", "pipein");
    expect(refused(turned)[0]?.message).toContain("it is read before it is written");
    const more = pair({ second: "{ b[0] = 1; for (int i = 0; i < 40; i++)", read: "b[i] = t[i]; }" });
    expect(refused(more)[0]?.message).toContain("the region that reads it is more than one loop");
  });

  it.each([
    ["rows", { first: rows("4", "10"), write: "t[i * 10 + j] = 1;", read: "b[i] += t[i * 10 + j];" }],
    [
      "rows with gaps, upwards",
      { first: rows("4", "9"), write: "t[39 - i * 10 - j] = 1;", read: "b[i] = t[39 - i * 10 - j];" },
    ],
    ["no rows", { first: rows("0", "0"), write: "t[i + j] = 1;", read: "b[i] = t[i + j];" }],
    ["what both know", { write: "t[i + n] = 1;", read: "b[i] = t[i + n];" }],
    ["every second element", { first: "for (int i = 0; i < 40; i += 2)" }],
    [
      "other regions between",
      { between: `#pragma acc parallel loop ${ones}\nfor (int i = 0; i < 40; i++) other[i] = 1;` },
    ],
  ] as const)("passes %s on", (_name, p) => {
    const { diagnostics, channels } = findChannels(tasks(pair(p)));
    expect(diagnostics).toEqual([]);
    expect(channels).toMatchObject([{ name: "arc_t_channel", producer: 0 }]);
  });

  it("is one of several between the same regions, and its ends take the place of elements", () => {
    const source = pair({
      write: "float v = a[i]; t[i] = v * 2; u[i] = a[0] = v; a[i] = 1;",
      read: "b[i] = t[i] + u[i] * t[i];",
    })
      .replace("pipe(t)", "pipe(t, u) copy(a)")
      .replace("copyin(a)", "")
      .replace("pipeout(t)", "pipeout(t, u)")
      .replace("pipein(t)", "pipein(t, u)");
    const found = tasks(source);
    const { channels, diagnostics } = findChannels(found);
    expect(diagnostics).toEqual([]);
    const text = found.map((task, k) => regionText(withChannels(task, k, channels), []).replace(/\s+/g, " "));
    expect(text).toEqual([
      "float a[40] float t[40] float u[40] #pragma upir task offload data(a: shared present read-write) data(t: shared present write-only pipe-out) data(u: shared present write-only pipe-out) #pragma upir spmd serial #pragma upir loop independent free for (int i = 0; i < 40; i++) { float v = a[i]; #pragma upir channel-write channel(arc_t_channel) value(v * 2) ; #pragma upir channel-write channel(arc_u_channel) value(a[0] = v) ; a[i] = 1; }",
      "float b[40] float t[40] float u[40] #pragma upir task offload data(b: shared present write-only) data(t: shared present read-only pipe-in) data(u: shared present read-only pipe-in) #pragma upir spmd serial #pragma upir loop independent free for (int i = 0; i < 40; i++) { #pragma upir channel-read channel(arc_u_channel) float arc_u_element; #pragma upir channel-read channel(arc_t_channel) float arc_t_element; b[i] = arc_t_element + arc_u_element * arc_t_element; }",
    ]);
    const [first] = found;
    expect(first && withChannels(first, 2, channels)).toEqual(first);
  });
});

/** Two values of one channel are sent before the first of the other, which is received first. */
const crossed = {
  c: (depth: number) => `#define ARC_KERNELS 2
#include "arc_channels.h"
ARC_CHANNEL(int, a, ${depth})
ARC_CHANNEL(int, b, 1)
static int sum;
static void *send(void *of) {
  arc_kernel_begin("send");
  write_channel_intel(a, 1); write_channel_intel(a, 2); write_channel_intel(b, 3);
  arc_kernel_end();
  return 0;
}
static void take(void) {
  arc_kernel_begin("take");
  sum = read_channel_intel(b); sum += read_channel_intel(a); sum += read_channel_intel(a);
  arc_kernel_end();
}`,
  "c++": (depth: number) => `#define ARC_KERNELS 2
#include "hls_stream.h"
static hls::stream<int> a("a", ${depth}), b("b", 1);
static int sum;
static void *send(void *) { arc_kernel_begin("send"); a.write(1); a.write(2); b.write(3); arc_kernel_end(); return 0; }
static void take() { arc_kernel_begin("take"); sum = b.read(); sum += a.read(); sum += a.read(); arc_kernel_end(); }`,
} as const;
const main = `
int main(void) {
  for (int k = 0; k < 2; k++) {
    pthread_t thread;
    pthread_create(&thread, 0, send, 0);
    take();
    pthread_join(thread, 0);
    printf("%d ", sum);
  }
}`;

describe.each(["c", "c++"] as const)("channels on the processor, in %s", (language) => {
  it("deadlock where a channel is too short, and say who waits for what and how to help", () => {
    const { status, err } = compileAndRun(crossed[language](1) + main, language);
    expect(status).toBe(3);
    expect(err).toContain("kernel send waits: channel a of depth 1 is full");
    expect(err).toContain("kernel take waits: channel b of depth 1 is empty");
    expect(err).toContain("channel-depth");
  });

  it("run through where it is long enough, launch after launch", () => {
    expect(compileAndRun(crossed[language](2) + main, language)).toEqual({ status: 0, out: "6 6 ", err: "" });
  });
});

describe("regions that pipes join", () => {
  const shaping = { device: arria10, all: { "channel-depth": 3 }, named: [] };
  const of = (source: string) =>
    translateKernels({ file: "a.c", text: source }, intelFpgaEmitter, undefined, shaping);

  it("share a text with the channel between them and no buffer, and start with the last", () => {
    const { kernels, diagnostics } = of(pair({}));
    expect(diagnostics.filter((d) => d.code !== "levels-chosen")).toEqual([]);
    expect(kernels).toHaveLength(1);
    const [kernel] = kernels;
    expect(kernel?.text).toContain("channel float arc_t_channel __attribute__((depth(3)));");
    expect(kernel?.text).toContain("#pragma OPENCL EXTENSION cl_intel_channels : enable");
    expect(kernel?.text).not.toMatch(/\bt\[|t_memory/);
    expect(kernel?.manifest.match(/together .+/g)).toEqual(["together wait 0", "together last 0"]);
    expect(kernel?.entries).toHaveLength(2);
  });

  it("tell the linker of Vitis how their streams connect", () => {
    const { kernels } = translateKernels({ file: "a.c", text: pair({}) }, vitisEmitter, undefined, shaping);
    const [from, to] = kernels[0]?.entries ?? [];
    expect(kernels[0]?.links).toEqual([
      `--connectivity.stream_connect=${from}_1.arc_t_channel:${to}_1.arc_t_channel:3`,
    ]);
  });

  it.each([
    ["work comes between", { between: "a[0] = 1;" }, "something else happens between"],
    ["the first brings data of its own", { data: "copyout(b) pipe(t)" }, "'a' leaves the device"],
    ["they are asynchronous", { clause: "async(1)" }, "async and wait order"],
    ["one may run on the host", { clause: "if(a[0] > 0)" }, "may run on the host"],
  ] as const)("stay apart where %s, and say so", (_name, change, why) => {
    const {
      between = "",
      data = "copyin(a) copyout(b) pipe(t)",
      clause = "",
    } = change as Record<string, string>;
    const source = pair({ between })
      .replace("copyin(a) copyout(b) pipe(t)", data)
      .replaceAll("pipeout(t)", `${clause} pipeout(t)`);
    const { kernels, diagnostics } = of(source);
    expect(kernels).toHaveLength(2);
    const [note] = diagnostics.filter((d) => d.code === "pipe-as-buffer");
    expect(note).toMatchObject({ severity: "note" });
    expect(note?.message).toContain(why);
  });

  it("stay apart in images of their own, and say so", () => {
    const images = [{ name: "first", regions: [{ function: "work", region: 1 }] }];
    const { kernels, diagnostics } = translateKernels(
      { file: "a.c", text: pair({}) },
      { ...intelFpgaEmitter, whole: true },
      undefined,
      { ...shaping, images },
    );
    expect(kernels.map((k) => [k.image, k.entries.length])).toEqual([
      ["first", 1],
      [undefined, 1],
    ]);
    expect(imageGroups(kernels, true).map(({ name }) => name)).toEqual(["first", "others"]);
    const [note] = diagnostics.filter((d) => d.code === "pipe-as-buffer");
    expect(note?.message).toContain("different images");
  });

  it("stay buffers where the target has no channels", () => {
    const { kernels } = translateKernels({ file: "a.c", text: pair({}) }, hostEmitter);
    expect(kernels).toHaveLength(2);
    expect(kernels.every((k) => !k.manifest.includes("together"))).toBe(true);
  });
});
