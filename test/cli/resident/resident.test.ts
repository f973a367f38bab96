/** Calls of `arc cc` that a resident compiler runs: that they do what a process of their own does. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { arcProgram, type Outcome, Rig, type RunOptions } from "../rig.ts";

const loop = (text: string) =>
  `#include <stdio.h>\nvoid f(int *a) {\n#pragma acc parallel loop copy(a[0:9])\n  for (int i = 0; i < 9; i++) a[i] = ${text};\n}\n`;

const rig = new Rig(
  {
    "loop.c": loop("i"),
    "plain.c": "int f(void) { return g; }\n",
    "warned.c": loop("i + (unused(), 0)"),
    "refused.c": loop("i").replace("copy(a[0:9])", "copy(b[0:9])"),
    "broken.c": loop("i +"),
    "program.c": `#include <stdio.h>\nint main(void) {\n  int a[9];\n#pragma acc parallel loop\n  for (int i = 0; i < 9; i++) a[i] = i;\n  printf("%d\\n", a[8]);\n}\n`,
    "inner/header.h": "#define N 9\n",
    "inner/other.c": `#include "header.h"\n${loop("N")}`,
  },
  "shared",
);
const runtime = path.join(rig.root, "run");
const folder = path.join(runtime, "arc");
mkdirSync(runtime, { mode: 0o700 });
rig.tool("noted-cc", `echo $PPID > ${rig.root}/parent; exec cc "$@"`);
const env = { XDG_RUNTIME_DIR: runtime, CC: "noted-cc", TMPDIR: rig.root };
const resident = { ...env, ARC_RESIDENT: "1" };

const call = (args: readonly string[], options: RunOptions = {}) =>
  rig.arc(["cc", "-acc", ...args], { ...options, env: { ...resident, ...options.env } });
const alone = (args: readonly string[], options: RunOptions = {}) =>
  rig.arc(["cc", "-acc", ...args], { ...options, env: { ...env, ...options.env } });
/** The process that ran the C compiler last. */
const parent = () => Number(rig.readOutside("parent"));

/** Those of this test. */
const residents = () =>
  readdirSync("/proc").flatMap((id) => {
    try {
      const text = readFileSync(`/proc/${id}/environ`, "latin1");
      const isOwn = text.includes("ARC_RESIDENT_SOCKET=") && text.includes(`TMPDIR=${rig.root}`);
      return isOwn ? [Number(id)] : [];
    } catch {
      return [];
    }
  });
const sockets = () =>
  existsSync(folder) ? readdirSync(folder).filter((name) => !/\.(lock|life)$/.test(name)) : [];

/** Sockets that a process listens at. */
const listening = () =>
  sockets().filter((name) => readFileSync("/proc/net/unix", "latin1").includes(`${folder}/${name}`));

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 50) {
    if (waited > 20_000) throw new Error("waited in vain");
    await sleep(50);
  }
}

async function start(): Promise<void> {
  if (listening().length > 0) return;
  expect((await call(["-c", "loop.c", "-o", "first.o"])).status).toBe(0);
  await until(() => listening().length > 0);
}

function end(): Promise<void> {
  for (const id of residents()) process.kill(id, "SIGKILL");
  // What a killed one was running may hold its socket a little longer.
  return until(() => residents().length === 0 && listening().length === 0);
}

afterEach(() => rmSync(path.join(rig.root, "parent"), { force: true }));
afterAll(async () => {
  await end();
  rmSync(rig.root, { recursive: true });
});

const isHere = existsSync(path.join(arcProgram, "../../dist/launcher"));

describe.skipIf(!isHere)("a resident compiler", () => {
  it("is not there unless it is asked for, and runs the calls after the one that starts it", async () => {
    expect(await alone(["-c", "loop.c"])).toEqual({ status: 0, out: "", err: "" });
    expect(residents()).toEqual([]);
    await start();
    const [id] = residents();
    expect(parent()).not.toBe(id);
    rig.write("loop.c", loop("i + 1"));
    expect(await call(["-c", "loop.c"])).toEqual({ status: 0, out: "", err: "" });
    expect(parent()).toBe(id);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  /** Each writes what it makes to `out`, if it makes anything. */
  const calls: readonly (readonly string[])[] = [
    ["-c", "loop.c", "-o", "out"],
    ["-S", "loop.c", "-o", "out"],
    ["-S", "loop.c", "-o", "-"],
    ["-E", "loop.c", "-o", "out"],
    ["-Wall", "-c", "warned.c", "-o", "out"],
    ["-c", "plain.c"],
    ["-c", "refused.c"],
    ["-c", "broken.c"],
    ["-c", "none.c"],
    ["-c", "loop.c", "plain.c", "-o", "out"],
    ["-target", "no-such-kind", "-c", "loop.c"],
    ["-MD", "-MF", "out", "-c", "loop.c"],
    ["program.c", "-o", "out"],
    ["--version"],
    [],
  ];
  it.each(calls)("answers as a process of its own does: %s %s %s %s %s", async (...given) => {
    const args = given.filter((word) => word !== undefined);
    const made = (outcome: Outcome) => {
      const out = rig.has("out") ? rig.read("out") : "";
      if (rig.has("out")) rig.remove("out");
      return { ...outcome, made: out };
    };
    await start();
    const expected = made(await alone(args));
    expect(made(await call(args))).toEqual(expected);
    // Once more: it has seen the source.
    expect(made(await call(args))).toEqual(expected);
  });

  it("takes the caller's folder, variables and umask for each call", async () => {
    await start();
    const [id] = residents();
    const other = ["-c", "other.c", "-o", "other.o"];
    expect(await call(other, { cwd: "inner" })).toEqual({ status: 0, out: "", err: "" });
    expect(parent()).toBe(id);
    rig.tool("refusing-cc", "echo refused >&2; exit 3");
    const refused = { env: { CC: "refusing-cc" }, cwd: "inner" };
    expect((await call(other, refused)).err).toBe((await alone(other, refused)).err);
    const masked = `umask 077; exec "$0" cc -acc -c other.c -o masked.o`;
    const { status } = await rig.run("sh", ["-c", masked, arcProgram], { cwd: "inner", env: resident });
    expect(status).toBe(0);
    expect(parent()).toBe(id);
    expect(statSync(path.join(rig.folder, "inner/masked.o")).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(rig.folder, "inner/other.o")).mode & 0o777).toBe(0o644);
  });

  it("does not read the caller's standard input, and runs nothing under other limits", async () => {
    await start();
    const [id] = residents();
    expect(await call(["-x", "c", "-c", "-", "-o", "read.o"], { stdin: loop("i + 2") })).toEqual({
      status: 0,
      out: "",
      err: "",
    });
    expect(parent()).not.toBe(id);
    const limited = `ulimit -c 0; ulimit -n 500; exec "$0" cc -acc -c loop.c -o limited.o`;
    rig.write("loop.c", loop("i + 3"));
    expect((await rig.run("sh", ["-c", limited, arcProgram], { env: resident })).status).toBe(0);
    expect(parent()).not.toBe(id);
  });

  it("ends with a call that it cannot answer any more, which the caller then runs itself", async () => {
    await end();
    await start();
    const [id = 0] = residents();
    // It ends in the middle of the call, after the compiler was started.
    rig.tool("killing-cc", `[ $PPID = ${id} ] && kill -9 $PPID; exec cc "$@"`);
    rig.write("loop.c", loop("i + 4"));
    expect(await call(["-c", "loop.c", "-o", "killed.o"], { env: { CC: "killing-cc" } })).toEqual({
      status: 0,
      out: "",
      err: "",
    });
    expect(residents()).not.toContain(id);
    // What it left is no hindrance.
    await end();
    await start();
    rig.write("loop.c", loop("i + 5"));
    expect((await call(["-c", "loop.c"])).status).toBe(0);
    expect(parent()).toBe(residents()[0]);
  });

  it("stops what it runs when the caller is interrupted, and goes on", async () => {
    await start();
    const [id] = residents();
    rig.tool(
      "slow-cc",
      `case " $* " in *" -c "*) echo $$ > ${rig.root}/slow; exec sleep 60;; esac; exec cc "$@"`,
    );
    const slow = path.join(rig.root, "slow");
    rig.write("loop.c", loop("i + 6"));
    const caller = spawn(arcProgram, ["cc", "-acc", "-c", "loop.c"], {
      cwd: rig.folder,
      env: {
        ...process.env,
        ARC_STORE: rig.store,
        PATH: `${rig.bin}:${process.env.PATH}`,
        LANG: "C",
        ...resident,
        CC: "slow-cc",
      },
    });
    const ended = new Promise((resolve) => caller.on("exit", (status) => resolve(status)));
    await until(() => existsSync(slow) && readFileSync(slow, "utf8").endsWith("\n"));
    const running = Number(readFileSync(slow, "utf8"));
    caller.kill("SIGINT");
    expect(await ended).toBe(130);
    await until(() => !existsSync(`/proc/${running}`));
    expect((await call(["-c", "loop.c"])).status).toBe(0);
    expect(parent()).toBe(id);
  });

  it("is one of several when calls come at once, and all are answered", async () => {
    await start();
    const all = Array.from({ length: 6 }, async (_, at) => {
      rig.write(`at-once-${at}.c`, loop(`i + ${10 + at}`));
      return call(["-c", `at-once-${at}.c`]);
    });
    expect(await Promise.all(all)).toEqual(all.map(() => ({ status: 0, out: "", err: "" })));
    for (const at of all.keys()) expect(rig.has(`at-once-${at}.o`)).toBe(true);
  });

  it("is in no folder that others may enter", async () => {
    await end();
    chmodSync(folder, 0o755);
    const before = sockets();
    rig.write("loop.c", loop("i + 7"));
    expect((await call(["-c", "loop.c"])).status).toBe(0);
    expect(sockets()).toEqual(before);
    expect(residents()).toEqual([]);
    chmodSync(folder, 0o700);
  });

  it("ends when nobody called it for as long as is said", async () => {
    await end();
    for (const name of sockets()) rmSync(path.join(folder, name));
    const brief = { env: { ARC_RESIDENT_MINUTES: "0.05" } };
    rig.write("loop.c", loop("i + 8"));
    expect((await call(["-c", "loop.c"], brief)).status).toBe(0);
    await until(() => listening().length > 0);
    await until(() => residents().length === 0);
    expect(sockets()).toEqual([]);
  });
});
