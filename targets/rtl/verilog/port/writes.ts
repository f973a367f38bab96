/** Writes of all the kernel's ports through one port: commands and words out, responses back to their clients. */
import { literal, range, zeros } from "../text/text.ts";
import { arbiter } from "./arbiter.ts";
import { sendBursts, WORD_FREE } from "./bursts.ts";
import { elementStrobe, elementWords } from "./elements.ts";
import {
  addressOf,
  BEATS_BITS,
  type Client,
  declareCommand,
  isBurst,
  longestCommand,
  type Merge,
  mostBeats,
  selectClient,
  takeCommand,
} from "./merge.ts";

export function mergeWrites(merge: Merge, clients: readonly Client[]): void {
  const { module, native } = merge;
  declarePort(merge);
  module.names.reserve(["word_left", "word_rest", "strobe_rest", "word_of", "word_next", "word_there"]);
  const bursts = clients.some(isBurst);
  const left = bursts ? BEATS_BITS : Math.ceil(Math.log2(mostBeats(clients)));
  const isSent =
    longestCommand(clients) === 1 ? "word_ready" : `(word_ready & (word_left == ${zeros(left)}))`;
  const { owner, known } = arbiter(merge, {
    channel: "write",
    clients,
    free: bursts
      ? `(~write_valid | write_ready) & ${WORD_FREE} & (word_left == ${zeros(left)})`
      : `(~write_valid | write_ready) & (~word_valid | ${isSent})`,
    answered: clients.length === 1 ? "response_valid" : "response_valid & write_known",
  });
  takeCommand(merge, "write", clients);
  for (const c of clients)
    if (c.bits >= native.dataBits) module.leaveBits(addressOf(merge, "write", c), 0, merge.low);
  module.assign("response_ready", known);
  clients.forEach(({ prefix }, k) => {
    module.assign(merge.signal(`${prefix}_write_done`), `response_valid & ${known} & ${owner(k)}`);
  });
  if (bursts) sendBursts(merge, clients);
  else sendElements(merge, clients, left, isSent);
}

function declarePort(merge: Merge): void {
  const { module, native } = merge;
  declareCommand(merge, "write");
  module.port({ direction: "output", bits: 1, name: "word_valid", register: true });
  module.port({ direction: "output", bits: native.dataBits, name: "word", register: true });
  module.port({ direction: "output", bits: native.dataBits / 8, name: "word_strobe", register: true });
  module.port({ direction: "input", bits: 1, name: "word_ready" });
  module.port({ direction: "input", bits: 1, name: "response_valid" });
  module.port({ direction: "output", bits: 1, name: "response_ready" });
}

/**
 * Words of elements, which come together with their command; `gone` is when the last word is sent, `left` the bits of
 * the count of remaining words.
 */
function sendElements(merge: Merge, clients: readonly Client[], left: number, isSent: string): void {
  const { module } = merge;
  const { dataBits } = merge.native;
  const lanes = dataBits / 8;
  const most = mostBeats(clients);
  module.always([
    "if (rst) begin",
    "  write_valid <= 1'b0;",
    "  word_valid <= 1'b0;",
    "end else if (write_take) begin",
    "  write_valid <= write_any;",
    "  word_valid <= write_any;",
    "end else begin",
    "  if (write_ready) write_valid <= 1'b0;",
    `  if (${isSent}) word_valid <= 1'b0;`,
    "end",
  ]);
  const words = selectClient("write", clients, (c) => elementWords(merge, c, most), most * dataBits);
  // All beats of an element that is stored as a whole have the same strobes.
  const differ = most > 1 && clients.some(({ strobes, beats }) => strobes && beats > 1);
  const beats = differ ? most : 1;
  const strobe = selectClient("write", clients, (c) => elementStrobe(merge, c, beats), beats * lanes);
  if (most === 1) {
    module.when("write_take", [`word <= ${words};`, `word_strobe <= ${strobe};`]);
    return;
  }
  const rest = (most - 1) * dataBits;
  module.declare(`reg ${range(left)}word_left;`);
  module.declare(`reg ${range(rest)}word_rest;`);
  if (differ) module.declare(`reg ${range((most - 1) * lanes)}strobe_rest;`);
  const count = selectClient("write", clients, (c) => literal(BigInt(c.beats - 1), left), left);
  const shifted = (of: string, bits: number) =>
    most === 2 ? of : `{${zeros(bits)}, ${of}[${(most - 1) * bits - 1}:${bits}]}`;
  module.always([
    "if (write_take) begin",
    `  {word_rest, word} <= ${words};`,
    `  ${differ ? "{strobe_rest, word_strobe}" : "word_strobe"} <= ${strobe};`,
    `  word_left <= ${count};`,
    "end else if (word_ready) begin",
    `  word <= word_rest[${dataBits - 1}:0];`,
    `  word_rest <= ${shifted("word_rest", dataBits)};`,
    ...(differ
      ? [
          `  word_strobe <= strobe_rest[${lanes - 1}:0];`,
          `  strobe_rest <= ${shifted("strobe_rest", lanes)};`,
        ]
      : []),
    `  word_left <= word_left - ${literal(1n, left)};`,
    "end",
  ]);
}
