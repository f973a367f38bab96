/** Who may build in a project: one at a time, and nobody waits for a process that is gone. */
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { holderName } from "../../../../core/build/files/lock-owner.ts";
import { type Lock, lockHolder, tryLock } from "../../../../core/build/state/lock.ts";

vi.mock("node:fs", { spy: true });

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "arc-lock-"));
  file = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

function lockTaken(): Lock {
  const lock = tryLock(folder);
  if ("heldBy" in lock) throw new Error(`held by ${lock.heldBy}`);
  return lock;
}

/** As a build in a container would have left it some minutes ago. */
function leave(minutes: number): void {
  writeFileSync(file, "7-100-elsewhere~1\n");
  const then = Date.now() / 1000 - 60 * minutes;
  utimesSync(file, then, then);
}

test("a second one learns who builds, until that is done", () => {
  const lock = lockTaken();
  expect(tryLock(folder)).toEqual({ heldBy: expect.stringContaining(`process ${process.pid} `) });
  lock.release();
  lockTaken().release();
});

test("one that the disk did not remove when it was let go is taken again", () => {
  const lock = lockTaken();
  const failure = Object.assign(new Error("EIO: i/o error, unlink"), { code: "EIO" });
  vi.mocked(fs.rmSync).mockImplementationOnce(() => {
    throw failure;
  });
  lock.release();
  expect(readFileSync(file, "utf8")).toBe(`${holderName()}\n`);
  lockTaken().release();
  expect(lockHolder(folder)).toBeUndefined();
});

test("a process on another machine is believed to live while it shows that it does, and not much longer", () => {
  leave(1);
  expect(tryLock(folder)).toEqual({ heldBy: "process 7 on elsewhere~1" });
  expect(lockHolder(folder)).toBe("process 7 on elsewhere~1");
  leave(11);
  expect(lockHolder(folder)).toBeUndefined();
  lockTaken().release();
});

test("a lock from before a clock was set back is its holder's for two minutes, in which a living one touches it", () => {
  const now = vi.spyOn(process, "hrtime").mockReturnValue([1000, 0]);
  try {
    leave(-60 * 24 * 365);
    for (const seconds of [1000, 1119]) {
      now.mockReturnValue([seconds, 0]);
      expect(tryLock(folder)).toEqual({ heldBy: "process 7 on elsewhere~1" });
    }
    now.mockReturnValue([1120, 0]);
    lockTaken().release();
    leave(0);
    expect(lockHolder(folder)).toBe("process 7 on elsewhere~1");
  } finally {
    now.mockRestore();
  }
});

test("one that a loss of power cut is nobody's, wherever its holder seems to be", () => {
  const whole = `${holderName()}\n`;
  for (let length = 0; length < whole.length; length += 1) {
    for (const rest of ["", "\0".repeat(whole.length - length)]) {
      writeFileSync(file, whole.slice(0, length) + rest);
      expect(lockHolder(folder)).toBeUndefined();
    }
  }
  lockTaken().release();
});

test("what took its place when somebody removed it is not let go with it", () => {
  const lock = lockTaken();
  rmSync(file);
  leave(0);
  lock.release();
  expect(readFileSync(file, "utf8")).toBe("7-100-elsewhere~1\n");
});

test.skipIf(process.platform !== "linux")(
  "what has ended holds nothing, though nobody has asked yet how it ended",
  async () => {
    // The shell never waits for its child: what it starts becomes a zombie.
    const script = "sleep 0.05 & echo $!; exec sleep 60";
    const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const pid = Number(
        await new Promise((told) => parent.stdout.once("data", (bytes) => told(String(bytes)))),
      );
      const fields = () => readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
      const host = holderName().split("-").slice(2).join("-");
      writeFileSync(file, `${pid}-${fields()[19]}-${host}\n`);
      expect(lockHolder(folder)).toContain(`process ${pid} `);
      await vi.waitUntil(() => fields()[0] === "Z", { timeout: 10_000 });
      expect(lockHolder(folder)).toBeUndefined();
      lockTaken().release();
    } finally {
      parent.kill();
    }
  },
);

test("where files have one name only, one builds at a time, too", () => {
  const none = Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" });
  vi.mocked(fs.linkSync).mockImplementation(() => {
    throw none;
  });
  try {
    const lock = lockTaken();
    expect(readFileSync(file, "utf8")).toBe(`${holderName()}\n`);
    expect(tryLock(folder)).toEqual({ heldBy: expect.stringContaining(`process ${process.pid} `) });
    lock.release();
    // Another process has made it, but has not written its name yet.
    writeFileSync(file, "");
    expect(tryLock(folder)).toEqual({ heldBy: "a process that has just begun" });
    const long = Date.now() / 1000 - 3;
    utimesSync(file, long, long);
    lockTaken().release();
    leave(11);
    lockTaken().release();
  } finally {
    vi.mocked(fs.linkSync).mockReset();
  }
});
