import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { commands, findCommand } from "../../../cli/call/commands.ts";
import { helpText } from "../../../cli/call/help.ts";
import { targetKinds } from "../../../rules/plan/whole-program.ts";
import { arcProgram, Rig } from "../rig.ts";

describe("help", () => {
  it("is printed for no arguments, --help and help, on standard output", async () => {
    const rig = new Rig();
    const outcomes = await Promise.all([
      rig.arc([]),
      rig.arc(["--help"]),
      rig.arc(["-h"]),
      rig.arc(["help"]),
    ]);
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
    expect(outcomes[0]).toMatchObject({ status: 0, err: "" });
    for (const { summary } of commands) expect(outcomes[0]?.out).toContain(summary);
  });

  it.each(commands.map((command) => command.name))(
    "of %s names its options, wherever --help stands",
    async (name) => {
      const rig = new Rig();
      const { status, out } = await rig.arc([name, "--help"]);
      expect(status).toBe(0);
      const command = commands.find((c) => c.name === name);
      for (const option of command?.options ?? []) expect(out).toContain(`--${option.name}`);
    },
  );

  it("is the same for both names of a command", async () => {
    const rig = new Rig();
    const [tune, explore] = [await rig.arc(["tune", "--help"]), await rig.arc(["explore", "--help"])];
    expect(tune).toEqual(explore);
    expect(tune.status).toBe(0);
  });

  it("is wrapped to a terminal, no word lost", () => {
    const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
    for (const { name } of commands) {
      const [wide, narrow] = [helpText(name), helpText(name, 60)];
      expect(words(narrow)).toEqual(words(wide));
      const options = narrow.slice(narrow.indexOf("\noptions:"));
      expect(options.split("\n").filter((line) => line.length > 60)).toEqual([]);
    }
  });

  it("of translate names every kind of target", () => {
    const to = findCommand("translate")?.options.find((option) => option.name === "to");
    for (const kind of targetKinds) expect(to?.help).toContain(kind);
  });

  it("needs only the launcher", async () => {
    const rig = new Rig();
    for (const file of ["bin/arc", "dist/arc.cjs"]) {
      mkdirSync(path.join(rig.folder, path.dirname(file)));
      cpSync(path.resolve(arcProgram, "../..", file), path.join(rig.folder, file));
    }
    const { status, out } = await rig.run(path.join(rig.folder, "bin/arc"), ["build", "--help"]);
    expect(status).toBe(0);
    expect(out).toContain("arc build");
  });
});

describe("a call that is wrong", () => {
  it.each([
    [["bild"], /no command `bild`/, /did you mean `arc build`/],
    [["constructor"], /no command `constructor`/, /arc --help/],
    [["build", "--jsn"], /no option --jsn/, /did you mean --json/],
    [["build", "-j"], /-j needs a value/, /-j N/],
    [["build", "-j", "0"], /no number of jobs/, /from 1/],
    [["build", "-j", "two"], /no number of jobs/, /from 1/],
    [["build", "--force=yes"], /takes no value/, /alone/],
    [["-C"], /no command/, /arc --help/],
    [["run"], /arc run needs an ADDRESS/, /write arc run ADDRESS .*, for one of the targets in arc\.yaml/],
  ])("%j exits with 2, and says what is wrong and what to do", async (args, wrong, remedy) => {
    const rig = new Rig({ "arc.yaml": "arc: 1\nproject: p\n" });
    const { status, out, err } = await rig.arc(args);
    expect(status).toBe(2);
    expect(out).toBe("");
    expect(err).toMatch(wrong);
    expect(err).toMatch(remedy);
  });
});

describe("arc", () => {
  it("prints its version", async () => {
    expect(await new Rig().arc(["--version"])).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^arc \d+\.\d+\.\d+\n$/),
    });
  });

  it("finds itself through chains of links", async () => {
    const rig = new Rig();
    symlinkSync(arcProgram, path.join(rig.bin, "first"));
    symlinkSync("first", path.join(rig.bin, "second"));
    expect(await rig.run(path.join(rig.bin, "second"), ["--version"])).toMatchObject({ status: 0 });
  });

  it.each(["--version", "build", "watch"])("says what %s misses where there is no Node", async (command) => {
    const { status, err } = await new Rig().arc([command], { env: { PATH: "" } });
    expect(status).toBe(127);
    expect(err).toMatch(/^arc: there is no `node` on PATH\n {2}try: install Node /);
  });

  it("reports that Node is too old", async () => {
    const rig = new Rig();
    const old = path.join(rig.folder, "old.cjs");
    rig.write("old.cjs", 'Object.defineProperty(process, "versions", { value: { node: "20.10.9" } });\n');
    const env = { NODE_OPTIONS: `--require ${old}` };
    const { status, err } = await rig.arc(["build"], { env });
    expect(status).toBe(2);
    expect(err).toMatch(/^arc: needs Node 20\.11 or later, and `node` is v.*\n {2}try: install a newer one/);
    expect((await rig.arc(["--help"], { env })).status).toBe(0);
  });

  it("reports that the current folder no longer exists", async () => {
    const rig = new Rig();
    const script = `mkdir gone && cd gone && rmdir ../gone && exec '${arcProgram}' build`;
    const { status, err } = await rig.run("/bin/sh", ["-c", script]);
    expect(status).toBe(2);
    expect(err).toMatch(/arc: the folder that it was called in is gone\n {2}try: /);
  });

  it("reports on the other stream that its output cannot be written", async () => {
    const rig = new Rig({ "arc.yaml": "arc: 1\nproject: p\n" });
    const { status, err } = await rig.run("sh", ["-c", `'${arcProgram}' build --json > /dev/full`]);
    expect(status).toBe(1);
    expect(err).toMatch(/^arc: ENOSPC: no space is left, write 'standard output'\n/);
  });

  it.each(["--version", "--help", "build --help"])("reports it also of %s", async (words) => {
    const rig = new Rig();
    const { status, err } = await rig.run("sh", ["-c", `'${arcProgram}' ${words} > /dev/full`]);
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/^arc: standard output cannot be .*ENOSPC\n {2}try: .*\n$/),
    ]);
  });

  it("takes the project's folder before and after the command, and finds it upwards", async () => {
    const rig = new Rig({
      "p/arc.yaml": "arc: 1\nproject: p\nactions: { a: { run: [touch, o], outputs: [o] } }\n",
      "p/deep/er/x": "",
    });
    expect(await rig.arc(["-C", "p", "build"])).toMatchObject({ status: 0 });
    expect(await rig.arc(["build", "-C", "p"])).toMatchObject({ status: 0 });
    expect(await rig.arc(["build"], { cwd: "p/deep/er" })).toMatchObject({ status: 0 });
    const none = await rig.arc(["build"]);
    expect(none.status).toBe(2);
    expect(none.err).toContain("arc init");
  });
});
