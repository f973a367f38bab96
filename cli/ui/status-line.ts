/** One line at the bottom of a terminal that says what goes on while nothing else is printed. */
import type { Call } from "../call/call.ts";
import { cut, widthOf } from "../call/width.ts";

interface StatusLine {
  /** Replaces the line. */
  show(text: string): void;
  /** Before anything else is printed. */
  clear(): void;
}

const ERASE = "\r\u001b[2K";

/** Shows nothing where lines cannot be replaced. */
export function statusLine({ interactive, options, err, errColumns }: Call): StatusLine {
  if (!interactive || options.json === true) return { show() {}, clear() {} };
  let shown = false;
  return {
    show(text) {
      const width = errColumns() - 1;
      err(`${ERASE}${widthOf(text) > width ? `${cut(text, width - 1)}…` : text}`);
      shown = true;
    },
    clear() {
      if (shown) err(ERASE);
      shown = false;
    },
  };
}
