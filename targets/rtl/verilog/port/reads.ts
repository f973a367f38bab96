/** Reads of all the kernel's ports through one port: commands out, words back to their clients. */
import { disjunction, literal, range, zeros } from "../text/text.ts";
import { arbiter, type Oldest } from "./arbiter.ts";
import {
  addressOf,
  type Client,
  declareCommand,
  isBurst,
  longestCommand,
  type Merge,
  mostBeats,
  takeCommand,
} from "./merge.ts";

export function mergeReads(merge: Merge, clients: readonly Client[]): void {
  const { module, native } = merge;
  declarePort(merge);
  module.names.reserve(["data_last", "data_lower", "data_beat", "data_taken", "data_lane"]);
  const lanes = clients.some(({ bits }) => bits < native.dataBits);
  for (const wire of ["data_taken", "data_last"]) module.declare(`wire ${wire};`);
  const longest = longestCommand(clients);
  const oldest = arbiter(merge, {
    channel: "read",
    clients,
    free: "(~read_valid | read_ready)",
    answered: "data_taken & data_last",
    lanes,
    creditBits: clients.some(isBurst) ? Math.ceil(Math.log2(longest)) : 0,
  });
  module.always([
    "if (rst) read_valid <= 1'b0;",
    "else if (read_take) read_valid <= read_any;",
    "else if (read_ready) read_valid <= 1'b0;",
  ]);
  takeCommand(merge, "read", clients);
  if (!lanes) for (const c of clients) module.leaveBits(addressOf(merge, "read", c), 0, merge.low);
  // The order is known before data can arrive; if not, nothing is lost.
  module.assign("data_ready", oldest.known);
  module.assign("data_taken", `data_valid & ${oldest.known}`);
  if (longest === 1) module.assign("data_last", "1'b1");
  else countBeats(merge, clients, oldest);
  distribute(merge, clients, oldest);
}

function declarePort(merge: Merge): void {
  const { module, native } = merge;
  declareCommand(merge, "read");
  module.port({ direction: "input", bits: 1, name: "data_valid" });
  module.port({ direction: "input", bits: native.dataBits, name: "data" });
  module.port({ direction: "output", bits: 1, name: "data_ready" });
}

/**
 * Detects a command's last word. Of elements of several words, the lower ones wait in `data_lower`, the latest on top.
 */
function countBeats({ module, native }: Merge, clients: readonly Client[], { owner, more }: Oldest): void {
  const most = mostBeats(clients);
  const bits = Math.ceil(Math.log2(longestCommand(clients)));
  const lower = (most - 1) * native.dataBits;
  module.declare(`reg ${range(bits)}data_beat;`);
  if (most > 1) module.declare(`reg ${range(lower)}data_lower;`);
  const last = clients.map(
    ({ beats }, k) => `(${owner(k)} & (data_beat == ${literal(BigInt(beats - 1), bits)}))`,
  );
  module.assign("data_last", more === "" ? disjunction(last) : `data_beat == ${more}`);
  module.always([
    `if (rst) data_beat <= ${zeros(bits)};`,
    `else if (data_taken) data_beat <= data_last ? ${zeros(bits)} : data_beat + ${literal(1n, bits)};`,
  ]);
  if (most === 1) return;
  const next = most === 2 ? "data" : `{data, data_lower[${lower - 1}:${native.dataBits}]}`;
  module.when("data_taken", [`data_lower <= ${next};`]);
}

/** Each client gets its element on its wires; `data_valid` tells whose it is. */
function distribute(merge: Merge, clients: readonly Client[], { owner, lane }: Oldest): void {
  const { module, signal } = merge;
  const { dataBits } = merge.native;
  const most = mostBeats(clients);
  const narrow = Math.max(...clients.map(({ bits }) => (bits < dataBits ? bits : 0)));
  const word = narrow > 0 ? lanesOf(merge, lane, narrow) : "data";
  clients.forEach(({ prefix, bits, beats, burst }, k) => {
    const element =
      beats > 1
        ? `{data, data_lower[${(most - 1) * dataBits - 1}:${(most - beats) * dataBits}]}`
        : bits < dataBits
          ? `${word}[${bits - 1}:0]`
          : "data";
    module.assign(signal(`${prefix}_data`), element);
    const last = burst === undefined ? "data_taken & data_last" : "data_taken";
    module.assign(signal(`${prefix}_data_valid`), `${last} & ${owner(k)}`);
  });
}

/** The word's lowest `widest` bits after shifting it down to an element, halving it with each bit of the lane. */
function lanesOf({ module, native, low }: Merge, lane: Oldest["lane"], widest: number): string {
  let from = "data";
  let bits = native.dataBits;
  for (let step = low - 1; step >= 0; step--) {
    const half = 8 << step;
    const name = module.names.unique(`data_lane${step}`);
    const upper = widest > half ? `${from}[${bits - 1}:${half}]` : undefined;
    const shifted = `${lane(step)} ? ${from}[${2 * half - 1}:${half}] : ${from}[${half - 1}:0]`;
    if (upper === undefined) bits = half;
    module.declare(`wire ${range(bits)}${name};`);
    module.assign(name, upper === undefined ? shifted : `{${upper}, ${shifted}}`);
    from = name;
  }
  return from;
}
