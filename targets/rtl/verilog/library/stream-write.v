// Writes words to consecutive addresses, and counts those that memory has not acknowledged.
module arc_stream_write #(
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
