/** A board's memory of single-port RAM: reads and writes at random against a model, with both ports stalled at times. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { designOf } from "../../../../targets/rtl/design/design.ts";
import { tableOf } from "../../../../targets/rtl/parts.ts";
import { boardName } from "../../../../targets/rtl/verilog/board/wrapper.ts";
import { hostModules } from "../../../../targets/rtl/verilog/text/host.ts";
import type { LoweredRegion } from "../../../../targets/shared/device/device.ts";
import { lint } from "../lint.ts";
import { designed } from "../simulation.ts";

const cells = path.resolve(import.meta.dirname, "../../../../targets/runtime/simulator/ice40_cells.v");

/** Few addresses, in all blocks; a read sees all words written before its address was accepted. */
const bench = (log2: number) => `module bench;
  reg clk = 0, rst = 1;
  reg [31:0] model [0:${2 ** log2 - 1}];
  reg [31:0] want;
  reg expected = 0;
  integer n, reads = 0, writes = 0, seed = 5;
  reg read_valid = 0, data_ready = 0, write_valid = 0, response_ready = 0;
  reg [${log2 - 1}:0] read_address = 0, write_address = 0;
  reg [31:0] word = 0;
  reg [3:0] word_strobe = 0;
  wire read_ready, data_valid, write_ready, word_ready, response_valid;
  wire [31:0] data;
  wire [31:0] lanes = {{8{word_strobe[3]}}, {8{word_strobe[2]}}, {8{word_strobe[1]}}, {8{word_strobe[0]}}};
  arc_single_port_memory #(.LOG2(${log2})) dut (
    .clk(clk), .rst(rst), .read_valid(read_valid), .read_address(read_address), .read_beats(9'd1),
    .read_ready(read_ready), .data_valid(data_valid), .data(data), .data_ready(data_ready),
    .write_valid(write_valid), .write_address(write_address), .write_beats(9'd1), .write_ready(write_ready),
    .word_valid(write_valid), .word(word), .word_strobe(word_strobe), .word_ready(word_ready),
    .response_valid(response_valid), .response_ready(response_ready)
  );
  always #1 clk = ~clk;
  always @(posedge clk) begin
    if (data_valid & data_ready) begin
      if (!expected || data !== want) $display("read %h, not %h", data, want);
      reads = reads + 1;
      expected = 0;
    end
    if (read_valid & read_ready) begin
      want = model[read_address];
      expected = 1;
    end
    if (write_valid & word_ready) begin
      model[write_address] = (model[write_address] & ~lanes) | (word & lanes);
      writes = writes + 1;
    end
  end
  function [${log2 - 1}:0] place(input [31:0] r);
    place = {r[${log2 - 14}:0], 11'd0, r[20:19]};
  endfunction
  always @(negedge clk) begin
    if (~read_valid | read_ready) begin
      read_valid <= n > 40 && $random(seed) % 4 != 0;
      read_address <= place($random(seed));
    end
    if (~write_valid | word_ready) begin
      // First every word is written once.
      write_valid <= n <= 40 || $random(seed) % 3 == 0;
      write_address <= n <= 36 ? place(n | n << 17) : place($random(seed));
      word <= $random(seed);
      word_strobe <= n <= 40 ? 4'd15 : $random(seed);
    end
    data_ready <= $random(seed) % 3 != 0;
    response_ready <= $random(seed) % 5 != 0;
  end
  initial begin
    for (n = 0; n < 4; n = n + 1) @(negedge clk);
    rst = 0;
    for (n = 0; n < 6000; n = n + 1) @(negedge clk);
    $display("%0d %0d", reads > 1000, writes > 1000);
    $finish;
  end
endmodule
`;

describe("a board's memory of single-port RAM", () => {
  it.each([14, 15])("gives what was written: 2^%i words", (log2) => {
    const folder = mkdtempSync(path.join(tmpdir(), "arc-memory-"));
    try {
      writeFileSync(path.join(folder, "bench.v"), `${hostModules.arc_single_port_memory}\n${bench(log2)}`);
      execFileSync("iverilog", ["-g2005", "-s", "bench", "-o", "bench", "bench.v", cells], { cwd: folder });
      const out = execFileSync("vvp", ["-n", "bench"], { cwd: folder, encoding: "utf8" });
      expect([...new Set(out.trim().split("\n"))]).toEqual(["1 1"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("is that of an UP5K's board: 128 KB, and block RAM is left for the kernel", () => {
    const { regions } = designed(`void work(int *restrict a, short *restrict b, int n) {
#pragma acc parallel loop copyin(a[0:n]) copy(b[0:n])
  for (int i = 0; i < n; i++) b[i] += a[i];
}`);
    const design = designOf(regions[0] as LoweredRegion, { device: tableOf("ice40-up5k"), wrapper: "uart" });
    const text = "text" in design ? design.text : "";
    expect(text).toMatch(/arc_single_port_memory #\(\.LOG2\(15\)/);
    expect(lint(text, boardName, cells)).toBe("");
  });
});
