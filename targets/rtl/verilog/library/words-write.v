// The counterpart for writes: what the kernel's words put into one word of memory is collected until a word reaches
// beyond it, or the loop has ended. `held` belongs to the word at `place`; once that is complete, the kernel's next
// word starts after it.
module arc_words_write #(
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
