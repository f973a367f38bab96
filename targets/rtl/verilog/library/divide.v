// Quotient and remainder with C's rounding, by restoring division: takes operands in every cycle, and gives results
// WIDTH + 2 cycles later.
module arc_divide #(
  parameter WIDTH = 8,
  parameter SIGNED = 1
) (
  input wire clk,
  input wire [WIDTH-1:0] a,
  input wire [WIDTH-1:0] b,
  output reg [WIDTH-1:0] quotient,
  output reg [WIDTH-1:0] remainder
);
  wire minus_a = (SIGNED != 0) & a[WIDTH-1];
  wire minus_b = (SIGNED != 0) & b[WIDTH-1];
  wire [WIDTH:0] signs_q;
  wire [WIDTH:0] signs_r;
  wire [(WIDTH+1)*WIDTH-1:0] dividends;
  wire [WIDTH*WIDTH-1:0] divisors;
  wire [(WIDTH+1)*WIDTH-1:0] remainders;
  reg [WIDTH-1:0] magnitude_a;
  reg [WIDTH-1:0] magnitude_b;
  reg sign_q;
  reg sign_r;
  genvar s;

  always @(posedge clk) begin
    magnitude_a <= minus_a ? {WIDTH{1'b0}} - a : a;
    magnitude_b <= minus_b ? {WIDTH{1'b0}} - b : b;
    sign_q <= minus_a ^ minus_b;
    sign_r <= minus_a;
  end
  assign dividends[WIDTH-1:0] = magnitude_a;
  assign divisors[WIDTH-1:0] = magnitude_b;
  assign remainders[WIDTH-1:0] = {WIDTH{1'b0}};
  assign signs_q[0] = sign_q;
  assign signs_r[0] = sign_r;
  generate
    for (s = 0; s < WIDTH; s = s + 1) begin : stage
      wire [WIDTH:0] tried = {remainders[s*WIDTH +: WIDTH], dividends[s*WIDTH + WIDTH - 1]};
      wire [WIDTH:0] less = tried - {1'b0, divisors[s*WIDTH +: WIDTH]};
      reg [WIDTH-1:0] dividend;
      reg [WIDTH-1:0] left;
      reg turned_q;
      reg turned_r;
      always @(posedge clk) begin
        dividend <= (dividends[s*WIDTH +: WIDTH] << 1) | {{(WIDTH-1){1'b0}}, ~less[WIDTH]};
        left <= less[WIDTH] ? tried[WIDTH-1:0] : less[WIDTH-1:0];
        turned_q <= signs_q[s];
        turned_r <= signs_r[s];
      end
      assign dividends[(s+1)*WIDTH +: WIDTH] = dividend;
      if (s < WIDTH - 1) begin : carry
        reg [WIDTH-1:0] divisor;
        always @(posedge clk) divisor <= divisors[s*WIDTH +: WIDTH];
        assign divisors[(s+1)*WIDTH +: WIDTH] = divisor;
      end
      assign remainders[(s+1)*WIDTH +: WIDTH] = left;
      assign signs_q[s+1] = turned_q;
      assign signs_r[s+1] = turned_r;
    end
  endgenerate
  always @(posedge clk) begin
    quotient <= signs_q[WIDTH] ? {WIDTH{1'b0}} - dividends[WIDTH*WIDTH +: WIDTH] : dividends[WIDTH*WIDTH +: WIDTH];
    remainder <= signs_r[WIDTH] ? {WIDTH{1'b0}} - remainders[WIDTH*WIDTH +: WIDTH] : remainders[WIDTH*WIDTH +: WIDTH];
  end
endmodule
