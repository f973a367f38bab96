/** What tracing reports that an action read, looked up and wrote beyond its declarations. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Action } from "../../../../core/build/model/action.ts";
import type { Undeclared } from "../../../../core/build/model/event.ts";
import { compileProgram, compileTracer } from "../../../../core/build/native/compile.mjs";
import { TracingBudget } from "../../../../core/build/run/tracing-budget.ts";
import { shell, Workshop } from "../workshop.ts";

const tools = mkdtempSync(join(tmpdir(), "arc-tracer-"));
const tracer = join(tools, "tracer");
const lacks = compileTracer(tracer);

beforeAll(() => {
  const source = join(tools, "read.c");
  writeFileSync(
    source,
    "#include <stdio.h>\nint main(int n, char **a) { FILE *f = fopen(a[1], a[2]); if (f) fclose(f); return n < 0; }\n",
  );
  for (const [name, flags] of Object.entries({ dynamic: [], static: ["-static"] }))
    expect(compileProgram(join(tools, name), [source], flags)).toBeUndefined();
});

afterAll(() => rmSync(tools, { recursive: true }));

async function traced(shop: Workshop, action: Action): Promise<readonly Undeclared[]> {
  const built = await shop.build([action], { tracer: { program: tracer } });
  return built.of("undeclared").map(({ files }) => files);
}

const nothing = { reads: [], lookedFor: [], writes: [], unseen: [] };

describe.skipIf(lacks !== undefined)("an action that is traced", () => {
  /** Ways to open a file, in which way does not matter. */
  const ways: Record<string, (file: string, mode: "r" | "w") => string> = {
    "a shell": (file, mode) => (mode === "r" ? `read x < ${file} || true` : `echo > ${file}`),
    "a program of it": (file, mode) => `${join(tools, "dynamic")} ${file} ${mode}`,
    "a statically linked one": (file, mode) => `${join(tools, "static")} ${file} ${mode}`,
    "one in the background": (file, mode) => `(${join(tools, "static")} ${file} ${mode}) & wait`,
  };
  const places: Record<string, (shop: Workshop) => readonly [file: string, told: string]> = {
    "in the project": (shop) => [shop.path("data/x"), "data/x"],
    "beside it": (shop) => [join(shop.directory, "beside"), join(shop.directory, "beside")],
  };
  for (const [way, open] of Object.entries(ways))
    for (const [where, place] of Object.entries(places))
      test(`by ${way}, which reads a file ${where} or writes it, is named with it`, async () => {
        const shop = new Workshop();
        const [file, told] = place(shop);
        shop.write("data/x", "x\n");
        writeFileSync(join(shop.directory, "beside"), "b\n");
        const address = "act";
        expect(await traced(shop, shell(address, `echo > o; ${open(file, "r")}`, {}, ["o"]))).toEqual([
          { ...nothing, address, reads: [told] },
        ]);
        expect(await traced(shop, shell(address, `echo > o; ${open(file, "w")}`, {}, ["o"]))).toEqual([
          { ...nothing, address, writes: [told] },
        ]);
      });

  test("that looks in its folder for what the project has, or in the project for what is not there, is named", async () => {
    const shop = new Workshop();
    shop.write("data/x", "x\n");
    const script = `cat data/x; cat nobody; cat ${shop.path("absent")}; echo > o`;
    expect(await traced(shop, shell("act", script, {}, ["o"]))).toEqual([
      { ...nothing, address: "act", lookedFor: ["absent", "data/x"] },
    ]);
    expect(await traced(shop, shell("fails", "cat data/x", {}, ["o"]))).toEqual([
      { ...nothing, address: "fails", lookedFor: ["data/x"] },
    ]);
  });

  test("that keeps to what it declares is not, whatever it does in its folder and in TMPDIR", async () => {
    const shop = new Workshop();
    shop.write("data/x", "x\n");
    shop.write("folder/y", "y\n");
    shop.write("made", "of the project\n");
    const script = "cat data/x folder/y > made; cat made > $TMPDIR/t; cp $TMPDIR/t o; mkdir -p d; ls / > d/l";
    const action = shell("act", script, { "data/x": "data/x", folder: "folder" }, ["o"]);
    expect(await traced(shop, action)).toEqual([]);
    expect(shop.read("out/o")).toBe("x\ny\n");
  });

  test("is asked about everything but realpath's reading of folders where nobody asked for tracing", async () => {
    const shop = new Workshop();
    shop.write("data/x", "x\n");
    const script = `echo > o; readlink -f ${shop.path("data/x")}`;
    const action = shell("act", script, {}, ["o"]);
    expect(await traced(shop, action)).toEqual([{ ...nothing, address: "act", reads: ["data/x"] }]);
    const light = (more: string) =>
      shop
        .build([shell("act", script + more, {}, ["o"])], {
          tracer: { program: tracer, budget: new TracingBudget() },
        })
        .then((built) => built.of("undeclared").map(({ files }) => files));
    expect(await light("")).toEqual([]);
    expect(await light(`; test -e ${shop.path("data/x")}`)).toEqual([
      { ...nothing, address: "act", reads: ["data/x"] },
    ]);
    expect(await light(`; readlink ${shop.path("data/x")}`)).toEqual([
      { ...nothing, address: "act", reads: ["data/x"] },
    ]);
  });

  test("is not asked about realpath's reading of folders where its step opens what it resolves", async () => {
    const shop = new Workshop();
    shop.step({ name: "cc", digest: digestBytes("cc"), opensWhatItResolves: true });
    for (const name of ["x", "y", "z"]) shop.write(`data/${name}`, "x\n");
    const [x, y, z] = ["x", "y", "z"].map((name) => shop.path(`data/${name}`));
    const script = `echo > o; readlink -f ${x}; cat ${y}; test -e ${z}`;
    expect(await traced(shop, shell("act", script, {}, ["o"], { step: "cc" }))).toEqual([
      { ...nothing, address: "act", reads: ["data/y", "data/z"] },
    ]);
  });

  // How many depends on what the machine does beside it: tracing-budget.test.ts has the numbers.
  test("is not each of very many short ones where nobody asked for tracing", async () => {
    const shop = new Workshop({ jobs: 1 });
    const budget = new TracingBudget();
    const actions = Array.from({ length: 300 }, (_, at) => shell(`a${at}`, `echo > o${at}`, {}, [`o${at}`]));
    await shop.build(actions, { tracer: { program: tracer, budget } });
    expect(budget.leftOut).toBeGreaterThan(0);
  });

  test("ends as it would by itself, by its status or by a signal", () => {
    const ends = (script: string, ...by: string[]) => {
      const { status, signal } = spawnSync(by[0] ?? "sh", [
        ...by.slice(1),
        ...(by.length > 0 ? ["sh"] : []),
        "-c",
        script,
      ]);
      return [status, signal];
    };
    for (const script of ["exit 0", "exit 3", "kill -9 $$", "kill -TERM $$", "sleep 0.1 & exit 4"])
      expect(ends(script, tracer, "all", join(tools, "log"))).toEqual(ends(script));
    expect(spawnSync(tracer, ["all", join(tools, "log"), "no-such-program"]).status).toBe(127);
  });
});
