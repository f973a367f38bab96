/** Rooms that one arc leaves to the next. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MOST_ROOMS, Rooms } from "../../../../core/build/run/sandbox.ts";
import { ROOM_LIST } from "../../../../core/build/store/store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "arc-rooms-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As the next process finds it: the list was read and removed when the folder was taken over. */
function next(): Rooms {
  const file = join(folder, ROOM_LIST);
  const list = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  rmSync(file, { force: true });
  return new Rooms(folder, list);
}

/** Leaves rooms for these folders, all in use at once; returns their working folders. */
function leave(layouts: readonly (readonly string[])[], end = true): readonly string[] {
  const rooms = next();
  const taken = layouts.map((folders) => rooms.take(folders));
  if (end) {
    for (const room of taken) rooms.giveBack(room);
    rooms.close();
  } else for (const { work } of taken) writeFileSync(join(work, "left"), "");
  return taken.map(({ work }) => work);
}

describe("rooms of an arc that ended", () => {
  it("are used again for the same folders, and others need not be looked at", () => {
    const [a, b] = leave([["out/a"], ["out/b"]]);
    // What a look would tidy up.
    writeFileSync(join(a as string, "of nobody"), "");
    const rooms = next();
    const room = rooms.take(["out/b"]);
    expect(room.work).toBe(b);
    rooms.giveBack(room);
    rooms.close();
    expect(readdirSync(a as string)).toContain("of nobody");
  });

  it("are empty when they are used, whatever happened to them", () => {
    const [a] = leave([["out/a"]]);
    writeFileSync(join(a as string, "out/a/stale"), "");
    writeFileSync(join(a as string, "stale"), "");
    const room = next().take(["out/a"]);
    expect(room.work).toBe(a);
    expect(readdirSync(room.work)).toEqual(["out"]);
    expect(readdirSync(join(room.work, "out/a"))).toEqual([]);
  });

  it("are tidied up where it was killed, or its list is not whole", () => {
    const [a] = leave([["out/a"]], false);
    expect(readdirSync(a as string)).toContain("left");
    next().close();
    expect(readdirSync(a as string)).not.toContain("left");
    writeFileSync(join(folder, ROOM_LIST), '[["room-1","ou');
    writeFileSync(join(a as string, "left"), "");
    next().close();
    expect(readdirSync(a as string)).not.toContain("left");
  });

  it("are furnished anew rather than added to without end", () => {
    leave(Array.from({ length: MOST_ROOMS }, (_, at) => [`out/${at}`]));
    leave([["other/a"], ["other/b"]]);
    expect(readdirSync(folder).filter((name) => name.startsWith("room-"))).toHaveLength(MOST_ROOMS);
  });
});
