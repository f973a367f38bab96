// A queue of 2^LOG2 words in block RAM, and one more in a register behind it. Push only when there is space.
module arc_fifo #(
  parameter WIDTH = 8,
  parameter LOG2 = 4
) (
  input wire clk,
  input wire rst,
  input wire push,
  input wire [WIDTH-1:0] in,
  input wire pop,
  output reg [WIDTH-1:0] out,
  output reg valid
);
  localparam DEPTH = 1 << LOG2;
  // A word is never read in the cycle in which it is written.
  (* no_rw_check *) reg [WIDTH-1:0] memory [0:DEPTH-1];
  reg [LOG2-1:0] head;
  reg [LOG2-1:0] tail;
  reg [LOG2:0] count;
  wire fetch = (pop | ~valid) & (count != {(LOG2+1){1'b0}});

  always @(posedge clk) begin
    if (push) memory[tail] <= in;
    if (fetch) out <= memory[head];
  end

  always @(posedge clk) begin
    if (rst) begin
      head <= {LOG2{1'b0}};
      tail <= {LOG2{1'b0}};
      count <= {(LOG2+1){1'b0}};
      valid <= 1'b0;
    end else begin
      if (push) tail <= tail + {{(LOG2-1){1'b0}}, 1'b1};
      if (fetch) head <= head + {{(LOG2-1){1'b0}}, 1'b1};
      count <= count + {{LOG2{1'b0}}, push} - {{LOG2{1'b0}}, fetch};
      if (fetch) valid <= 1'b1;
      else if (pop) valid <= 1'b0;
    end
  end
endmodule
