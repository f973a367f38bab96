/**
 * Gowin's block RAM as used by arc's memories: one write port and one read port, which every part has in the same form.
 * Yosys' own library prefers blocks with two full ports, some of whose modes these parts lack, and what it connects to
 * them changes between versions.
 */

interface Block {
  readonly cell: string;
  /** In bits; words wider than a byte are written as a whole. */
  readonly widths: readonly number[];
  readonly byte: 8 | 9;
  /** Address bits for the narrowest words. */
  readonly addressBits: number;
}

const blocks: readonly Block[] = [
  { cell: "SDPB", widths: [1, 2, 4, 8, 16, 32], byte: 8, addressBits: 14 },
  { cell: "SDPX9B", widths: [9, 18, 36], byte: 9, addressBits: 11 },
];

const wordOf = ({ widths }: Block) => Math.max(...widths);
const slices = Array.from({ length: 64 }, (_, k) => k);
const initOf = (k: number) => `INIT_RAM_${k.toString(16).toUpperCase().padStart(2, "0")}`;

/** For Yosys' memory_libmap. */
export const memoryBlocks = blocks
  .map(
    ({ cell, widths, addressBits }) => `ram block $__ARC_${cell}_ {
  abits ${addressBits};
  widths ${widths.join(" ")} per_port;
  cost 128;
  init no_undef;
  port sw "W" { clock posedge; clken; }
  port sr "R" { clock posedge; clken; rdinit zero; rdsrst zero ungated; }
}
`,
  )
  .join("");

/** The blocks as cells, for techmap. With wide words, the lowest address bits select the bytes to write. */
export const memoryCells = blocks.map(mapOf).join("\n");

function mapOf(block: Block): string {
  const { cell, byte, addressBits } = block;
  const word = wordOf(block);
  const low = 14 - addressBits;
  const addressOf = (port: string) => (low === 0 ? `PORT_${port}_ADDR` : `{PORT_${port}_ADDR, ${low}'b0}`);
  // Initial contents of each slice: as many words as make a 64th of the block.
  const init = slices.map((k) => `    .${initOf(k)}(INIT[${k * 8 * word} +: ${8 * word}])`);
  return `module \\$__ARC_${cell}_ (
  input PORT_W_CLK, PORT_W_CLK_EN, PORT_W_WR_EN, PORT_R_CLK, PORT_R_CLK_EN, PORT_R_RD_SRST,
  input [${addressBits - 1}:0] PORT_W_ADDR, PORT_R_ADDR,
  input [PORT_W_WIDTH-1:0] PORT_W_WR_DATA,
  output [PORT_R_WIDTH-1:0] PORT_R_RD_DATA
);
  parameter INIT = 0;
  parameter PORT_W_WIDTH = ${word};
  parameter PORT_R_WIDTH = ${word};
  wire [13:0] to = ${addressOf("W")};
  wire [${word - 1}:0] out;
  assign PORT_R_RD_DATA = out[PORT_R_WIDTH-1:0];
  ${cell} #(
    .READ_MODE(1'b0), .BIT_WIDTH_0(PORT_W_WIDTH), .BIT_WIDTH_1(PORT_R_WIDTH), .BLK_SEL_0(3'b000), .BLK_SEL_1(3'b000),
    .RESET_MODE("SYNC"),
${init.join(",\n")}
  ) _TECHMAP_REPLACE_ (
    .CLKA(PORT_W_CLK), .CEA(PORT_W_CLK_EN & PORT_W_WR_EN), .RESETA(1'b0), .BLKSELA(3'b000), .DI(PORT_W_WR_DATA),
    .ADA(PORT_W_WIDTH <= ${byte} ? to : PORT_W_WIDTH == ${2 * byte} ? {to[13:4], 4'b0011} : {to[13:5], 5'b01111}),
    .CLKB(PORT_R_CLK), .CEB(PORT_R_CLK_EN), .RESETB(PORT_R_RD_SRST), .BLKSELB(3'b000), .OCE(1'b1), .DO(out),
    .ADB(${addressOf("R")})
  );
endmodule
`;
}
