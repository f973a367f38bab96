/**
 * V8 is generous where memory is plentiful: when many small actions are read, half the heap would be garbage. These
 * settings may be made after the start.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

export function keepHeapSmall(): void {
  // Collect when the old generation grew by so much, instead of to several times its size.
  setFlagsFromString("--heap-growing-percent=20");
  // What dies young dies in a small young generation, too.
  setFlagsFromString("--semi-space-growth-factor=1");
}

const ROOM_TO_RUN = 4 << 20;

/**
 * Of what a small action needs in this process nearly all dies with it. Once actions run the young generation grows to
 * four times its size, once, and is collected a fourth as often.
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
