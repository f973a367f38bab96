// Cells of an iCE40 as arc's netlists use them, in the form that simulates fastest. Registers and memories begin
// with 0; the clock's edge is the rising one.

module SB_LUT4 (output O, input I0, input I1, input I2, input I3);
  parameter [15:0] LUT_INIT = 16'd0;
`ifdef ARC_TWO_STATES
  assign O = LUT_INIT[{I3, I2, I1, I0}];
`else
  // An unknown input that makes no difference leaves the output known.
  wire [7:0] by3 = I3 ? LUT_INIT[15:8] : LUT_INIT[7:0];
  wire [3:0] by2 = I2 ? by3[7:4] : by3[3:0];
  wire [1:0] by1 = I1 ? by2[3:2] : by2[1:0];
  assign O = I0 ? by1[1] : by1[0];
`endif
endmodule

module SB_CARRY (output CO, input I0, input I1, input CI);
  assign CO = (I0 & I1) | ((I0 | I1) & CI);
endmodule

module SB_DFF (output reg Q, input C, input D);
  initial Q = 1'b0;
  always @(posedge C) Q <= D;
endmodule

module SB_DFFE (output reg Q, input C, input E, input D);
  initial Q = 1'b0;
  always @(posedge C) if (E) Q <= D;
endmodule

module SB_DFFSR (output reg Q, input C, input R, input D);
  initial Q = 1'b0;
  always @(posedge C) Q <= R ? 1'b0 : D;
endmodule

module SB_DFFSS (output reg Q, input C, input S, input D);
  initial Q = 1'b0;
  always @(posedge C) Q <= S ? 1'b1 : D;
endmodule

module SB_DFFESR (output reg Q, input C, input E, input R, input D);
  initial Q = 1'b0;
  always @(posedge C) if (E) Q <= R ? 1'b0 : D;
endmodule

module SB_DFFESS (output reg Q, input C, input E, input S, input D);
  initial Q = 1'b0;
  always @(posedge C) if (E) Q <= S ? 1'b1 : D;
endmodule

// A clock that is all there is needs no faster one: the reference itself, locked from the beginning.
module SB_PLL40_CORE (output PLLOUTCORE, output LOCK, input REFERENCECLK, input RESETB, input BYPASS);
  parameter FEEDBACK_PATH = "SIMPLE";
  parameter [3:0] DIVR = 4'd0;
  parameter [6:0] DIVF = 7'd0;
  parameter [2:0] DIVQ = 3'd0;
  parameter [2:0] FILTER_RANGE = 3'd0;
  assign PLLOUTCORE = REFERENCECLK;
  assign LOCK = 1'b1;
endmodule

// 256 words of 16 bits, or, by the modes of its two ports, 512 of 8, 1024 of 4, 2048 of 2: address bits from 8 up
// choose among neighbouring bits of a word.
module SB_RAM40_4K (
  output [15:0] RDATA,
  input RCLK, input RCLKE, input RE, input [10:0] RADDR,
  input WCLK, input WCLKE, input WE, input [10:0] WADDR, input [15:0] MASK, input [15:0] WDATA
);
  parameter WRITE_MODE = 0;
  parameter READ_MODE = 0;
  parameter [255:0] INIT_0 = 256'd0, INIT_1 = 256'd0, INIT_2 = 256'd0, INIT_3 = 256'd0;
  parameter [255:0] INIT_4 = 256'd0, INIT_5 = 256'd0, INIT_6 = 256'd0, INIT_7 = 256'd0;
  parameter [255:0] INIT_8 = 256'd0, INIT_9 = 256'd0, INIT_A = 256'd0, INIT_B = 256'd0;
  parameter [255:0] INIT_C = 256'd0, INIT_D = 256'd0, INIT_E = 256'd0, INIT_F = 256'd0;
  localparam [4095:0] INIT = {
    INIT_F, INIT_E, INIT_D, INIT_C, INIT_B, INIT_A, INIT_9, INIT_8,
    INIT_7, INIT_6, INIT_5, INIT_4, INIT_3, INIT_2, INIT_1, INIT_0
  };
  reg [15:0] memory [0:255];
  reg [15:0] word;
  reg [2:0] part;
  wire [15:0] keep;
  wire [15:0] given;
  genvar k;
  integer n;

  initial for (n = 0; n < 256; n = n + 1) memory[n] = INIT[16*n +: 16];

  generate
    if (WRITE_MODE == 0) begin : w16
      assign keep = MASK;
      assign given = WDATA;
    end else if (WRITE_MODE == 1) begin : w8
      assign keep = WADDR[8] ? 16'h5555 : 16'haaaa;
      for (k = 0; k < 16; k = k + 1) begin : lane
        assign given[k] = WDATA[k / 2 * 2];
      end
    end else if (WRITE_MODE == 2) begin : w4
      assign keep = ~(16'h1111 << WADDR[9:8]);
      for (k = 0; k < 16; k = k + 1) begin : lane
        assign given[k] = WDATA[k / 4 * 4 + 1];
      end
    end else begin : w2
      assign keep = ~(16'h0101 << WADDR[10:8]);
      for (k = 0; k < 16; k = k + 1) begin : lane
        assign given[k] = WDATA[k / 8 * 8 + 3];
      end
    end
    if (READ_MODE == 0) assign RDATA = word;
    else if (READ_MODE == 1) begin : r8
      wire [15:0] moved = word >> part[0];
      assign RDATA = moved & 16'h5555;
    end else if (READ_MODE == 2) begin : r4
      wire [15:0] moved = word >> part[1:0];
      assign RDATA = (moved & 16'h1111) << 1;
    end else begin : r2
      wire [15:0] moved = word >> part;
      assign RDATA = (moved & 16'h0101) << 3;
    end
  endgenerate

  always @(posedge WCLK) if (WE & WCLKE) memory[WADDR[7:0]] <= (memory[WADDR[7:0]] & keep) | (given & ~keep);
  always @(posedge RCLK)
    if (RE & RCLKE) begin
      word <= memory[RADDR[7:0]];
      part <= RADDR[10:8];
    end
endmodule

// 16384 words of 16 bits with one port; what is written goes to the places of four bits that MASKWREN names, and leaves
// anything at the output.
module SB_SPRAM256KA (
  input [13:0] ADDRESS, input [15:0] DATAIN, input [3:0] MASKWREN, input WREN, input CHIPSELECT, input CLOCK,
  input STANDBY, input SLEEP, input POWEROFF, output reg [15:0] DATAOUT
);
  reg [15:0] memory [0:16383];
  wire [15:0] places = {{4{MASKWREN[3]}}, {4{MASKWREN[2]}}, {4{MASKWREN[1]}}, {4{MASKWREN[0]}}};

  always @(posedge CLOCK)
    if (CHIPSELECT & ~STANDBY & ~SLEEP & POWEROFF) begin
      if (WREN) memory[ADDRESS] <= (memory[ADDRESS] & ~places) | (DATAIN & places);
      DATAOUT <= WREN ? 16'h5bad : memory[ADDRESS];
    end
endmodule
