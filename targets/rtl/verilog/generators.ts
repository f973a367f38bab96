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

export const generatorModules: Readonly<Record<string, string>> = {
  arc_stream_read: streamRead,
  arc_stream_write: streamWrite,
  arc_words_read: wordsRead,
  arc_words_write: wordsWrite,
};
