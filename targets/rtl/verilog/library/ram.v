// A local array: a read port and a write port, each for one word per cycle.
module arc_ram #(
  parameter WIDTH = 8,
  parameter WORDS = 256,
  parameter LOG2 = 8
) (
  input wire clk,
  input wire write,
  input wire [LOG2-1:0] to,
  input wire [WIDTH-1:0] in,
  input wire [LOG2-1:0] from,
  output reg [WIDTH-1:0] out
);
  // A word that is read in the cycle in which it is written does not count.
  (* no_rw_check *) reg [WIDTH-1:0] memory [0:WORDS-1];

  always @(posedge clk) begin
    if (write) memory[to] <= in;
    out <= memory[from];
  end
endmodule
