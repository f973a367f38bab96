/** Tells the machine's troubles from facts about the inputs: only facts may be remembered. */
import { statfsSync } from "node:fs";
import { errnoOf } from "../model/error.ts";

/** What the C library and compilers print, in the language that actions run in (LANG=C). */
const COMPLAINTS = [
  "No space left on device",
  "Disk quota exceeded",
  "Cannot allocate memory",
  "Too many open files",
  "Resource temporarily unavailable",
  "virtual memory exhausted",
  "out of memory",
  "std::bad_alloc",
  // A compiler's driver about its back end, when the kernel ran out of memory.
  "Killed signal terminated program",
  "Stale file handle",
  "Input/output error",
];

/** Less than this and a failure is not believed. */
const LITTLE_SPACE = 1024 * 1024;

/** Why a failed command may succeed elsewhere, or later, with the same inputs. */
export function machineTrouble(said: Buffer, folder: string): string | undefined {
  const complaint = COMPLAINTS.find((text) => said.includes(text));
  if (complaint !== undefined) return complaint;
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    // File systems without a fixed number of files report none at all.
    if (bavail * bsize < LITTLE_SPACE || (files > 0 && ffree === 0))
      return "the disk of the store is full: free some space, or prune the store";
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "the folder that it ran in was removed";
    // Not to be told here; then what the command said is all there is.
  }
  return undefined;
}
