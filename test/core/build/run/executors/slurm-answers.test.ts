/** What arc makes of answers that a Slurm at hand never gives: its programs are scripts here. */
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { SlurmExecutor, type SlurmOptions } from "../../../../../core/build/run/executors/slurm.ts";
import { shell, Workshop } from "../../workshop.ts";

type Program = "sbatch" | "squeue" | "salloc" | "srun" | "scancel";

const folders: string[] = [];
const executors: SlurmExecutor[] = [];

afterEach(async () => {
  for (const executor of executors.splice(0)) await executor.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "arc-slurm-answers-"));
  folders.push(folder);
  return folder;
}

/** Runs the script, which is its last argument, as a node would. */
const RUN = `for script; do :; done; sh "$script" 2>/dev/null`;
/** Says that there is no such job any more, as squeue does of what ended long ago. */
const FORGOTTEN = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1";

/** PATH and a folder (`$HERE`) for programs that answer so. */
function answering(answers: Partial<Record<Program, string>>) {
  const here = newFolder();
  const all = { sbatch: `${RUN}; echo 7`, squeue: FORGOTTEN, scancel: "", ...answers };
  for (const [program, script] of Object.entries(all)) {
    writeFileSync(join(here, program), `#!/bin/sh\n${script}\n`);
    chmodSync(join(here, program), 0o755);
  }
  return { PATH: `${here}:${process.env.PATH}`, HERE: here };
}

function workshop(environment: SlurmOptions["environment"]): Workshop {
  return new Workshop({
    executorOf: () => "slurm",
    executors: [(folder) => new SlurmExecutor({ folder, environment, pollMs: 20 })],
  });
}

const action = shell("work", "echo done > o", {}, ["o"]);

/** Says so at the first call, and `then` at others. */
const first = (name: string, script: string, then: string): string =>
  `if [ -e "$HERE/${name}" ]; then ${then}; else touch "$HERE/${name}"; ${script}; fi`;

describe("an action ends well", () => {
  test.each<[string, Partial<Record<Program, string>>]>([
    [
      "when a site's sbatch says more than the number",
      {
        sbatch: `echo; echo 'Welcome!'; ${RUN}; echo '7;far'`,
        squeue: `for id; do :; done; case $id in 7) echo '7|COMPLETED||n1';; *) echo "$id|CANCELLED||n1";; esac`,
      },
    ],
    [
      "when Slurm's server restarts",
      {
        squeue: first(
          "asked",
          "echo 'Unable to contact slurm controller' >&2; exit 1",
          "echo '7|COMPLETED||n1'",
        ),
      },
    ],
    [
      "when squeue says what is no row",
      { squeue: first("asked", "echo 'hello|'", "echo '7|COMPLETED|None|n1'") },
    ],
    [
      "when it was preempted before",
      { squeue: first("asked", "echo '7|PREEMPTED||n1'", "echo '7|COMPLETED||n1'") },
    ],
    [
      "when its exit code is there before what is in it",
      {
        sbatch: `${RUN}; file="\${script%.sh}.exit"; mv "$file" "$file.late"; : > "$file"; echo 7`,
        squeue: first(
          "asked",
          ":",
          `for file in $(find "$STORE" -name '*.late'); do mv "$file" "\${file%.late}"; done`,
        ),
      },
    ],
  ])("%s", async (_, answers) => {
    const environment = answering(answers);
    const shop = workshop({ ...environment, STORE: undefined });
    await shop.restart({
      executors: [
        (folder) => new SlurmExecutor({ folder, environment: { ...environment, STORE: folder }, pollMs: 20 }),
      ],
    });
    const built = await shop.build([action]);
    expect(built.of("failed")).toEqual([]);
    expect(shop.read("out/o")).toBe("done\n");
  });
});

describe("an action fails, is not kept as failed, and its message says", () => {
  test.each<[string, Partial<Record<Program, string>>, string | RegExp]>([
    ["that sbatch gave no number", { sbatch: "echo 'Thank you'" }, /^sbatch said: Thank you; look at sinfo/],
    ["that sbatch said nothing", { sbatch: ":" }, /^sbatch said nothing; look at sinfo/],
    [
      "why sbatch refused",
      { sbatch: "echo 'sbatch: error: invalid partition specified: x' >&2; exit 1" },
      /^sbatch: sbatch: error: invalid partition specified: x; look at sinfo/,
    ],
    ["who cancelled it", { squeue: "echo '7|CANCELLED||n1'" }, "sh was ended by scancel"],
    [
      "that the partition's time was over",
      { squeue: "echo '7|TIMEOUT||n1'" },
      "sh was stopped by a time limit that arc did not set",
    ],
    [
      "how much memory it had",
      {
        squeue: `case "$*" in *tres-alloc*) echo 'cpu=1,mem=1.5G,node=1';; *) echo '7|OUT_OF_MEMORY||n1';; esac`,
      },
      /^sh was killed for want of memory: it had 1536 MiB; .*`memory: 3 GiB`/,
    ],
    [
      "that it had too little, when Slurm does not say how much",
      { squeue: `case "$*" in *tres-alloc*) exit 1;; *) echo '7|OUT_OF_MEMORY||n1';; esac` },
      /^sh was killed for want of memory; .*`memory: …`/,
    ],
  ])("%s", async (_, answers, message) => {
    const shop = workshop(answering(answers));
    const built = await shop.build([action]);
    expect(built.of("failed")[0]?.message).toEqual(
      typeof message === "string" ? message : expect.stringMatching(message),
    );
    expect((await shop.build([action], { dryRun: true })).outcomes.get("work")?.verdict).toBe("run");
  });

  test("that Slurm is not installed", async () => {
    const built = await workshop({ PATH: newFolder() }).build([action]);
    expect(built.of("failed")[0]?.message).toMatch(/^Slurm's sbatch is not on PATH; install/);
  });
});

describe("short actions", () => {
  function run(environment: SlurmOptions["environment"]) {
    const folder = newFolder();
    const executor = new SlurmExecutor({ folder, environment, allocationCpus: 2 });
    executors.push(executor);
    const file = { path: join(folder, "log"), descriptor: openSync(join(folder, "log"), "a") };
    const request = {
      address: "short",
      argv: ["sh", "-c", "echo ran"],
      cwd: folder,
      env: { PATH: process.env.PATH ?? "" },
      resources: {},
      expectedSeconds: 1,
      signal: new AbortController().signal,
    };
    return { again: () => executor.run(request, file, file), log: () => readFileSync(file.path, "utf8") };
  }
  const grant = `echo x >> "$HERE/grants"; echo "salloc: Granted job allocation $(wc -l < "$HERE/grants")" >&2`;

  test.each([
    ["over", "echo '1|TIMEOUT||n1'"],
    ["forgotten", FORGOTTEN],
  ])("get a new allocation when theirs is %s", async (_, squeue) => {
    const environment = answering({
      salloc: grant,
      srun: `case "$*" in *--jobid=1\\ *) echo 'srun: error: Unable to confirm allocation for job 1' >&2; exit 1;; esac; ${RUN}`,
      squeue,
    });
    const { again, log } = run(environment);
    expect(await again()).toMatchObject({
      lost: true,
      killedBy: expect.stringContaining("Unable to confirm"),
    });
    expect(await again()).toMatchObject({ code: 0 });
    expect(log()).toBe("ran\n");
  });

  test.each([
    ["it goes on", "echo '1|RUNNING||n1'"],
    ["Slurm's server restarts", "echo 'Unable to contact slurm controller' >&2; exit 1"],
  ])("keep their allocation when a step is lost, and %s", async (_, squeue) => {
    const environment = answering({
      salloc: grant,
      srun: first("lost", "echo 'srun: error: Node failure' >&2; exit 1", RUN),
      squeue,
    });
    const { again } = run(environment);
    expect(await again()).toMatchObject({ lost: true });
    expect(await again()).toMatchObject({ code: 0 });
    expect(readFileSync(join(environment.HERE, "grants"), "utf8")).toBe("x\n");
  });

  test("ask for an allocation again when none was granted", async () => {
    const environment = answering({
      salloc: first("refused", "echo 'salloc: Pending job allocation 3' >&2", grant),
      srun: RUN,
    });
    const { again } = run(environment);
    await expect(again()).rejects.toThrow("salloc said: salloc: Pending job allocation 3");
    expect(await again()).toMatchObject({ code: 0 });
  });

  test("that were killed for want of memory say so", async () => {
    const { again } = run(
      answering({ salloc: grant, srun: "echo 'slurmstepd: error: Detected 1 oom_kill event' >&2; exit 1" }),
    );
    expect(await again()).toMatchObject({ outOfMemory: { remedy: expect.any(Function) } });
  });
});

test("a job asks for what the project's `executors:` names, and for its time in whole minutes", async () => {
  const environment = answering({ sbatch: `echo "$@" > "$HERE/asked"; ${RUN}; echo 7` });
  const shop = new Workshop({
    executorOf: () => "slurm",
    executors: [
      (folder) =>
        new SlurmExecutor({
          ...{ folder, environment, pollMs: 20, limits: { timeoutSeconds: 61 } },
          ...{ partition: "fast", account: "us", qos: "high", extra: ["--comment=x"] },
        }),
    ],
  });
  expect((await shop.build([action])).ok).toBe(true);
  expect(readFileSync(join(environment.HERE, "asked"), "utf8")).toContain(
    " --cpus-per-task=1 --time=2 --partition=fast --account=us --qos=high --comment=x ",
  );
});
