/** An Observable Plot that fills its container's width and is redrawn when that changes. */
import type { PlotOptions } from "@observablehq/plot";
import { plot } from "@observablehq/plot";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  /** Description of the picture for screen readers. */
  readonly label: string;
  readonly options: (width: number) => PlotOptions;
  /** Changes when the options do. */
  readonly version: string;
}

/** A container and its width: 0 until it is known. */
export function useWidth(): readonly [RefObject<HTMLDivElement | null>, number] {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [place, width];
}

export function Plot({ label, options, version }: Props) {
  const [place, width] = useWidth();
  // `version` stands for `options`, which is a new object each time.
  useLayoutEffect(() => {
    if (width === 0) return;
    const drawn = plot({ ...options(width), width, style: { background: "none", color: "inherit" } });
    drawn.setAttribute("aria-hidden", "true");
    place.current?.replaceChildren(drawn);
  }, [width, version]);
  return (
    <figure class="plot" aria-label={label}>
      <div ref={place} />
      <figcaption>{label}</figcaption>
    </figure>
  );
}
