/** On a real Slurm, started here; without one, skipped with the reason. */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { SlurmExecutor, type SlurmOptions } from "../../../../../core/build/run/executors/slurm.ts";
import { environment, startSlurm, stopSlurm } from "../../executors/cluster.ts";
import { shell, Workshop } from "../../workshop.ts";

const noSlurm = startSlurm();

function slurm(...args: [string, ...string[]]): string {
  return execFileSync(args[0], args.slice(1), { env: environment, encoding: "utf8" });
}

describe.skipIf(noSlurm !== undefined)(`Slurm (${noSlurm ?? "started here"})`, () => {
  function workshop(options: Partial<SlurmOptions> = {}): Workshop {
    return new Workshop({
      executorOf: () => "slurm",
      executors: [(folder) => new SlurmExecutor({ folder, environment, pollMs: 300, ...options })],
    });
  }

  test("runs actions on its nodes, in their folder and environment, with their output and exit code", async () => {
    const shop = workshop();
    shop.write("a", "a\n");
    const actions = [
      shell("copy", 'cat a > o; echo said; echo "$SLURMD_NODENAME|$X" > p', { a: "a" }, ["o", "p"], {
        command: {
          argv: ["sh", "-c", 'cat a > o; echo said; env | cut -d= -f1 | sort | tr "\\n" " " > p'],
          env: { X: "it's" },
        },
      }),
      shell("next", "cat o o > q", { o: ["copy", "o"] }, ["q"]),
    ];
    const built = await shop.build(actions);
    expect(built.of("failed")).toEqual([]);
    expect(shop.read("out/q")).toBe("a\na\n");
    expect(shop.read("out/p").trim()).toBe("HOME LANG PATH PWD TMPDIR TZ X");
    expect(
      built
        .of("log")
        .map((event) => event.text)
        .join(""),
    ).toBe("said\n");
    const bad = await shop.build([shell("bad", "echo no >&2; exit 7", {}, ["r"])]);
    expect(bad.of("failed")[0]).toMatchObject({ message: "sh exited with 7", log: "no\n" });
    expect((await shop.build([shell("bad", "echo no >&2; exit 7", {}, ["r"])])).ran).toEqual([]);
  });

  test("gets many that ask for the same as one array", async () => {
    const shop = workshop();
    const actions = Array.from({ length: 12 }, (_, at) =>
      shell(`a${at}`, `echo ${at} > o${at}; sleep 0.2`, {}, [`o${at}`]),
    );
    const before = slurm("squeue", "-h", "-t", "all", "-o", "%A").split("\n").length;
    expect((await shop.build(actions)).ok).toBe(true);
    const jobs = new Set(
      slurm("squeue", "-h", "-r", "-t", "all", "-o", "%F %i")
        .trim()
        .split("\n")
        .slice(before - 1)
        .map((line) => line.split(" ")[0]),
    );
    expect(actions.map((_, at) => shop.read(`out/o${at}`).trim())).toEqual(
      actions.map((_, at) => String(at)),
    );
    expect(jobs.size).toBeLessThan(6);
  });

  test("gets CPUs, memory, licences and devices as its own options", async () => {
    const shop = workshop({ tokens: { fpga: "gres:fpga" }, extra: ["--comment=arc"] });
    const seen: string[] = [];
    const built = await shop.build(
      [
        shell("synth", "echo up; sleep 1; echo > o", {}, ["o"], {
          resources: { cpu: 2, memory: 300 * 2 ** 20, tokens: { vivado: 1, fpga: 1 } },
        }),
      ],
      {
        onEvent: (event) => {
          if (event.type === "log")
            seen.push(slurm("squeue", "-h", "-t", "running", "-o", "%C %m %W %b %k %N"));
        },
      },
    );
    expect(built.ok).toBe(true);
    expect(seen[0]?.trim()).toMatch(/^2 300M vivado:1 gres:fpga:1 arc n1$/);
  });

  test("keeps licences from being used twice", async () => {
    const shop = workshop();
    // Actions that do the same would run once.
    const script = "date +%s%N > o; sleep 0.6; date +%s%N >> o";
    const actions = ["x", "y"].map((name) =>
      shell(name, `: ${name}; ${script}`, {}, [], {
        resources: { tokens: { vivado: 1 } },
        outputs: [{ name: "o", kind: "file", place: `out/${name}` }],
      }),
    );
    await shop.build(actions);
    const [first, second] = ["x", "y"]
      .map((name) => shop.read(`out/${name}`).trim().split("\n").map(BigInt))
      .sort((a, b) => Number((a[0] as bigint) - (b[0] as bigint))) as [bigint[], bigint[]];
    expect(second[0] as bigint).toBeGreaterThan(first[1] as bigint);
  });

  test("reports why an action waits if it waits long, and where it runs then", async () => {
    const shop = workshop({ patienceMs: 400 });
    const phases: string[] = [];
    const wait = (name: string, script: string) =>
      shell(name, script, {}, [name], { resources: { tokens: { vivado: 1 } } });
    const built = await shop.build([wait("x", "sleep 3; echo > x"), wait("y", "sleep 3; echo > y")], {
      onEvent: (event) => {
        if (event.type === "progress") phases.push(event.phase);
      },
    });
    expect(built.ok).toBe(true);
    // Until Slurm has looked at a job it has no reason.
    expect(phases).toContain("waits for a licence (Licenses)");
    expect(phases.at(-1)).toMatch(/^on n[1-3]$/);
  });

  test.each([
    ["of its own", { memory: 60 * 2 ** 20 }, "60 MiB"],
    ["of its partition", {}, "100 MiB"],
  ])(
    "says what a job had that was killed for want of memory %s, and how to ask for more",
    async (_, resources, had) => {
      const shop = workshop();
      // It holds on to what it has until Slurm looks.
      const script = "x=$(head -c 300000000 /dev/zero | tr '\\0' x); sleep 30; echo $x > o";
      const greedy = shell("greedy", script, {}, ["o"], { resources });
      const built = await shop.build([greedy]);
      const message = built.of("failed")[0]?.message ?? "";
      const used = Number(/ and used (\d+) MiB/.exec(message)?.[1]);
      expect(used).toBeGreaterThanOrEqual(60);
      // Twice the bytes that it used, of which `used` is rounded up.
      const more = [2 * used - 1, 2 * used].map((n) => (n % 1024 === 0 ? `${n / 1024} GiB` : `${n} MiB`));
      expect(
        more.map(
          (memory) =>
            `sh was killed for want of memory: it had ${had} and used ${used} MiB; give an action of the project \`memory: ${memory}\`, or all jobs \`options: [--mem=…]\` in \`executors: slurm\``,
        ),
      ).toContain(message);
      expect((await shop.build([greedy], { dryRun: true })).outcomes.get("greedy")?.verdict).toBe("run");
    },
  );

  test("runs what was short before as steps of one allocation", async () => {
    const shop = workshop({ allocationCpus: 2, shortSeconds: 600 });
    const actions = Array.from({ length: 6 }, (_, at) =>
      shell(`a${at}`, `echo ${at} > o${at}; echo out ${at}`, {}, [`o${at}`]),
    );
    await shop.build(actions);
    const built = await shop.build(actions, { force: true });
    expect(built.of("failed")).toEqual([]);
    expect(built.ran).toHaveLength(6);
    expect(slurm("squeue", "-h", "-t", "running", "-o", "%j").trim()).toBe("arc steps");
    expect(shop.engine.log("a3")).toBe("out 3\n");
    const bad = await shop.build([shell("a0", "exit 4", {}, ["o0"])]);
    expect(bad.of("failed")[0]?.message).toBe("sh exited with 4");
    await shop.engine.close();
    shop.restart();
    expect(slurm("squeue", "-h", "-t", "running,pending", "-o", "%j").trim()).toBe("");
  });

  test("of a step that takes no notice of SIGTERM, nothing runs on when its build has been stopped", async () => {
    const shop = workshop({ allocationCpus: 2, shortSeconds: 600 });
    const beats = join(shop.directory, "beats");
    const step = (script: string) => shell("a", script, {}, ["o"]);
    await shop.build([step("echo > o")]);
    const controller = new AbortController();
    let steps = "";
    const stubborn = `trap '' TERM; echo >> ${beats}; echo up; while sleep 0.1; do echo >> ${beats}; done`;
    const built = await shop.build([step(stubborn)], {
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type !== "log" || controller.signal.aborted) return;
        steps = slurm("squeue", "-s", "-h", "-o", "%i %j").trim();
        controller.abort();
      },
    });
    expect(steps).not.toBe("");
    expect(built.interrupted).toBe(true);
    const before = readFileSync(beats, "utf8");
    for (let wait = 0; wait < 10; wait += 1) await pause();
    expect(readFileSync(beats, "utf8")).toBe(before);
  });

  test("cancels the jobs of an aborted build", async () => {
    const shop = workshop();
    const controller = new AbortController();
    const built = await shop.build([shell("slow", "echo up; sleep 1000", {}, ["o"])], {
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === "log") controller.abort();
      },
    });
    expect(built.interrupted).toBe(true);
    while (slurm("squeue", "-h", "-t", "running,pending,completing", "-o", "%i").trim() !== "") await pause();
  });

  // Slurm looks at time limits once a minute.
  test.runIf(process.env.ARC_SLOW_TESTS)(
    "stops what runs over its time, and that is no fact",
    async () => {
      const shop = workshop();
      const slow = shell("slow", "echo up; sleep 1000", {}, ["o"]);
      const ended = shop.build([slow], {
        onEvent: (event) => {
          // Its limits are whole minutes: shortened here, as an operator could.
          if (event.type === "log") slurm("scontrol", "update", `JobId=${runningJob()}`, "TimeLimit=0-0:0:1");
        },
      });
      expect((await ended).of("failed")[0]?.message).toMatch(/time limit|scancel/);
      expect((await shop.build([slow], { dryRun: true })).outcomes.get("slow")?.verdict).toBe("run");
    },
    120_000,
  );

  test("loses a node: the action is tried again on another", async () => {
    const shop = workshop();
    shop.write("tries", "");
    let lost = false;
    const action = shell(
      "work",
      `echo up; test -s ${shop.path("tries")} || { echo x > ${shop.path("tries")}; sleep 1000; }; echo done > o`,
      {},
      ["o"],
    );
    const built = await shop.build([action], {
      onEvent: (event) => {
        if (event.type !== "log" || lost) return;
        lost = true;
        const node = slurm("squeue", "-h", "-t", "running", "-o", "%N").trim();
        slurm("scontrol", "update", `NodeName=${node}`, "State=DOWN", "Reason=test");
        // It may have come back by itself.
        revive = () =>
          spawnSync("scontrol", ["update", `NodeName=${node}`, "State=RESUME"], { env: environment });
      },
    });
    revive();
    expect(built.of("failed")).toEqual([]);
    expect(built.of("warning")[0]?.message).toContain("work is tried again");
    expect(shop.read("out/o")).toBe("done\n");
  }, 120_000);

  let revive: () => unknown = () => undefined;

  test("leaves no files of its own in the store", async () => {
    const shop = workshop();
    await shop.build([shell("a", "echo > o", {}, ["o"])]);
    await shop.engine.close();
    shop.restart();
    const left = readdirSync(join(shop.store, "tmp"), { recursive: true, encoding: "utf8" });
    expect(left.filter((name) => name.includes("slurm"))).toEqual([]);
  });

  function runningJob(): string {
    return slurm("squeue", "-h", "-t", "running", "-o", "%i").trim();
  }

  function pause(): Promise<void> {
    return new Promise((done) => setTimeout(done, 50));
  }
});

afterAll(stopSlurm);
