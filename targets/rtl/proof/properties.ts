/**
 * What the parts of designs promise, as assertions in their own modules. Order is shown of one word that is followed:
 * `choose` is free, so it may be any (Wolper, Expressing interesting properties of programs in propositional temporal
 * logic, POPL 1986). Assertions beyond the promises tie the word's place to the registers: with them all promises
 * follow by induction, for runs of any length.
 */

export interface Properties {
  /** For people. */
  readonly claims: readonly string[];
  /** What those around it must keep to; it is assumed. */
  readonly provided?: string;
  /** Verilog for the end of the module. */
  readonly text: string;
}

/** The first cycle is one of reset. */
const begun = `
  reg begun = 1'b0;
  always @(posedge clk) begun <= 1'b1;
  always @* assume (begun | rst);
`;

/** Follows one word among `total` that wait, of which `takes` takes the first. */
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
  text: `${begun}
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
  text: `${begun}
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
  text: `${begun}
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
  text: `${begun}
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

const streamRead: Properties = {
  claims: [
    "there is room for every answer: reads under way and words that wait never exceed the queue",
    "element k is asked for at the command's address + k elements, and as many as commanded",
  ],
  provided: "memory answers what was asked, once; the queue of words keeps to its claims",
  text: `${begun}
  // Of the queue, whose own proof is another: it offers words while it has some.
  reg [LOG2:0] stored = 0;
  reg [LOG2:0] under_way = 0;
  reg [ADDRESS-1:0] first;
  reg [BEATS-1:0] wanted = 0;
  reg [BEATS-1:0] done = 0;
  wire [ADDRESS-1:0] due = first + done * BYTES;
  wire takes = data_valid & data_ready;
  wire accepted = command_valid & command_ready;
  always @(posedge clk) begin
    stored <= rst ? 0 : stored + arrived - takes;
    under_way <= rst ? 0 : under_way + asked - arrived;
    if (rst | accepted) wanted <= rst ? 0 : command_beats;
    if (rst | accepted) done <= 0;
    else if (asked) done <= done + 1;
    if (accepted) first <= command_address;
  end
  always @* begin
    assume (~data_valid | stored != 0);
    assume (~arrived | under_way != 0);
    if (begun) begin
      assert (flight == {1'b0, stored} + under_way);
      assert (stored <= (1 << LOG2) & under_way <= (1 << LOG2));
      assert (flight <= (1 << LOG2));
      if (~rst & arrived) assert (stored < (1 << LOG2));
      assert (left == wanted - done & done <= wanted);
      if (left != 0) assert (address == due);
      if (read_valid) assert (read_address == due & done < wanted);
    end
  end
`,
};

const streamWrite: Properties = {
  claims: [
    "word k is written at the command's address + k elements",
    "the stream is settled when, and only when, all its writes were answered",
  ],
  provided: "memory answers what was written, once; a command comes between words, not with one",
  text: `${begun}
  reg [ADDRESS-1:0] first;
  reg [ADDRESS-1:0] done = 0;
  reg commanded = 1'b0;
  reg [15:0] open = 0;
  wire [ADDRESS-1:0] due = first + done * BYTES;
  wire writes = write_valid & write_ready;
  always @(posedge clk) begin
    open <= rst ? 0 : open + writes - write_done;
    if (command_valid) begin
      first <= command_address;
      done <= 0;
      commanded <= 1'b1;
    end else if (writes) done <= done + 1;
  end
  always @* begin
    assume (~write_done | open != 0);
    assume (~command_valid | ~word_valid);
    if (begun) begin
      assert (flight == open);
      assert (flight <= 16'd32768);
      assert (settled == (open == 0));
      if (commanded) assert (address == due);
      if (commanded & write_valid) assert (write_address == due & write_data == word);
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
  arc_stream_read: streamRead,
  arc_stream_write: streamWrite,
};
