/** Address generators of streams, which stand between a kernel and its memory ports. */

const streamRead = `module arc_stream_read #(
  parameter BYTES = 1,
  parameter ADDRESS = 32,
  parameter BEATS = 16,
  parameter LOG2 = 4
) (
  input wire clk,
  input wire rst,
  input wire command_valid,
  input wire [ADDRESS-1:0] command_address,
  input wire [BEATS-1:0] command_beats,
  output wire command_ready,
  output wire data_valid,
  output wire [BYTES*8-1:0] data,
  input wire data_ready,
  output wire read_valid,
  output wire [ADDRESS-1:0] read_address,
  input wire read_ready,
  input wire arrived,
  input wire [BYTES*8-1:0] arriving
);
  reg [ADDRESS-1:0] address;
  reg [BEATS-1:0] left;
  reg [LOG2:0] flight;
  wire asks = left != {BEATS{1'b0}};
  wire asked = read_valid & read_ready;

  assign command_ready = ~asks;
  assign read_valid = asks & ~flight[LOG2];
  assign read_address = address;
  always @(posedge clk) begin
    if (command_ready) address <= command_address;
    else if (asked) address <= address + BYTES[ADDRESS-1:0];
    if (rst) begin
      left <= {BEATS{1'b0}};
      flight <= {(LOG2+1){1'b0}};
    end else begin
      if (command_valid & command_ready) left <= command_beats;
      else if (asked) left <= left - {{(BEATS-1){1'b0}}, 1'b1};
      flight <= flight + {{LOG2{1'b0}}, asked} - {{LOG2{1'b0}}, data_valid & data_ready};
    end
  end

  arc_fifo #(.WIDTH(BYTES*8), .LOG2(LOG2)) words (
    .clk(clk),
    .rst(rst),
    .push(arrived),
    .in(arriving),
    .pop(data_ready),
    .out(data),
    .valid(data_valid)
  );
endmodule
`;

const streamWrite = `module arc_stream_write #(
  parameter BYTES = 1,
  parameter ADDRESS = 32
) (
  input wire clk,
  input wire rst,
  input wire command_valid,
  input wire [ADDRESS-1:0] command_address,
  output wire command_ready,
  input wire word_valid,
  input wire [BYTES*8-1:0] word,
  output wire word_ready,
  output wire settled,
  output wire write_valid,
  output wire [ADDRESS-1:0] write_address,
  output wire [BYTES*8-1:0] write_data,
  input wire write_ready,
  input wire write_done
);
  reg [ADDRESS-1:0] address;
  reg [15:0] flight;
  wire room = ~flight[15];

  assign command_ready = 1'b1;
  assign word_ready = write_ready & room;
  assign write_valid = word_valid & room;
  assign write_address = address;
  assign write_data = word;
  assign settled = flight == 16'd0;
  always @(posedge clk) begin
    if (command_valid) address <= command_address;
    else if (word_valid & word_ready) address <= address + BYTES[ADDRESS-1:0];
    if (rst) flight <= 16'd0;
    else flight <= flight + {15'd0, word_valid & word_ready} - {15'd0, write_done};
  end
endmodule
`;

/**
 * Words of LANES elements of LANE bytes, wherever they start: memory gives aligned words, of which two neighbours
 * hold what the kernel takes. The walk goes over one word more than the kernel's, and takes as long whether or not
 * its ends hold anything that is asked for: cycles do not depend on addresses.
 */
const wordsRead = `module arc_words_read #(
  parameter LANE = 1,
  parameter LANES = 2,
  parameter BYTE_BITS = 0,
  parameter LANE_BITS = 1,
  parameter ADDRESS = 32,
  parameter BEATS = 16,
  parameter LEAD = 0,
  parameter LOG2 = 4
) (
  input wire clk,
  input wire rst,
  input wire command_valid,
  input wire [ADDRESS-1:0] command_address,
  input wire [BEATS-1:0] command_beats,
  output wire command_ready,
  output reg data_valid,
  output reg [LANES*LANE*8-1:0] data,
  input wire data_ready,
  output wire read_valid,
  output wire [ADDRESS-1:0] read_address,
  input wire read_ready,
  input wire arrived,
  input wire [LANES*LANE*8-1:0] arriving
);
  localparam LOW = BYTE_BITS + LANE_BITS;
  localparam WIDTH = LANES * LANE * 8;
  localparam COUNT = BEATS + 1;
  // The last element, counted from the kernel's first word; whether it lies in a word of memory more.
  wire [LANE_BITS-1:0] shift = command_address[BYTE_BITS +: LANE_BITS];
  wire [COUNT-1:0] last = {1'b0, command_beats} + LEAD[COUNT-1:0] - {{(COUNT-1){1'b0}}, 1'b1};
  wire [LANE_BITS:0] lead = {1'b0, shift} + LEAD[LANE_BITS:0];
  wire [LANE_BITS:0] tail = {1'b0, shift} + {1'b0, last[LANE_BITS-1:0]};
  wire begins = command_valid & command_ready & (command_beats != {BEATS{1'b0}});

  // Memory is asked for the words that hold wanted elements.
  reg asks;
  reg skips;
  reg [ADDRESS-1:LOW] place;
  reg [COUNT-1:LANE_BITS] more;
  reg [LOG2:0] flight;
  wire asked = read_valid & read_ready;
  wire next = asks & (skips | asked);
  wire taken;

  assign command_ready = ~asks;
  assign read_valid = asks & ~skips & ~flight[LOG2];
  assign read_address = {place, {LOW{1'b0}}};
  always @(posedge clk) begin
    if (begins) begin
      place <= command_address[ADDRESS-1:LOW];
      more <= last[COUNT-1:LANE_BITS] + {{(COUNT-LANE_BITS-1){1'b0}}, tail[LANE_BITS]};
      skips <= lead[LANE_BITS];
    end else if (next) begin
      place <= place + {{(ADDRESS-LOW-1){1'b0}}, 1'b1};
      more <= more - {{(COUNT-LANE_BITS-1){1'b0}}, 1'b1};
      skips <= 1'b0;
    end
    if (rst) begin
      asks <= 1'b0;
      flight <= {(LOG2+1){1'b0}};
    end else begin
      if (begins) asks <= 1'b1;
      else if (next & (more == {(COUNT-LANE_BITS){1'b0}})) asks <= 1'b0;
      flight <= flight + {{LOG2{1'b0}}, asked} - {{LOG2{1'b0}}, taken};
    end
  end

  // A word of the kernel's is made of the one that is held and the next.
  wire [WIDTH-1:0] upper;
  wire there;
  reg [WIDTH-1:0] held;
  reg [LANE_BITS-1:0] by;
  reg [COUNT-1:LANE_BITS] left;
  reg gives;
  reg holds;
  reg blank_first;
  reg blank_last;
  wire closes = left == {(COUNT-LANE_BITS){1'b0}};
  wire real_one = holds ? ~(closes & blank_last) : ~blank_first;
  wire step = gives & (there | ~real_one) & (~holds | ~data_valid | data_ready);
  wire [2*WIDTH-1:0] both = {upper, held};

  assign taken = step & real_one;
  always @(posedge clk) begin
    if (begins) begin
      by <= shift;
      left <= last[COUNT-1:LANE_BITS];
      blank_first <= lead[LANE_BITS];
      blank_last <= ~tail[LANE_BITS];
    end else if (step & holds) left <= left - {{(COUNT-LANE_BITS-1){1'b0}}, 1'b1};
    if (step) held <= upper;
    if (step & holds) data <= both[{1'b0, by, {(BYTE_BITS+3){1'b0}}} +: WIDTH];
    if (rst) begin
      gives <= 1'b0;
      holds <= 1'b0;
      data_valid <= 1'b0;
    end else begin
      if (begins) gives <= 1'b1;
      else if (step & holds & closes) gives <= 1'b0;
      if (begins) holds <= 1'b0;
      else if (step) holds <= 1'b1;
      if (step & holds) data_valid <= 1'b1;
      else if (data_ready) data_valid <= 1'b0;
    end
  end

  generate
    if (BYTE_BITS > 0) begin : elements
      // Elements are aligned to their size.
      wire unused = &{1'b0, command_address[BYTE_BITS-1:0]};
    end
  endgenerate

  arc_fifo #(.WIDTH(WIDTH), .LOG2(LOG2)) words (
    .clk(clk),
    .rst(rst),
    .push(arrived),
    .in(arriving),
    .pop(taken),
    .out(upper),
    .valid(there)
  );
endmodule
`;

/**
 * The other way: what the kernel's words put into one word of memory is gathered until something lies beyond it, or
 * the loop has ended. `held` is of the word at `place`; where it is complete the kernel's next word begins behind it.
 */
const wordsWrite = `module arc_words_write #(
  parameter LANE = 1,
  parameter LANES = 2,
  parameter BYTE_BITS = 0,
  parameter LANE_BITS = 1,
  parameter ADDRESS = 32
) (
  input wire clk,
  input wire rst,
  input wire command_valid,
  input wire [ADDRESS-1:0] command_address,
  output wire command_ready,
  input wire word_valid,
  input wire [LANES*LANE*8-1:0] word,
  input wire [LANES-1:0] word_lanes,
  output wire word_ready,
  input wire ended,
  output wire settled,
  output wire write_valid,
  output wire [ADDRESS-1:0] write_address,
  output wire [LANES*LANE*8-1:0] write_data,
  output wire [LANES*LANE-1:0] write_strobe,
  input wire write_ready,
  input wire write_done
);
  localparam LOW = BYTE_BITS + LANE_BITS;
  localparam BITS = LANE * 8;
  localparam WIDTH = LANES * BITS;
  reg [ADDRESS-1:LOW] place;
  // Lanes by which words are turned, and those that belong to the word of memory behind.
  reg [LANE_BITS:0] by;
  reg [LANES-1:0] beyond;
  reg [WIDTH-1:0] held;
  reg [LANES-1:0] holds;
  reg complete;
  reg [15:0] flight;
  wire [2*WIDTH-1:0] twice = {word, word};
  wire [2*LANES-1:0] twice_lanes = {word_lanes, word_lanes};
  wire [WIDTH-1:0] turned = twice[{by, {(BYTE_BITS+3){1'b0}}} +: WIDTH];
  wire [LANES-1:0] lanes = twice_lanes[by +: LANES];
  wire [LANES-1:0] here = lanes & ~beyond;
  wire [LANES-1:0] behind = lanes & beyond;
  wire some = holds != {LANES{1'b0}};
  wire fills = here != {LANES{1'b0}};
  wire passes = behind != {LANES{1'b0}};
  wire room = ~flight[15];
  wire sends = word_valid ? (complete | (passes & (some | fills))) : ended & some;
  wire sent = write_valid & write_ready;
  // What is complete goes before a word that would not be: that one comes again.
  wire moves = word_valid & (~sends | sent);
  wire again = complete & (passes | ~fills);
  wire [WIDTH-1:0] joined;
  wire [LANES-1:0] old = complete ? {LANES{1'b0}} : holds;
  genvar k;

  generate
    for (k = 0; k < LANES; k = k + 1) begin : lane
      assign joined[k*BITS +: BITS] = holds[k] ? held[k*BITS +: BITS] : turned[k*BITS +: BITS];
      assign write_strobe[k*LANE +: LANE] = {LANE{holds[k] | (~complete & word_valid & here[k])}};
    end
    if (BYTE_BITS > 0) begin : elements
      // Elements are aligned to their size.
      wire unused = &{1'b0, command_address[BYTE_BITS-1:0]};
    end
  endgenerate
  assign command_ready = 1'b1;
  assign word_ready = moves & ~again;
  assign write_valid = sends & room;
  assign write_address = {place, {LOW{1'b0}}};
  assign write_data = joined;
  assign settled = (flight == 16'd0) & ~some;
  always @(posedge clk) begin
    if (command_valid) begin
      place <= command_address[ADDRESS-1:LOW];
      by <= LANES[LANE_BITS:0] - {1'b0, command_address[BYTE_BITS +: LANE_BITS]};
      beyond <= ~({LANES{1'b1}} << command_address[BYTE_BITS +: LANE_BITS]);
    end else if (moves & (complete | passes | ~(some | fills))) place <= place + {{(ADDRESS-LOW-1){1'b0}}, 1'b1};
    if (moves & ~again) held <= passes | complete ? turned : joined;
    if (rst) begin
      holds <= {LANES{1'b0}};
      complete <= 1'b0;
      flight <= 16'd0;
    end else begin
      if (moves) begin
        holds <= again ? {LANES{1'b0}} : passes ? behind : old | here;
        complete <= ~again & ~passes & (complete | some | fills);
      end else if (sent) begin
        holds <= {LANES{1'b0}};
        complete <= 1'b0;
      end
      flight <= flight + {15'd0, sent} - {15'd0, write_done};
    end
  end
endmodule
`;

/**
 * Reads ahead of a stream in bursts, which end where a block of as many words as the longest one does: none crosses a
 * larger boundary. Serves what the stream's generator asks for, in order: a part of a word, or several words.
 */
const burstRead = `module arc_burst_read #(
  parameter BYTES = 1,
  parameter BYTE_BITS = 0,
  parameter WORD = 4,
  parameter WORD_BITS = 2,
  parameter UNIT_BITS = 0,
  parameter LEAD = 0,
  parameter ADDRESS = 32,
  parameter BEATS = 16,
  parameter LOG2 = 4
) (
  input wire clk,
  input wire rst,
  input wire command_valid,
  input wire [ADDRESS-1:0] command_address,
  input wire [BEATS-1:0] command_beats,
  input wire read_valid,
  input wire [ADDRESS-1:0] read_address,
  output wire read_ready,
  output wire arrived,
  output wire [BYTES*8-1:0] arriving,
  output wire burst_valid,
  output wire [ADDRESS-1:0] burst_address,
  output wire [8:0] burst_beats,
  input wire burst_ready,
  input wire data_valid,
  input wire [WORD*8-1:0] data
);
  localparam BITS = WORD * 8;
  // What is served at a time, or a word: its parts are asked for together.
  localparam BLOCK_BITS = BYTE_BITS > WORD_BITS ? BYTE_BITS : WORD_BITS;
  wire some = command_beats != {BEATS{1'b0}};
  wire begins = command_valid & some;
  reg [ADDRESS-1:0] first;
  reg [BEATS+UNIT_BITS-1:0] span;
  reg measures;
  reg asks;
  reg [ADDRESS-1:WORD_BITS] next;
  reg [ADDRESS-1:WORD_BITS] last;
  reg [LOG2+1:0] flight;
  wire [ADDRESS-1:0] end_at = first + {{(ADDRESS-BEATS-UNIT_BITS){1'b0}}, span};
  wire closing = next[ADDRESS-1:WORD_BITS+LOG2] == last[ADDRESS-1:WORD_BITS+LOG2];
  wire [LOG2-1:0] stop = closing ? last[WORD_BITS +: LOG2] : {LOG2{1'b1}};
  wire [LOG2-1:0] more = stop - next[WORD_BITS +: LOG2];
  wire [LOG2:0] length = {1'b0, more} + {{LOG2{1'b0}}, 1'b1};
  wire asked = burst_valid & burst_ready;
  wire there;
  wire [BITS-1:0] word;
  wire taken;

  assign burst_valid = asks & (flight <= {1'b0, 1'b1, {LOG2{1'b0}}});
  assign burst_address = {next, {WORD_BITS{1'b0}}};
  assign burst_beats[LOG2:0] = length;
  generate
    if (LOG2 < 8) begin : short
      assign burst_beats[8:LOG2+1] = {(8-LOG2){1'b0}};
    end
  endgenerate
  always @(posedge clk) begin
    if (begins) begin
      first <= command_address + LEAD[ADDRESS-1:0];
      span <= {command_beats, {UNIT_BITS{1'b0}}} - {{(BEATS+UNIT_BITS-1){1'b0}}, 1'b1};
    end
    if (measures) begin
      next <= first[ADDRESS-1:WORD_BITS] & ({(ADDRESS-WORD_BITS){1'b1}} << (BLOCK_BITS - WORD_BITS));
      last <= end_at[ADDRESS-1:WORD_BITS] | ~({(ADDRESS-WORD_BITS){1'b1}} << (BLOCK_BITS - WORD_BITS));
    end else if (asked) next <= {next[ADDRESS-1:WORD_BITS+LOG2] + {{(ADDRESS-WORD_BITS-LOG2-1){1'b0}}, 1'b1}, {LOG2{1'b0}}};
    if (rst) begin
      measures <= 1'b0;
      asks <= 1'b0;
      flight <= {(LOG2+2){1'b0}};
    end else begin
      measures <= begins;
      if (measures) asks <= 1'b1;
      else if (asked & closing) asks <= 1'b0;
      // The part of a word that the last stream left.
      if (begins) flight <= {(LOG2+2){1'b0}};
      else flight <= flight + (asked ? {1'b0, length} : {(LOG2+2){1'b0}}) - {{(LOG2+1){1'b0}}, taken};
    end
  end

  arc_fifo #(.WIDTH(BITS), .LOG2(LOG2 + 1)) words (
    .clk(clk),
    .rst(rst | begins),
    .push(data_valid),
    .in(data),
    .pop(taken),
    .out(word),
    .valid(there)
  );
  wire unused = &{1'b0, end_at[WORD_BITS-1:0], first[WORD_BITS-1:0]};
  generate
    if (BYTE_BITS > WORD_BITS) begin : gather
      localparam PARTS_BITS = BYTE_BITS - WORD_BITS;
      reg [PARTS_BITS-1:0] part;
      reg [BYTES*8-BITS-1:0] lower;
      wire whole = part == {PARTS_BITS{1'b1}};
      wire [BYTES*8-1:0] parts = {word, lower};
      wire unused_address = &{1'b0, read_address};

      assign read_ready = there & whole;
      assign arrived = read_valid & read_ready;
      assign arriving = parts;
      assign taken = there & (~whole | read_valid);
      always @(posedge clk) begin
        if (taken) lower <= parts[BYTES*8-1:BITS];
        if (rst | begins) part <= {PARTS_BITS{1'b0}};
        else if (taken) part <= part + {{(PARTS_BITS-1){1'b0}}, 1'b1};
      end
    end else if (BYTE_BITS < WORD_BITS) begin : select
      localparam PLACES = WORD_BITS - BYTE_BITS;
      wire [PLACES-1:0] place = read_address[BYTE_BITS +: PLACES];
      wire unused_address = &{1'b0, read_address};

      assign read_ready = there;
      assign arrived = read_valid & there;
      assign arriving = word[{place, {(BYTE_BITS+3){1'b0}}} +: BYTES*8];
      assign taken = arrived & (place == {PLACES{1'b1}});
    end else begin : same
      wire unused_address = &{1'b0, read_address};
      assign read_ready = there;
      assign arrived = read_valid & there;
      assign arriving = word;
      assign taken = arrived;
    end
  endgenerate
endmodule
`;

/**
 * Gathers what a stream writes into words, and words that follow each other into bursts. A burst is announced when all
 * of it is here, so that no one waits for a writer while another one writes.
 */
const burstWrite = `module arc_burst_write #(
  parameter BYTES = 1,
  parameter BYTE_BITS = 0,
  parameter WORD = 4,
  parameter WORD_BITS = 2,
  parameter ADDRESS = 32,
  parameter LOG2 = 4
) (
  input wire clk,
  input wire rst,
  input wire ended,
  input wire write_valid,
  input wire [ADDRESS-1:0] write_address,
  input wire [BYTES*8-1:0] write_data,
  input wire [BYTES-1:0] write_strobe,
  output wire write_ready,
  output wire write_done,
  output wire settled,
  output wire burst_valid,
  output wire [ADDRESS-1:0] burst_address,
  output wire [8:0] burst_beats,
  input wire burst_ready,
  input wire burst_done,
  output wire word_valid,
  output wire [WORD*8-1:0] word,
  output wire [WORD-1:0] word_strobe,
  input wire word_ready
);
  localparam HIGH = ADDRESS - WORD_BITS;
  wire comes;
  wire accepts;
  wire [HIGH-1:0] place;
  wire [WORD*8-1:0] part;
  wire [WORD-1:0] part_strobe;

  assign write_done = write_valid & write_ready;
  generate
    if (BYTE_BITS > WORD_BITS) begin : split
      localparam PARTS_BITS = BYTE_BITS - WORD_BITS;
      reg [PARTS_BITS-1:0] now;
      wire unused_address = &{1'b0, write_address[BYTE_BITS-1:0]};
      assign comes = write_valid;
      assign place = {write_address[ADDRESS-1:BYTE_BITS], now};
      assign part = write_data[{now, {(WORD_BITS+3){1'b0}}} +: WORD*8];
      assign part_strobe = write_strobe[{now, {WORD_BITS{1'b0}}} +: WORD];
      assign write_ready = accepts & (now == {PARTS_BITS{1'b1}});
      always @(posedge clk)
        if (rst) now <= {PARTS_BITS{1'b0}};
        else if (write_valid & accepts) now <= now + {{(PARTS_BITS-1){1'b0}}, 1'b1};
    end else if (BYTE_BITS < WORD_BITS) begin : select
      wire unused_address = &{1'b0, write_address};
      assign comes = write_valid;
      assign place = write_address[ADDRESS-1:WORD_BITS];
      assign part = {(WORD/BYTES){write_data}};
      assign part_strobe = {{(WORD-BYTES){1'b0}}, write_strobe} << write_address[WORD_BITS-1:0];
      assign write_ready = accepts;
    end else begin : same
      wire unused_address = &{1'b0, write_address};
      assign comes = write_valid;
      assign place = write_address[ADDRESS-1:WORD_BITS];
      assign part = write_data;
      assign part_strobe = write_strobe;
      assign write_ready = accepts;
    end
  endgenerate

  // The word that is gathered.
  reg full;
  reg [HIGH-1:0] at;
  reg [WORD*8-1:0] gathered;
  reg [WORD-1:0] strobe;
  // The burst that grows: its first word, the place behind its last, and its length.
  reg [HIGH-1:0] from;
  reg [HIGH-1:0] behind;
  reg [LOG2:0] length;
  reg [LOG2+1:0] held;
  reg [2:0] waiting;
  reg [15:0] flight;
  wire open = length != {(LOG2+1){1'b0}};
  wire joins = open & (at == behind) & (behind[LOG2-1:0] != {LOG2{1'b0}});
  wire same_word = full & comes & (place == at);
  wire over = ended & ~comes;
  wire leaves = full & ((comes & ~same_word) | over);
  wire whole = (behind[LOG2-1:0] == {LOG2{1'b0}}) | (leaves & ~joins) | (over & ~full);
  wire closes = open & whole & ~waiting[2] & ~flight[15];
  wire pushes = leaves & ~held[LOG2+1] & (joins | ~open | closes);
  wire popped = word_valid & word_ready;
  genvar k;

  assign accepts = ~full | same_word | pushes;
  assign settled = ~full & ~open & (flight == 16'd0);
  generate
    for (k = 0; k < WORD; k = k + 1) begin : byte_lane
      always @(posedge clk)
        if (comes & accepts & part_strobe[k]) gathered[k*8 +: 8] <= part[k*8 +: 8];
    end
  endgenerate
  always @(posedge clk) begin
    if (comes & accepts) begin
      at <= place;
      strobe <= same_word ? strobe | part_strobe : part_strobe;
    end
    if (pushes) begin
      if (~joins) from <= at;
      behind <= at + {{(HIGH-1){1'b0}}, 1'b1};
    end
    if (rst) begin
      full <= 1'b0;
      length <= {(LOG2+1){1'b0}};
      held <= {(LOG2+2){1'b0}};
      waiting <= 3'd0;
      flight <= 16'd0;
    end else begin
      if (comes & accepts) full <= 1'b1;
      else if (pushes) full <= 1'b0;
      if (pushes) length <= joins ? length + {{LOG2{1'b0}}, 1'b1} : {{LOG2{1'b0}}, 1'b1};
      else if (closes) length <= {(LOG2+1){1'b0}};
      held <= held + {{(LOG2+1){1'b0}}, pushes} - {{(LOG2+1){1'b0}}, popped};
      waiting <= waiting + {2'd0, closes} - {2'd0, burst_valid & burst_ready};
      flight <= flight + {15'd0, closes} - {15'd0, burst_done};
    end
  end

  arc_queue #(.WIDTH(HIGH + LOG2 + 1), .LOG2(2)) bursts (
    .clk(clk),
    .rst(rst),
    .push(closes),
    .in({from, length}),
    .pop(burst_ready),
    .out({burst_address[ADDRESS-1:WORD_BITS], burst_beats[LOG2:0]}),
    .valid(burst_valid)
  );
  assign burst_address[WORD_BITS-1:0] = {WORD_BITS{1'b0}};
  generate
    if (LOG2 < 8) begin : short
      assign burst_beats[8:LOG2+1] = {(8-LOG2){1'b0}};
    end
  endgenerate
  arc_fifo #(.WIDTH(WORD * 9), .LOG2(LOG2 + 1)) words (
    .clk(clk),
    .rst(rst),
    .push(pushes),
    .in({strobe, gathered}),
    .pop(word_ready),
    .out({word_strobe, word}),
    .valid(word_valid)
  );
endmodule
`;

export const generatorModules: Readonly<Record<string, string>> = {
  arc_stream_read: streamRead,
  arc_stream_write: streamWrite,
  arc_words_read: wordsRead,
  arc_words_write: wordsWrite,
  arc_burst_read: burstRead,
  arc_burst_write: burstWrite,
};
