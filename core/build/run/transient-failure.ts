/** Tells transient failures of the machine from facts about the inputs: only facts may be cached. */
import { statfsSync } from "node:fs";
import { errnoOf } from "../model/system-error.ts";

/** Messages of the C library and of compilers, in the language that actions run in (LANG=C). */
const COMPLAINTS = [
  "No space left on device",
  "Disk quota exceeded",
  "Cannot allocate memory",
  "Too many open files",
  "Resource temporarily unavailable",
  "virtual memory exhausted",
  "out of memory",
  "std::bad_alloc",
  // Said by a compiler's driver when the kernel killed its back end for lack of memory.
  "Killed signal terminated program",
  "Stale file handle",
  "File too large",
  "File size limit exceeded",
  "Cannot fork",
  "Input/output error",
];

/** With less free space in bytes, neither a failure is believed nor what was written. */
const LITTLE_SPACE = 1024 * 1024;

/** Why a failed command may succeed elsewhere or later with the same inputs. */
export function machineTrouble(output: Buffer, folder: string): string | undefined {
  const complaint = COMPLAINTS.find((text) => output.includes(text));
  return complaint ?? fullDisk(folder);
}

/** Why nothing is believed that was written in a folder; undefined: there is room. */
export function fullDisk(folder: string): string | undefined {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    // File systems without a fixed number of files report 0.
    if (bavail * bsize < LITTLE_SPACE || (files > 0 && ffree === 0))
      return "the disk of the store is full: free some space, or prune the store";
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "the folder that it ran in was removed";
    // Free space is unknown here; only the command's output counts.
  }
  return undefined;
}
