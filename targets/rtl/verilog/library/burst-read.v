// Reads ahead of a stream in bursts. A burst ends at a multiple of the longest burst's size, so that none crosses a
// larger boundary. Delivers what the stream's generator asks for, in order: a part of a word, or several words.
module arc_burst_read #(
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
