// Cells of Nexus parts as arc's netlists use them, in the form that simulates fastest. Registers and memories begin with
// what the part is configured with; the clock's edge is the rising one. Contents are given as text, `0x1234`.

// hex(text): the number that so many hexadecimal digits are.
`define ARC_HEX(digits) \
  function [4*digits-1:0] hex(input [8*digits-1:0] text); \
    integer k; \
    reg [7:0] letter; \
    begin \
      for (k = 0; k < digits; k = k + 1) begin \
        letter = text[8*k +: 8]; \
        hex[4*k +: 4] = letter[6] ? letter[3:0] + 4'd9 : letter[3:0]; \
      end \
    end \
  endfunction

module LUT4 (input A, input B, input C, input D, output Z);
  parameter [47:0] INIT = "0x0000";
  `ARC_HEX(4)
  localparam [15:0] TABLE = hex(INIT[31:0]);
`ifdef ARC_TWO_STATES
  assign Z = TABLE[{D, C, B, A}];
`else
  wire [7:0] d = D ? TABLE[15:8] : TABLE[7:0];
  wire [3:0] c = C ? d[7:4] : d[3:0];
  wire [1:0] b = B ? c[3:2] : c[1:0];
  assign Z = A ? b[1] : b[0];
`endif
endmodule

// Two lookup tables and the choice between them.
module WIDEFN9 (
  input A0, input B0, input C0, input D0, input A1, input B1, input C1, input D1, input SEL, output Z
);
  parameter [47:0] INIT0 = "0x0000", INIT1 = "0x0000";
  wire z0, z1;
  LUT4 #(.INIT(INIT0)) lut0 (.A(A0), .B(B0), .C(C0), .D(D0), .Z(z0));
  LUT4 #(.INIT(INIT1)) lut1 (.A(A1), .B(B1), .C(C1), .D(D1), .Z(z1));
  assign Z = SEL ? z1 : z0;
endmodule

// Two bits of a carry chain: where a lookup table says 0, its lower half at the other inputs is the carry.
module CCU2 (
  input CIN, input A1, input B1, input C1, input D1, input A0, input B0, input C0, input D0,
  output S1, output S0, output COUT
);
  parameter [23:0] INJECT = "YES";
  parameter [47:0] INIT0 = "0x0000", INIT1 = "0x1111";
  `ARC_HEX(4)
  localparam [15:0] TABLE0 = hex(INIT0[31:0]), TABLE1 = hex(INIT1[31:0]);
  localparam CHAIN = INJECT != "YES";
  wire p0 = TABLE0[{D0, C0, B0, A0}], p1 = TABLE1[{D1, C1, B1, A1}];
  wire g0 = TABLE0[{1'd0, C0, B0, A0}], g1 = TABLE1[{1'd0, C1, B1, A1}];
  wire middle = p0 ? CIN : g0 & CHAIN;
  assign S0 = p0 ^ (CIN & CHAIN);
  assign S1 = p1 ^ (middle & CHAIN);
  assign COUT = p1 ? middle : g1 & CHAIN;
endmodule

module INV (input A, output Z);
  assign Z = ~A;
endmodule

module IB (input I, output O);
  assign O = I;
endmodule

module OB (input I, output O);
  assign O = I;
endmodule

module VLO (output Z);
  assign Z = 1'b0;
endmodule

module VHI (output Z);
  assign Z = 1'b1;
endmodule

module FD1P3IX (input D, input CK, input SP, input CD, output reg Q);
  parameter GSR = "DISABLED";
  initial Q = 1'b0;
  always @(posedge CK)
    if (CD) Q <= 1'b0;
    else if (SP) Q <= D;
endmodule

module FD1P3JX (input D, input CK, input SP, input PD, output reg Q);
  parameter GSR = "DISABLED";
  initial Q = 1'b1;
  always @(posedge CK)
    if (PD) Q <= 1'b1;
    else if (SP) Q <= D;
endmodule

module DPR16X4 (
  input [3:0] RAD, input [3:0] DI, input [3:0] WAD, input WRE, input WCK, output [3:0] DO
);
  parameter [143:0] INITVAL = "0x0000000000000000";
  `ARC_HEX(16)
  localparam [63:0] INIT = hex(INITVAL[127:0]);
  reg [3:0] memory [0:15];
  integer n;
  initial for (n = 0; n < 16; n = n + 1) memory[n] = INIT[4*n +: 4];
  always @(posedge WCK) if (WRE) memory[WAD] <= DI;
  assign DO = memory[RAD];
endmodule

// 2048 bytes of 9 bits, one port to write and one to read, of words of 1 to 36 bits; of words of 18 and 36 bits the lowest
// bits of the address choose the bytes that are written. Of ten bits of its contents nine are there.
module PDPSC16K (
  input CLK, input CEW, input [2:0] CSW, input [13:0] ADW, input [35:0] DI,
  input CER, input [2:0] CSR, input RST, input [13:0] ADR, output reg [35:0] DO
);
  parameter [23:0] DATA_WIDTH_W = "X36", DATA_WIDTH_R = "X36";
  parameter OUTREG = "BYPASSED", RESETMODE = "SYNC";
  parameter ASYNC_RST_RELEASE = "SYNC", CSDECODE_W = "111", CSDECODE_R = "111", ECC = "DISABLED", GSR = "DISABLED";
  parameter [655:0]
    INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0,
    INITVAL_04 = 0, INITVAL_05 = 0, INITVAL_06 = 0, INITVAL_07 = 0,
    INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0,
    INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0,
    INITVAL_10 = 0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0,
    INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0,
    INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0,
    INITVAL_1C = 0, INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0,
    INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0, INITVAL_23 = 0,
    INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0,
    INITVAL_28 = 0, INITVAL_29 = 0, INITVAL_2A = 0, INITVAL_2B = 0,
    INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0,
    INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0,
    INITVAL_34 = 0, INITVAL_35 = 0, INITVAL_36 = 0, INITVAL_37 = 0,
    INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0,
    INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0;
  `ARC_HEX(80)
  localparam [20479:0] INIT = {
    hex(INITVAL_3F[639:0]), hex(INITVAL_3E[639:0]), hex(INITVAL_3D[639:0]), hex(INITVAL_3C[639:0]),
    hex(INITVAL_3B[639:0]), hex(INITVAL_3A[639:0]), hex(INITVAL_39[639:0]), hex(INITVAL_38[639:0]),
    hex(INITVAL_37[639:0]), hex(INITVAL_36[639:0]), hex(INITVAL_35[639:0]), hex(INITVAL_34[639:0]),
    hex(INITVAL_33[639:0]), hex(INITVAL_32[639:0]), hex(INITVAL_31[639:0]), hex(INITVAL_30[639:0]),
    hex(INITVAL_2F[639:0]), hex(INITVAL_2E[639:0]), hex(INITVAL_2D[639:0]), hex(INITVAL_2C[639:0]),
    hex(INITVAL_2B[639:0]), hex(INITVAL_2A[639:0]), hex(INITVAL_29[639:0]), hex(INITVAL_28[639:0]),
    hex(INITVAL_27[639:0]), hex(INITVAL_26[639:0]), hex(INITVAL_25[639:0]), hex(INITVAL_24[639:0]),
    hex(INITVAL_23[639:0]), hex(INITVAL_22[639:0]), hex(INITVAL_21[639:0]), hex(INITVAL_20[639:0]),
    hex(INITVAL_1F[639:0]), hex(INITVAL_1E[639:0]), hex(INITVAL_1D[639:0]), hex(INITVAL_1C[639:0]),
    hex(INITVAL_1B[639:0]), hex(INITVAL_1A[639:0]), hex(INITVAL_19[639:0]), hex(INITVAL_18[639:0]),
    hex(INITVAL_17[639:0]), hex(INITVAL_16[639:0]), hex(INITVAL_15[639:0]), hex(INITVAL_14[639:0]),
    hex(INITVAL_13[639:0]), hex(INITVAL_12[639:0]), hex(INITVAL_11[639:0]), hex(INITVAL_10[639:0]),
    hex(INITVAL_0F[639:0]), hex(INITVAL_0E[639:0]), hex(INITVAL_0D[639:0]), hex(INITVAL_0C[639:0]),
    hex(INITVAL_0B[639:0]), hex(INITVAL_0A[639:0]), hex(INITVAL_09[639:0]), hex(INITVAL_08[639:0]),
    hex(INITVAL_07[639:0]), hex(INITVAL_06[639:0]), hex(INITVAL_05[639:0]), hex(INITVAL_04[639:0]),
    hex(INITVAL_03[639:0]), hex(INITVAL_02[639:0]), hex(INITVAL_01[639:0]), hex(INITVAL_00[639:0])
  };
  reg [8:0] memory [0:2047];
  wire [10:0] to = ADW[13:3];
  wire [10:0] from = ADR[13:3];
  integer n;

  initial for (n = 0; n < 2048; n = n + 1) memory[n] = INIT[10*n +: 9];
  initial DO = 36'd0;

  always @(posedge CLK)
    if (CEW) begin
      if (DATA_WIDTH_W == "X1") memory[to][{1'b0, ADW[2:0]}] <= DI[0];
      if (DATA_WIDTH_W == "X2") memory[to][{1'b0, ADW[2:1], 1'b0} +: 2] <= DI[1:0];
      if (DATA_WIDTH_W == "X4") memory[to][{1'b0, ADW[2], 2'b00} +: 4] <= DI[3:0];
      if (DATA_WIDTH_W == "X9") memory[to] <= DI[8:0];
      if (DATA_WIDTH_W == "X18" & ADW[0]) memory[{to[10:1], 1'd0}] <= DI[8:0];
      if (DATA_WIDTH_W == "X18" & ADW[1]) memory[{to[10:1], 1'd1}] <= DI[17:9];
      if (DATA_WIDTH_W == "X36" & ADW[0]) memory[{to[10:2], 2'd0}] <= DI[8:0];
      if (DATA_WIDTH_W == "X36" & ADW[1]) memory[{to[10:2], 2'd1}] <= DI[17:9];
      if (DATA_WIDTH_W == "X36" & ADW[2]) memory[{to[10:2], 2'd2}] <= DI[26:18];
      if (DATA_WIDTH_W == "X36" & ADW[3]) memory[{to[10:2], 2'd3}] <= DI[35:27];
    end

  always @(posedge CLK)
    if (RST & CER) DO <= 36'd0;
    else if (CER) begin
      if (DATA_WIDTH_R == "X1") DO[0] <= memory[from][{1'b0, ADR[2:0]}];
      if (DATA_WIDTH_R == "X2") DO[1:0] <= memory[from][{1'b0, ADR[2:1], 1'b0} +: 2];
      if (DATA_WIDTH_R == "X4") DO[3:0] <= memory[from][{1'b0, ADR[2], 2'b00} +: 4];
      if (DATA_WIDTH_R == "X9") DO[8:0] <= memory[from];
      if (DATA_WIDTH_R == "X18") DO[17:0] <= {memory[{from[10:1], 1'd1}], memory[{from[10:1], 1'd0}]};
      if (DATA_WIDTH_R == "X36")
        DO <= {memory[{from[10:2], 2'd3}], memory[{from[10:2], 2'd2}], memory[{from[10:2], 2'd1}], memory[{from[10:2], 2'd0}]};
    end
endmodule
