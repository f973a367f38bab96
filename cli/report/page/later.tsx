/**
 * What is not seen first is made after the first frame, a part in each frame, in the order of the page: thousands of results
 * open at once, and a moment later all of the page is there to be searched. Before printing the rest is made at once.
 */
import { type ComponentChildren, options } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { makeForPrint } from "./plots/printed.ts";

const waiting: (() => void)[] = [];
let isPlanned = false;

/** Hidden pages have no frames. */
const WITHOUT_FRAMES_MS = 200;

/** After the next frame has been drawn. */
function afterFrame(then: () => void): void {
  const timer = setTimeout(then, WITHOUT_FRAMES_MS);
  requestAnimationFrame(() => {
    clearTimeout(timer);
    setTimeout(then);
  });
}

/** Makes what waits, if anything does. */
export function plan(): void {
  if (isPlanned) return;
  isPlanned = true;
  afterFrame(() => {
    isPlanned = false;
    waiting.shift()?.();
    if (waiting.length > 0) plan();
    else tellWhole();
  });
}

/** For programs that read the page: `data-whole` of the root says that nothing is to come. */
const tellWhole = (): void => {
  document.documentElement.dataset.whole = "";
};

addEventListener("beforeprint", () => {
  const { debounceRendering } = options;
  options.debounceRendering = (draw) => draw();
  for (const make of waiting.splice(0)) make();
  makeForPrint();
  if (debounceRendering === undefined) delete options.debounceRendering;
  else options.debounceRendering = debounceRendering;
  tellWhole();
});

interface Props {
  /** It is asked for, so it does not wait. */
  readonly now: boolean;
  readonly children: () => ComponentChildren;
}

export function Later({ now, children }: Props) {
  const [isMade, setMade] = useState(now);
  // At once, so that whoever asks after the page was drawn finds it waiting.
  useLayoutEffect(() => {
    if (isMade) return;
    waiting.push(() => setMade(true));
    plan();
  }, []);
  return isMade || now ? children() : null;
}
