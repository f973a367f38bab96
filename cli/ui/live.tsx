/** The live view of a build: finished lines scroll away above, what runs is redrawn below. */
import { Box, render, Static, Text, useStdout } from "ink";
import { useEffect, useState, useSyncExternalStore } from "react";
import { seconds } from "../words.ts";
import { type Progress, type Running, secondsLeft } from "./progress.ts";

/** What the view shows; `subscribe` tells when it changed. */
export interface LiveModel {
  readonly lines: readonly string[];
  readonly progress: Progress;
  /** Milliseconds since the epoch, when the build began. */
  readonly since: number;
}

export interface LiveSource {
  /** The same object until something changed. */
  readonly model: () => LiveModel;
  readonly subscribe: (changed: () => void) => () => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface LiveView {
  /** Removes the live area; the finished lines stay. */
  close(): Promise<void>;
}

/** How often elapsed times are redrawn. */
const tickMs = 100;

export function openLiveView(source: LiveSource, stream: NodeJS.WriteStream): LiveView {
  const instance = render(<Build source={source} />, {
    stdout: stream,
    // Ctrl-C is the engine's business: children are stopped, finished results kept.
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {
    async close() {
      // One turn of the loop lets the last lines be drawn.
      await new Promise((drawn) => setImmediate(drawn));
      instance.clear();
      instance.unmount();
      await instance.waitUntilExit();
    },
  };
}

export function Build({ source }: { readonly source: LiveSource }) {
  const model = useSyncExternalStore(source.subscribe, source.model);
  const [now, setNow] = useState(source.now);
  const { stdout } = useStdout();
  useEffect(() => {
    const timer = setInterval(() => setNow(source.now()), tickMs);
    return () => clearInterval(timer);
  }, [source]);
  const { progress, lines, since } = model;
  // Finished lines are appended only, so their positions are their names.
  const items = lines.map((text, index) => ({ text, key: String(index) }));
  return (
    <>
      <Static items={items}>{({ text, key }) => <Text key={key}>{text}</Text>}</Static>
      {progress.ended ? null : (
        <Live
          progress={progress}
          since={since}
          now={now}
          rows={stdout.rows || 24}
          columns={stdout.columns || 80}
        />
      )}
    </>
  );
}

interface LiveProps {
  readonly progress: Progress;
  readonly since: number;
  readonly now: number;
  readonly rows: number;
  readonly columns: number;
}

/** Never taller than half the screen: a live area that does not fit cannot be redrawn in place. */
function Live({ progress, since, now, rows, columns }: LiveProps) {
  const room = Math.max(1, Math.floor(rows / 2) - 2);
  const shown = progress.running.slice(0, room);
  const hidden = progress.running.length - shown.length;
  return (
    <Box flexDirection="column">
      {shown.map((one) => (
        <RunningLine key={one.address} running={one} now={now} columns={columns} />
      ))}
      {hidden > 0 ? <Text dimColor>{`         and ${hidden} more`}</Text> : null}
      <StatusLine progress={progress} since={since} now={now} columns={columns} />
    </Box>
  );
}

function RunningLine({
  running,
  now,
  columns,
}: {
  readonly running: Running;
  readonly now: number;
  readonly columns: number;
}) {
  const elapsed = (now - running.since) / 1000;
  const phase = running.phase === undefined ? "" : `  ${running.phase}`;
  const fraction = running.fraction === undefined ? "" : ` ${Math.round(running.fraction * 100)} %`;
  const usual =
    running.expected === undefined || running.expected < 1 ? "" : ` of about ${seconds(running.expected)}`;
  return (
    <Box width={columns}>
      <Text wrap="truncate-end">
        <Text color="yellow">{`run ${seconds(elapsed).padStart(7)}  `}</Text>
        {running.title}
        <Text dimColor>{`${usual}${phase}${fraction}`}</Text>
      </Text>
    </Box>
  );
}

function StatusLine({ progress, since, now, columns }: Omit<LiveProps, "rows">) {
  const { finished, total, cached, shared, failed, running } = progress;
  const left = secondsLeft(progress, now);
  const parts = [
    `${finished} of ${total}`,
    `${running.length} running`,
    ...(cached > 0 ? [`${cached} cached`] : []),
    ...(shared > 0 ? [`${shared} shared`] : []),
    seconds((now - since) / 1000),
    ...(left === undefined ? [] : [`about ${seconds(left)} left`]),
  ];
  return (
    <Box width={columns}>
      <Text wrap="truncate-end">
        <Text color="cyan">{bar(finished, total)}</Text>
        {` ${parts.join(" · ")}`}
        {failed > 0 ? <Text color="red">{` · ${failed} failed`}</Text> : null}
      </Text>
    </Box>
  );
}

function bar(finished: number, total: number): string {
  const width = 20;
  const filled = total === 0 ? 0 : Math.floor((finished / total) * width);
  return `[${"#".repeat(filled)}${".".repeat(width - filled)}]`;
}
