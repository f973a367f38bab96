/** Sandboxes that one arc leaves to the next. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MOST_SANDBOXES, Sandboxes } from "../../../../core/build/run/sandbox.ts";
import { SANDBOX_LIST } from "../../../../core/build/store/scratch-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "arc-sandboxes-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As the next process finds it: the list was read and removed when the folder was adopted. */
function next(): Sandboxes {
  const file = join(folder, SANDBOX_LIST);
  const list = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  rmSync(file, { force: true });
  return new Sandboxes(folder, list);
}

/** Leaves sandboxes for these folders, all in use at once; returns their working folders. */
function leave(layouts: readonly (readonly string[])[], end = true): readonly string[] {
  const sandboxes = next();
  const inUse = layouts.map((folders) => sandboxes.take(folders));
  if (end) {
    for (const sandbox of inUse) sandboxes.giveBack(sandbox);
    sandboxes.close();
  } else for (const { work } of inUse) writeFileSync(join(work, "left"), "");
  return inUse.map(({ work }) => work);
}

describe("sandboxes of an arc that ended", () => {
  it("are used again for the same folders, and others need not be looked at", () => {
    const [a, b] = leave([["out/a"], ["out/b"]]);
    // What a look would tidy up.
    writeFileSync(join(a as string, "of nobody"), "");
    const sandboxes = next();
    const sandbox = sandboxes.take(["out/b"]);
    expect(sandbox.work).toBe(b);
    sandboxes.giveBack(sandbox);
    sandboxes.close();
    expect(readdirSync(a as string)).toContain("of nobody");
  });

  it("are empty when they are used, whatever happened to them", () => {
    const [a] = leave([["out/a"]]);
    writeFileSync(join(a as string, "out/a/stale"), "");
    writeFileSync(join(a as string, "stale"), "");
    const sandbox = next().take(["out/a"]);
    expect(sandbox.work).toBe(a);
    expect(readdirSync(sandbox.work)).toEqual(["out"]);
    expect(readdirSync(join(sandbox.work, "out/a"))).toEqual([]);
  });

  it("are tidied up where it was killed, or its list is not whole", () => {
    const [a] = leave([["out/a"]], false);
    expect(readdirSync(a as string)).toContain("left");
    next().close();
    expect(readdirSync(a as string)).not.toContain("left");
    writeFileSync(join(folder, SANDBOX_LIST), '[["sandbox-1","ou');
    writeFileSync(join(a as string, "left"), "");
    next().close();
    expect(readdirSync(a as string)).not.toContain("left");
  });

  it("are tidied up where a loss of power left one of their folders only", () => {
    const [a = ""] = leave([["out/a"]], false);
    mkdirSync(join(a, "o"));
    rmSync(join(a, "../tmp"), { recursive: true });
    const sandbox = next().take(["o", "out/a"]);
    expect(sandbox.work).toBe(a);
    expect(readdirSync(sandbox.work).sort()).toEqual(["o", "out"]);
    expect(readdirSync(sandbox.temporary)).toEqual([]);
  });

  it("are recycled instead of accumulating", () => {
    leave(Array.from({ length: MOST_SANDBOXES }, (_, at) => [`out/${at}`]));
    leave([["other/a"], ["other/b"]]);
    expect(readdirSync(folder).filter((name) => name.startsWith("sandbox-"))).toHaveLength(MOST_SANDBOXES);
  });
});
