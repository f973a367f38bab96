// Reads words of LANES elements of LANE bytes at any element address: memory delivers aligned words, of which two
// neighbours contain a word for the kernel. One word more than the kernel needs is always read, even if nothing in
// the first or last one is used, so that the number of cycles does not depend on addresses.
module arc_words_read #(
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
