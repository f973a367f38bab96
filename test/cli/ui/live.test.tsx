import { EventEmitter } from "node:events";
import { render } from "ink";
import { describe, expect, it } from "vitest";
import { widthOf } from "../../../cli/call/width.ts";
import { Build, openLiveView } from "../../../cli/ui/live.tsx";
import { noProgress } from "../../../cli/ui/progress.ts";
import type { LiveModel, LiveSource } from "../../../cli/ui/watched.ts";

/** The clock does not advance here. */
const now = 1_700_000_000_000;

/** A terminal of fixed size that records its output. */
class FakeTerminal extends EventEmitter {
  readonly isTTY = true;
  columns: number;
  #nextColumns: number;
  readonly rows: number;
  readonly frames: string[] = [];
  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.#nextColumns = columns;
    this.rows = rows;
  }
  /** As Node has it: the size changes when it is read. */
  resize(columns: number): void {
    this.#nextColumns = columns;
  }
  _refreshSize(): void {
    if (this.columns === this.#nextColumns) return;
    this.columns = this.#nextColumns;
    super.emit("resize");
  }
  write = (text: string): boolean => {
    this.frames.push(text);
    return true;
  };
}

/** The view of a model, as it looks first: without colours, one string per row. */
function rowsOf(model: Partial<LiveModel>, { columns = 60, rows = 24 } = {}): readonly string[] {
  const terminal = new FakeTerminal(columns, rows);
  const shown: LiveModel = { lines: [], progress: noProgress, since: now - 2000, ...model };
  const source: LiveSource = { model: () => shown, subscribe: () => () => {}, now: () => now };
  const { unmount } = render(<Build source={source} />, {
    stdout: terminal as unknown as NodeJS.WriteStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  // In debug mode the area is written whole, and after it the lines that a terminal has above it.
  const [area = "", above = ""] = terminal.frames;
  const frame = above + area;
  unmount();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is to be removed.
  return frame.replace(/\u001b\[[0-9;?]*[a-zA-Z]/g, "").split("\n");
}

const running = (count: number, title = "compile") =>
  Array.from({ length: count }, (_, i) => ({
    address: `a${i}`,
    title: `${title} ${i}`,
    since: now - 1500,
  }));

describe("the live view", () => {
  it("shows finished lines above, and what runs with its time below", () => {
    const [first, second, third] = rowsOf({
      lines: ["ran     0.10 s  compile x.c"],
      progress: { ...noProgress, total: 4, finished: 1, running: running(1) },
    });
    expect(first).toBe("ran     0.10 s  compile x.c");
    expect(second).toMatch(/^run {3}1\.5 s {2}compile 0$/);
    expect(third).toMatch(/^\[####\.{15}\] 1 of 4 · 1 running · 2 waiting · 2\.0 s$/);
  });

  it("says how long an action took before, and how long there is to go", () => {
    const one = {
      address: "a",
      title: "synthesize k",
      since: now - 60_000,
      expected: 7200,
      phase: "fit",
      fraction: 0.25,
    };
    const text = rowsOf({ progress: { ...noProgress, total: 1, running: [one] } }, { columns: 100 }).join(
      "\n",
    );
    expect(text).toMatch(/run {4}60 s {2}synthesize k of about 2 h 0 min {2}fit 25 %/);
    expect(text).toMatch(/about 1:5\d:\d\d left/);
  });

  it.each([60, 80, 200])("keeps what tells names of wide letters apart in %i columns", (columns) => {
    const named = (tail: string, at: number) => ({
      address: `a${at}`,
      title: `コンパイル ソース/${"拡散方程式👩‍🔬e\u0301".repeat(8)}/${tail}.c for cpu:default`,
      since: now - 1500,
      expected: 20,
    });
    const all = ["一", "二", "👍"].map(named);
    const rows = rowsOf({ progress: { ...noProgress, total: 9, running: all } }, { columns });
    expect(rows.length).toBe(4);
    for (const [i, row] of rows.slice(0, 3).entries()) {
      expect(widthOf(row)).toBeLessThanOrEqual(columns);
      // Ink cut nothing off: the end of the row is there.
      expect(row).toMatch(new RegExp(`${["一", "二", "👍"][i]}\\.c.* of about 20 s$`, "u"));
    }
  });

  it.each([60, 80, 200])(
    "says how far a build is in %i columns, with as much of a bar as fits",
    (columns) => {
      const all = running(1).map((one) => ({ ...one, expected: 7200 }));
      const progress = { ...noProgress, total: 4321, finished: 1234, cached: 99, failed: 12, running: all };
      const status = rowsOf({ progress, since: now - 90_000 }, { columns }).at(-1) ?? "";
      expect(status).toMatch(/1234 of 4321 · (1 running · .*90 s · )?about 1:59:5\d left · 12 failed$/);
      expect(status.includes("3086 waiting · 99 cached")).toBe(columns === 200);
      expect(status.length).toBeLessThanOrEqual(columns);
      expect(/^\[[#.]{20}\] /.test(status)).toBe(columns === 200);
    },
  );

  it("never grows beyond half the screen, and says how many actions it does not show", () => {
    const rows = rowsOf({ progress: { ...noProgress, total: 40, running: running(40) } }, { rows: 20 });
    expect(rows.filter((row) => row.startsWith("run")).length).toBe(8);
    expect(rows.join("\n")).toMatch(/and 32 more/);
    expect(rows.filter((row) => row !== "").length).toBeLessThanOrEqual(10);
  });

  it("cuts titles that do not fit instead of wrapping them", () => {
    const rows = rowsOf(
      { progress: { ...noProgress, total: 1, running: running(1, "x".repeat(200)) } },
      { columns: 40 },
    );
    expect(rows.filter((row) => row !== "")).toHaveLength(2);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(40);
  });

  it("cuts titles where they are alike, so that each is told from the others, and leaves what follows them", () => {
    const title = (window: string, kernel: string, tool: string): string =>
      `compile s10:swi_coll_elim_hoist_r4_${window}_simd4_numc8/${kernel} for the whole board with ${tool}`;
    const titles = [
      title("sw1", "diffuse_heat", "aoc"),
      title("sw16", "diffuse_heat", "aoc"),
      title("sw1", "diffuse_rain", "aoc"),
      title("sw1", "diffuse_heat", "vpp"),
    ];
    const all = titles.map((one, at) => ({ address: `a${at}`, title: one, since: now - 1500, phase: "fit" }));
    const rows = rowsOf({ progress: { ...noProgress, total: 4, running: all } }, { columns: 80 }).slice(0, 4);
    expect(rows.map((row) => row.length)).toEqual([80, 80, 80, 80]);
    for (const row of rows) expect(row).toMatch(/^run {3}1\.5 s {2}.*….* {2}fit$/);
    const cut = rows.map((row) => row.slice("run   1.5 s  ".length, -"  fit".length));
    expect(new Set(cut).size).toBe(4);
    expect(cut[1]).toContain("sw16");
    expect(cut[2]).toContain("rain");
    expect(cut[3]).toContain("vpp");
  });

  it("is gone when the build ended", () => {
    const rows = rowsOf({ lines: ["last"], progress: { ...noProgress, ended: true } });
    expect(rows.filter((row) => row !== "")).toEqual(["last"]);
  });

  it("shows no negative time for what began after the clock was read", () => {
    const late = { address: "a", title: "compile", since: now + 30 };
    expect(rowsOf({ progress: { ...noProgress, total: 1, running: [late] } })[0]).toMatch(/^run +0\.00 s/);
  });

  it("erases all that a terminal made of its rows when it became narrower", async () => {
    const terminal = new FakeTerminal(60, 24);
    const progress = { ...noProgress, total: 2, running: running(2, "x".repeat(80)) };
    const shown: LiveModel = { lines: [], progress, since: now - 2000 };
    const source: LiveSource = { model: () => shown, subscribe: () => () => {}, now: () => now };
    const view = openLiveView(source, terminal as unknown as NodeJS.WriteStream);
    terminal.frames.length = 0;
    terminal.columns = 25;
    terminal.emit("resize");
    const [wrapped = "", erased = ""] = terminal.frames;
    await view.close();
    const ups = (text: string) => text.split("\u001b[1A").length - 1;
    // Two rows of 60 characters took three rows each, the last one, of 45, two.
    expect(ups(wrapped)).toBe(2 + 2 + 1);
    expect(ups(erased)).toBe(3);
  });

  it.each([
    ["a signal tells the new size", (terminal: FakeTerminal) => terminal._refreshSize()],
    ["the change is drawn before that signal", (_: FakeTerminal, changed: () => void) => changed()],
  ])("erases what it drew last if an action has ended since, and %s", async (_, next) => {
    const terminal = new FakeTerminal(60, 24);
    const progress = { ...noProgress, total: 2, running: running(2, "x".repeat(80)) };
    let shown: LiveModel = { lines: [], progress, since: now - 2000 };
    let changed = (): void => {};
    const subscribe = (listener: () => void) => {
      changed = listener;
      return () => {};
    };
    const source: LiveSource = { model: () => shown, subscribe, now: () => now };
    const view = openLiveView(source, terminal as unknown as NodeJS.WriteStream);
    await new Promise((drawn) => setTimeout(drawn, 50));
    expect(terminal.frames.join("")).toMatch(/2 running/);
    terminal.frames.length = 0;
    shown = { ...shown, lines: ["ran"], progress: { ...progress, finished: 1, running: running(1) } };
    terminal.resize(25);
    next(terminal, changed);
    const [wrapped = "", erased = ""] = terminal.frames;
    await view.close();
    const ups = (text: string) => text.split("\u001b[1A").length - 1;
    expect(ups(wrapped)).toBe(2 + 2 + 1);
    expect(ups(erased)).toBe(3);
  });
});
