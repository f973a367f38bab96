/** arc's content of an action-cache entry: the results of one action, each with its signature if it has one. */

import type { ActionResult } from "../key/result.ts";
import type { Digest } from "../model/action.ts";
import { parseResult } from "../records/result.ts";
import { BadRecord, list, object, parseJson, text } from "../records/schema.ts";

export interface SignedResult {
  readonly result: ActionResult;
  readonly signature?: string;
}

interface Results {
  /** Valid results of the action with the key. */
  readonly good: readonly SignedResult[];
  /** Why the first other result was rejected. */
  readonly refused?: string;
}

/** Limit for one entry; arc sends fewer. */
const MOST_RESULTS = 100;

const entry = list((value) => value, MOST_RESULTS);
const signed = object({ result: (value: unknown) => value }, { signature: text });

/** Data from elsewhere may be anything. */
export function resultsFor(base: Digest, json: string): Results {
  const good: SignedResult[] = [];
  let refused: string | undefined;
  const tryTo = (parse: () => void): void => {
    try {
      parse();
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      refused ??= error.message;
    }
  };
  tryTo(() => {
    for (const one of entry(parseJson(json), "the entry"))
      tryTo(() => void good.push(parseSigned(one, base)));
  });
  return { good, ...(refused === undefined ? {} : { refused }) };
}

function parseSigned(value: unknown, base: Digest): SignedResult {
  const { result, signature } = signed(value, "a result of the entry");
  const parsed = parseResult(result, base);
  // A failure reported by others is not believed: the action runs again.
  if (parsed.failure !== undefined) throw new BadRecord("the result is a failure");
  return { result: parsed, ...(signature === undefined ? {} : { signature }) };
}
