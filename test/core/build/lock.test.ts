/** Who may build in a project: one at a time, and nobody waits for what is gone. */
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Lock, lockHolder, tryLock } from "../../../core/build/lock.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "arc-lock-"));
  file = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

function taken(): Lock {
  const lock = tryLock(folder);
  if ("heldBy" in lock) throw new Error(`held by ${lock.heldBy}`);
  return lock;
}

/** As a build in a container would have left it so many minutes ago. */
function leave(minutes: number): void {
  writeFileSync(file, "7-100-elsewhere~1");
  const then = Date.now() / 1000 - 60 * minutes;
  utimesSync(file, then, then);
}

test("a second one is told who builds, until that is done", () => {
  const lock = taken();
  expect(tryLock(folder)).toEqual({ heldBy: expect.stringContaining(`process ${process.pid} `) });
  lock.release();
  taken().release();
});

test("a process on another machine is believed to live while it shows that it does, and not much longer", () => {
  leave(1);
  expect(tryLock(folder)).toEqual({ heldBy: "process 7 on elsewhere~1" });
  expect(lockHolder(folder)).toBe("process 7 on elsewhere~1");
  leave(11);
  expect(lockHolder(folder)).toBeUndefined();
  taken().release();
});

test("what took its place when somebody removed it is not let go with it", () => {
  const lock = taken();
  rmSync(file);
  leave(0);
  lock.release();
  expect(readFileSync(file, "utf8")).toBe("7-100-elsewhere~1");
});
