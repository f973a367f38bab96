/** An Observable Plot that fills its container's width and is redrawn when that changes; drawn when it comes near. */
import type { PlotOptions } from "@observablehq/plot";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { whenPrinted } from "./printed.ts";

interface Props {
  /** Description of the picture for screen readers. */
  readonly label: string;
  /** In pixels: its place is kept free for it. */
  readonly height: number;
  readonly options: (width: number, marks: Marks) => PlotOptions;
  /** Changes when the options do. */
  readonly version: string;
}

export type Marks = typeof import("./marks.ts");

/** What draws is first run when something is drawn: that alone takes a browser as long as a table. */
let marks: Marks | undefined;

async function loadMarks(): Promise<Marks> {
  marks = await import("./marks.ts");
  return marks;
}

type Place = RefObject<HTMLDivElement | null>;

/** A container's width: 0 until it is known. */
export function useWidth(place: Place): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(current);
    // It may be printed before it was ever laid out.
    const forget = whenPrinted(() => setWidth(current.clientWidth));
    return () => {
      observer.disconnect();
      forget();
    };
  }, []);
  return width;
}

/** Whether the container is, or was, a quarter of a screen away from what is seen at most: a diagram takes a browser a tenth of a second. */
function useNear(place: Place): boolean {
  const [isNear, setNear] = useState(false);
  useLayoutEffect(() => {
    const { current } = place;
    if (isNear || current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: "25% 0px" },
    );
    observer.observe(current);
    const forget = whenPrinted(() => setNear(true));
    return () => {
      observer.disconnect();
      forget();
    };
  }, [isNear]);
  return isNear;
}

export function Plot({ label, height, options, version }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const isNear = useNear(place);
  // `version` stands for `options`, which is a new object each time.
  useLayoutEffect(() => {
    const { current } = place;
    if (!isNear || current === null || width === 0) return;
    let isCurrent = true;
    const draw = (all: Marks): void => {
      if (!isCurrent) return;
      const style = { background: "none", color: "inherit" };
      const drawn = all.plot({ ...options(width, all), width, height, style });
      drawn.setAttribute("aria-hidden", "true");
      current.replaceChildren(drawn);
    };
    if (marks === undefined) void loadMarks().then(draw);
    else draw(marks);
    return () => {
      isCurrent = false;
    };
  }, [width, version, isNear]);
  return (
    <figure class="plot" aria-label={label}>
      <div ref={place} style={{ minHeight: `${height}px` }} />
      <figcaption>{label}</figcaption>
    </figure>
  );
}
