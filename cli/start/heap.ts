/**
 * V8 flags for less memory: by default half the heap would be garbage while many small actions are read. These flags
 * can be changed after the start.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

export function keepHeapSmall(): void {
  // Collect when the old generation has grown by this percentage, instead of to several times its size.
  setFlagsFromString("--heap-growing-percent=50");
  // Short-lived objects also die in a small young generation.
  setFlagsFromString("--semi-space-growth-factor=1");
}

const ROOM_TO_RUN = 4 << 20;

/**
 * Nearly everything that a small action needs in this process dies with it. Once actions run, the young generation
 * grows to four times its size, once, and is collected a fourth as often.
 */
export function giveRoomToRun(): void {
  if (youngBytes() >= ROOM_TO_RUN) return;
  setFlagsFromString("--semi-space-growth-factor=4");
  const check = setInterval(() => {
    if (youngBytes() < ROOM_TO_RUN) return;
    setFlagsFromString("--semi-space-growth-factor=1");
    clearInterval(check);
  }, 20).unref();
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}
