/** Processes that left the group of their action (`setsid`), found by where they run or were started. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Kills what runs in an action's folder `work`, or was given its folder for temporary files. */
export function killStrays({ work, temporary }: { readonly work: string; readonly temporary: string }): void {
  for (const pid of processes()) {
    if (pid === process.pid || !isStray(pid, work, temporary)) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It is gone, or somebody else's.
    }
  }
}

function processes(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function isStray(pid: number, work: string, temporary: string): boolean {
  try {
    const folder = readlinkSync(`/proc/${pid}/cwd`);
    if (folder === work || folder.startsWith(`${work}/`)) return true;
    return `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`.includes(`\0TMPDIR=${temporary}\0`);
  } catch {
    // Of another user, or gone.
    return false;
  }
}
