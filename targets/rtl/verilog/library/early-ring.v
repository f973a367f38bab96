// A delay line in block RAM whose words are read (`enable`) and stored (`take`) in different cycles.
module arc_early_ring #(
  parameter WIDTH = 8,
  parameter LENGTH = 16,
  parameter LOG2 = 4
) (
  input wire clk,
  input wire rst,
  input wire enable,
  input wire take,
  input wire [WIDTH-1:0] in,
  output reg [WIDTH-1:0] out
);
  // An iteration looks at a word before it brings its own, but never at one that is on its way.
  (* no_rw_check *) reg [WIDTH-1:0] memory [0:LENGTH-1];
  reg [LOG2-1:0] at;
  reg [LOG2-1:0] next;
  localparam [LOG2-1:0] LAST = LENGTH[LOG2-1:0] - {{(LOG2-1){1'b0}}, 1'b1};

  always @(posedge clk) begin
    if (take) memory[at] <= in;
    if (enable) out <= memory[next];
  end

  always @(posedge clk) begin
    if (rst) begin
      at <= {LOG2{1'b0}};
      next <= {{(LOG2-1){1'b0}}, 1'b1};
    end else begin
      if (take) at <= at == LAST ? {LOG2{1'b0}} : at + {{(LOG2-1){1'b0}}, 1'b1};
      if (enable) next <= next == LAST ? {LOG2{1'b0}} : next + {{(LOG2-1){1'b0}}, 1'b1};
    end
  end
endmodule
