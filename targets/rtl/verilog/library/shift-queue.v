// A queue of DEPTH words in shifting registers: the oldest word comes directly from a register.
module arc_shift_queue #(
  parameter WIDTH = 8,
  parameter DEPTH = 4
) (
  input wire clk,
  input wire rst,
  input wire push,
  input wire [WIDTH-1:0] in,
  input wire pop,
  output wire [WIDTH-1:0] out,
  output wire valid
);
  // Words stand at the lowest places; all above them take what comes in, whether or not it counts.
  reg [DEPTH-1:0] full;
  wire [DEPTH-1:0] above = {1'b0, full[DEPTH-1:1]};
  wire [DEPTH-1:0] below = {full[DEPTH-2:0], 1'b1};
  wire [(DEPTH+1)*WIDTH-1:0] words;
  wire taken = pop & full[0];
  genvar k;

  assign valid = full[0];
  assign out = words[WIDTH-1:0];
  assign words[DEPTH*WIDTH +: WIDTH] = in;
  always @(posedge clk) begin
    if (rst) full <= {DEPTH{1'b0}};
    else if (push ^ taken) full <= push ? below : above;
  end
  generate
    for (k = 0; k < DEPTH; k = k + 1) begin : place
      reg [WIDTH-1:0] word;
      always @(posedge clk)
        if (taken | ~full[k]) word <= taken & above[k] ? words[(k+1)*WIDTH +: WIDTH] : in;
      assign words[k*WIDTH +: WIDTH] = word;
    end
  endgenerate
endmodule
