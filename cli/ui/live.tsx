/** The live view of a build: finished lines scroll away above, running actions are redrawn below. */
import { Box, render, Text, useStdout } from "ink";
import { memo, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { erasingWrapped } from "./last-drawing.ts";
import { liveArea, type Piece, type Size } from "./rows.ts";
import type { LiveModel, LiveSource } from "./watched.ts";

export interface LiveView {
  /** Removes the live area; the finished lines stay. */
  close(): Promise<void>;
}

/** Interval for redrawing elapsed times: while they are shown in tenths of a second, and later. */
const TICK_MS = 500;
const SLOW_TICK_MS = 1000;
const YOUNG_MS = 10_000;

export function openLiveView(source: LiveSource, stream: NodeJS.WriteStream, color = true): LiveView {
  const instance = render(<Build source={sized(source, stream)} color={color} />, {
    stdout: erasingWrapped(stream),
    // The engine handles Ctrl-C: processes are stopped, finished results kept.
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {
    async close() {
      // Give the event loop one turn to draw the last lines.
      await new Promise((drawn) => setImmediate(drawn));
      instance.clear();
      instance.unmount();
      await instance.waitUntilExit();
    },
  };
}

/** What is drawn for an outdated size is torn until the next drawing, so the size is read before each one. */
function sized(source: LiveSource, stream: NodeJS.WriteStream): LiveSource {
  const subscribe: LiveSource["subscribe"] = (changed) =>
    source.subscribe(() => {
      refreshSize(stream);
      changed();
    });
  return { now: source.now, model: source.model, subscribe };
}

/** Node reads the size on a signal, and signals are handled after timers. */
function refreshSize(stream: NodeJS.WriteStream): void {
  (stream as { _refreshSize?: () => void })._refreshSize?.();
}

/** `color` must be passed, as Ink does not know NO_COLOR. */
export function Build({ source, color = true }: { readonly source: LiveSource; readonly color?: boolean }) {
  const model = useSyncExternalStore(source.subscribe, source.model);
  const [ticks, setTicks] = useState(0);
  const { stdout, write } = useStdout();
  const { progress, lines } = model;
  const now = source.now();
  // A changed model is drawn with the time as it is now, so the next tick is that much later.
  useEffect(() => {
    const isYoung = progress.running.some(({ since }) => source.now() - since < YOUNG_MS);
    const timer = setTimeout(
      () => {
        refreshSize(stdout);
        setTicks(ticks + 1);
      },
      isYoung ? TICK_MS : SLOW_TICK_MS,
    );
    return () => clearTimeout(timer);
  }, [source, stdout, model, ticks]);
  // Not by Ink's Static, which lays everything out twice for each new line.
  const above = useRef(0);
  useLayoutEffect(() => {
    if (lines.length > above.current)
      write(
        lines
          .slice(above.current)
          .map((line) => `${line}\n`)
          .join(""),
      );
    above.current = lines.length;
  }, [lines, write]);
  if (progress.ended) return null;
  return <Live color={color} model={model} now={now} size={sizeOf(stdout)} />;
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

const isSame = ({ pieces: a }: RowProps, { pieces: b }: RowProps): boolean =>
  a.length === b.length &&
  a.every(([text, look], at) => {
    const [otherText, otherLook] = b[at] ?? [];
    return text === otherText && look?.color === otherLook?.color && look?.dimColor === otherLook?.dimColor;
  });

interface RowProps {
  readonly pieces: readonly Piece[];
}

/** Truncated to the terminal's width when Ink lays it out, which happens for a new width before this code runs. */
const Row = memo(function Row({ pieces }: RowProps) {
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
}, isSame);
