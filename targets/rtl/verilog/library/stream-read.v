// Reads consecutive elements from memory. At most 2^LOG2 of them are under way or wait to be taken.
module arc_stream_read #(
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
