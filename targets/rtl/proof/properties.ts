/**
 * Properties of the parts of designs, as assertions inside them. Order is proved for one followed word: `choose` is
 * free, so it may be any word (Wolper, Expressing interesting properties of programs in propositional temporal logic,
 * POPL 1986). Further assertions tie the word's place to the registers: with them all properties follow by induction,
 * for runs of any length.
 */
import { burstRead, burstWrite } from "./bursts.ts";
import { hasBegun, type Properties } from "./part.ts";
import { streamRead, streamWrite } from "./streams.ts";
import { wordsRead, wordsWrite } from "./words.ts";

/** Follows one word among `total` waiting ones, of which `takes` takes the first. */
const followed = (bits: string): string => `
  (* keep *) wire choose;
  reg tagged = 1'b0;
  reg [WIDTH-1:0] followed;
  reg [${bits}:0] ahead;
  always @(posedge clk)
    if (rst) tagged <= 1'b0;
    else if (~tagged) begin
      tagged <= choose & push;
      followed <= in;
      ahead <= total - takes;
    end else if (takes) begin
      tagged <= ahead != 0;
      ahead <= ahead - 1;
    end
`;

const order = [
  "words leave in the order in which they came, each once and unchanged",
  "nothing is lost or overwritten, and no more waits than there is room for",
];

const fifo: Properties = {
  claims: [
    ...order,
    "a word that waits is offered a cycle later",
    "memory never reads the word that it writes",
  ],
  provided: "no word is pushed while as many wait as memory has places",
  text: `${hasBegun}
  wire [LOG2+1:0] total = count + valid;
  wire takes = pop & valid;
${followed("LOG2+1")}
  wire [LOG2-1:0] spot = head + ahead - valid;
  always @* begin
    assume (rst | ~push | total < DEPTH);
    if (begun) begin
      assert (count <= DEPTH);
      assert (tail == head + count[LOG2-1:0]);
      assert (valid | count == 0 | fetch);
      if (~rst) assert (~(push & fetch & head == tail));
      if (tagged) begin
        assert (ahead < total);
        if (valid & ahead == 0) assert (out == followed);
        else assert (memory[spot] == followed);
      end
    end
  end
`,
};

const queue: Properties = {
  claims: order,
  provided: "no word is pushed while as many wait as there are places",
  text: `${hasBegun}
  wire [LOG2:0] total = count;
  wire takes = pop & valid;
${followed("LOG2")}
  wire [LOG2-1:0] spot = head + ahead;
  always @* begin
    assume (rst | ~push | count < DEPTH);
    if (begun) begin
      assert (count <= DEPTH);
      assert (tail == head + count[LOG2-1:0]);
      if (tagged) begin
        assert (ahead < total);
        assert (place[spot] == followed);
        if (ahead == 0) assert (valid & out == followed);
      end
    end
  end
`,
};

const shiftQueue: Properties = {
  claims: order,
  provided: "no word is pushed while all places are full, unless one is taken",
  text: `${hasBegun}
  integer p;
  reg [31:0] total;
  always @* begin
    total = 0;
    for (p = 0; p < DEPTH; p = p + 1) total = total + full[p];
  end
  wire takes = taken;
${followed("31")}
  always @* begin
    assume (rst | ~push | ~full[DEPTH-1] | taken);
    if (begun) begin
      for (p = 1; p < DEPTH; p = p + 1) assert (full[p-1] | ~full[p]);
      if (tagged) begin
        assert (ahead < total);
        assert (words[ahead*WIDTH +: WIDTH] == followed);
        if (ahead == 0) assert (valid & out == followed);
      end
    end
  end
`,
};

const ring: Properties = {
  claims: [
    "a word comes out LENGTH - 1 steps after it went in, unchanged",
    "memory never reads the word that it writes",
  ],
  text: `${hasBegun}
  (* keep *) wire choose;
  reg tagged = 1'b0;
  reg [WIDTH-1:0] followed;
  reg [LOG2-1:0] spot;
  reg [LOG2-1:0] steps;
  always @(posedge clk)
    if (rst) tagged <= 1'b0;
    else if (enable)
      if (~tagged) begin
        tagged <= choose;
        followed <= in;
        spot <= at;
        steps <= 0;
      end else begin
        tagged <= steps != LENGTH - 1;
        steps <= steps + 1;
      end
  always @*
    if (begun) begin
      assert (at < LENGTH);
      assert (next == (at == LENGTH - 1 ? 0 : at + 1));
      assert (at != next);
      if (tagged) begin
        assert (spot < LENGTH);
        assert (steps < LENGTH);
        assert (at == (spot + steps + 1 >= LENGTH ? spot + steps + 1 - LENGTH : spot + steps + 1));
        if (steps == LENGTH - 1) assert (out == followed);
        else assert (memory[spot] == followed);
      end
    end
`,
};

const earlyRing: Properties = {
  claims: [
    "a word comes out LENGTH - 1 steps after the step that it went in for, unchanged",
    "memory never reads the word that it writes, nor one that is on its way",
  ],
  provided: "words are taken in as steps are, in their order, and later by less than LENGTH - 1 steps",
  text: `${hasBegun}
  (* keep *) wire choose;
  reg tagged = 1'b0;
  reg [WIDTH-1:0] followed;
  reg [LOG2-1:0] spot;
  // The steps whose words are still to come, and the steps since the followed one.
  reg [LOG2:0] late = 0;
  reg [LOG2:0] steps;
  wire [LOG2:0] next_late = late + enable - take;
  always @(posedge clk) begin
    late <= rst ? 0 : next_late;
    if (rst) tagged <= 1'b0;
    else if (~tagged) begin
      tagged <= choose & take;
      followed <= in;
      spot <= at;
      steps <= next_late;
    end else if (enable) begin
      tagged <= steps != LENGTH - 1;
      steps <= steps + 1;
    end
  end
  wire [LOG2+1:0] ahead = at + late + 1;
  wire [LOG2+1:0] since = spot + steps + 2;
  always @* begin
    assume (rst | ~take | enable | late != 0);
    assume (rst | next_late < LENGTH - 1);
    if (begun) begin
      assert (at < LENGTH & next < LENGTH & late < LENGTH - 1);
      assert (next == (ahead >= LENGTH ? ahead - LENGTH : ahead));
      if (~rst) assert (~(take & enable & at == next));
      if (tagged) begin
        assert (spot < LENGTH & steps < LENGTH & steps >= late);
        assert (next == (since >= 2 * LENGTH ? since - 2 * LENGTH : since >= LENGTH ? since - LENGTH : since));
        if (steps == LENGTH - 1) assert (out == followed);
        else assert (memory[spot] == followed);
      end
    end
  end
`,
};

/** By the module's name. */
export const properties: Readonly<Record<string, Properties>> = {
  arc_fifo: fifo,
  arc_queue: queue,
  arc_shift_queue: shiftQueue,
  arc_ring: ring,
  arc_early_ring: earlyRing,
  arc_stream_read: streamRead,
  arc_stream_write: streamWrite,
  arc_words_read: wordsRead,
  arc_words_write: wordsWrite,
  arc_burst_read: burstRead,
  arc_burst_write: burstWrite,
};
