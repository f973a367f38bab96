import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseCompilerCall } from "../../../cli/cc/arguments.ts";

const parse = (text: string) => parseCompilerCall(text.split(" "));
const words = (text: string, kind: string) =>
  parse(text)
    .words.filter((word) => word.kind === kind)
    .map((word) => word.text.join(" "));

describe("the command line of a compiler", () => {
  it("is taken apart into arc's own options, sources, other inputs and options", () => {
    const line = "-acc -target cuda,host -O2 a.c b.o -L lib -lx libs.a -o prog";
    expect(parse(line)).toMatchObject({
      directives: true,
      targets: ["cuda", "host"],
      stage: "link",
      output: "prog",
    });
    expect(words(line, "source")).toEqual(["a.c"]);
    expect(words(line, "input")).toEqual(["b.o", "libs.a"]);
    expect(words(line, "option")).toEqual(["-O2", "-L lib", "-lx"]);
  });

  it.each([
    ["x.c", false, false, false],
    ["-acc x.c", true, false, false],
    ["-fopenacc x.c", true, false, false],
    ["-omp x.c", true, true, false],
    ["-fopenmp x.c", true, false, true],
    ["-acc -fopenmp x.c", true, false, true],
    ["-fopenmp -acc -omp x.c", true, true, true],
    ["-target cuda x.c", true, false, false],
    ["-target=host x.c", true, false, false],
    ["-check x.c", true, false, false],
  ])("%s: directives %s, _OPENMP %s, the host's own OpenMP %s", (line, directives, openmp, hostOpenMp) => {
    expect(parse(line)).toMatchObject({ directives, openmp, hostOpenMp });
    expect(words(line, "option")).toEqual([]);
  });

  it("knows values that look like sources or options", () => {
    expect(words("-include a.c -D b.c -MF d.c x.c", "source")).toEqual(["x.c"]);
    expect(parse("-D -c x.c").stage).toBe("link");
  });

  it.each([
    ["x.c", "link"],
    ["-c x.c", "object"],
    ["-S x.c", "assembly"],
    ["-c -S x.c", "assembly"],
    ["-S -c x.c", "assembly"],
    ["-E x.c", "preprocess"],
    ["-c -M x.c", "preprocess"],
  ])("%s stops at the %s", (line, stage) => {
    expect(parse(line).stage).toBe(stage);
  });

  it("goes by -x, and back by -x none", () => {
    expect(words("-x c a.txt -x none b.txt", "source")).toEqual(["a.txt"]);
    expect(words("-x c++ a.c", "source")).toEqual([]);
  });

  it("accepts both spellings of -o and -target, and recognises dependency options", () => {
    expect(parse("-ofoo -target=opencl a.c")).toMatchObject({ output: "foo", targets: ["opencl"] });
    expect(words("-MMD -MP -MF a.d -MTx -Wall a.c", "dependencies")).toEqual([
      "-MMD",
      "-MP",
      "-MF a.d",
      "-MTx",
    ]);
  });

  it("reads response files, also nested ones, and keeps other arguments", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "arc-args-"));
    const inner = path.join(folder, "inner");
    writeFileSync(inner, "-DA='x y' \"b c.c\"\n");
    writeFileSync(path.join(folder, "outer"), `-acc @${inner} d\\ e.c`);
    const call = parseCompilerCall([`@${path.join(folder, "outer")}`, "@none"]);
    expect(call.words.map((word) => word.text[0])).toEqual(["-DA=x y", "b c.c", "d e.c", "@none"]);
    expect(call.directives).toBe(true);
  });
});
