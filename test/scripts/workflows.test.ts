/** What can be said of the files for code hosts without one: they are well formed, and what they name is there. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";

const root = path.resolve(import.meta.dirname, "../..");
const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
}

function parsed(file: string) {
  const document = parseDocument(textOf(file), { strict: true, uniqueKeys: true });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS();
}

/** Expressions of the host, as `inputs.version`. */
const expressionsOf = (file: string): readonly string[] =>
  [...textOf(file).matchAll(/\$\{\{(.*?)\}\}/gs)].map(([, inner = ""]) => inner.trim());

function expectSteps(steps: readonly Step[]): void {
  expect(steps.length).toBeGreaterThan(0);
  for (const step of steps) {
    expect([step, "uses" in step !== "run" in step]).toEqual([step, true]);
    // Of a version: a branch may change under a release.
    if (step.uses !== undefined) expect(step.uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
  }
}

describe("action.yml", () => {
  const { inputs, runs, name, description } = parsed("action.yml");

  it("is a composite action, whose commands name their shell", () => {
    expect([typeof name, typeof description, runs.using]).toEqual(["string", "string", "composite"]);
    expectSteps(runs.steps);
    for (const { run, shell } of runs.steps as readonly Step[])
      if (run !== undefined) expect([run, shell]).toEqual([run, "sh"]);
  });

  it("uses the inputs that it declares, and declares none in vain", () => {
    const used = textOf("action.yml").matchAll(/\binputs\.([\w-]+)/g);
    expect([...new Set([...used].map(([, input]) => input))].sort()).toEqual(Object.keys(inputs).sort());
    for (const input of Object.values(inputs))
      expect(input).toEqual({ description: expect.any(String), default: expect.any(String) });
  });

  it("puts no input into a command's text, where it would be run", () => {
    for (const { run = "" } of runs.steps as readonly Step[]) expect(run).not.toContain("${{");
  });
});

describe("the action's commands", () => {
  const step = (parsed("action.yml").runs.steps as readonly Step[]).find(({ run }) => run !== undefined);
  /** What they install, and the variables that later steps get. */
  function ran(inputs: Readonly<Record<string, string>>) {
    const folder = mkdtempSync(path.join(tmpdir(), "arc-action-"));
    try {
      writeFileSync(path.join(folder, "npm"), `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/asked'\n`, {
        mode: 0o755,
      });
      execFileSync("sh", ["-e", "-c", step?.run ?? "exit 1"], {
        env: {
          ...{
            PATH: `${folder}:${process.env.PATH}`,
            RUNNER_TEMP: "/t",
            GITHUB_ENV: path.join(folder, "env"),
          },
          ...{ VERSION: "latest", FPGA_TOOLS: "false", CACHE: "", TOKEN: "", ...inputs },
        },
      });
      const read = (name: string) => readFileSync(path.join(folder, name), "utf8").trim().split("\n");
      return { installed: read("asked").filter((word) => word.includes("@")), variables: read("env") };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it.each([
    [{}, ["@arc-compiler/arc@latest"], []],
    [
      { VERSION: "0.2.0", FPGA_TOOLS: "true" },
      ["@arc-compiler/arc@0.2.0", "@yowasp/yosys", "@yowasp/nextpnr-ice40"],
      [],
    ],
    [
      { CACHE: "https://c/arc" },
      ["@arc-compiler/arc@latest"],
      ["ARC_REMOTE_CACHE=https://c/arc", "ARC_REMOTE_CACHE_MODE=read"],
    ],
    [
      { CACHE: "grpc://c", TOKEN: "t" },
      ["@arc-compiler/arc@latest"],
      ["ARC_REMOTE_CACHE=grpc://c", "ARC_REMOTE_CACHE_TOKEN=t", "ARC_REMOTE_CACHE_MODE=readwrite"],
    ],
    // Without a cache a token is nobody's.
    [{ TOKEN: "t" }, ["@arc-compiler/arc@latest"], []],
  ])("with %j install what is asked for, and hand on the cache", (inputs, installed, variables) => {
    expect(ran(inputs)).toEqual({ installed, variables: ["ARC_STORE=/t/arc-store", ...variables] });
  });
});

describe("the workflow of a release", () => {
  const file = ".github/workflows/release.yml";
  const { jobs, permissions } = parsed(file);
  const steps: readonly Step[] = jobs.release.steps;
  const commands = steps.map(({ run = "" }) => run).join("\n");

  it("has steps that the host knows, and the rights that they need", () => {
    expectSteps(steps);
    expect(Object.keys(permissions).sort()).toEqual(["attestations", "contents", "id-token", "packages"]);
    for (const expression of expressionsOf(file)) expect(expression).toMatch(/^(?:github|secrets)\.\w+$/);
  });

  it("calls scripts and names files that are there", () => {
    const { scripts } = JSON.parse(textOf("package.json"));
    const called = [...commands.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, script]) => script);
    expect(called.length).toBeGreaterThan(0);
    for (const script of called) expect(Object.keys(scripts)).toContain(script);
    for (const name of commands.match(/(?:\.ci|packaging)\/\w+|\b[A-Z]+\.md\b/g) ?? [])
      expect([name, existsSync(path.join(root, name))]).toEqual([name, true]);
  });
});

it("the image is made of folders that .dockerignore leaves in", () => {
  const kept = textOf(".dockerignore").split("\n");
  const copied = [...textOf("packaging/Dockerfile").matchAll(/^COPY (\w+)\//gm)].map(([, from]) => from);
  expect([kept[0], copied.length > 0]).toEqual(["*", true]);
  for (const folder of copied) expect(kept).toContain(`!${folder}`);
});
