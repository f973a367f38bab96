import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { arcProgram, lines, Rig } from "../rig.ts";

/** Root who may not search what others may not. */
const asOthers = ["--bounding-set=-dac_override,-dac_read_search"];
const isRoot = process.getuid?.() === 0 && spawnSync("setpriv", [...asOthers, "true"]).status === 0;

const numbers = `arc: 1
project: numbers
actions:
  make: { run: [sh, make.sh, 5], inputs: [make.sh], outputs: [n.txt], stdout: n.txt, deterministic: true }
  sum: { run: [awk, "{ s += $1 } END { print s }", n.txt], inputs: [n.txt], outputs: [out/sum.txt], stdout: out/sum.txt }
`;
const project = (): Rig => new Rig({ "arc.yaml": numbers, "make.sh": "seq $1\n" });

describe("arc build", () => {
  it("runs the required actions, once", async () => {
    const rig = project();
    const first = await rig.arc(["build"]);
    expect(first).toMatchObject({ status: 0, out: "" });
    expect(rig.read("out/sum.txt")).toBe("15\n");
    expect(first.err).toMatch(/arc: done: 2 ran/);
    const second = await rig.arc(["build"]);
    expect(second).toMatchObject({ status: 0, err: "arc: done: 2 up to date\n" });
  });

  it("stops where the result of a changed input is the same", async () => {
    const rig = project();
    await rig.arc(["build"]);
    rig.write("make.sh", "# a comment\nseq $1\n");
    const { err } = await rig.arc(["build"]);
    expect(err).toMatch(/ran .* sh make.sh 5 \(same result as before\)/);
    expect(err).toMatch(/1 ran, 1 up to date/);
  });

  it("brings back from the store what was deleted, in another checkout too", async () => {
    const rig = project();
    await rig.arc(["build"]);
    rig.remove("out");
    rig.remove(".arc");
    const { err } = await rig.arc(["build"]);
    expect(err).toMatch(/2 cached/);
    expect(rig.read("out/sum.txt")).toBe("15\n");
  });

  it("builds only what an address selects", async () => {
    const rig = project();
    expect(await rig.arc(["build", "make"])).toMatchObject({ status: 0 });
    expect(rig.has("n.txt")).toBe(true);
    expect(rig.has("out/sum.txt")).toBe(false);
    expect(await rig.arc(["build", "su*"])).toMatchObject({ status: 0 });
    expect(rig.has("out/sum.txt")).toBe(true);
  });

  it("refuses an unknown address, and names the nearest", async () => {
    const { status, err } = await project().arc(["build", "smu"]);
    expect(status).toBe(2);
    expect(err).toMatch(/nothing is called smu[\s\S]*did you mean sum\?/);
  });

  it("shows in a dry run what would run and why, and runs nothing", async () => {
    const rig = project();
    const { status, err } = await rig.arc(["build", "--dry-run"]);
    expect(status).toBe(0);
    expect(err).toMatch(/would run: sh make.sh 5 \(never built before\)/);
    expect(err).toMatch(/may run: awk .* \(known after sh make.sh 5\)/);
    expect(err).toMatch(/arc: done: 1 would run, 1 may run in/);
    expect(rig.has("n.txt")).toBe(false);
  });

  it("reports a failing action with its log, and exits with 1", async () => {
    const rig = project();
    rig.write("make.sh", "echo first words; echo the reason >&2; exit 3\n");
    const { status, out, err } = await rig.arc(["build"]);
    expect(status).toBe(1);
    expect(out).toBe("");
    expect(err).toMatch(/failed .* sh make.sh 5: sh exited with 3\n {2}the reason\n/);
    expect(err).toMatch(/1 failed, 1 skipped/);
  });

  it("shows the same failure again without running the action, if nothing changed", async () => {
    const rig = project();
    rig.write("make.sh", "echo the reason >&2; exit 3\n");
    await rig.arc(["build"]);
    const { status, err } = await rig.arc(["build"]);
    expect(status).toBe(1);
    expect(err).toMatch(/nothing changed since it failed before/);
    expect(err).toMatch(/the reason/);
  });

  it("continues after a failure with keep-going, and repeats all failures at the end", async () => {
    const rig = new Rig({
      "arc.yaml": `arc: 1
project: p
actions:
  a: { run: [sh, -c, "exit 4"], outputs: [a] }
  b: { run: [sh, -c, "exit 5"], outputs: [b] }
  c: { run: [echo, hi], outputs: [c], stdout: c }
`,
    });
    const { status, err } = await rig.arc(["build", "-k", "-j1"]);
    expect(status).toBe(1);
    expect(rig.read("c")).toBe("hi\n");
    expect(lines(err).slice(-3)).toEqual([
      "failed: sh -c exit 4: sh exited with 4",
      "failed: sh -c exit 5: sh exited with 5",
      expect.stringMatching(/^arc: failed: 1 ran, 2 failed/),
    ]);
  });

  it("shows the first of a step's many errors, and says where all are", async () => {
    const broken = Array.from({ length: 30 }, (_, i) => `int v${i} = missing${i};\n`).join("");
    const rig = new Rig({
      "arc.yaml": "arc: 1\nproject: broken\nhost: [a.c]\ntargets: { cpu: { kind: host } }\n",
      "a.c": `${broken}int main(void) { return 0; }\n`,
    });
    const { status, err } = await rig.arc(["build"]);
    expect(status).toBe(1);
    expect(err.match(/: error\[/g)).toHaveLength(20);
    expect(err).toContain("and 10 more: `arc explain 'a.c#compile'` lists them\n");
    const { out } = await rig.arc(["explain", "a.c#compile"]);
    expect(out).toMatch(/ {2}a\.c:30:11: error: 'missing29' undeclared/);
  });

  it("explains how to install a missing program", async () => {
    const rig = new Rig({
      "arc.yaml": "arc: 1\nproject: p\nactions: { a: { run: [no-such-program-here], outputs: [a] } }\n",
    });
    const { status, err } = await rig.arc(["build"]);
    expect(status).toBe(1);
    expect(err).toMatch(/no-such-program-here .*install it, or put it on PATH/);
  });

  it("reports errors in arc.yaml, with the line and a caret, and exits with 2", async () => {
    const rig = new Rig({ "arc.yaml": "arc: 1\nproject: p\nactons: {}\n" });
    const { status, err } = await rig.arc(["build"]);
    expect(status).toBe(2);
    expect(err).toBe(`arc.yaml:3:1: error[unknown-key]: arc.yaml has no key \`actons\`
  3 | actons: {}
    | ^~~~~~
${err.split("\n")[3]}
`);
    expect(err).toMatch(/ {2}try: did you mean `actions`\?/);
  });

  it("says by which inputs actions need each other, each with its line", async () => {
    const rig = new Rig({
      "arc.yaml": `arc: 1
project: p
actions:
  one: { run: [cp, two/x, one], inputs: [two/x], outputs: [one] }
  two: { run: [sh, make], inputs: [make, three], outputs: [two/] }
  three: { run: [cp, one, three], inputs: [one], outputs: [three] }
`,
      make: "mkdir two; cp three two/x\n",
    });
    for (const args of [["build"], ["explain", "one"]]) {
      expect(await rig.arc(args)).toEqual({
        status: 2,
        out: "",
        err: `arc.yaml:4:42: error[cycle]: actions need each other: one needs two needs three needs one
  4 |   one: { run: [cp, two/x, one], inputs: [two/x], outputs: [one] }
    |                                          ^~~~~
  why: each of them would have to be done before the others
  try: remove one of these inputs
  note: arc.yaml:4:42: \`one\` reads \`two/x\`, which \`two\` writes
  note: arc.yaml:5:42: \`two\` reads \`three\`, which \`three\` writes
  note: arc.yaml:6:44: \`three\` reads \`one\`, which \`one\` writes
`,
      });
    }
  });

  it("explains what to do about an output that a command did not write", async () => {
    const rig = new Rig({
      "arc.yaml":
        "arc: 1\nproject: p\nactions:\n  a: { run: [sh, -c, echo > p], inputs: [], outputs: [o] }\n",
    });
    const { status, err } = await rig.arc(["build"]);
    expect(status).toBe(1);
    expect(err).toContain(
      "a did not write the file o (it wrote p); let the command write it, or correct `outputs` of the action in arc.yaml",
    );
  });

  it("writes one JSON object per event with --json, and nothing else", async () => {
    const rig = project();
    const { status, out, err } = await rig.arc(["build", "--json"]);
    expect(status).toBe(0);
    expect(err).toBe("");
    const events = lines(out).map((line) => JSON.parse(line) as { type: string });
    expect(events[0]).toMatchObject({ type: "start", total: 2 });
    expect(events.at(-1)).toMatchObject({ type: "end", ok: true, counts: { ran: 2 } });
    expect(events.filter((event) => event.type === "done")).toHaveLength(2);
  });

  it("writes findings as JSON with --json, and exits with 2", async () => {
    const rig = new Rig({ "arc.yaml": "arc: 1\n" });
    const { status, out, err } = await rig.arc(["build", "--json"]);
    expect(status).toBe(2);
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({
      type: "diagnostic",
      code: "missing-key",
      loc: { line: 1, col: 1 },
    });
  });

  it("stops on Ctrl-C with 130, keeps finished results, and continues from there", async () => {
    const rig = new Rig({
      "arc.yaml": `arc: 1
project: p
actions:
  quick: { run: [echo, hi], outputs: [quick], stdout: quick }
  slow: { run: [sh, -c, "echo started >&2; exec sleep 60"], inputs: [quick], outputs: [slow], stdout: slow }
`,
    });
    const { status, out } = await rig.arc(["build", "--json"], { interruptAt: '"text":"started' });
    expect(status).toBe(130);
    expect(JSON.parse(lines(out).at(-1) ?? "")).toMatchObject({
      type: "end",
      interrupted: true,
      counts: { ran: 1 },
    });
    const again = await rig.arc(["build", "quick"]);
    expect(again.err).toMatch(/1 up to date/);
  });
});

describe.each(["natively", "portably"])("a build with nothing to do, found %s", (way) => {
  const env: Record<string, string> = way === "natively" ? {} : { ARC_NATIVE: "0" };
  const build = (rig: Rig) => rig.arc(["build"], { env });

  it("is answered by the launcher alone", async () => {
    const rig = project();
    await build(rig);
    expect(await build(rig)).toEqual({ status: 0, out: "", err: "arc: done: 2 up to date\n" });
  });

  it.runIf(isRoot)("is so, too, where a folder of PATH may not be searched", async () => {
    const rig = project();
    const closed = `${rig.root}/closed`;
    mkdirSync(closed, { mode: 0 });
    const here = { PATH: `${closed}:${rig.bin}:${process.env.PATH}`, ...env };
    const build = () => rig.run("setpriv", [...asOthers, arcProgram, "build"], { env: here });
    expect((await build()).err).toMatch(/2 ran/);
    expect(await build()).toEqual({ status: 0, out: "", err: "arc: done: 2 up to date\n" });
  });

  const changes: readonly (readonly [what: string, change: (rig: Rig) => void])[] = [
    ["an input", (rig) => rig.write("make.sh", "seq 3\n")],
    ["arc.yaml", (rig) => rig.write("arc.yaml", numbers.replace("make.sh, 5", "make.sh, 3"))],
    ["an output that was deleted", (rig) => rig.remove("out/sum.txt")],
    ["an output that someone else wrote", (rig) => rig.write("out/sum.txt", "wrong\n")],
    ["a program in front of the one that was used", (rig) => rig.tool("awk", "echo mine")],
  ];
  it.each(changes)("is not assumed after a change of %s", async (_, change) => {
    const rig = project();
    await build(rig);
    await build(rig);
    change(rig);
    const { err } = await build(rig);
    expect(err).not.toMatch(/^arc: done: 2 up to date/);
    expect(rig.read("out/sum.txt")).not.toBe("wrong\n");
  });

  it("notices a file that its arguments would name", async () => {
    const rig = new Rig({
      "arc.yaml": `${numbers}runs: { r: { args: [data.txt] } }\n`,
      "make.sh": "seq $1\n",
    });
    await build(rig);
    expect((await build(rig)).err).toBe("arc: done: 2 up to date\n");
    rig.write("data.txt", "");
    expect((await build(rig)).err).toMatch(/2 up to date in/);
  });
});
