/** The screen of a build in a real terminal, which wraps, scrolls and changes its size: tmux. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { arcProgram, Rig } from "../rig.ts";

/** Each test has a separate server: one that was told to end still answers for a moment. */
let server = "";
const isHere = spawnSync("tmux", ["-V"]).status === 0;
const tmux = (...args: readonly string[]): string =>
  execFileSync("tmux", ["-L", server, ...args], { encoding: "utf8" });

beforeEach(({ task }) => {
  server = `arc-test-${process.pid}-${task.id}`;
});
afterEach(() => void spawnSync("tmux", ["-L", server, "kill-server"]));

/** The text on the screen, and with `history` above it, without empty rows. */
const screen = (history = 0): readonly string[] =>
  tmux("capture-pane", "-p", "-t", "a", "-S", String(-history))
    .split("\n")
    .map((row) => row.trimEnd())
    .filter((row) => row !== "");

async function until(what: RegExp, history = 0): Promise<readonly string[]> {
  for (let tries = 0; tries < 200; tries++) {
    const rows = screen(history);
    if (what.test(rows.join("\n"))) return rows;
    await new Promise((wait) => setTimeout(wait, 50));
  }
  throw new Error(`never on the screen: ${what}\n${screen(history).join("\n")}`);
}

const press = (...keys: readonly string[]): void => {
  for (const key of keys) tmux("send-keys", "-t", "a", key);
};

function start(rig: Rig, command: string, columns = 80): void {
  const env = ["-e", `ARC_STORE=${rig.store}`];
  tmux("-f", "/dev/null", "new-session", "-d", "-s", "a", "-x", String(columns), "-y", "24", ...env, "sh");
  tmux(
    "send-keys",
    "-t",
    "a",
    `unset CI CONTINUOUS_INTEGRATION; cd '${rig.folder}'; clear; ${command}; echo status $?`,
    "Enter",
  );
}

/** Two actions that end on the test's command, and one that fails until then. */
function projectOf(): { readonly rig: Rig; readonly end: () => void } {
  const rig = new Rig();
  const over = path.join(rig.root, "over");
  const wait = `while test ! -e ${over}; do sleep 0.05; done`;
  const action = (script: string, output: string) =>
    `{ run: [sh, -c, ${JSON.stringify(script)}], outputs: [${output}] }`;
  rig.write(
    "arc.yaml",
    `arc: 1
project: p
actions:
  bad: ${action(`seq 1 60; test -e ${over}.bad || exit 7; echo > bad`, "bad")}
  first: ${action(`echo says first; ${wait}; echo > first`, "first")}
  second: ${action(`echo says second; ${wait}; echo > second`, "second")}
`,
  );
  return { rig, end: () => writeFileSync(over, "") };
}

describe.skipIf(!isHere)("in tmux", () => {
  it("no line is torn or left over when the terminal is resized", async () => {
    const { rig, end } = projectOf();
    start(rig, `'${arcProgram}' build -j 3 --keep-going`, 200);
    await until(/2 running/);
    for (const columns of [60, 200, 80, 60, 120]) {
      tmux("resize-window", "-t", "a", "-x", String(columns), "-y", "24");
      // Remains of a drawing for another width would stay, however long one waits.
      const isWhole = (rows: readonly string[]): boolean =>
        rows.filter((row) => row.startsWith("run ")).length === 2 &&
        rows.filter((row) => /\d of 3 ·/.test(row)).length === 1 &&
        rows.every((row) => row.length <= columns);
      let rows = screen();
      for (let tries = 0; tries < 40 && !isWhole(rows); tries++) {
        await new Promise((drawn) => setTimeout(drawn, 100));
        rows = screen();
      }
      expect(isWhole(rows), `${columns} columns:\n${rows.join("\n")}`).toBe(true);
    }
    end();
    const rest = await until(/status 1/, 500);
    expect(rest.join("\n")).toMatch(/arc: failed: 2 ran, 1 failed/);
    expect(rest.filter((row) => /running/.test(row))).toEqual([]);
  }, 60_000);

  it("keys choose, show a log, cancel, and try again what failed", async () => {
    const { rig, end } = projectOf();
    start(rig, `'${arcProgram}' build -j 3 --keep-going`);
    await until(/1 failed/);
    await until(/… 40 lines before these are in \.arc\/failed\/bad/, 200);
    expect(existsSync(path.join(rig.folder, ".arc/failed/bad.log"))).toBe(true);
    press("l");
    await until(/log of .*\n[\s\S]*\n {2}60\n/);
    press("Down", "Down");
    await until(/log of [\s\S]*says (first|second)/);
    press("?");
    await until(/cancel the chosen one/);
    press("c");
    await until(/: cancelled/);
    writeFileSync(path.join(rig.root, "over.bad"), "");
    press("Escape", "Escape", "r");
    await until(/again:/, 1000);
    end();
    await until(/arc: done: 3 ran/, 1000);
  }, 60_000);

  it("q ends the build, and the terminal is as it was", async () => {
    const { rig } = projectOf();
    start(rig, `stty -a > before; '${arcProgram}' build -j 3 --keep-going; stty -a > after`);
    await until(/2 running/);
    press("q");
    await until(/interrupted/);
    await until(/status 0/);
    expect(rig.read("after")).toBe(rig.read("before"));
  }, 60_000);

  it("breaks what a watch says between words", async () => {
    const long = "a_folder_with_a_rather_long_name";
    const rig = new Rig({ [`${long}/in`]: "1" }, "shared");
    const read = (name: string, from: string) =>
      `  ${name}: { run: [sh, -c, 'cat ${from} > /dev/null; echo > ${name}'], inputs: ['${from}'], outputs: [${name}], deterministic: true }\n`;
    rig.write("arc.yaml", `arc: 1\nproject: p\nactions:\n${read("one", `${long}/in`)}${read("two", "one")}`);
    start(rig, `'${arcProgram}' watch`, 40);
    await until(/waiting for changes/);
    rig.write(`${long}/in`, "2");
    const rows = await until(/cut off:[\s\S]*waiting/);
    const at = rows.findIndex((row) => row.startsWith("cut off:"));
    expect(rows.slice(at, at + 2)).toEqual(["cut off: 1 action behind an unchanged", "  result: two"]);
    press("?");
    const keys = await until(/d: what the last edit[\s\S]*q: end/);
    expect(keys.join("\n")).toMatch(/^d: what the last edit made of the\n {2}kernels · r: /m);
    press("q");
    await until(/status/);
  }, 60_000);

  it("has no colours with NO_COLOR", async () => {
    const { rig } = projectOf();
    start(rig, `NO_COLOR=1 '${arcProgram}' build -j 3 --keep-going`);
    await until(/2 running/);
    expect(tmux("capture-pane", "-e", "-p", "-t", "a")).not.toContain("\u001b[3");
    press("q");
    await until(/status 130/);
  }, 60_000);
});
