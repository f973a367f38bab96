import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { lineDiff } from "../../../cli/show/line-diff.ts";
import { Background } from "../background.ts";
import { arcProgram, Rig } from "../rig.ts";

const copying = `arc: 1
project: p
actions:
  copy: { run: [cat, src/in.txt], inputs: [src/in.txt], outputs: [made/a], stdout: made/a, deterministic: true }
  count: { run: [wc, -l, made/a], inputs: [made/a], outputs: [made/n], stdout: made/n }
`;

const watches: Background[] = [];
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.end("SIGKILL");
});

function watching(rig: Rig, args: readonly string[] = [], program = arcProgram): Background {
  const watch = new Background(rig, ["watch", ...args], {}, program);
  watches.push(watch);
  return watch;
}

const count = (text: string, pattern: RegExp): number => (text.match(pattern) ?? []).length;

/** Waits until it has waited for changes `times` times. */
const waits = (watch: Background, times: number): Promise<void> =>
  watch.until((said) => count(said, /waiting for changes/g) >= times);

/** Waits until the file contains the text, whatever the watch prints meanwhile. */
async function holds(watch: Background, rig: Rig, place: string, text: string): Promise<void> {
  const isThere = (): boolean => rig.has(place) && rig.read(place) === text;
  let times = 0;
  while (!isThere()) {
    times += 1;
    const seen = watch.err.length;
    await watch.until(() => isThere() || watch.err.length > seen);
  }
  expect(times).toBeLessThan(1000);
}

/** At once whole: what a build may see half of is two edits. */
function saveWhole(rig: Rig, name: string, text: string): void {
  const whole = path.join(rig.root, "whole");
  writeFileSync(whole, text);
  renameSync(whole, path.join(rig.folder, name));
}

describe("arc watch", () => {
  it("builds, waits, builds again on a save, and says what changed and what ran", async () => {
    const rig = new Rig({ "arc.yaml": copying, "src/in.txt": "one\n", "README.md": "" });
    const watch = watching(rig);
    await waits(watch, 1);
    expect(rig.read("made/a")).toBe("one\n");
    rig.write("src/in.txt", "two\n");
    await waits(watch, 2);
    expect(rig.read("made/a")).toBe("two\n");
    expect(watch.err).toMatch(/\nchanged: src\/in\.txt\nran .* cat src\/in\.txt\nran .* wc -l/);
    rig.write("README.md", "read me\n");
    await waits(watch, 3);
    expect(watch.err).toMatch(/changed: README\.md\nnothing that is built depends on it\n/);
    expect(await watch.end()).toBe(130);
    // What the build wrote itself was no change to build for.
    expect(count(watch.err, /changed:/g)).toBe(2);
  });

  it("answers neither its own words nor what nobody reads twice, until somebody reads it", async () => {
    const rig = new Rig({ "arc.yaml": copying, "src/in.txt": "one\n", "notes.txt": "", "log.txt": "" });
    rig.tool("watched", `exec '${arcProgram}' watch 2> log.txt`);
    const watch = new Background(rig, [], {}, path.join(rig.bin, "watched"));
    watches.push(watch);
    const log = async (pattern: RegExp, times = 1): Promise<void> =>
      expect.poll(() => count(rig.read("log.txt"), pattern), { timeout: 30_000 }).toBe(times);
    await log(/waiting/g);
    saveWhole(rig, "notes.txt", "some\n");
    await log(/nothing that is built depends on it\nwaiting/g);
    saveWhole(rig, "notes.txt", "more\n");
    saveWhole(rig, "src/in.txt", "two\n");
    await log(/waiting/g, 3);
    expect(rig.read("log.txt")).toMatch(/changed: (notes\.txt, )?src\/in\.txt\n/);
    saveWhole(rig, "arc.yaml", copying.replaceAll("src/in.txt", "notes.txt"));
    await log(/waiting/g, 4);
    expect(rig.read("made/a")).toBe("more\n");
    saveWhole(rig, "notes.txt", "most\n");
    await log(/waiting/g, 5);
    expect(rig.read("made/a")).toBe("most\n");
    expect(count(rig.read("log.txt"), /changed:/g)).toBe(4);
  });

  it("sees editors that rename a new file over the old one, and folders that go and come back", async () => {
    const rig = new Rig({ "arc.yaml": copying, "src/in.txt": "one\n" });
    const watch = watching(rig);
    await waits(watch, 1);
    for (const text of ["two\n", "three\n", "four\n"]) {
      rig.write("src/.in.txt.swp", text);
      renameSync(path.join(rig.folder, "src/.in.txt.swp"), path.join(rig.folder, "src/in.txt"));
      await holds(watch, rig, "made/a", text);
    }
    rig.remove("src");
    await watch.until((said) => said.includes("missing-file"));
    rig.write("src/in.txt", "five\n");
    await holds(watch, rig, "made/a", "five\n");
    await watch.until(() => watch.err.endsWith("Ctrl-C ends\n"));
    renameSync(rig.folder, `${rig.folder}-elsewhere`);
    await watch.until((said) => /there is no (arc\.yaml|folder)/.test(said));
    mkdirSync(rig.folder, { recursive: true });
    rig.write("src/in.txt", "six\n");
    rig.write("arc.yaml", copying);
    await holds(watch, rig, "made/a", "six\n");
    expect(await watch.end()).toBe(130);
  });

  it.each([
    ["nosuch", /nothing is called nosuch\n {2}try: there are copy, count/],
    ["copy#nosuch", /nothing is called copy#nosuch/],
  ])("ends at once when nothing is called as it says: %s", async (address, message) => {
    const rig = new Rig({ "arc.yaml": copying, "src/in.txt": "one\n" });
    const { status, err } = await rig.arc(["watch", address]);
    expect(status).toBe(2);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/waiting/);
  });

  it("survives what is wrong while it is typed, and takes a new arc.yaml as it is saved", async () => {
    const rig = new Rig({ "arc.yaml": copying, "src/in.txt": "one\n", "src/more.txt": "more\n" });
    const watch = watching(rig);
    await waits(watch, 1);
    rig.write("arc.yaml", `${copying}oops: 1\n`);
    await waits(watch, 2);
    expect(watch.err).toMatch(/error\[unknown-key\]/);
    rig.write("arc.yaml", copying.replace("cat, src/in.txt", "cat, src/in.txt, src/more.txt"));
    await waits(watch, 3);
    expect(watch.err).toMatch(/failed .*No such file|No such file/);
    rig.write(
      "arc.yaml",
      copying
        .replace("cat, src/in.txt", "cat, src/in.txt, src/more.txt")
        .replace("inputs: [src/in.txt]", "inputs: [src/in.txt, src/more.txt]"),
    );
    await holds(watch, rig, "made/a", "one\nmore\n");
  });

  it("abandons a build for a newer save, but lets actions marked finish continue, unless told otherwise", async () => {
    const waiting = (extra: string): string => `arc: 1
project: p
actions:
  slow:
    run: [sh, -c, 'cat in.txt; while grep -q wait in.txt && ! test -e "GO"; do sleep 0.05; done; cp in.txt o']
    inputs: [in.txt]
    outputs: [o]
${extra}`;
    const rig = new Rig({ "arc.yaml": waiting("").replace("GO", "/nowhere"), "in.txt": "wait 1\n" });
    const quick = watching(rig, ["--json"]);
    await quick.until((said) => said.includes("wait 1"));
    rig.write("in.txt", "go 2\n");
    await quick.until((said) => said.includes('"type":"waiting"'));
    expect(rig.read("o")).toBe("go 2\n");
    expect(quick.out).toMatch(
      /"type":"end","ok":false,"interrupted":true.*\n.*"changed","files":\["in.txt"\]/,
    );
    await quick.end();

    const go = path.join(rig.root, "go");
    rig.write("arc.yaml", waiting("    finish: true\n").replace("GO", go));
    rig.write("in.txt", "wait 3\n");
    const patient = watching(rig, ["--json"]);
    await patient.until((said) => said.includes("wait 3"));
    rig.write("in.txt", "go 4\n");
    await patient.until((said) => said.includes('"type":"waiting"'));
    expect(patient.out).toContain("slow goes on beside newer builds");
    expect(rig.read("o")).toBe("go 4\n");
    // What still runs is what the next save wants: it is not started again.
    rig.write("in.txt", "wait 3\n");
    await patient.until((said) => count(said, /"type":"changed"/g) === 2);
    writeFileSync(go, "");
    await patient.until((said) => count(said, /"type":"waiting"/g) === 2);
    expect(rig.read("o")).toBe("wait 3\n");
    expect(count(patient.out, /wait 3\\n/g)).toBe(1);
    await patient.end();

    rmSync(go);
    rig.write("in.txt", "wait 5\n");
    const hasty = watching(rig, ["--json", "--cancel"]);
    await hasty.until((said) => said.includes("wait 5"));
    rig.write("in.txt", "go 6\n");
    await hasty.until((said) => said.includes('"type":"waiting"'));
    expect(rig.read("o")).toBe("go 6\n");
    expect(hasty.out).not.toContain("goes on");
  });

  it("with --cancel also abandons a build that waits for another arc", async () => {
    const rig = new Rig({ "arc.yaml": copying, "src/in.txt": "one\n", ".arc/lock": "7-100-elsewhere~1\n" });
    const watch = watching(rig, ["--cancel"]);
    const begins = (times: number): Promise<void> =>
      watch.until((said) => count(said, /waiting for another arc/g) >= times);
    await begins(1);
    saveWhole(rig, "src/in.txt", "two\n");
    await begins(2);
    rig.remove(".arc/lock");
    await holds(watch, rig, "made/a", "two\n");
    expect(watch.err).not.toContain("mistake");
  });

  it("starts no build for what no action reads, nor ends one, however much of it is saved", async () => {
    const waiting = `arc: 1
project: p
actions:
  slow: { run: [sh, -c, 'cat in.txt; while grep -q wait in.txt && ! test -e "$0"; do sleep 0.05; done; cp in.txt o', GO], inputs: [in.txt], outputs: [o] }
`;
    const rig = new Rig({ "in.txt": "one\n" });
    const go = path.join(rig.root, "go");
    rig.write("arc.yaml", waiting.replace("GO", JSON.stringify(go)));
    const watch = watching(rig, ["--json"]);
    const waitsFor = (times: number): Promise<void> =>
      watch.until((said) => count(said, /"type":"waiting"/g) >= times);
    const saveStrangers = (): void => {
      for (let k = 0; k < 40; k++) rig.write(`notes/${k}.txt`, `${k}\n`);
    };
    await waitsFor(1);
    saveStrangers();
    await waitsFor(2);
    rig.write("in.txt", "wait two\n");
    await watch.until((said) => said.includes("wait two"));
    rig.remove("notes");
    saveStrangers();
    writeFileSync(go, "");
    await waitsFor(3);
    saveStrangers();
    await waitsFor(4);
    await watch.end();
    expect(rig.read("o")).toBe("wait two\n");
    expect(count(watch.out, /"type":"start"/g)).toBe(2);
    expect(watch.out).not.toContain('"interrupted":true');
  });

  // On a busy machine one save may come as two events, and so as two builds: right, though not as few as counted here.
  it("builds after a failure only for what may mend it: what was read, looked for or named", {
    retry: 2,
  }, async () => {
    const rig = new Rig(
      {
        "arc.yaml":
          "arc: 1\nproject: p\nhost: [src/p.c]\ncflags: [-Iinclude, -Iother]\ntargets: { cpu: { kind: host } }\n",
        "src/p.c":
          '#include "config.h"\n#ifdef WANTED\n#include "none.h"\n#endif\nint main(void) { return 0; }\n',
        "include/config.h": "#define WANTED\n",
        "other/README": "",
        "log.txt": "",
      },
      "shared",
    );
    const watch = watching(rig, ["--json"]);
    const starts = (): number => count(watch.out, /"type":"start"/g);
    const waitsFor = (times: number): Promise<void> =>
      watch.until((said) => count(said, /"type":"waiting"/g) >= times);
    await waitsFor(1);
    expect(watch.out).toContain("none.h");
    for (const [at, name] of ["log.txt", "src/notes.md", "include/more.h"].entries()) {
      saveWhole(rig, name, `${at}\n`);
      if (at === 0) await waitsFor(2);
    }
    // Its name did not occur before.
    saveWhole(rig, "include/config.h", "#define WANTED 1\n");
    await waitsFor(3);
    expect(starts()).toBe(2);
    saveWhole(rig, "other/none.h", "\n");
    await waitsFor(4);
    expect(starts()).toBe(3);
    expect(watch.out).toMatch(/"type":"end","ok":true/);
    saveWhole(rig, "arc.yaml", `${rig.read("arc.yaml")}oops: 1\n`);
    await waitsFor(5);
    saveWhole(rig, "log.txt", "again\n");
    await waitsFor(6);
    saveWhole(rig, "arc.yaml", rig.read("arc.yaml").replace("oops: 1\n", ""));
    await waitsFor(7);
    expect(count(watch.out, /unknown-key/g)).toBe(1);
    expect(count(watch.out, /"files":\["log.txt"\]/g)).toBe(2);
  });

  it("reports an edit's effect on the kernels, and what was cut off after unchanged results", async () => {
    const source = (body: string): string => `#include "../shared/n.h"
int main(void) {
  double a[N];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < N; i++) ${body}
  return 0;
}
`;
    const yaml = "arc: 1\nproject: p\nsources: [p.c]\ntargets: { cpu: { kind: host } }\n";
    const rig = new Rig({ "arc.yaml": yaml, "p.c": source("a[i] = i;") }, "shared");
    mkdirSync(path.join(rig.root, "shared"));
    writeFileSync(path.join(rig.root, "shared/n.h"), "#define N 9\n");
    const watch = watching(rig, ["--diff"]);
    await waits(watch, 1);
    rig.write("p.c", source("a[i] = i; // as it is"));
    await waits(watch, 2);
    expect(watch.err).toMatch(
      /ran .*preprocess p\.c \(same result as before\)\n[\s\S]*cut off: \d+ actions behind/,
    );
    expect(watch.err).not.toContain("kernels:");
    rig.write("p.c", source("a[i] = 2 * i;"));
    await waits(watch, 3);
    expect(watch.err).toMatch(/kernels: cpu:default\/main_\w+ changed/);
    const diff = /^cpu:default\/main_\w+$[\s\S]*^-.*a\[i\] = i;$\n^\+.*a\[i\] = 2 \* i;$/m;
    await watch.until(() => diff.test(watch.out));
    // A header beside the project is watched, too; that it is, was no change.
    expect(count(watch.err, /changed:/g)).toBe(2);
    writeFileSync(path.join(rig.root, "shared/n.h"), "#define N 11\n");
    await waits(watch, 4);
    expect(watch.err).toMatch(/changed: .*shared\/n\.h/);
  });
});

describe("a watch of places that are not plain files of the project", () => {
  it("sees a source reached through a link change, be replaced, and the link point elsewhere", async () => {
    const rig = new Rig({ "arc.yaml": copying });
    const outside = (name: string): string => path.join(rig.root, name);
    mkdirSync(path.join(rig.folder, "src"));
    writeFileSync(outside("real.txt"), "one\n");
    symlinkSync(outside("real.txt"), path.join(rig.folder, "src/in.txt"));
    const watch = watching(rig);
    await waits(watch, 1);
    expect(rig.read("made/a")).toBe("one\n");
    writeFileSync(outside("real.txt"), "two\n");
    await holds(watch, rig, "made/a", "two\n");
    for (const text of ["three\n", "four\n"]) {
      writeFileSync(outside("fresh.txt"), text);
      renameSync(outside("fresh.txt"), outside("real.txt"));
      await holds(watch, rig, "made/a", text);
    }
    writeFileSync(outside("other.txt"), "five\n");
    symlinkSync(outside("other.txt"), path.join(rig.folder, "src/new-link"));
    renameSync(path.join(rig.folder, "src/new-link"), path.join(rig.folder, "src/in.txt"));
    await holds(watch, rig, "made/a", "five\n");
    writeFileSync(outside("other.txt"), "six\n");
    await holds(watch, rig, "made/a", "six\n");
  });

  it("sees a folder reached through a link", async () => {
    const rig = new Rig({ "arc.yaml": copying });
    mkdirSync(path.join(rig.root, "elsewhere"));
    writeFileSync(path.join(rig.root, "elsewhere/in.txt"), "one\n");
    symlinkSync(path.join(rig.root, "elsewhere"), path.join(rig.folder, "src"));
    const watch = watching(rig);
    await waits(watch, 1);
    writeFileSync(path.join(rig.root, "elsewhere/in.txt"), "two\n");
    await holds(watch, rig, "made/a", "two\n");
  });

  it("sees a folder reached through a link when the link points elsewhere, and when a folder replaces it", async () => {
    const rig = new Rig({ "arc.yaml": copying });
    const [one, other] = ["one", "other"].map((name) => path.join(rig.root, name)) as [string, string];
    for (const folder of [one, other]) {
      mkdirSync(folder);
      writeFileSync(path.join(folder, "in.txt"), `${path.basename(folder)}\n`);
    }
    const src = path.join(rig.folder, "src");
    symlinkSync(one, src);
    const watch = watching(rig);
    await waits(watch, 1);
    symlinkSync(other, `${src}-new`);
    renameSync(`${src}-new`, src);
    await holds(watch, rig, "made/a", "other\n");
    writeFileSync(path.join(other, "in.txt"), "two\n");
    await holds(watch, rig, "made/a", "two\n");
    rmSync(src);
    cpSync(other, src, { recursive: true });
    for (const text of ["three\n", "four\n"]) {
      writeFileSync(path.join(src, "in.txt"), text);
      await holds(watch, rig, "made/a", text);
    }
  });

  it("sees a header of a folder of its own, also when that goes and comes back, and one that is found before it", async () => {
    const program = "out/cpu/default/p";
    const text = (value: number): string => `#define N ${value}\n`;
    const rig = new Rig(
      {
        "arc.yaml":
          "arc: 1\nproject: p\nhost: [src/p.c]\ncflags: [-Ifirst, -Iinclude]\ntargets: { cpu: { kind: host } }\nruns: { r: {} }\n",
        "src/p.c": '#include "n.h"\n#include <stdio.h>\nint main(void) { printf("%d\\n", N); }\n',
        "include/n.h": text(1),
        "first/README": "",
      },
      "shared",
    );
    const watch = watching(rig);
    await waits(watch, 1);
    const prints = async (value: number): Promise<void> => {
      const printed = async (): Promise<string> =>
        rig.has(program) ? (await rig.run(path.join(rig.folder, program), [])).out : "";
      for (let seen = watch.err.length; (await printed()) !== `${value}\n`; seen = watch.err.length)
        await watch.until(() => watch.err.length > seen);
    };
    await prints(1);
    rig.write("include/n.h", text(2));
    await prints(2);
    rig.remove("include");
    await watch.until((said) => /n\.h: No such file/.test(said));
    rig.write("include/n.h", text(3));
    await prints(3);
    rig.write("first/n.h", text(4));
    await prints(4);
  });
});

describe("arc that is replaced while it runs", () => {
  it("says so when it misses what it has not loaded yet", async () => {
    const rig = new Rig({
      "arc.yaml": copying,
      "src/in.txt": "one\n",
    });
    const copy = path.join(rig.root, "arc");
    const original = path.join(arcProgram, "../..");
    for (const part of ["bin", "dist"])
      cpSync(path.join(original, part), path.join(copy, part), { recursive: true });
    const watch = watching(rig, [], path.join(copy, "bin/arc"));
    await waits(watch, 1);
    const dist = path.join(copy, "dist");
    const modules = readdirSync(dist).find((name) => name.startsWith("modules-")) as string;
    renameSync(
      path.join(dist, modules),
      path.join(
        dist,
        modules.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
      ),
    );
    rig.write("src/in.txt", "two\n");
    await holds(watch, rig, "made/a", "two\n");
    rig.write("arc.yaml", `${copying}cache: { remote: "http://127.0.0.1:9" }\n`);
    await watch.until((said) =>
      /arc itself was built or installed anew while it ran\s+try: start it again/.test(said),
    );
  });
});

describe("the difference of two texts", () => {
  it("shows changed lines with three around them, and where lines are left out", () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const after = before.with(5, "five").toSpliced(15, 1);
    expect(lineDiff(`${before.join("\n")}\n`, `${after.join("\n")}\n`)).toBe(
      [
        ...[" line 2", " line 3", " line 4", "-line 5", "+five", " line 6", " line 7", " line 8"],
        "@@",
        ...[" line 12", " line 13", " line 14", "-line 15", " line 16", " line 17", " line 18"],
        "",
      ].join("\n"),
    );
    expect(lineDiff("a\n", "a\n")).toBe("");
    expect(lineDiff("", "a\nb\n")).toBe("+a\n+b\n");
    expect(lineDiff("a\n", "")).toBe("-a\n");
  });
});
