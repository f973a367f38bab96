// Sobel by hand, tuned for iCE40: the peer of examples/sobel-rtl. 640 x 480 pixels of 8 bits come in and go out as
// streams, one per clock; the border is 0. One rigid pipeline: every register moves when a pixel can come in and
// the last one out. Column sums are shared between neighbours; both line buffers are one memory.
`default_nettype none
module sobel (
  input wire clk,
  input wire rst,
  input wire start,
  output reg done,
  input wire [31:0] arg_edges,
  input wire [31:0] arg_image,
  output reg image_read_valid,
  output wire [31:0] image_read_address,
  output wire [31:0] image_read_beats,
  input wire image_read_ready,
  input wire image_data_valid,
  input wire [7:0] image_data,
  output wire image_data_ready,
  output reg edges_write_valid,
  output wire [31:0] edges_write_address,
  input wire edges_write_ready,
  output reg edges_word_valid,
  output reg [7:0] edges_word,
  input wire edges_word_ready,
  input wire edges_write_settled
);
  assign image_read_address = arg_image;
  assign image_read_beats = 32'd307200;
  assign edges_write_address = arg_edges;

  // The pixel that comes in; the one in the middle of the window is a row and a column behind.
  reg running, feeding, emitting;
  reg [8:0] row;
  reg [9:0] column;
  wire free = ~edges_word_valid | edges_word_ready;
  wire step = running & free & (image_data_valid | ~feeding);
  assign image_data_ready = step & feeding;
  wire last_column = column == 10'd639;
  wire emits = emitting;
  wire inside = (column[9:1] != 9'd0) & (row != 9'd1) & (row != 9'd480);
  reg [2:0] emits_later;
  reg [2:0] inside_later;

  always @(posedge clk) begin
    if (start) begin
      running <= 1'b1;
      feeding <= 1'b1;
      emitting <= 1'b0;
      row <= 9'd0;
      column <= 10'd0;
      emits_later <= 3'd0;
    end else if (step) begin
      column <= last_column ? 10'd0 : column + 10'd1;
      if (last_column) row <= row + 9'd1;
      if (last_column & (row == 9'd479)) feeding <= 1'b0;
      if ((row == 9'd1) & (column == 10'd0)) emitting <= 1'b1;
      if ((row == 9'd481) & (column == 10'd0)) emitting <= 1'b0;
      if ((row == 9'd481) & column[2]) running <= 1'b0;
      emits_later <= {emits_later[1:0], emits};
      inside_later <= {inside_later[1:0], inside};
    end
    if (rst) running <= 1'b0;
  end

  // The two rows above, at this column: read a step ahead.
  (* no_rw_check *) reg [15:0] lines [0:639];
  reg [15:0] above;
  wire [9:0] next_column = last_column ? 10'd0 : column + 10'd1;
  always @(posedge clk) begin
    if (step) lines[column] <= {image_data, above[15:8]};
    if (step | start) above <= lines[start ? 10'd0 : next_column];
  end

  reg [9:0] sum, sum_before, sum_first;
  reg signed [8:0] slope, slope_before, slope_first;
  reg signed [10:0] across, down;
  reg [10:0] strength;
  wire [9:0] size_across = (across[9:0] ^ {10{across[10]}}) + across[10];
  wire [9:0] size_down = (down[9:0] ^ {10{down[10]}}) + down[10];
  always @(posedge clk) if (step) begin
    sum <= above[7:0] + {above[15:8], 1'b0} + image_data;
    sum_before <= sum;
    sum_first <= sum_before;
    slope <= image_data - above[7:0];
    slope_before <= slope;
    slope_first <= slope_before;
    across <= sum - sum_first;
    down <= slope + (slope_before <<< 1) + slope_first;
    strength <= size_across + size_down;
  end

  always @(posedge clk) begin
    if (step) edges_word <= inside_later[2] ? (strength[10:8] != 3'd0 ? 8'd255 : strength[7:0]) : 8'd0;
    if (rst) edges_word_valid <= 1'b0;
    else if (free) edges_word_valid <= step & emits_later[2];
  end

  reg closing;
  always @(posedge clk) begin
    done <= 1'b0;
    if (rst) begin
      closing <= 1'b0;
      image_read_valid <= 1'b0;
      edges_write_valid <= 1'b0;
    end else begin
      if (start) closing <= 1'b1;
      else if (closing & ~running & ~edges_word_valid & edges_write_settled) begin
        closing <= 1'b0;
        done <= 1'b1;
      end
      if (start) image_read_valid <= 1'b1;
      else if (image_read_ready) image_read_valid <= 1'b0;
      if (start) edges_write_valid <= 1'b1;
      else if (edges_write_ready) edges_write_valid <= 1'b0;
    end
  end
endmodule
