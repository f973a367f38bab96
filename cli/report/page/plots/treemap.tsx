/** The cells of a variant by source line: one rectangle per line, sized by what the line became. */
import { useRef } from "preact/hooks";
import type { PageData } from "../../model/page-data.ts";
import { useWidth } from "./plot.tsx";
import { squarified } from "./squarified.ts";

interface Props {
  readonly data: PageData;
  readonly lines: readonly LineCells[];
  /** Cells that belong to no source line. */
  readonly others: number;
}

export interface LineCells {
  readonly file: string;
  readonly line: number;
  readonly cells: number;
}

const HEIGHT = 260;

/** Smaller lines are merged, so that every rectangle is large enough to point at. */
const SHARE = 0.004;

export function Treemap({ data, lines, others }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const all = lines.reduce((sum, { cells }) => sum + cells, others);
  const own = [...lines].sort((a, b) => b.cells - a.cells);
  const large = own.filter(({ cells }) => cells >= SHARE * all);
  const small = own.slice(large.length).reduce((sum, { cells }) => sum + cells, 0);
  const parts = [
    ...large.map((of) => ({ of, cells: of.cells, name: `line ${of.line}` })),
    ...(small > 0 ? [{ of: undefined, cells: small, name: `${own.length - large.length} small lines` }] : []),
    ...(others > 0 ? [{ of: undefined, cells: others, name: "no line of the source" }] : []),
  ].sort((a, b) => b.cells - a.cells);
  const most = large[0]?.cells ?? 1;
  const files = new Set(lines.map(({ file }) => file)).size;
  const rectangles =
    width === 0
      ? []
      : squarified(
          parts.map(({ cells }) => cells),
          { x: 0, y: 0, width, height: HEIGHT },
        );
  return (
    <figure>
      <div ref={place} class="treemap" style={{ height: `${HEIGHT}px` }}>
        {rectangles.map(({ x, y, width: w, height: h }, i) => {
          const { of, cells, name } = parts[i] as (typeof parts)[number];
          const title = `${of === undefined || files === 1 ? name : `${of.file}:${of.line}`}: ${cells} cells, ${Math.round((100 * cells) / all)} %`;
          const style = {
            left: `${x}px`,
            top: `${y}px`,
            width: `${w}px`,
            height: `${h}px`,
            ...(of && { background: heatColour(cells / most) }),
          };
          const words =
            w > 54 && h > 34 ? (
              <>
                {name}
                <br />
                {cells}
              </>
            ) : w > 26 && h > 16 && of !== undefined ? (
              of.line
            ) : null;
          return of !== undefined && data.sources[of.file] !== undefined ? (
            <a
              key={name}
              href={`#at=source&file=${encodeURIComponent(of.file)}&line=${of.line}`}
              title={title}
              aria-label={title}
              style={style}
            >
              {words}
            </a>
          ) : (
            <span key={name} title={title} style={style}>
              {words}
            </span>
          );
        })}
      </div>
      <figcaption>
        {all} cells by line of the source, each as large as what it became; the table below has the same
        figures.
      </figcaption>
    </figure>
  );
}

/** Colour for a share of the largest value, light enough for text on it in both themes. */
export const heatColour = (share: number): string =>
  `color-mix(in srgb, var(--heat) ${Math.round(8 + 52 * Math.sqrt(Math.max(0, Math.min(1, share))))}%, var(--page))`;
