import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Executor, OutputFile, ProcessEnd } from "../../../../../core/build/run/executor.ts";
import { loadedWith, noLibrary, WAYS } from "../../ways.ts";

const folder = mkdtempSync(join(tmpdir(), "arc-local-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that was not reaped yet counts as dead.
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((done) => setTimeout(done, 5));
}

describe.each(WAYS)("processes, %s", async (way) => {
  const { LocalExecutor } = await loadedWith(
    way,
    () => import("../../../../../core/build/run/executors/local.ts"),
  );
  const { native } = await import("../../../../../core/build/native/native.ts");
  const executor: Executor = new LocalExecutor({ cpu: 2, memory: 2 ** 30, tokens: {} });

  test("are started natively exactly in the native run", ({ skip }) => {
    if (way === "native" && noLibrary !== undefined) skip(noLibrary);
    expect(native !== undefined).toBe(way === "native");
  });

  async function run(
    argv: readonly string[],
    options: { env?: Record<string, string>; timeoutSeconds?: number; signal?: AbortSignal } = {},
  ): Promise<ProcessEnd & { readonly out: string; readonly err: string }> {
    const open = (name: string): OutputFile => {
      const path = join(folder, `${name}-${Math.random()}`);
      return { path, descriptor: openSync(path, "a+") };
    };
    const out = open("out");
    const err = open("err");
    try {
      const end = await executor.run(
        {
          address: "test",
          argv,
          cwd: folder,
          env: { PATH: process.env.PATH ?? "", ...options.env },
          resources: {},
          signal: options.signal ?? new AbortController().signal,
          ...(options.timeoutSeconds === undefined ? {} : { timeoutSeconds: options.timeoutSeconds }),
        },
        out,
        err,
      );
      return { ...end, out: readFileSync(out.path, "utf8"), err: readFileSync(err.path, "utf8") };
    } finally {
      closeSync(out.descriptor);
      closeSync(err.descriptor);
    }
  }

  test("get their arguments, folder and environment, and an empty stdin", async () => {
    const end = await run(["sh", "-c", 'pwd; echo "$1|$2|$A|$HOME"; cat; echo e >&2', "sh", "a b", "'\"\n"], {
      env: { A: "x=y z" },
    });
    expect(end).toMatchObject({ code: 0, out: `${folder}\na b|'"\n|x=y z|\n`, err: "e\n" });
  });

  test("give their exit code back", async () => {
    expect((await run(["sh", "-c", "exit 7"])).code).toBe(7);
  });

  test("that a signal ended are distinguished from those that exited", async () => {
    const end = await run(["sh", "-c", "kill -SEGV $$"]);
    expect(end.code).toBeUndefined();
    expect(end.killedBy).toBe("SIGSEGV");
  });

  test("that cannot be started are an error with the program's name", async () => {
    await expect(run(["no-such-program"])).rejects.toThrow("no-such-program cannot be started");
    await expect(run([join(folder, "neither")])).rejects.toThrow("cannot be started");
  });

  test("do not inherit that broken pipes are ignored", async () => {
    const end = await run(["sh", "-c", "(yes; echo $? >&2) | head -n 1 > /dev/null; true"]);
    expect(end.err).not.toContain("Broken pipe");
  });

  test("take what they started with them when they end", async () => {
    const end = await run(["sh", "-c", "sleep 1000 & echo $!"]);
    expect(end.code).toBe(0);
    await until(() => !isAlive(Number(end.out)));
  });

  test("may be scripts that do not say what runs them", async () => {
    const script = join(folder, "script");
    writeFileSync(script, 'echo "$0|$1"\n', { mode: 0o755 });
    expect(await run([script, "a b"])).toMatchObject({ code: 0, out: `${script}|a b\n` });
  });

  describe("that end at once take those with them that left their group", () => {
    // Without it processes would have to be looked through after each small action.
    test.skipIf(way === "portable" || noLibrary !== undefined).each([
      ["by a session of their own", "setsid sh -c 'echo $$; exec sleep 1000' >&3 &"],
      ["and whose parent is still in it", "(setsid sh -c 'echo $$; exec sleep 1000' >&3; :) &"],
      [
        "with children of their own",
        "setsid sh -c 'setsid sh -c \"echo \\$\\$; exec sleep 1000\" & wait' >&3 &",
      ],
      [
        "and changed their folder and environment",
        "cd /; setsid env -i sh -c 'echo $$; exec sleep 1000' >&3 &",
      ],
    ])("%s", async (_, start) => {
      const told = `${folder}/told`;
      const end = await run([
        "sh",
        "-c",
        `exec 3> "${told}"; ${start}\nwhile ! test -s "${told}"; do :; done`,
      ]);
      expect(end.code).toBe(0);
      expect(isAlive(Number(readFileSync(told, "utf8")))).toBe(false);
      rmSync(told);
    });

    test.skipIf(way === "portable" || noLibrary !== undefined)("but not others' that still run", async () => {
      const [told, over] = [`${folder}/told`, `${folder}/over`];
      const helper = `cd /; setsid env -i sh -c 'echo $$ > "${told}"; exec sleep 1000' &`;
      const ending = run(["sh", "-c", `${helper}\nuntil test -e "${over}"; do sleep 0.01; done`]);
      await until(() => existsSync(told) && readFileSync(told, "utf8") !== "");
      const pid = Number(readFileSync(told, "utf8"));
      for (let at = 0; at < 3; at++) await run(["true"]);
      expect(isAlive(pid)).toBe(true);
      writeFileSync(over, "");
      await ending;
      expect(isAlive(pid)).toBe(false);
      for (const file of [told, over]) rmSync(file);
    });
  });

  test("are stopped whole when their time is up", async () => {
    const end = await run(["sh", "-c", "sh -c 'echo $$; sleep 1000' & wait"], { timeoutSeconds: 0.1 });
    expect(end.timedOut).toBe(true);
    await until(() => !isAlive(Number(end.out)));
  });

  test("that do not listen are stopped for certain", async () => {
    const controller = new AbortController();
    const ending = run(["sh", "-c", "trap '' TERM; echo $$ > started; while :; do sleep 1; done"], {
      signal: controller.signal,
    });
    await until(() => {
      try {
        return readFileSync(join(folder, "started"), "utf8") !== "";
      } catch {
        return false;
      }
    });
    controller.abort();
    const end = await ending;
    expect(end.aborted).toBe(true);
    expect(end.killedBy).toBe("SIGKILL");
    rmSync(join(folder, "started"));
  });

  test("of an aborted build are not started at all", async () => {
    const end = await run(["sh", "-c", "echo never"], { signal: AbortSignal.abort() });
    expect(end).toMatchObject({ aborted: true, out: "" });
  });

  test("report their own exits where many run at once", async () => {
    const ends = await Promise.all(
      Array.from({ length: 60 }, (_, at) => run(["sh", "-c", `echo ${at}; exit ${at}`])),
    );
    expect(ends.map((end) => [end.code, end.out])).toEqual(ends.map((_, at) => [at, `${at}\n`]));
  });
});
