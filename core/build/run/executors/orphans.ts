/** Finds processes that left the group of their action (`setsid`) by where they run or were started. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Kills processes that run in an action's folder `work` or were given its folder for temporary files. */
export function killStrays({ work, temporary }: { readonly work: string; readonly temporary: string }): void {
  for (const pid of processes()) {
    if (pid === process.pid || !isStray(pid, work, temporary)) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended, or belongs to another user.
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
    // It belongs to another user, or has ended.
    return false;
  }
}
