// sobel.v against the plain formula on a random picture, with stalls at random on both sides.
`timescale 1ns/1ns
`default_nettype none
module check;
  reg clk = 0, rst = 1, start = 0;
  wire done, taken, given;
  wire [7:0] word;
  reg offered = 0, wanted = 0;
  reg [7:0] image [0:307199];
  reg [7:0] edges [0:307199];
  integer i = 0, n = 0, seed = 3, errors = 0, y, x, across, down, size;

  sobel dut (
    .clk(clk), .rst(rst), .start(start), .done(done), .arg_edges(32'd0), .arg_image(32'd0),
    .image_read_valid(), .image_read_address(), .image_read_beats(), .image_read_ready(1'b1),
    .image_data_valid(offered), .image_data(offered ? image[i] : 8'hx), .image_data_ready(taken),
    .edges_write_valid(), .edges_write_address(), .edges_write_ready(1'b1),
    .edges_word_valid(given), .edges_word(word), .edges_word_ready(wanted), .edges_write_settled(1'b1)
  );

  always #1 clk = ~clk;
  function integer at(input integer y, input integer x);
    at = image[y * 640 + x];
  endfunction

  initial begin
    for (x = 0; x < 307200; x = x + 1) image[x] = $random(seed);
    #7 rst <= 0;
    #4 start <= 1;
    #2 start <= 0;
  end

  always @(posedge clk) begin
    if (offered & taken) i <= i + 1;
    if (given & wanted) begin
      edges[n] = word;
      n <= n + 1;
    end
    offered <= i + (offered & taken) < 307200 && $random(seed) % 4 != 0;
    wanted <= $random(seed) % 5 != 0;
    if (done) begin
      for (y = 0; y < 480; y = y + 1)
        for (x = 0; x < 640; x = x + 1) begin
          across = at(y-1, x+1) + 2 * at(y, x+1) + at(y+1, x+1) - at(y-1, x-1) - 2 * at(y, x-1) - at(y+1, x-1);
          down = at(y+1, x-1) + 2 * at(y+1, x) + at(y+1, x+1) - at(y-1, x-1) - 2 * at(y-1, x) - at(y-1, x+1);
          size = (across < 0 ? -across : across) + (down < 0 ? -down : down);
          if (size > 255) size = 255;
          if (y == 0 || y == 479 || x == 0 || x == 639) size = 0;
          if (edges[y * 640 + x] !== size) errors = errors + 1;
        end
      $display("%0d words, %0d of them wrong", n, errors);
      $finish;
    end
  end
endmodule
