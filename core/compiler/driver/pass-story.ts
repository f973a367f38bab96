/**
 * What the passes did to the regions of a source, step by step: each change with the region's text before and after.
 */
import { irText } from "../../ir/text/print.ts";
import type { Story } from "./region-units.ts";

export interface PassStory {
  readonly region: string;
  readonly remarks: readonly PassRemark[];
  readonly changes: readonly PassChange[];
}

interface PassRemark {
  readonly pass: string;
  /** The pass changed something; otherwise the message says why it did not. */
  readonly applied: boolean;
  readonly message: string;
  readonly file: string;
  readonly line: number;
}

interface PassChange {
  readonly pass: string;
  readonly before: string;
  readonly after: string;
}

export function passStory({ region, before, steps, remarks, diagnostics }: Story): PassStory {
  const all = [
    ...remarks,
    ...diagnostics.map(({ message, loc }) => ({ pass: "refused", applied: false, message, loc })),
  ].map(({ pass, applied, message, loc: { file, line } }) => ({ pass, applied, message, file, line }));
  const changes = steps.flatMap(({ pass, task }, k): PassChange[] => {
    const last = steps[k - 1]?.task ?? before;
    if (task === last) return [];
    const texts = { before: irText(last.body), after: irText(task.body) };
    return texts.before === texts.after ? [] : [{ pass, ...texts }];
  });
  return { region, remarks: all, changes };
}
