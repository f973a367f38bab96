/**
 * Modules between a host and a kernel: the two ends of a serial line, the port that converts its bytes to register
 * accesses, and on-chip memory.
 *
 * A request is a word, lowest byte first: an address in bits 23 to 0, the number of words minus one in bits 30 to 24,
 * and bit 31 for a write, after which the words follow. A read answers the words. A break on the line cancels a
 * request.
 */

const receive = `module arc_receive (
  input wire clk,
  input wire rst,
  input wire [15:0] divisor,
  input wire rx,
  output reg [7:0] data,
  output reg valid,
  output reg broken
);
  reg [1:0] line;
  reg [15:0] left;
  reg [3:0] bits;

  always @(posedge clk) begin
    line <= {line[0], rx};
    valid <= 1'b0;
    broken <= 1'b0;
    if (rst) bits <= 4'd0;
    else if (bits == 4'd0) begin
      left <= {1'b0, divisor[15:1]};
      if (~line[1]) bits <= 4'd10;
    end else if (left != 16'd0) left <= left - 16'd1;
    else if (bits == 4'd10) begin
      left <= divisor - 16'd1;
      bits <= line[1] ? 4'd0 : 4'd9;
    end else if (bits == 4'd11) begin
      if (line[1]) bits <= 4'd0;
    end else if (bits != 4'd1) begin
      left <= divisor - 16'd1;
      bits <= bits - 4'd1;
      data <= {line[1], data[7:1]};
    end else begin
      valid <= line[1];
      broken <= ~line[1];
      bits <= line[1] ? 4'd0 : 4'd11;
    end
  end
endmodule
`;

const transmit = `module arc_transmit (
  input wire clk,
  input wire rst,
  input wire [15:0] divisor,
  input wire [7:0] data,
  input wire valid,
  output wire ready,
  output wire tx
);
  reg [9:0] line;
  reg [15:0] left;
  reg [3:0] bits;

  assign ready = bits == 4'd0;
  assign tx = line[0];

  always @(posedge clk) begin
    if (rst) begin
      line <= 10'h3ff;
      bits <= 4'd0;
    end else if (ready) begin
      left <= divisor - 16'd1;
      if (valid) begin
        line <= {1'b1, data, 1'b0};
        bits <= 4'd10;
      end
    end else if (left != 16'd0) left <= left - 16'd1;
    else begin
      left <= divisor - 16'd1;
      line <= {1'b1, line[9:1]};
      bits <= bits - 4'd1;
    end
  end
endmodule
`;

const hostPort = `module arc_host_port (
  input wire clk,
  input wire rst,
  input wire [7:0] received,
  input wire received_valid,
  input wire broken,
  output wire [7:0] sent,
  output wire sent_valid,
  input wire sent_ready,
  output reg [23:0] address,
  output wire [31:0] written,
  output reg write,
  input wire [31:0] found
);
  localparam HEADER = 2'd0;
  localparam WRITE = 2'd1;
  localparam FETCH = 2'd2;
  localparam SEND = 2'd3;
  reg [1:0] state;
  reg [1:0] count;
  reg [6:0] left;
  reg [31:0] word;

  assign written = word;
  assign sent = word[7:0];
  assign sent_valid = state == SEND;

  always @(posedge clk) begin
    write <= 1'b0;
    if (write) address <= address + 24'd4;
    case (state)
      HEADER:
        if (received_valid) begin
          word <= {received, word[31:8]};
          count <= count + 2'd1;
          if (count == 2'd3) begin
            address <= word[31:8];
            left <= received[6:0];
            state <= received[7] ? WRITE : FETCH;
          end
        end
      WRITE:
        if (received_valid) begin
          word <= {received, word[31:8]};
          count <= count + 2'd1;
          if (count == 2'd3) begin
            write <= 1'b1;
            left <= left - 7'd1;
            if (left == 7'd0) state <= HEADER;
          end
        end
      FETCH: begin
        count <= count + 2'd1;
        if (count == 2'd3) begin
          word <= found;
          state <= SEND;
        end
      end
      SEND:
        if (sent_ready) begin
          word <= {8'd0, word[31:8]};
          count <= count + 2'd1;
          if (count == 2'd3) begin
            address <= address + 24'd4;
            left <= left - 7'd1;
            state <= (left == 7'd0) ? HEADER : FETCH;
          end
        end
    endcase
    if (rst | broken) begin
      state <= HEADER;
      count <= 2'd0;
    end
  end
endmodule
`;

/** Where a memory's words are stored, and when a read address is accepted. */
interface Storage {
  readonly module: string;
  readonly readStep: string;
  /** Log2 of the minimum number of words. */
  readonly log2: number;
  readonly words: string;
}

/** One block of RAM for each byte of a word, with a read and a write port. */
const blockRam: Storage = {
  module: "arc_memory",
  readStep: "free",
  log2: 10,
  words: `  genvar b;
  generate
    for (b = 0; b < 4; b = b + 1) begin : lane
      reg [7:0] place [0:(1<<LOG2)-1];
      reg [7:0] out;
      assign data[b*8 +: 8] = out;
      always @(posedge clk) begin
        if (writing & word_strobe[b]) place[write_at] <= word[b*8 +: 8];
        if (read_step) out <= place[read_at];
      end
    end
  endgenerate`,
};

/**
 * Single-port RAM of the UltraPlus: writes have priority. They leave arbitrary data at the output, so a word that was
 * read is kept in a register until it is taken.
 */
const singlePort: Storage = {
  module: "arc_single_port_memory",
  readStep: "free & ~writing",
  log2: 14,
  words: `  localparam BANKS = 1 << (LOG2 - 14);
  reg fresh;
  reg [31:0] kept;
  wire [LOG2-1:0] at = writing ? write_at : read_at;
  wire [32*BANKS-1:0] outputs;
  wire [31:0] out;
  genvar b, h;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : bank
      wire chosen = (LOG2 == 14) | (at[LOG2-1] == b[0]);
      for (h = 0; h < 2; h = h + 1) begin : half
        SB_SPRAM256KA store (
          .ADDRESS(at[13:0]), .DATAIN(word[16*h +: 16]),
          .MASKWREN({{2{word_strobe[2*h+1]}}, {2{word_strobe[2*h]}}}), .WREN(writing),
          .CHIPSELECT(chosen & (writing | read_step)), .CLOCK(clk), .STANDBY(1'b0), .SLEEP(1'b0), .POWEROFF(1'b1),
          .DATAOUT(outputs[32*b + 16*h +: 16])
        );
      end
    end
    if (BANKS == 2) begin : choice
      reg upper;
      always @(posedge clk) if (read_step) upper <= read_at[LOG2-1];
      assign out = upper ? outputs[63:32] : outputs[31:0];
    end else assign out = outputs[31:0];
  endgenerate
  assign data = fresh ? out : kept;
  always @(posedge clk) begin
    fresh <= read_step;
    if (fresh) kept <= out;
  end`,
};

const memoryOf = ({ module, readStep, log2, words }: Storage) => `module ${module} #(
  parameter LOG2 = ${log2},
  parameter BURSTS = 0
) (
  input wire clk,
  input wire rst,
  input wire read_valid,
  input wire [LOG2-1:0] read_address,
  input wire [8:0] read_beats,
  output wire read_ready,
  output reg data_valid,
  output wire [31:0] data,
  input wire data_ready,
  input wire write_valid,
  input wire [LOG2-1:0] write_address,
  input wire [8:0] write_beats,
  output wire write_ready,
  input wire word_valid,
  input wire [31:0] word,
  input wire [3:0] word_strobe,
  output wire word_ready,
  output reg response_valid,
  input wire response_ready
);
  wire reading;
  wire free = ~data_valid | data_ready;
  wire read_step = ${readStep};
  wire [LOG2-1:0] read_at;
  wire write_room = ~response_valid | response_ready;
  wire writing = word_valid & word_ready;
  wire [LOG2-1:0] write_at;
  wire write_last;

  generate
    if (BURSTS != 0) begin : bursts
      reg [8:0] read_left;
      reg [LOG2-1:0] read_next;
      reg [8:0] write_left;
      reg [LOG2-1:0] write_next;
      wire read_first = read_left == 9'd0;
      wire write_first = write_left == 9'd0;
      assign read_ready = read_step & read_first;
      assign reading = ~read_first | read_valid;
      assign read_at = read_first ? read_address : read_next;
      assign write_ready = write_first & word_valid & write_room;
      assign word_ready = write_room & (~write_first | write_valid);
      assign write_at = write_first ? write_address : write_next;
      assign write_last = write_first ? (write_beats == 9'd1) : (write_left == 9'd1);
      always @(posedge clk) begin
        if (rst) read_left <= 9'd0;
        else if (reading & read_step) read_left <= (read_first ? read_beats : read_left) - 9'd1;
        if (reading & read_step) read_next <= read_at + {{(LOG2-1){1'b0}}, 1'b1};
        if (rst) write_left <= 9'd0;
        else if (writing) write_left <= (write_first ? write_beats : write_left) - 9'd1;
        if (writing) write_next <= write_at + {{(LOG2-1){1'b0}}, 1'b1};
      end
    end else begin : single
      wire unused = &{1'b0, read_beats, write_beats};
      assign read_ready = read_step;
      assign reading = read_valid;
      assign read_at = read_address;
      assign write_ready = word_valid & write_room;
      assign word_ready = write_valid & write_room;
      assign write_at = write_address;
      assign write_last = 1'b1;
    end
  endgenerate

${words}

  always @(posedge clk) begin
    if (rst) begin
      data_valid <= 1'b0;
      response_valid <= 1'b0;
    end else begin
      if (free) data_valid <= reading & read_step;
      if (write_room) response_valid <= writing & write_last;
    end
  end
endmodule
`;

export const hostModules: Readonly<Record<string, string>> = {
  arc_receive: receive,
  arc_transmit: transmit,
  arc_host_port: hostPort,
  arc_memory: memoryOf(blockRam),
  arc_single_port_memory: memoryOf(singlePort),
};
