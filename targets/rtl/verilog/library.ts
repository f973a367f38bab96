/** Modules that kernels are made of. A text holds those that it uses. */
import { generatorModules } from "./generators.ts";
import { hostModules } from "./host.ts";

const queue = `module arc_queue #(
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
`;

const shiftQueue = `module arc_shift_queue #(
  parameter WIDTH = 8,
  parameter DEPTH = 4
) (
  input wire clk,
  input wire rst,
  input wire push,
  input wire [WIDTH-1:0] in,
  input wire pop,
  output wire [WIDTH-1:0] out,
  output wire valid
);
  // Words stand at the lowest places; all above them take what comes in, whether or not it counts.
  reg [DEPTH-1:0] full;
  wire [DEPTH-1:0] above = {1'b0, full[DEPTH-1:1]};
  wire [DEPTH-1:0] below = {full[DEPTH-2:0], 1'b1};
  wire [(DEPTH+1)*WIDTH-1:0] words;
  wire taken = pop & full[0];
  genvar k;

  assign valid = full[0];
  assign out = words[WIDTH-1:0];
  assign words[DEPTH*WIDTH +: WIDTH] = in;
  always @(posedge clk) begin
    if (rst) full <= {DEPTH{1'b0}};
    else if (push ^ taken) full <= push ? below : above;
  end
  generate
    for (k = 0; k < DEPTH; k = k + 1) begin : place
      reg [WIDTH-1:0] word;
      always @(posedge clk)
        if (taken | ~full[k]) word <= taken & above[k] ? words[(k+1)*WIDTH +: WIDTH] : in;
      assign words[k*WIDTH +: WIDTH] = word;
    end
  endgenerate
endmodule
`;

const fifo = `module arc_fifo #(
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
`;

const ring = `module arc_ring #(
  parameter WIDTH = 8,
  parameter LENGTH = 16,
  parameter LOG2 = 4
) (
  input wire clk,
  input wire rst,
  input wire enable,
  input wire [WIDTH-1:0] in,
  output reg [WIDTH-1:0] out
);
  // A word is never read in the cycle in which it is written.
  (* no_rw_check *) reg [WIDTH-1:0] memory [0:LENGTH-1];
  reg [LOG2-1:0] at;
  reg [LOG2-1:0] next;
  wire last = next == LENGTH[LOG2-1:0] - {{(LOG2-1){1'b0}}, 1'b1};

  always @(posedge clk) begin
    if (enable) memory[at] <= in;
    if (enable) out <= memory[next];
  end

  always @(posedge clk) begin
    if (rst) begin
      at <= {LOG2{1'b0}};
      next <= {{(LOG2-1){1'b0}}, 1'b1};
    end else if (enable) begin
      at <= next;
      next <= last ? {LOG2{1'b0}} : next + {{(LOG2-1){1'b0}}, 1'b1};
    end
  end
endmodule
`;

const earlyRing = `module arc_early_ring #(
  parameter WIDTH = 8,
  parameter LENGTH = 16,
  parameter LOG2 = 4
) (
  input wire clk,
  input wire rst,
  input wire enable,
  input wire take,
  input wire [WIDTH-1:0] in,
  output reg [WIDTH-1:0] out
);
  // An iteration looks at a word before it brings its own, but never at one that is on its way.
  (* no_rw_check *) reg [WIDTH-1:0] memory [0:LENGTH-1];
  reg [LOG2-1:0] at;
  reg [LOG2-1:0] next;
  localparam [LOG2-1:0] LAST = LENGTH[LOG2-1:0] - {{(LOG2-1){1'b0}}, 1'b1};

  always @(posedge clk) begin
    if (take) memory[at] <= in;
    if (enable) out <= memory[next];
  end

  always @(posedge clk) begin
    if (rst) begin
      at <= {LOG2{1'b0}};
      next <= {{(LOG2-1){1'b0}}, 1'b1};
    end else begin
      if (take) at <= at == LAST ? {LOG2{1'b0}} : at + {{(LOG2-1){1'b0}}, 1'b1};
      if (enable) next <= next == LAST ? {LOG2{1'b0}} : next + {{(LOG2-1){1'b0}}, 1'b1};
    end
  end
endmodule
`;

const ram = `module arc_ram #(
  parameter WIDTH = 8,
  parameter WORDS = 256,
  parameter LOG2 = 8
) (
  input wire clk,
  input wire write,
  input wire [LOG2-1:0] to,
  input wire [WIDTH-1:0] in,
  input wire [LOG2-1:0] from,
  output reg [WIDTH-1:0] out
);
  // A word that is read in the cycle in which it is written does not count.
  (* no_rw_check *) reg [WIDTH-1:0] memory [0:WORDS-1];

  always @(posedge clk) begin
    if (write) memory[to] <= in;
    out <= memory[from];
  end
endmodule
`;

const divide = `module arc_divide #(
  parameter WIDTH = 8,
  parameter SIGNED = 1
) (
  input wire clk,
  input wire [WIDTH-1:0] a,
  input wire [WIDTH-1:0] b,
  output reg [WIDTH-1:0] quotient,
  output reg [WIDTH-1:0] remainder
);
  wire minus_a = (SIGNED != 0) & a[WIDTH-1];
  wire minus_b = (SIGNED != 0) & b[WIDTH-1];
  wire [WIDTH:0] signs_q;
  wire [WIDTH:0] signs_r;
  wire [(WIDTH+1)*WIDTH-1:0] dividends;
  wire [WIDTH*WIDTH-1:0] divisors;
  wire [(WIDTH+1)*WIDTH-1:0] remainders;
  reg [WIDTH-1:0] magnitude_a;
  reg [WIDTH-1:0] magnitude_b;
  reg sign_q;
  reg sign_r;
  genvar s;

  always @(posedge clk) begin
    magnitude_a <= minus_a ? {WIDTH{1'b0}} - a : a;
    magnitude_b <= minus_b ? {WIDTH{1'b0}} - b : b;
    sign_q <= minus_a ^ minus_b;
    sign_r <= minus_a;
  end
  assign dividends[WIDTH-1:0] = magnitude_a;
  assign divisors[WIDTH-1:0] = magnitude_b;
  assign remainders[WIDTH-1:0] = {WIDTH{1'b0}};
  assign signs_q[0] = sign_q;
  assign signs_r[0] = sign_r;
  generate
    for (s = 0; s < WIDTH; s = s + 1) begin : stage
      wire [WIDTH:0] tried = {remainders[s*WIDTH +: WIDTH], dividends[s*WIDTH + WIDTH - 1]};
      wire [WIDTH:0] less = tried - {1'b0, divisors[s*WIDTH +: WIDTH]};
      reg [WIDTH-1:0] dividend;
      reg [WIDTH-1:0] left;
      reg turned_q;
      reg turned_r;
      always @(posedge clk) begin
        dividend <= (dividends[s*WIDTH +: WIDTH] << 1) | {{(WIDTH-1){1'b0}}, ~less[WIDTH]};
        left <= less[WIDTH] ? tried[WIDTH-1:0] : less[WIDTH-1:0];
        turned_q <= signs_q[s];
        turned_r <= signs_r[s];
      end
      assign dividends[(s+1)*WIDTH +: WIDTH] = dividend;
      if (s < WIDTH - 1) begin : carry
        reg [WIDTH-1:0] divisor;
        always @(posedge clk) divisor <= divisors[s*WIDTH +: WIDTH];
        assign divisors[(s+1)*WIDTH +: WIDTH] = divisor;
      end
      assign remainders[(s+1)*WIDTH +: WIDTH] = left;
      assign signs_q[s+1] = turned_q;
      assign signs_r[s+1] = turned_r;
    end
  endgenerate
  always @(posedge clk) begin
    quotient <= signs_q[WIDTH] ? {WIDTH{1'b0}} - dividends[WIDTH*WIDTH +: WIDTH] : dividends[WIDTH*WIDTH +: WIDTH];
    remainder <= signs_r[WIDTH] ? {WIDTH{1'b0}} - remainders[WIDTH*WIDTH +: WIDTH] : remainders[WIDTH*WIDTH +: WIDTH];
  end
endmodule
`;

const modules: Readonly<Record<string, string>> = {
  arc_queue: queue,
  arc_shift_queue: shiftQueue,
  arc_fifo: fifo,
  arc_ring: ring,
  arc_early_ring: earlyRing,
  arc_ram: ram,
  arc_divide: divide,
  ...generatorModules,
  ...hostModules,
};

/** The modules that a text instantiates. */
export function libraryOf(text: string): string {
  const uses = (name: string, inside: string) => new RegExp(`\\b${name}\\b`).test(inside);
  const direct = Object.keys(modules).filter((name) => uses(name, text));
  const all = Object.keys(modules).filter(
    (name) => direct.includes(name) || direct.some((by) => uses(name, modules[by] as string)),
  );
  return all.map((name) => modules[name]).join("\n");
}
