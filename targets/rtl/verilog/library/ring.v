// A delay line in block RAM: in an enabled cycle `out` is the input of LENGTH enabled cycles before.
module arc_ring #(
  parameter WIDTH = 8,
  parameter LENGTH = 16,
  parameter LOG2 = 4
) (
  input wire clk,
  input wire rst,
  input wire enable,
  input wire [WIDTH-1:0] in,
  output reg [WIDTH-1:0] out
);
  // A word is never read in the cycle in which it is written.
  (* no_rw_check *) reg [WIDTH-1:0] memory [0:LENGTH-1];
  reg [LOG2-1:0] at;
  reg [LOG2-1:0] next;
  wire last = next == LENGTH[LOG2-1:0] - {{(LOG2-1){1'b0}}, 1'b1};

  always @(posedge clk) begin
    if (enable) memory[at] <= in;
    if (enable) out <= memory[next];
  end

  always @(posedge clk) begin
    if (rst) begin
      at <= {LOG2{1'b0}};
      next <= {{(LOG2-1){1'b0}}, 1'b1};
    end else if (enable) begin
      at <= next;
      next <= last ? {LOG2{1'b0}} : next + {{(LOG2-1){1'b0}}, 1'b1};
    end
  end
endmodule
