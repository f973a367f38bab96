// A design with nothing in it: with it is compiled what Verilator adds to every simulator.
module nothing (input wire clk, output reg phase);
  always @(posedge clk) phase <= ~phase;
endmodule
