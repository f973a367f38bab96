// Runs arc_design once over a memory and prints what it did. Every port has its own stream of commands, answered
// in order; without stalls a read answers LATENCY cycles after it was taken, a write is done as late.
`timescale 1ns/1ns
`default_nettype none
module bench;
  parameter ARGS = 1;
  parameter R = 1;
  parameter W = 1;
  parameter P = 1;
  parameter SIZE = 1024;
  parameter LATENCY = 2;
  parameter STALLS = 0;
  parameter SEED = 1;
  parameter MOST = 20000;
  localparam DEEP = 64;

  reg clk = 0;
  reg rst = 1;
  reg start = 0;
  wire done;
  wire [ARGS*64-1:0] arguments;
  wire [31:0] counts;
  wire [R-1:0] read_valid;
  wire [R*32-1:0] read_address;
  wire [R*8-1:0] read_bytes;
  reg [R-1:0] read_ready = 0;
  reg [R-1:0] data_valid = 0;
  reg [R*64-1:0] data = 0;
  wire [W-1:0] write_valid;
  wire [W*32-1:0] write_address;
  wire [W*64-1:0] write_data;
  wire [W*8-1:0] write_bytes;
  reg [W-1:0] write_ready = 0;
  reg [W-1:0] write_done = 0;
  wire [P-1:0] started;
  wire [P-1:0] issues;

  reg [7:0] memory [0:SIZE-1];
  reg [63:0] argument [0:ARGS-1];
  genvar g;
  generate
    for (g = 0; g < ARGS; g = g + 1) begin : give
      assign arguments[g*64 +: 64] = argument[g];
    end
  endgenerate

  arc_design dut (
    .clk(clk), .rst(rst), .start(start), .done(done), .arguments(arguments), .counts(counts),
    .read_valid(read_valid), .read_address(read_address), .read_bytes(read_bytes), .read_ready(read_ready),
    .data_valid(data_valid), .data(data),
    .write_valid(write_valid), .write_address(write_address), .write_data(write_data), .write_bytes(write_bytes),
    .write_ready(write_ready), .write_done(write_done), .started(started), .issues(issues)
  );

  always #1 clk = ~clk;

  integer cycle, begun, seed, k, b, current, iterations, file;
  reg [31:0] used;
  reg [63:0] word;
  reg [63:0] r_word [0:R*DEEP-1];
  integer r_due [0:R*DEEP-1];
  integer r_head [0:R-1];
  integer r_count [0:R-1];
  reg [63:0] w_word [0:W*DEEP-1];
  reg [31:0] w_address [0:W*DEEP-1];
  integer w_due [0:W*DEEP-1];
  integer w_head [0:W-1];
  integer w_count [0:W-1];
  integer at;

  function integer later;
    input integer stalls;
    later = stalls == 0 ? 0 : $unsigned($random(seed)) % (stalls + 1);
  endfunction

  initial begin
    $readmemh("memory.hex", memory);
    $readmemh("arguments.hex", argument);
    seed = SEED;
    cycle = 0;
    begun = 0;
    current = -1;
    iterations = 0;
    used = 0;
    for (k = 0; k < R; k = k + 1) begin r_head[k] = 0; r_count[k] = 0; end
    for (k = 0; k < W; k = k + 1) begin w_head[k] = 0; w_count[k] = 0; end
    #7 rst <= 0;
    #4 start <= 1;
    #2 start <= 0;
  end

  always @(posedge clk) begin
    cycle = cycle + 1;
    if (start) begun = cycle;
    for (k = 0; k < P; k = k + 1) begin
      if (started[k]) begin
        if (current >= 0) $display("run %0d %0d %0d", current, iterations, used);
        current = k;
        iterations = 0;
        used = 0;
      end
      if (issues[k]) iterations = iterations + 1;
    end
    for (k = 0; k < R; k = k + 1) begin
      if (read_valid[k] & read_ready[k]) begin
        used[k] = 1;
        word = 0;
        for (b = 0; b < read_bytes[k*8 +: 8]; b = b + 1) begin
          if (read_address[k*32 +: 32] + b >= SIZE) begin $display("fault: read %0d", read_address[k*32 +: 32]); $finish; end
          word[b*8 +: 8] = memory[read_address[k*32 +: 32] + b];
        end
        at = k * DEEP + (r_head[k] + r_count[k]) % DEEP;
        r_word[at] = word;
        r_due[at] = cycle + LATENCY - 1 + later(STALLS);
        r_count[k] = r_count[k] + 1;
      end
      at = k * DEEP + r_head[k];
      if (r_count[k] > 0 && r_due[at] <= cycle) begin
        data_valid[k] <= 1;
        data[k*64 +: 64] <= r_word[at];
        r_head[k] = (r_head[k] + 1) % DEEP;
        r_count[k] = r_count[k] - 1;
      end else begin
        data_valid[k] <= 0;
        data[k*64 +: 64] <= 64'hx;
      end
      read_ready[k] <= r_count[k] < DEEP - 1 && later(STALLS) == 0;
    end
    for (k = 0; k < W; k = k + 1) begin
      if (write_valid[k] & write_ready[k]) begin
        if (write_address[k*32 +: 32] + write_bytes[k*8 +: 8] > SIZE) begin $display("fault: write %0d", write_address[k*32 +: 32]); $finish; end
        at = k * DEEP + (w_head[k] + w_count[k]) % DEEP;
        w_word[at] = write_data[k*64 +: 64];
        w_address[at] = write_address[k*32 +: 32];
        w_due[at] = cycle + LATENCY - 1 + later(STALLS);
        w_count[k] = w_count[k] + 1;
      end
      at = k * DEEP + w_head[k];
      if (w_count[k] > 0 && w_due[at] <= cycle) begin
        write_done[k] <= 1;
        for (b = 0; b < write_bytes[k*8 +: 8]; b = b + 1) memory[w_address[at] + b] = w_word[at][b*8 +: 8];
        w_head[k] = (w_head[k] + 1) % DEEP;
        w_count[k] = w_count[k] - 1;
      end else write_done[k] <= 0;
      write_ready[k] <= w_count[k] < DEEP - 1 && later(STALLS) == 0;
    end
    if (done) begin
      if (current >= 0) $display("run %0d %0d %0d", current, iterations, used);
      $display("cycles %0d", cycle - begun);
      $writememh("result.hex", memory);
      $finish;
    end
    if (cycle > MOST) begin $display("fault: not done after %0d cycles", MOST); $finish; end
  end
endmodule
