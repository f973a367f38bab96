/**
 * Which start of the machine this is. What was on its way to the disk when the machine went down may be lost though the
 * file's stamp came to it: a file's inode and its bytes are written at times of their own. So stamps of another boot
 * say nothing of what was written shortly before the end of that.
 */
import { readFileSync } from "node:fs";

/** The first 48 bits of the kernel's name for it; 0 where there is none. */
export function bootIdentity(): number {
  try {
    const name = readFileSync("/proc/sys/kernel/random/boot_id", "latin1");
    const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-/.exec(name) ?? [];
    return high === undefined ? 0 : Number.parseInt(`${high}${low}`, 16);
  } catch {
    return 0;
  }
}

/** Linux writes within 30 seconds what was written, unless it is told to wait longer to save power. */
export const ON_DISK_MS = 3_600_000;
