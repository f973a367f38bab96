/**
 * Identity of the machine's current boot. A crash may lose data that was on its way to the disk although the file's
 * stamp was already written, as inode and bytes are written at different times. Stamps of an earlier boot therefore
 * prove nothing about files that were written shortly before that boot ended.
 */
import { readFileSync } from "node:fs";

/** The first 48 bits of the kernel's boot id; 0 if there is none. */
export function bootIdentity(): number {
  try {
    const name = readFileSync("/proc/sys/kernel/random/boot_id", "latin1");
    const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-/.exec(name) ?? [];
    return high === undefined ? 0 : Number.parseInt(`${high}${low}`, 16);
  } catch {
    return 0;
  }
}

/**
 * Age in ms from which written data is surely on disk. Linux writes back within 30 seconds unless told to wait longer
 * to save power.
 */
export const ON_DISK_MS = 3_600_000;
