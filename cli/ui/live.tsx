/** The live view of a build: finished lines scroll away above, running actions are redrawn below. */
import { Box, render, Static, Text, useStdout } from "ink";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { liveArea, liveRows, type Piece, type Size } from "./rows.ts";
import type { LiveModel, LiveSource } from "./watched.ts";

export interface LiveView {
  /** Removes the live area; the finished lines stay. */
  close(): Promise<void>;
}

/** Interval for redrawing elapsed times: while they are shown in tenths of a second, and later. */
const TICK_MS = 250;
const SLOW_TICK_MS = 500;
const YOUNG_MS = 10_000;

/** Erases the cursor's row and moves up one row. */
const ERASE_UPWARDS = "\u001b[2K\u001b[1A";

export function openLiveView(source: LiveSource, stream: NodeJS.WriteStream, color = true): LiveView {
  let columns = stream.columns || 80;
  // Ink erases as many rows as it drew. If the terminal became narrower these were wrapped; xterm cuts them off.
  const eraseWrapped = (): void => {
    const before = columns;
    columns = stream.columns || 80;
    if (columns >= before || process.env.XTERM_VERSION !== undefined) return;
    const size = { ...sizeOf(stream), columns: before };
    const drawn = liveRows(source.model(), source.now(), size).map((row) => Math.min(row.length, before));
    const wrapped = drawn.reduce((sum, length) => sum + Math.max(0, Math.ceil(length / columns) - 1), 0);
    stream.write(ERASE_UPWARDS.repeat(wrapped));
  };
  stream.prependListener("resize", eraseWrapped);
  const instance = render(<Build source={source} color={color} />, {
    stdout: stream,
    // The engine handles Ctrl-C: processes are stopped, finished results kept.
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {
    async close() {
      stream.off("resize", eraseWrapped);
      // Give the event loop one turn to draw the last lines.
      await new Promise((drawn) => setImmediate(drawn));
      instance.clear();
      instance.unmount();
      await instance.waitUntilExit();
    },
  };
}

/** `color` must be passed, as Ink does not know NO_COLOR. */
export function Build({ source, color = true }: { readonly source: LiveSource; readonly color?: boolean }) {
  const model = useSyncExternalStore(source.subscribe, source.model);
  const [ticks, setTicks] = useState(0);
  const { stdout } = useStdout();
  const { progress, lines } = model;
  const now = source.now();
  // A changed model is drawn with the time as it is now, so the next tick is that much later.
  useEffect(() => {
    const isYoung = progress.running.some(({ since }) => source.now() - since < YOUNG_MS);
    const timer = setTimeout(
      () => {
        // Timers run before signals are handled, so the size may be outdated: read it again.
        (stdout as { _refreshSize?: () => void })._refreshSize?.();
        setTicks(ticks + 1);
      },
      isYoung ? TICK_MS : SLOW_TICK_MS,
    );
    return () => clearTimeout(timer);
  }, [source, stdout, model, ticks]);
  // Finished lines are only appended, so their indexes can serve as keys.
  const items = useMemo(() => lines.map((text, index) => ({ text, key: String(index) })), [lines]);
  return (
    <>
      <Static items={items}>{({ text, key }) => <Text key={key}>{text}</Text>}</Static>
      {progress.ended ? null : <Live color={color} model={model} now={now} size={sizeOf(stdout)} />}
    </>
  );
}

interface LiveProps {
  readonly model: LiveModel;
  readonly color: boolean;
  readonly now: number;
  readonly size: Size;
}

const sizeOf = ({ rows, columns }: NodeJS.WriteStream): Size => ({
  rows: rows || 24,
  columns: columns || 80,
});

function Live({ model, color, now, size }: LiveProps) {
  return (
    <Box flexDirection="column">
      {liveArea(model, now, size).map(([name, pieces]) => (
        <Row key={name} pieces={color ? pieces : pieces.map(([text]) => [text] as const)} />
      ))}
    </Box>
  );
}

/** Truncated to the terminal's width when Ink lays it out, which happens for a new width before this code runs. */
function Row({ pieces }: { readonly pieces: readonly Piece[] }) {
  return (
    <Box>
      <Text wrap="truncate-end">
        {pieces.map(([text, look], at) => (
          <Text key={at} {...look}>
            {text}
          </Text>
        ))}
      </Text>
    </Box>
  );
}
