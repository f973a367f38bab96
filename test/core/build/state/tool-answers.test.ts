/** What tools said is known to every project that uses the store, until the tool changes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Workshop } from "../workshop.ts";

/** A folder on PATH with a tool that notes each of its starts. */
class Tool {
  readonly shop = new Workshop();
  readonly program: string;
  readonly #starts: string;

  constructor() {
    const bin = this.shop.path("bin");
    mkdirSync(bin);
    this.program = join(bin, "tool");
    this.#starts = this.shop.path("starts");
    this.write("1.0");
    this.shop.restart({ environment: { PATH: `${bin}:${process.env.PATH}` } });
  }

  write(version: string): void {
    rmSync(this.program, { force: true });
    writeFileSync(this.program, `#!/bin/sh\necho start >> ${this.#starts}\necho tool ${version}\n`, {
      mode: 0o755,
    });
  }

  get starts(): number {
    return existsSync(this.#starts) ? readFileSync(this.#starts, "utf8").length / "start\n".length : 0;
  }

  /** By an engine that has only the store from before. */
  version(): string {
    rmSync(this.shop.path(".arc"), { recursive: true, force: true });
    this.shop.restart();
    return this.shop.engine.identifyTool({ program: "tool", versionArgs: ["--version"] }).version;
  }

  ask(dependsOn: readonly string[] | undefined): string {
    this.shop.restart();
    return this.shop.engine.askTool([this.program, "--where"], () => dependsOn);
  }

  get answers(): readonly string[] {
    const folder = join(this.shop.store, "tools");
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  }
}

/** Longer than two changes of a file can have the same time. */
const apart = (): Promise<void> => setTimeout(60);

describe("what a tool answers", () => {
  it("is what it answers in an action, which has no variables by which drivers find other parts", async () => {
    const tool = new Tool();
    const environment = { PATH: process.env.PATH, COMPILER_PATH: "/theirs", LIBRARY_PATH: "/theirs" };
    await tool.shop.restart({ environment });
    const script = 'echo "$COMPILER_PATH$LIBRARY_PATH$GCC_EXEC_PREFIX<$LANG"';
    expect(tool.shop.engine.askTool(["/bin/sh", "-c", script], () => undefined)).toBe("<C");
  });
});

describe("a tool's identity", () => {
  it("is known to other projects of the store", async () => {
    const tool = new Tool();
    await apart();
    expect([tool.version(), tool.version(), tool.version()]).toEqual(Array(3).fill("tool 1.0"));
    expect(tool.starts).toBe(1);
  });

  it("is asked for again when the tool was replaced, and when only its time changed", async () => {
    const tool = new Tool();
    await apart();
    tool.version();
    tool.write("2.0");
    await apart();
    expect(tool.version()).toBe("tool 2.0");
    utimesSync(tool.program, 1, 1);
    await apart();
    expect(tool.version()).toBe("tool 2.0");
    expect(tool.starts).toBe(3);
  });

  it("is not kept of a tool that changed a moment ago", () => {
    // On a busy machine the question may come late.
    const answers = Array.from({ length: 10 }, () => {
      const tool = new Tool();
      tool.version();
      return tool.answers.length;
    });
    expect(answers).toContain(0);
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["another form", '{"boot":1,"answer":{},"files":[]}'],
    ["another boot", undefined],
  ])("is asked for again where the answer is %s", async (_, text) => {
    const tool = new Tool();
    await apart();
    tool.version();
    const [file = ""] = tool.answers;
    writeFileSync(file, text ?? readFileSync(file, "utf8").replace(/"boot":\d+/, '"boot":7'));
    expect(tool.version()).toBe("tool 1.0");
    expect(tool.starts).toBe(2);
  });
});

describe("a tool's answer", () => {
  it("holds while the files that it depends on stay", async () => {
    const tool = new Tool();
    const part = tool.shop.path("part");
    writeFileSync(part, "");
    await apart();
    expect([tool.ask([part]), tool.ask([part])]).toEqual(["tool 1.0", "tool 1.0"]);
    expect(tool.starts).toBe(1);
    writeFileSync(part, "changed");
    await apart();
    tool.ask([part]);
    expect(tool.starts).toBe(2);
    rmSync(part);
    tool.ask([part]);
    tool.ask([part]);
    expect(tool.starts).toBe(4);
  });

  it("is not kept where nothing says what it depends on", async () => {
    const tool = new Tool();
    await apart();
    tool.ask(undefined);
    tool.ask(undefined);
    expect(tool.starts).toBe(2);
  });
});
