import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { environment, startSlurm, stopSlurm } from "../../core/build/executors/cluster.ts";
import { Rig } from "../rig.ts";

const yaml = (executors: string, extra = ""): string => `arc: 1
project: p
executors: ${executors}
actions:
  big: { run: [sh, -c, "echo $X; seq 100 > a"], env: { X: "it's here" }, outputs: [a]${extra} }
  small: { run: [sort, a], inputs: [a], outputs: [b], stdout: b, executor: local }
`;

describe("limits for this machine", () => {
  it("stop what takes too long or too much memory, and are no fact: the next build tries again", async () => {
    const rig = new Rig({
      "arc.yaml": `arc: 1
project: p
executors: { local: { timeout: 0.4 s, memory-limit: 300 MB } }
actions:
  slow: { run: [sleep, 600], outputs: [a] }
  patient: { run: [sh, -c, "sleep 0.6; echo > b"], outputs: [b], timeout: 60 }
  large: { run: [sh, -c, "head -c 700M /dev/zero | tail -c 600M > c"], outputs: [c], deterministic: true, timeout: 60 }
  limits: { run: [sh, -c, "ulimit -v > d"], outputs: [d], memory-limit: 200 MB, timeout: 60 }
`,
    });
    const { status, err } = await rig.arc(["build", "-k"]);
    expect(status).toBe(1);
    expect(err).toMatch(/failed .*sleep 600: sleep was stopped after 0\.4 s, its time limit/);
    expect(err).toMatch(/failed .*head -c.*exited with 1\n[\s\S]*memory exhausted/);
    expect(rig.has("b")).toBe(true);
    expect(Number(rig.read("d"))).toBe(Math.floor(200e6 / 1024));
    const again = await rig.arc(["build", "-k", "--json"]);
    expect(again.out).not.toContain('"cached":true');
  });
});

describe("the choice of executors", () => {
  it("is checked before anything runs", async () => {
    const rig = new Rig({ "arc.yaml": yaml("{ slurm: { steps: [kernels] } }") });
    expect(await rig.arc(["build"])).toMatchObject({
      status: 2,
      err: expect.stringMatching(
        /arc\.yaml:3:\d+: error[\s\S]*no step `kernels`[\s\S]*did you mean `kernel`/,
      ),
    });
    rig.write("arc.yaml", yaml("{}"));
    for (const [choice, what] of [
      ["slrm", /no executor `slrm`[\s\S]*did you mean slurm/],
      ["kernl=slurm", /no step `kernl`[\s\S]*did you mean kernel/],
    ] as const) {
      const { status, err } = await rig.arc(["build", "--executor", choice]);
      expect({ status, err }).toMatchObject({ status: 2, err: expect.stringMatching(what) });
    }
  });

  it("explains what to do if there is no Slurm", async () => {
    const rig = new Rig({ "arc.yaml": yaml("{}") });
    symlinkSync(process.execPath, path.join(rig.bin, "node"));
    const { status, err } = await rig.arc(["build", "--executor", "slurm"], { env: { PATH: rig.bin } });
    expect(status).toBe(1);
    expect(err).toMatch(/Slurm's sbatch is not on PATH; .*--executor local/);
  });
});

const noSlurm = startSlurm();
// Also when no test of it is to run: what was started must end.
afterAll(stopSlurm);

describe.skipIf(noSlurm !== undefined)(`arc build on Slurm (${noSlurm ?? "started here"})`, () => {
  const { SLURM_CONF } = environment;

  /** What arc's jobs are called and ask for, of all that Slurm heard of. */
  const jobs = (): readonly string[] =>
    execFileSync("squeue", ["-h", "-t", "all", "-o", "%j|%C|%m|%W"], { env: environment, encoding: "utf8" })
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("arc "));

  it("sends the steps that arc.yaml names, with what they ask for, and keeps the rest here", async () => {
    const rig = new Rig({
      "arc.yaml": yaml(
        "{ slurm: { steps: [command], timeout: 2 h } }",
        ", cpu: 2, memory: 300 MiB, tokens: { vivado: 1 }",
      ),
    });
    const { status, err } = await rig.arc(["build"], { env: { SLURM_CONF } });
    expect({ status, err }).toMatchObject({ status: 0, err: expect.stringMatching(/done: 2 ran/) });
    expect(err).toMatch(/ran .*\n {2}it's here\n/);
    expect(rig.read("b").split("\n")).toHaveLength(101);
    expect(jobs()).toEqual(["arc big|2|300M|vivado:1"]);
    rig.remove("a");
    const resumed = await rig.arc(["build"], { env: { SLURM_CONF } });
    expect(resumed.err).toMatch(/1 cached/);
    expect(jobs()).toHaveLength(1);
  });

  it("takes the command line's word over arc.yaml's", async () => {
    const rig = new Rig({ "arc.yaml": yaml("{ slurm: { steps: [command] } }") });
    const before = jobs().length;
    const local = await rig.arc(["build", "--executor", "local"], { env: { SLURM_CONF: "/nowhere" } });
    expect(local).toMatchObject({ status: 0 });
    const forced = await rig.arc(["build", "--executor", "command=slurm", "--force"], {
      env: { SLURM_CONF },
    });
    expect(forced).toMatchObject({ status: 0 });
    expect(
      jobs()
        .slice(before)
        .map((line) => line.split("|")[0])
        .sort(),
    ).toEqual(["arc big", "arc small"]);
  });
});
