/**
 * Words of writes: those of bursts are delivered one after the other, those of single elements together with the
 * command.
 */
import { disjunction, literal, range, zeros } from "../text/text.ts";
import { elementStrobe, elementWords } from "./elements.ts";
import {
  BEATS_BITS,
  beatsOf,
  bitOf,
  type Client,
  isBurst,
  type Merge,
  mostBeats,
  selectClient,
} from "./merge.ts";

/** The word register can take another word. */
export const WORD_FREE = "(~word_valid | word_ready)";
const NONE_LEFT = zeros(BEATS_BITS);

export function sendBursts(merge: Merge, clients: readonly Client[]): void {
  const { module } = merge;
  const { dataBits } = merge.native;
  /** Bits of an element's words after the first. */
  const rest = (mostBeats(clients) - 1) * dataBits;
  module.declare(`reg ${range(BEATS_BITS)}word_left;`);
  module.declare(`reg ${range(clients.length)}word_of;`);
  if (rest > 0) module.declare(`reg ${range(rest)}word_rest;`);
  module.declare("wire word_there;");
  module.declare(`wire ${range(dataBits + dataBits / 8)}word_next;`);
  findNext(merge, clients, rest);
  countWords(merge, clients);
  moveWords(merge, clients, rest);
}

const source = (merge: Merge, { prefix }: Client, what: string): string => merge.signal(`${prefix}_${what}`);

/** `word_there`, `word_next`: those of the client whose command continues. */
function findNext(merge: Merge, clients: readonly Client[], rest: number): void {
  const { module } = merge;
  const { dataBits } = merge.native;
  const lanes = dataBits / 8;
  const goesOn = (k: number) => bitOf("word_of", k, clients.length);
  module.assign(
    "word_there",
    disjunction([
      ...clients.flatMap((c, k) =>
        isBurst(c) ? [`(${goesOn(k)} & ${source(merge, c, "word_valid")})`] : [],
      ),
      ...clients.flatMap((c, k) => (isBurst(c) ? [] : [goesOn(k)])),
    ]),
  );
  const following = rest > 0 ? `{{${lanes}{1'b1}}, word_rest[${dataBits - 1}:0]}` : zeros(dataBits + lanes);
  const words = (c: Client) =>
    isBurst(c) ? `{${source(merge, c, "word_strobe")}, ${source(merge, c, "word")}}` : following;
  module.assign(
    "word_next",
    clients.map((c, k) => `({${dataBits + lanes}{${goesOn(k)}}} & ${words(c)})`).join(" | "),
  );
  clients.forEach((c, k) => {
    if (isBurst(c))
      module.assign(
        source(merge, c, "word_ready"),
        `${WORD_FREE} & (word_left != ${NONE_LEFT}) & ${goesOn(k)}`,
      );
  });
}

/**
 * `word_left`: for a burst all words are still to come; for an element those after the first, which comes with its
 * command.
 */
function countWords(merge: Merge, clients: readonly Client[]): void {
  const first = clients.flatMap((c, k) => (isBurst(c) ? [] : [bitOf("write_pick", k, clients.length)]));
  const left = (c: Client) =>
    isBurst(c) ? beatsOf(merge, "write", c) : literal(BigInt(c.beats - 1), BEATS_BITS);
  merge.module.always([
    "if (rst) begin",
    "  write_valid <= 1'b0;",
    "  word_valid <= 1'b0;",
    `  word_left <= ${NONE_LEFT};`,
    "end else if (write_take) begin",
    "  write_valid <= write_any;",
    `  word_valid <= ${first.length > 0 ? `write_any & (${disjunction(first)})` : "1'b0"};`,
    `  word_left <= ${selectClient("write", clients, left, BEATS_BITS)} & {${BEATS_BITS}{write_any}};`,
    "end else begin",
    "  if (write_ready) write_valid <= 1'b0;",
    `  if ${WORD_FREE} word_valid <= word_there & (word_left != ${NONE_LEFT});`,
    `  if (${WORD_FREE} & word_there & (word_left != ${NONE_LEFT})) word_left <= word_left - ${literal(1n, BEATS_BITS)};`,
    "end",
  ]);
}

function moveWords(merge: Merge, clients: readonly Client[], rest: number): void {
  const { dataBits } = merge.native;
  const lanes = dataBits / 8;
  const most = mostBeats(clients);
  const words = (c: Client) => (isBurst(c) ? zeros(most * dataBits) : elementWords(merge, c, most));
  const strobe = (c: Client) => (isBurst(c) ? zeros(lanes) : elementStrobe(merge, c, 1));
  const elements = clients.every(isBurst)
    ? []
    : [
        `  ${rest > 0 ? "{word_rest, word}" : "word"} <= ${selectClient("write", clients, words, most * dataBits)};`,
        `  word_strobe <= ${selectClient("write", clients, strobe, lanes)};`,
      ];
  const shifted = most === 2 ? "word_rest" : `{${zeros(dataBits)}, word_rest[${rest - 1}:${dataBits}]}`;
  merge.module.always([
    "if (write_take) begin",
    "  word_of <= write_pick;",
    ...elements,
    `end else if ${WORD_FREE} begin`,
    "  {word_strobe, word} <= word_next;",
    ...(rest > 0 ? [`  word_rest <= ${shifted};`] : []),
    "end",
  ]);
}
