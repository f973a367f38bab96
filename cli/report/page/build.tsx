/** The last build that ran anything: which action ran when and why, the critical path, and what the cache saved. */
import { counts, seconds } from "../../show/words.ts";
import { type BuildRecord, criticalPath, type RecordedAction } from "../model/build-record.ts";
import type { PageData } from "../model/page-data.ts";
import { Plot } from "./plots/plot.tsx";
import { Scroll, Section } from "./section.tsx";

/** How many bars the timeline shows, the longest ones. */
const MOST = 400;
const LISTED = 25;

export function Build({ data }: { readonly data: PageData }) {
  const { build } = data;
  if (build === undefined)
    return (
      <Section id="build" title="Last build">
        <p>No build is on record: the next one that runs something leaves its times here.</p>
      </Section>
    );
  const path = criticalPath(build.actions);
  const length = path.reduce((sum, action) => sum + action.seconds, 0);
  return (
    <Section id="build" title="Last build">
      <p>
        {new Date(build.started).toISOString().slice(0, 16).replace("T", " ")} UTC: {seconds(build.seconds)},{" "}
        {counts(build.counts)}. The cache saved {seconds(build.saved)} of work. The longest chain took{" "}
        {seconds(length)}: no number of processors makes the build shorter than that.
      </p>
      <Timeline build={build} path={path} />
      <h3>The longest chain</h3>
      <Actions label="the longest chain" actions={path} />
      <h3>What took longest, and why it ran</h3>
      <Actions
        label="what took longest"
        actions={[...build.actions].sort((a, b) => b.seconds - a.seconds).slice(0, LISTED)}
      />
    </Section>
  );
}

function Timeline({
  build,
  path,
}: {
  readonly build: BuildRecord;
  readonly path: readonly RecordedAction[];
}) {
  const bars = [...build.actions].sort((a, b) => b.seconds - a.seconds).slice(0, MOST);
  const lanes = Math.max(1, ...bars.map(({ lane }) => lane + 1));
  const critical = new Set(path);
  const colour = (action: RecordedAction): string =>
    action.failed !== undefined ? "var(--bad)" : critical.has(action) ? "var(--accent)" : "var(--quiet)";
  const ends = {
    x1: "start",
    x2: ({ start, seconds: took }: RecordedAction) => start + took,
    y: "lane",
  } as const;
  return (
    <Plot
      height={60 + 22 * lanes}
      label={`Timeline of ${bars.length} actions in ${lanes} at a time; the longest chain is marked. The tables below have the same figures.`}
      version={String(build.started)}
      options={(_, { barX, pointer, tip }) => ({
        marginLeft: 20,
        x: { label: "seconds since the build began", grid: true },
        y: { axis: null, type: "band", domain: Array.from({ length: lanes }, (_, i) => i) },
        marks: [
          barX(bars, { ...ends, fill: colour, inset: 0.5 }),
          tip(
            bars,
            pointer({
              ...ends,
              fill: "var(--page)",
              title: ({ title, seconds: took, why }: RecordedAction) => `${title}\n${seconds(took)}\n${why}`,
            }),
          ),
        ],
      })}
    />
  );
}

const Actions = ({
  label,
  actions,
}: {
  readonly label: string;
  readonly actions: readonly RecordedAction[];
}) => (
  <Scroll label={label}>
    <table>
      <thead>
        <tr>
          <th scope="col">took</th>
          <th scope="col">action</th>
          <th scope="col">what it did</th>
          <th scope="col">because</th>
        </tr>
      </thead>
      <tbody>
        {actions.map(({ address, title, seconds: took, why, failed }) => (
          <tr key={address}>
            <td class="number">{seconds(took)}</td>
            <th scope="row">
              <code>{address}</code>
            </th>
            <td class="words">
              {title}
              {failed === undefined ? null : <span class="error"> failed: {failed}</span>}
            </td>
            <td class="words">{why}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);
