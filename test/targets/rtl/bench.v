// Runs arc_design once over a memory and prints what it did. Every port has its own streams of commands and words,
// answered in order; without stalls a read answers LATENCY cycles after it was taken, a beat per cycle, and a write
// whose words have come is done as late.
`timescale 1ns/1ns
`default_nettype none
module bench;
  parameter ARGS = 1;
  parameter R = 1;
  parameter W = 1;
  parameter P = 1;
  parameter D = 8;
  parameter ADDRESS = 32;
  parameter SIZE = 1024;
  parameter LATENCY = 2;
  parameter APART = 0;
  parameter STALLS = 0;
  parameter SEED = 1;
  parameter MOST = 200000;
  localparam DEEP = 64;

  reg clk = 0;
  reg rst = 1;
  reg start = 0;
  wire done;
  wire [ARGS*64-1:0] arguments;
  wire [63:0] counts;
  wire [7:0] data_bytes;
  wire [R-1:0] read_valid;
  wire [R*ADDRESS-1:0] read_address;
  wire [R*8-1:0] read_bytes;
  reg [R-1:0] read_ready = 0;
  wire [R*9-1:0] read_beats;
  reg [R-1:0] data_valid = 0;
  wire [R-1:0] data_ready;
  reg [R*D*8-1:0] data = 0;
  wire [W-1:0] write_valid;
  wire [W*ADDRESS-1:0] write_address;
  wire [W*9-1:0] write_beats;
  wire [W*8-1:0] write_bytes;
  reg [W-1:0] write_ready = 0;
  wire [W-1:0] word_valid;
  wire [W*D*8-1:0] word;
  wire [W*D-1:0] word_strobe;
  reg [W-1:0] word_ready = 0;
  reg [W-1:0] response_valid = 0;
  wire [W-1:0] response_ready;
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
    .clk(clk), .rst(rst), .start(start), .apart(APART != 0), .done(done), .arguments(arguments), .counts(counts), .data_bytes(data_bytes),
    .read_valid(read_valid), .read_address(read_address), .read_beats(read_beats), .read_bytes(read_bytes),
    .read_ready(read_ready), .data_valid(data_valid), .data(data), .data_ready(data_ready),
    .write_valid(write_valid), .write_address(write_address), .write_beats(write_beats), .write_bytes(write_bytes),
    .write_ready(write_ready), .word_valid(word_valid), .word(word), .word_strobe(word_strobe),
    .word_ready(word_ready), .response_valid(response_valid), .response_ready(response_ready),
    .started(started), .issues(issues)
  );

  always #1 clk = ~clk;

  integer starts [0:P-1];
  integer entered [0:P-1];
  integer cycle, begun, seed, k, b, n, from, due, current, iterations;
  reg [31:0] used;
  reg [D*8-1:0] found;
  reg [D*8-1:0] r_word [0:R*DEEP-1];
  integer r_due [0:R*DEEP-1];
  integer r_head [0:R-1];
  integer r_count [0:R-1];
  reg [ADDRESS-1:0] w_address [0:W*DEEP-1];
  integer w_beats [0:W*DEEP-1];
  integer w_due [0:W*DEEP-1];
  integer w_head [0:W-1];
  integer w_count [0:W-1];
  reg [D*8-1:0] d_word [0:W*DEEP-1];
  reg [D-1:0] d_strobe [0:W*DEEP-1];
  integer d_head [0:W-1];
  integer d_count [0:W-1];
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
    for (k = 0; k < P; k = k + 1) begin starts[k] = 0; entered[k] = 0; end
    for (k = 0; k < R; k = k + 1) begin r_head[k] = 0; r_count[k] = 0; end
    for (k = 0; k < W; k = k + 1) begin w_head[k] = 0; w_count[k] = 0; d_head[k] = 0; d_count[k] = 0; end
    #7 rst <= 0;
    #4 start <= 1;
    #2 start <= 0;
  end

  always @(posedge clk) begin
    cycle = cycle + 1;
    if (start) begun = cycle;
    for (k = 0; k < P; k = k + 1) begin
      if (started[k]) starts[k] = starts[k] + 1;
      if (issues[k]) entered[k] = entered[k] + 1;
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
        due = cycle + LATENCY - 1 + later(STALLS);
        for (n = 0; n < read_beats[k*9 +: 9]; n = n + 1) begin
          from = read_address[k*ADDRESS +: ADDRESS] + n * read_bytes[k*8 +: 8];
          if (from < 0 || from + read_bytes[k*8 +: 8] > SIZE) begin $display("fault: read %0d", from); $finish; end
          found = {D*8{1'bx}};
          for (b = 0; b < read_bytes[k*8 +: 8]; b = b + 1) found[b*8 +: 8] = memory[from + b];
          at = k * DEEP + (r_head[k] + r_count[k]) % DEEP;
          r_word[at] = found;
          r_due[at] = due + n;
          r_count[k] = r_count[k] + 1;
        end
      end
      at = k * DEEP + r_head[k];
      if (~data_valid[k] | data_ready[k]) begin
        data_valid[k] <= r_count[k] > 0 && r_due[at] <= cycle;
        data[k*D*8 +: D*8] <= {D*8{1'bx}};
        if (r_count[k] > 0 && r_due[at] <= cycle) begin
          data[k*D*8 +: D*8] <= r_word[at];
          r_head[k] = (r_head[k] + 1) % DEEP;
          r_count[k] = r_count[k] - 1;
        end
      end
      read_ready[k] <= r_count[k] < DEEP - 16 && later(STALLS) == 0;
    end
    for (k = 0; k < W; k = k + 1) begin
      if (write_valid[k] & write_ready[k]) begin
        at = k * DEEP + (w_head[k] + w_count[k]) % DEEP;
        w_address[at] = write_address[k*ADDRESS +: ADDRESS];
        w_beats[at] = write_beats[k*9 +: 9];
        w_due[at] = cycle + LATENCY - 1 + later(STALLS);
        w_count[k] = w_count[k] + 1;
      end
      if (word_valid[k] & word_ready[k]) begin
        at = k * DEEP + (d_head[k] + d_count[k]) % DEEP;
        d_word[at] = word[k*D*8 +: D*8];
        d_strobe[at] = word_strobe[k*D +: D];
        d_count[k] = d_count[k] + 1;
      end
      at = k * DEEP + w_head[k];
      if (~response_valid[k] | response_ready[k]) begin
        response_valid[k] <= 0;
        if (w_count[k] > 0 && w_due[at] <= cycle && d_count[k] >= w_beats[at]) begin
          response_valid[k] <= 1;
          for (n = 0; n < w_beats[at]; n = n + 1) begin
            from = w_address[at] + n * write_bytes[k*8 +: 8];
            if (from < 0 || from + write_bytes[k*8 +: 8] > SIZE) begin $display("fault: write %0d", from); $finish; end
            for (b = 0; b < write_bytes[k*8 +: 8]; b = b + 1)
              if (d_strobe[k * DEEP + d_head[k]][b]) memory[from + b] = d_word[k * DEEP + d_head[k]][b*8 +: 8];
            d_head[k] = (d_head[k] + 1) % DEEP;
            d_count[k] = d_count[k] - 1;
          end
          w_head[k] = (w_head[k] + 1) % DEEP;
          w_count[k] = w_count[k] - 1;
        end
      end
      write_ready[k] <= w_count[k] < DEEP - 1 && later(STALLS) == 0;
      word_ready[k] <= d_count[k] < DEEP - 1 && later(STALLS) == 0;
    end
    if (done) begin
      if (current >= 0) $display("run %0d %0d %0d", current, iterations, used);
      for (k = 0; k < P; k = k + 1) $display("pipeline %0d %0d %0d", k, starts[k], entered[k]);
      $display("cycles %0d", cycle - begun);
      $writememh("result.hex", memory);
      $finish;
    end
    if (cycle > MOST) begin $display("fault: not done after %0d cycles", MOST); $finish; end
  end
endmodule
