// A queue of 2^LOG2 words in registers. Push only when there is space.
module arc_queue #(
  parameter WIDTH = 8,
  parameter LOG2 = 2
) (
  input wire clk,
  input wire rst,
  input wire push,
  input wire [WIDTH-1:0] in,
  input wire pop,
  output wire [WIDTH-1:0] out,
  output wire valid
);
  localparam DEPTH = 1 << LOG2;
  reg [WIDTH-1:0] place [0:DEPTH-1];
  reg [LOG2-1:0] head;
  reg [LOG2-1:0] tail;
  reg [LOG2:0] count;

  assign out = place[head];
  assign valid = count != {(LOG2+1){1'b0}};

  always @(posedge clk) begin
    if (push) place[tail] <= in;
    if (rst) begin
      head <= {LOG2{1'b0}};
      tail <= {LOG2{1'b0}};
      count <= {(LOG2+1){1'b0}};
    end else begin
      if (push) tail <= tail + {{(LOG2-1){1'b0}}, 1'b1};
      if (pop & valid) head <= head + {{(LOG2-1){1'b0}}, 1'b1};
      count <= count + {{LOG2{1'b0}}, push} - {{LOG2{1'b0}}, pop & valid};
    end
  end
endmodule
