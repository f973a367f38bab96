/**
 * What surrounds arc when it starts is not as it should be: streams are closed, limits are low, names in the
 * environment lead nowhere; alone and in random pairs. A build is right or fails with words, and the next one is right.
 * `ARC_PROPERTIES=10` tries ten times as many pairs.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedsOf } from "../../cases.ts";
import { arcProgram, Rig } from "../rig.ts";

const yaml = `arc: 1
project: p
actions:
  upper: { run: [sh, -c, "tr a-z A-Z < a > out/u; echo did"], inputs: [a], outputs: [out/u] }
  big: { run: [sh, -c, "tr a-z A-Z < a > out/big; head -c 180000 /dev/zero >> out/big"], inputs: [a], outputs: [out/big] }
  folder: { run: [sh, -c, "mkdir -p out/d; cat out/u > out/d/x"], inputs: [out/u], outputs: [out/d/] }
  program: { run: [cc, c.c, -include, a.h, -o, out/c], inputs: [c.c, a.h], outputs: [out/c] }
  header: { run: [sed, 's/.*/static const char a[] = "&";/', a], inputs: [a], outputs: [a.h], stdout: a.h }
`;

const program = "#include <stdio.h>\nint main(void) { return puts(a) < 0; }\n";

const project = { "arc.yaml": yaml, a: "a", "c.c": program };

/** Where names in the environment lead: files and programs that must not be taken for those of the project or system. */
const elsewhere = {
  "stdio.h": "#error not this one\n",
  "a.h": "#error not this one\n",
  "libc.so": "INPUT(not-this-one.o)\n",
  "libc.so.6": "not this one\n",
  "crt1.o": "not this one\n",
  cc1: "#!/bin/sh\nexit 9\n",
  as: "#!/bin/sh\nexit 9\n",
  ld: "#!/bin/sh\nexit 9\n",
  collect2: "#!/bin/sh\nexit 9\n",
  rc: "exit 9\n",
  "arc/cas": "not a folder\n",
};

const asNobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
const isRoot = process.getuid?.() === 0 && spawnSync("setpriv", [...asNobody, "true"]).status === 0;

/** Shell commands before arc starts. */
const surroundings = {
  "no input": "exec <&-",
  "no output": "exec >&-",
  "no error output": "exec 2>&-",
  "few open files": "ulimit -n 40",
  "very few open files": "ulimit -n 26",
  "no long files": "ulimit -f 100",
  "short files": "ulimit -f 2",
  "no files": "ulimit -f 0",
  "a small stack": "ulimit -s 512",
  "no core": "ulimit -c 0",
  "all may write": "umask 000",
  "nobody else may read": "umask 077",
  "nobody may read": "umask 777",
  "no home": "unset HOME",
  "a home that is not there": "export HOME=/nonexistent/home",
  "no folder for temporary files": "export TMPDIR=/nonexistent",
  "another language": "export LANG=zh_CN.GBK LC_ALL=zh_CN.GBK",
  "a simple terminal": "export TERM=dumb",
  "no terminal": "unset TERM",
  "headers elsewhere": "export CPATH=$PWD/else C_INCLUDE_PATH=$PWD/else CPLUS_INCLUDE_PATH=$PWD/else",
  "libraries elsewhere": "export LIBRARY_PATH=$PWD/else LD_RUN_PATH=$PWD/else",
  "parts of the compiler elsewhere": "export COMPILER_PATH=$PWD/else GCC_EXEC_PREFIX=$PWD/else/",
  "options for the compiler":
    "export CFLAGS=-DX LDFLAGS=-static GCC_COMPARE_DEBUG=1 DEPENDENCIES_OUTPUT=$PWD/else/d",
  "folders of the user elsewhere":
    "export XDG_CACHE_HOME=$PWD/else XDG_CONFIG_HOME=$PWD/else XDG_DATA_HOME=$PWD/else XDG_RUNTIME_DIR=$PWD/else",
  "a home that is a file": "export HOME=$PWD/a",
  "a home named from here": "export HOME=else",
  "a folder for temporary files named from here": "export TMPDIR=else TEMP=else TMP=else",
  "options for Node": "export NODE_OPTIONS=--no-deprecation NODE_PATH=$PWD/else NODE_ENV=production",
  "folders of programs named from here": "export PATH=:out:$PATH:.",
  "a shell with other words":
    "export CDPATH=/:.. ENV=$PWD/else/rc BASH_ENV=$PWD/else/rc POSIXLY_CORRECT=1 IFS=a",
  "another time": "export TZ=:/nonexistent LC_TIME=ja_JP.UTF-8",
  "a library to begin with that is not there": "export LD_PRELOAD=/nonexistent.so",
  "a reader that goes": "exec 2>&1 >/dev/null | head -c 1",
} as const;
type Surrounding = keyof typeof surroundings;
const names = Object.keys(surroundings) as Surrounding[];

/** Where nobody can read what arc says. */
const silent: readonly Surrounding[] = ["no error output", "a reader that goes"];

const pairs = seedsOf(8).map((seed): readonly Surrounding[] => {
  const at = (by: number): Surrounding => names[Math.imul(seed + 7, by) % (names.length - 1)] as Surrounding;
  return [at(31), at(113)];
});

describe("a build", () => {
  let rig: Rig;
  let edits = 0;
  beforeAll(async () => {
    rig = new Rig(project);
    for (const [name, text] of Object.entries(elsewhere)) {
      rig.write(`else/${name}`, text);
      chmodSync(join(rig.folder, "else", name), 0o755);
    }
    expect(await rig.arc(["build"])).toMatchObject({ status: 0 });
  });
  afterAll(() => rmSync(rig.root, { recursive: true }));

  function expectOutputs(text: string): void {
    expect(spawnSync(join(rig.folder, "out/c"), { encoding: "utf8" }).stdout).toBe(text);
    expect(rig.read("out/u")).toBe(text.toUpperCase());
    expect(rig.read("out/d/x")).toBe(text.toUpperCase());
    expect(rig.read("out/big")).toBe(text.toUpperCase() + "\0".repeat(180_000));
  }

  test.each([...names.map((name) => [name] as const), ...pairs])("with %s, %s", async (...given) => {
    edits += 1;
    const text = `edit ${edits}\n`;
    rig.write("a", text);
    const commands = given.map((name) => surroundings[name]).filter((command) => !command.includes("|"));
    const pipe = given.includes("a reader that goes") ? "2>&1 >/dev/null | head -c 1" : "";
    const script = [...commands, `"${arcProgram}" build -j2 ${pipe}`].join("\n");
    const { status, err } = await rig.run("sh", ["-c", script]);
    if (pipe === "") {
      if (status === 0) expectOutputs(text);
      else if (!given.some((name) => silent.includes(name))) expect(err).toMatch(/arc: |failed/);
      expect(err).not.toMatch(/\n\s+at |mistake in arc|EBADF/);
    }
    const next = await rig.arc(["build"]);
    expect(next).toMatchObject({ status: 0 });
    expectOutputs(text);
    const kept = ["journal", "graph", "last-build.json", "places"].map((name) =>
      readFileSync(join(rig.folder, ".arc", name), "latin1"),
    );
    for (const bytes of kept) expect(bytes).not.toMatch(/arc: (done|failed)/);
  });

  test.each([
    ...["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"],
    ...["SIGUSR2", "SIGVTALRM", "SIGXCPU", "SIGPWR", "SIGIO"],
  ])("that %s ends stops what it started", async (signal) => {
    const slow = `arc: 1
project: p
actions:
  slow: { run: [sh, -c, "echo $$ > ${rig.root}/pid; exec sleep 30"], inputs: [a], outputs: [out/s] }
`;
    const own = new Rig({ "arc.yaml": slow, a: signal });
    const script = `"${arcProgram}" build & arc=$!
      until [ -s ${rig.root}/pid ]; do sleep 0.05; done
      kill -${signal.slice(3)} $arc; wait $arc; echo ended $?
      kill -0 $(cat ${rig.root}/pid) 2>/dev/null && echo still there; rm ${rig.root}/pid`;
    const { out } = await own.run("sh", ["-mc", script]);
    rmSync(own.root, { recursive: true });
    expect(out).toBe("ended 130\n");
  });

  test.each(["", "ARC_NATIVE=0"])(
    "that two signals end stops also what takes no notice of the first, %s",
    async (env) => {
      const stubborn = `arc: 1
project: p
actions:
  slow: { run: [sh, -c, "trap '' TERM; echo $$ > ${rig.root}/pid; exec sleep 30"], inputs: [a], outputs: [out/s] }
`;
      const own = new Rig({ "arc.yaml": stubborn, a: env });
      const script = `env ${env} "${arcProgram}" build & arc=$!
      until [ -s ${rig.root}/pid ]; do sleep 0.05; done
      kill $arc; sleep 0.3; kill $arc; wait $arc; echo ended $?; sleep 0.3
      grep -q '^State:.[^ZX]' /proc/$(cat ${rig.root}/pid)/status 2>/dev/null && echo still there; rm ${rig.root}/pid`;
      const { out } = await own.run("sh", ["-mc", script]);
      rmSync(own.root, { recursive: true });
      expect(out).toBe("ended 130\n");
    },
  );

  test("that waits for another one is ended by a signal without more words", async () => {
    const own = new Rig(project);
    const script = `mkdir .arc; echo "7-100-elsewhere~1" > .arc/lock
      "${arcProgram}" build 2>log & arc=$!
      until grep -q "waiting for another arc" log; do sleep 0.05; done
      kill $arc; wait $arc; echo ended $?; grep -v waiting log`;
    const { out } = await own.run("sh", ["-mc", script]);
    rmSync(own.root, { recursive: true });
    expect(out).toBe("ended 130\n");
  });

  test("in a folder whose name is no text is refused, and takes no other folder for the project", async () => {
    const own = new Rig(project);
    const script = `cd "$(printf '../\\377')" && "${arcProgram}" build; echo ended $?`;
    const made = await own.run("sh", [
      "-c",
      `cp -r ../project "$(printf '../\\377')"; mkdir "$(printf '\\377')"; ${script}; cd ../project; ${script.replace("../", "")}`,
    ]);
    expect(made.out).toBe("ended 2\nended 2\n");
    expect(made.err).toMatch(
      /^(arc: the name of this folder, .*, is no text in UTF-8\n {2}try: rename the folder\n){2}$/,
    );
    expect(own.has("out")).toBe(false);
    rmSync(own.root, { recursive: true });
  });

  test.runIf(isRoot)("of one who is not root, under a mask that lets nobody use what is made", async () => {
    const own = new Rig(project);
    chmodSync(own.root, 0o755);
    for (const folder of [own.folder, own.store]) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, 0o777);
    }
    const script = `umask 777; "${arcProgram}" build; echo $?; umask 022; "${arcProgram}" build; cat out/d/x`;
    const { out, err } = await own.run("setpriv", [...asNobody, "sh", "-c", script]);
    rmSync(own.root, { recursive: true });
    expect(err).toMatch(/^(ran .*\n| {2}did\n)+arc: done: 5 ran .*\narc: done: 5 up to date\n$/);
    expect(out).toBe("0\nA");
  });

  test("with a log of millions of lines needs a bounded memory", async () => {
    const own = new Rig({
      a: "a",
      "arc.yaml": `arc: 1
project: p
actions:
  loud: { run: [sh, -c, "yes | head -c 40000000; cp a out/l"], inputs: [a], outputs: [out/l] }
`,
    });
    const env = { NODE_OPTIONS: "--max-old-space-size=600" };
    const script = `"${arcProgram}" build 2> log; echo $?; head -n 2 log; tail -n 2 log`;
    const { out } = await own.run("sh", ["-c", script], { env });
    rmSync(own.root, { recursive: true });
    expect(out).toMatch(/^0\nran .*\n {2}y\n {2}y\narc: done: 1 ran/);
  });
});
