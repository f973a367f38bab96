import { describe, expect, it } from "vitest";
import { Rig } from "./rig.ts";

const project = (inputs: string, more = "") => `arc: 1
project: p
actions:
  list: { run: [sh, -c, "ls -R data > data.list"], inputs: ${inputs}, outputs: [data.list], deterministic: true${more} }
`;

describe("inputs that are named by a pattern", () => {
  const files = { "data/a.csv": "1\n", "data/b.csv": "2\n", "data/c.txt": "3\n" };

  it("are the files that match, whenever files come and go", async () => {
    const rig = new Rig({ ...files, "arc.yaml": project('["data/*.csv"]') });
    const build = async (): Promise<string> => {
      const { status, err } = await rig.arc(["build"]);
      expect(status, err).toBe(0);
      expect((await rig.arc(["build"])).err).toBe("arc: done: 1 up to date\n");
      return rig.read("data.list").split("\n").slice(1).join(" ").trim();
    };
    expect(await build()).toBe("a.csv b.csv");
    rig.write("data/new.csv", "4\n");
    expect(await build()).toBe("a.csv b.csv new.csv");
    rig.remove("data/a.csv");
    expect(await build()).toBe("b.csv new.csv");
    rig.write("data/d.txt", "5\n");
    expect((await rig.arc(["build"])).err).toMatch(/done: 1 up to date/);
    expect((await rig.arc(["explain", "list"])).out).toMatch(/data\/a.csv/);
  });

  it("may lie in folders that are yet to come", async () => {
    const rig = new Rig({ ...files, "arc.yaml": project('["data/**/*.csv"]') });
    await rig.arc(["build"]);
    rig.write("data/x/y/z.csv", "6\n");
    expect((await rig.arc(["build"])).err).toMatch(/1 ran/);
    expect(rig.read("data.list")).toMatch(/z\.csv/);
  });

  it("are never what an action writes, so that a second build is the first one again", async () => {
    const rig = new Rig({
      ...files,
      "arc.yaml": project('["data/*"]').replaceAll("data.list", "data/made"),
    });
    expect((await rig.arc(["build"])).err).toMatch(/1 ran/);
    expect((await rig.arc(["build"])).err).toMatch(/done: 1 up to date/);
    expect(rig.read("data/made")).toBe("data:\na.csv\nb.csv\nc.txt\nmade\n");
  });

  it("are an error with location and remedy if nothing matches", async () => {
    const rig = new Rig({ ...files, "arc.yaml": project('["data/*.cvs"]') });
    const { status, err } = await rig.arc(["build"]);
    expect(status).toBe(2);
    expect(err).toMatch(/arc\.yaml:4:\d+: error\[missing-file\]: no file matches `data\/\*\.cvs`/);
  });
});

describe("programs that an action's command calls", () => {
  const calls = `arc: 1
project: p
actions:
  use: { run: [sh, -c, "wrapped > version"], tools: { wrapped: [--version] }, outputs: [version] }
`;

  it("are part of its key by what they say of themselves: another version is another result", async () => {
    const rig = new Rig({ "arc.yaml": calls, "../version": "1.0\n" });
    rig.tool("wrapped", `cat ${rig.root}/version`);
    await rig.arc(["build"]);
    expect((await rig.arc(["build"])).err).toBe("arc: done: 1 up to date\n");
    // The wrapper stays, what it starts does not: a vendor's tools are installed that way.
    rig.write("../version", "2.0\n");
    rig.tool("wrapped", `cat ${rig.root}/version`);
    expect((await rig.arc(["build"])).err).toMatch(/1 ran/);
    expect((await rig.arc(["explain", "use"])).out).toMatch(/wrapped changed from 1\.0 to 2\.0/);
    expect(rig.read("version")).toBe("2.0\n");
  });

  it("are named where they are not here, and what needs them is left out", async () => {
    const rig = new Rig({ "arc.yaml": calls });
    const { status, err } = await rig.arc(["build"]);
    expect(err).toMatch(/use: wrapped is not here: put its folder on PATH/);
    expect(status).toBe(0);
  });
});

it("limits of time have units in actions as they have elsewhere", async () => {
  const rig = new Rig({
    "arc.yaml": "arc: 1\nproject: p\nactions:\n  slow: { run: [sleep, 60], outputs: [x], timeout: 0.2 s }\n",
  });
  expect((await rig.arc(["build"])).err).toMatch(/sleep was stopped after 0\.2 s, its time limit/);
});

it("what an arc that was killed had written is its own, also when it is to be written anew", async () => {
  const rig = new Rig({
    "in.txt": "1\n",
    "arc.yaml": `arc: 1
project: p
actions:
  first: { run: [cp, in.txt, data/first.txt], inputs: [in.txt], outputs: [data/first.txt] }
  folder: { run: [cp, in.txt, made/x], inputs: [in.txt], outputs: [made/] }
  last: { run: [sh, -c, "test -e stop && kill -9 $PPID; cat data/first.txt > last.txt"], inputs: [data/first.txt, made/, "st*p"], outputs: [last.txt] }
`,
    stop: "",
  });
  await rig.arc(["build", "-j1"]);
  expect([rig.has("data/first.txt"), rig.has("made/x"), rig.has("last.txt")]).toEqual([true, true, false]);
  rig.write("in.txt", "2\n");
  rig.write("stip", "");
  rig.remove("stop");
  const { status, err } = await rig.arc(["build"]);
  expect(status, err).toBe(0);
  expect([rig.read("data/first.txt"), rig.read("last.txt")]).toEqual(["2\n", "2\n"]);
  expect(rig.has(".arc/claims")).toBe(false);
});

it("what an arc that was killed had written is taken back by clean, but not what somebody else wrote since", async () => {
  const rig = new Rig({
    "in.txt": "1\n",
    "arc.yaml": `arc: 1
project: p
actions:
  first: { run: [cp, in.txt, data/first.txt], inputs: [in.txt], outputs: [data/first.txt] }
  second: { run: [cp, in.txt, data/second.txt], inputs: [in.txt], outputs: [data/second.txt] }
  folder: { run: [cp, in.txt, made/x], inputs: [in.txt], outputs: [made/] }
  last: { run: [sh, -c, "kill -9 $PPID"], inputs: [data/first.txt, data/second.txt, made/], outputs: [last.txt] }
`,
  });
  await rig.arc(["build", "-j1"]);
  expect([rig.has("data/first.txt"), rig.has("made/x")]).toEqual([true, true]);
  rig.write("data/second.txt", "mine\n");
  const { status, out, err } = await rig.arc(["clean"]);
  expect([status, out, err]).toEqual([
    0,
    "removed data/first.txt\nremoved made\n",
    "kept data/second.txt: somebody else changed it\n",
  ]);
  expect([rig.has("data/first.txt"), rig.has("made"), rig.read("data/second.txt")]).toEqual([
    false,
    false,
    "mine\n",
  ]);
});
