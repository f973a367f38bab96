// Collects what a stream writes into words, and consecutive words into bursts. A burst is announced when all
// of it has arrived, so that no client has to wait while another one's burst is incomplete.
module arc_burst_write #(
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
