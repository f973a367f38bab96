import { EventEmitter } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Feed } from "../../../cli/ui/feed.ts";
import { fold } from "../../../cli/ui/folded-log.ts";
import { indented } from "../../../cli/ui/indented.ts";
import { Keyboard, keysOf } from "../../../cli/ui/keyboard.ts";
import { liveArea, type Size } from "../../../cli/ui/rows.ts";
import type { LiveModel } from "../../../cli/ui/watched.ts";
import type { Event } from "../../../core/build/model/event.ts";

const now = 1_700_000_000_000;
const size = { rows: 24, columns: 80 };

const running = (address: string): Event => ({
  type: "running",
  address,
  step: "s",
  title: `title of ${address}`,
  reason: { kind: "never-built" },
  time: now,
});
const ready = (address: string): Event => ({ type: "ready", address });
const log = (address: string, text: string): Event => ({ type: "log", address, text });
const failed = (address: string, text = ""): Event => ({
  type: "failed",
  address,
  title: `title of ${address}`,
  message: "it broke",
  log: text,
  cached: false,
  seconds: 1,
});

function feedOf(...events: readonly Event[]): Feed {
  const feed = new Feed((address) => `title of ${address}`, true);
  feed.add({ type: "start", total: 99, time: now }, "");
  for (const event of events) feed.add(event, "");
  feed.flush();
  return feed;
}

const liveRows = (model: LiveModel, at: number, one: Size): readonly string[] =>
  liveArea(model, at, one).map(([, pieces]) => pieces.map(([text]) => text).join(""));
const shown = (feed: Feed, one = size): string => liveRows(feed.model(), now, one).join("\n");

describe("the screen of a build", () => {
  it("lists failures, what runs and what waits, in this order", () => {
    const rows = shown(feedOf(running("a"), ready("b"), running("c"), failed("c"))).split("\n");
    expect(rows.slice(0, 3)).toEqual([
      expect.stringMatching(/^failed +1\.0 s {2}title of c: it broke$/),
      expect.stringMatching(/^run .* title of a$/),
      expect.stringMatching(/^wait +title of b$/),
    ]);
  });

  it("marks the line that the arrows choose, and shows its log with l", () => {
    const feed = feedOf(running("a"), running("b"), log("a", "one\n"), log("b", "two\n\u001b[31mthree\n"));
    for (const key of ["down", "down", "l"]) feed.press(key);
    expect(shown(feed)).toMatch(/^> run .* title of b$/m);
    expect(shown(feed)).toMatch(/^log of title of b\n {2}two\n {2}three\n/);
    feed.press("up");
    expect(shown(feed)).toMatch(/^log of title of a\n {2}one\n/);
    feed.press("l");
    expect(shown(feed)).not.toMatch(/log of/);
  });

  it("shows the last failure's log where nothing is chosen", () => {
    const feed = feedOf(running("a"), running("b"), failed("b", "the reason\n"));
    feed.press("l");
    expect(shown(feed)).toMatch(/log of title of b\n {2}the reason/);
  });

  it("lists what has the filter's words, and all again behind Escape", () => {
    const feed = feedOf(running("alpha"), running("beta"));
    for (const key of ["f", "q", "backspace", "b", "e", "t"]) feed.press(key);
    expect(shown(feed)).toMatch(/filter: bet/);
    feed.press("enter");
    expect(shown(feed)).not.toMatch(/alpha/);
    feed.press("escape");
    expect(shown(feed)).toMatch(/alpha/);
  });

  it("cancels a single running or selected action, and nothing by accident", () => {
    const one = feedOf(running("a"));
    expect(one.press("c")).toEqual({ do: "cancel", address: "a" });
    const two = feedOf(running("a"), running("b"));
    expect(two.press("c")).toBeUndefined();
    expect(shown(two)).toMatch(/choose what runs/);
    two.press("down");
    expect(two.press("c")).toEqual({ do: "cancel", address: "a" });
  });

  it("tries the chosen failure again, else all of them", () => {
    const feed = feedOf(running("a"), failed("a"), running("b"), failed("b"));
    expect(feed.press("r")).toEqual({ do: "retry", addresses: ["a", "b"] });
    feed.press("down");
    expect(feed.press("r")).toEqual({ do: "retry", addresses: ["a"] });
    feed.add({ type: "retried", address: "a", freed: [] }, "");
    feed.flush();
    expect(shown(feed)).toMatch(/1 failed/);
  });

  it("ends with q, and passes unknown keys on", () => {
    const feed = feedOf(running("a"));
    expect(feed.press("q")).toEqual({ do: "quit" });
    expect(feed.press("d")).toBe(false);
  });

  it("fits any terminal, whichever keys are pressed", () => {
    const keys = fc.constantFrom("up", "down", "l", "?", "f", "escape", "enter", "x", "c", "r");
    fc.assert(
      fc.property(
        fc.array(keys, { maxLength: 12 }),
        fc.nat(30),
        fc.nat(20),
        fc.integer({ min: 8, max: 60 }),
        (pressed, count, failures, rows) => {
          const many = Array.from({ length: count }, (_, at) => running(`a${at}`));
          const bad = Array.from({ length: failures }, (_, at) => failed(`f${at}`, "line\n".repeat(100)));
          const feed = feedOf(...many, ...bad, ready("last"));
          for (const key of pressed) feed.press(key);
          feed.flush();
          expect(liveRows(feed.model(), now, { rows, columns: 60 }).length).toBeLessThan(rows);
        },
      ),
    );
  });
});

describe("keys", () => {
  it("are single characters and named keys, and no pasted text", () => {
    expect(keysOf("\u001b[A\u001bOBlö\r\u0003\u001bf")).toEqual([
      "up",
      "down",
      "l",
      "ö",
      "enter",
      "interrupt",
      "escape",
      "f",
    ]);
    expect(["quit the build\n", "\u001b[5~", "\u0001"].map(keysOf)).toEqual([[], [], []]);
  });

  it("go to who listened last, and the terminal is given back when nobody listens", () => {
    const modes: boolean[] = [];
    const stdin = Object.assign(new EventEmitter(), {
      isTTY: true,
      setRawMode: (mode: boolean) => modes.push(mode),
      pause: () => {},
      resume: () => {},
    }) as unknown as NodeJS.ReadStream;
    const keyboard = new Keyboard(stdin, () => true);
    const heard: string[] = [];
    const first = keyboard.listen((key) => heard.push(`first ${key}`) > 0);
    const second = keyboard.listen((key) => key === "l" && heard.push(`second ${key}`) > 0);
    stdin.emit("data", Buffer.from("l"));
    stdin.emit("data", Buffer.from("\u001bd"));
    second();
    stdin.emit("data", Buffer.from("l"));
    first();
    stdin.emit("data", Buffer.from("l"));
    expect(heard).toEqual(["second l", "first escape", "first d", "first l"]);
    expect(modes).toEqual([true, false]);
  });

  it("are not read in the background, where that would stop the build", () => {
    const stdin = Object.assign(new EventEmitter(), {
      isTTY: true,
      setRawMode: () => expect.fail("it changed the terminal"),
    }) as unknown as NodeJS.ReadStream;
    new Keyboard(stdin, () => false).listen(() => true)();
  });
});

describe("logs of actions", () => {
  it("are indented line by line, however long they are", () => {
    expect(indented("a\n\n  b\r\nc\r50 %\n \n")).toBe("  a\n  \n    b\r  \n  c\r  50 %\n");
    expect(indented(" \n\n")).toBe("");
    const long = "y\n".repeat(1_500_001);
    expect(indented(long) === "  y\n".repeat(1_500_001)).toBe(true);
  });

  it("take no time for blanks in their middle", () => {
    const begun = performance.now();
    const blank = `a${" \n".repeat(200_000)}z`;
    expect(indented(blank).length).toBe(2 + blank.length + 2 * 200_000 + 1);
    expect(fold(blank).hidden).toBe(200_001 - 20);
    // To look for the end of each blank took a minute.
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});

describe("logs of failures", () => {
  it("are folded to their end where they are long", () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
    expect(fold(lines.slice(0, 25).join("\n")).hidden).toBe(0);
    const folded = fold(`${lines.join("\n")}\n`);
    expect(folded.hidden).toBe(80);
    expect(folded.text).toMatch(/^line 80\n(.*\n)*line 99$/);
    expect(fold("\n".repeat(30)).hidden).toBe(0);
    expect(fold(`${"\n".repeat(30)}end`)).toEqual({ text: `${"\n".repeat(19)}end`, hidden: 11 });
  });
});
