// Cells of Gowin parts as arc's netlists use them, in the form that simulates fastest. Registers and memories begin with
// what the part is configured with; the clock's edge is the rising one.

module LUT1 (output F, input I0);
  parameter [1:0] INIT = 0;
`ifdef ARC_TWO_STATES
  assign F = INIT[{I0}];
`else
  assign F = I0 ? INIT[1] : INIT[0];
`endif
endmodule

module LUT2 (output F, input I0, input I1);
  parameter [3:0] INIT = 0;
`ifdef ARC_TWO_STATES
  assign F = INIT[{I1, I0}];
`else
  wire [1:0] by1 = I1 ? INIT[3:2] : INIT[1:0];
  assign F = I0 ? by1[1] : by1[0];
`endif
endmodule

module LUT3 (output F, input I0, input I1, input I2);
  parameter [7:0] INIT = 0;
`ifdef ARC_TWO_STATES
  assign F = INIT[{I2, I1, I0}];
`else
  wire [3:0] by2 = I2 ? INIT[7:4] : INIT[3:0];
  wire [1:0] by1 = I1 ? by2[3:2] : by2[1:0];
  assign F = I0 ? by1[1] : by1[0];
`endif
endmodule

module LUT4 (output F, input I0, input I1, input I2, input I3);
  parameter [15:0] INIT = 0;
`ifdef ARC_TWO_STATES
  assign F = INIT[{I3, I2, I1, I0}];
`else
  wire [7:0] by3 = I3 ? INIT[15:8] : INIT[7:0];
  wire [3:0] by2 = I2 ? by3[7:4] : by3[3:0];
  wire [1:0] by1 = I1 ? by2[3:2] : by2[1:0];
  assign F = I0 ? by1[1] : by1[0];
`endif
endmodule

module MUX2_LUT5 (output O, input I0, input I1, input S0);
  assign O = S0 ? I1 : I0;
endmodule

module MUX2_LUT6 (output O, input I0, input I1, input S0);
  assign O = S0 ? I1 : I0;
endmodule

module MUX2_LUT7 (output O, input I0, input I1, input S0);
  assign O = S0 ? I1 : I0;
endmodule

module MUX2_LUT8 (output O, input I0, input I1, input S0);
  assign O = S0 ? I1 : I0;
endmodule

// A bit of an adder, of a subtracter, or of either by I3; of a comparison.
module ALU (output SUM, output COUT, input I0, input I1, input I3, input CIN);
  parameter ALU_MODE = 0;
  wire same = ALU_MODE == 0 ? I0 ^ I1 : ALU_MODE == 2 ? I0 ^ I1 ^ ~I3 : I0 ^ ~I1;
  wire carry = ALU_MODE == 3 ? 1'b1 : ALU_MODE == 5 ? I1 : I0;
  assign SUM = same ^ CIN;
  assign COUT = same ? CIN : carry;
endmodule

module DFF (output reg Q, input CLK, input D);
  parameter [0:0] INIT = 1'b0;
  initial Q = INIT;
  always @(posedge CLK) Q <= D;
endmodule

module DFFE (output reg Q, input CLK, input D, input CE);
  parameter [0:0] INIT = 1'b0;
  initial Q = INIT;
  always @(posedge CLK) if (CE) Q <= D;
endmodule

module DFFS (output reg Q, input CLK, input D, input SET);
  parameter [0:0] INIT = 1'b1;
  initial Q = INIT;
  always @(posedge CLK) Q <= SET ? 1'b1 : D;
endmodule

module DFFSE (output reg Q, input CLK, input D, input CE, input SET);
  parameter [0:0] INIT = 1'b1;
  initial Q = INIT;
  always @(posedge CLK) if (SET) Q <= 1'b1; else if (CE) Q <= D;
endmodule

module DFFR (output reg Q, input CLK, input D, input RESET);
  parameter [0:0] INIT = 1'b0;
  initial Q = INIT;
  always @(posedge CLK) Q <= RESET ? 1'b0 : D;
endmodule

module DFFRE (output reg Q, input CLK, input D, input CE, input RESET);
  parameter [0:0] INIT = 1'b0;
  initial Q = INIT;
  always @(posedge CLK) if (RESET) Q <= 1'b0; else if (CE) Q <= D;
endmodule

module RAM16SDP4 (output [3:0] DO, input [3:0] DI, input [3:0] WAD, input [3:0] RAD, input WRE, input CLK);
  parameter [15:0] INIT_0 = 0, INIT_1 = 0, INIT_2 = 0, INIT_3 = 0;
  reg [3:0] memory [0:15];
  integer n;
  initial for (n = 0; n < 16; n = n + 1) memory[n] = {INIT_3[n], INIT_2[n], INIT_1[n], INIT_0[n]};
  always @(posedge CLK) if (WRE) memory[WAD] <= DI;
  assign DO = memory[RAD];
endmodule

module IBUF (output O, input I);
  assign O = I;
endmodule

module OBUF (output O, input I);
  assign O = I;
endmodule

module VCC (output V);
  assign V = 1'b1;
endmodule

module GND (output G);
  assign G = 1'b0;
endmodule

// 2048 bytes, one port to write and one to read, of words of a bit to four bytes; of words of two and four bytes the lowest
// bits of the address choose the bytes that are written.
module arc_block_ram #(
  parameter BYTE = 8, WRITTEN = 4 * BYTE, READ = 4 * BYTE,
  parameter [2048*BYTE-1:0] INIT = 0
) (
  input CLKA, input CEA, input [13:0] ADA, input [4*BYTE-1:0] DI,
  input CLKB, input CEB, input RESETB, input [13:0] ADB, output reg [4*BYTE-1:0] DO
);
  reg [BYTE-1:0] memory [0:2047];
  wire [10:0] to = ADA[13:3];
  wire [10:0] from = ADB[13:3];
  integer n;

  initial for (n = 0; n < 2048; n = n + 1) memory[n] = INIT[BYTE*n +: BYTE];
  initial DO = 0;

  always @(posedge CLKA)
    if (CEA) begin
      if (WRITTEN == 1) memory[to][{{(BYTE-8){1'b0}}, ADA[2:0]}] <= DI[0];
      if (WRITTEN == 2) memory[to][{{(BYTE-8){1'b0}}, ADA[2:1], 1'b0} +: 2] <= DI[1:0];
      if (WRITTEN == 4) memory[to][{{(BYTE-8){1'b0}}, ADA[2], 2'b00} +: 4] <= DI[3:0];
      if (WRITTEN == BYTE) memory[to] <= DI[BYTE-1:0];
      if (WRITTEN == 2 * BYTE & ADA[0]) memory[{to[10:1], 1'd0}] <= DI[BYTE-1:0];
      if (WRITTEN == 2 * BYTE & ADA[1]) memory[{to[10:1], 1'd1}] <= DI[BYTE +: BYTE];
      if (WRITTEN == 4 * BYTE & ADA[0]) memory[{to[10:2], 2'd0}] <= DI[BYTE-1:0];
      if (WRITTEN == 4 * BYTE & ADA[1]) memory[{to[10:2], 2'd1}] <= DI[BYTE +: BYTE];
      if (WRITTEN == 4 * BYTE & ADA[2]) memory[{to[10:2], 2'd2}] <= DI[2*BYTE +: BYTE];
      if (WRITTEN == 4 * BYTE & ADA[3]) memory[{to[10:2], 2'd3}] <= DI[3*BYTE +: BYTE];
    end

  always @(posedge CLKB)
    if (RESETB) DO <= 0;
    else if (CEB) begin
      if (READ == 1) DO[0] <= memory[from][{{(BYTE-8){1'b0}}, ADB[2:0]}];
      if (READ == 2) DO[1:0] <= memory[from][{{(BYTE-8){1'b0}}, ADB[2:1], 1'b0} +: 2];
      if (READ == 4) DO[3:0] <= memory[from][{{(BYTE-8){1'b0}}, ADB[2], 2'b00} +: 4];
      if (READ == BYTE) DO[BYTE-1:0] <= memory[from];
      if (READ == 2 * BYTE) DO[2*BYTE-1:0] <= {memory[{from[10:1], 1'd1}], memory[{from[10:1], 1'd0}]};
      if (READ == 4 * BYTE)
        DO <= {memory[{from[10:2], 2'd3}], memory[{from[10:2], 2'd2}], memory[{from[10:2], 2'd1}], memory[{from[10:2], 2'd0}]};
    end
endmodule

// The contents of a block, 64 parameters of 32 bytes.
`define ARC_CONTENTS_PARAMETERS \
  INIT_RAM_00 = 0, INIT_RAM_01 = 0, INIT_RAM_02 = 0, INIT_RAM_03 = 0, \
  INIT_RAM_04 = 0, INIT_RAM_05 = 0, INIT_RAM_06 = 0, INIT_RAM_07 = 0, \
  INIT_RAM_08 = 0, INIT_RAM_09 = 0, INIT_RAM_0A = 0, INIT_RAM_0B = 0, \
  INIT_RAM_0C = 0, INIT_RAM_0D = 0, INIT_RAM_0E = 0, INIT_RAM_0F = 0, \
  INIT_RAM_10 = 0, INIT_RAM_11 = 0, INIT_RAM_12 = 0, INIT_RAM_13 = 0, \
  INIT_RAM_14 = 0, INIT_RAM_15 = 0, INIT_RAM_16 = 0, INIT_RAM_17 = 0, \
  INIT_RAM_18 = 0, INIT_RAM_19 = 0, INIT_RAM_1A = 0, INIT_RAM_1B = 0, \
  INIT_RAM_1C = 0, INIT_RAM_1D = 0, INIT_RAM_1E = 0, INIT_RAM_1F = 0, \
  INIT_RAM_20 = 0, INIT_RAM_21 = 0, INIT_RAM_22 = 0, INIT_RAM_23 = 0, \
  INIT_RAM_24 = 0, INIT_RAM_25 = 0, INIT_RAM_26 = 0, INIT_RAM_27 = 0, \
  INIT_RAM_28 = 0, INIT_RAM_29 = 0, INIT_RAM_2A = 0, INIT_RAM_2B = 0, \
  INIT_RAM_2C = 0, INIT_RAM_2D = 0, INIT_RAM_2E = 0, INIT_RAM_2F = 0, \
  INIT_RAM_30 = 0, INIT_RAM_31 = 0, INIT_RAM_32 = 0, INIT_RAM_33 = 0, \
  INIT_RAM_34 = 0, INIT_RAM_35 = 0, INIT_RAM_36 = 0, INIT_RAM_37 = 0, \
  INIT_RAM_38 = 0, INIT_RAM_39 = 0, INIT_RAM_3A = 0, INIT_RAM_3B = 0, \
  INIT_RAM_3C = 0, INIT_RAM_3D = 0, INIT_RAM_3E = 0, INIT_RAM_3F = 0
`define ARC_CONTENTS \
  INIT_RAM_3F, INIT_RAM_3E, INIT_RAM_3D, INIT_RAM_3C, INIT_RAM_3B, INIT_RAM_3A, INIT_RAM_39, INIT_RAM_38, \
  INIT_RAM_37, INIT_RAM_36, INIT_RAM_35, INIT_RAM_34, INIT_RAM_33, INIT_RAM_32, INIT_RAM_31, INIT_RAM_30, \
  INIT_RAM_2F, INIT_RAM_2E, INIT_RAM_2D, INIT_RAM_2C, INIT_RAM_2B, INIT_RAM_2A, INIT_RAM_29, INIT_RAM_28, \
  INIT_RAM_27, INIT_RAM_26, INIT_RAM_25, INIT_RAM_24, INIT_RAM_23, INIT_RAM_22, INIT_RAM_21, INIT_RAM_20, \
  INIT_RAM_1F, INIT_RAM_1E, INIT_RAM_1D, INIT_RAM_1C, INIT_RAM_1B, INIT_RAM_1A, INIT_RAM_19, INIT_RAM_18, \
  INIT_RAM_17, INIT_RAM_16, INIT_RAM_15, INIT_RAM_14, INIT_RAM_13, INIT_RAM_12, INIT_RAM_11, INIT_RAM_10, \
  INIT_RAM_0F, INIT_RAM_0E, INIT_RAM_0D, INIT_RAM_0C, INIT_RAM_0B, INIT_RAM_0A, INIT_RAM_09, INIT_RAM_08, \
  INIT_RAM_07, INIT_RAM_06, INIT_RAM_05, INIT_RAM_04, INIT_RAM_03, INIT_RAM_02, INIT_RAM_01, INIT_RAM_00

module SDPB (
  input CLKA, input CEA, input RESETA, input CLKB, input CEB, input RESETB, input OCE,
  input [2:0] BLKSELA, input [2:0] BLKSELB, input [13:0] ADA, input [13:0] ADB,
  input [31:0] DI, output [31:0] DO
);
  parameter READ_MODE = 0, BIT_WIDTH_0 = 32, BIT_WIDTH_1 = 32, BLK_SEL_0 = 0, BLK_SEL_1 = 0, RESET_MODE = "SYNC";
  parameter [255:0]
    `ARC_CONTENTS_PARAMETERS;
  arc_block_ram #(.BYTE(8), .WRITTEN(BIT_WIDTH_0), .READ(BIT_WIDTH_1), .INIT({
      `ARC_CONTENTS
  })) ram (
    .CLKA(CLKA), .CEA(CEA), .ADA(ADA), .DI(DI), .CLKB(CLKB), .CEB(CEB), .RESETB(RESETB), .ADB(ADB), .DO(DO)
  );
endmodule

// Of bytes of 9 bits.
module SDPX9B (
  input CLKA, input CEA, input RESETA, input CLKB, input CEB, input RESETB, input OCE,
  input [2:0] BLKSELA, input [2:0] BLKSELB, input [13:0] ADA, input [13:0] ADB,
  input [35:0] DI, output [35:0] DO
);
  parameter READ_MODE = 0, BIT_WIDTH_0 = 36, BIT_WIDTH_1 = 36, BLK_SEL_0 = 0, BLK_SEL_1 = 0, RESET_MODE = "SYNC";
  parameter [287:0]
    `ARC_CONTENTS_PARAMETERS;
  arc_block_ram #(.BYTE(9), .WRITTEN(BIT_WIDTH_0), .READ(BIT_WIDTH_1), .INIT({
      `ARC_CONTENTS
  })) ram (
    .CLKA(CLKA), .CEA(CEA), .ADA(ADA), .DI(DI), .CLKB(CLKB), .CEB(CEB), .RESETB(RESETB), .ADB(ADB), .DO(DO)
  );
endmodule
