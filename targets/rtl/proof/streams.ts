/** Properties of the address generators for single elements, as assertions inside them. */
import { hasBegun, type Properties } from "./part.ts";

export const streamRead: Properties = {
  claims: [
    "there is room for every answer: reads under way and words that wait never exceed the queue",
    "element k is asked for at the command's address + k elements, and as many as commanded",
    "no more is offered than was commanded; a command is taken at once, and nothing is under way then",
  ],
  provided:
    "a command comes when all elements of the one before were taken; memory answers what was asked, once; the queue of words keeps to its claims",
  text: `${hasBegun}
  // Of the queue, whose own proof is another: it offers words while it has some.
  reg [LOG2:0] stored = 0;
  reg [LOG2:0] under_way = 0;
  reg [ADDRESS-1:0] first;
  reg [BEATS-1:0] wanted = 0;
  reg [BEATS-1:0] done = 0;
  reg [BEATS-1:0] took = 0;
  wire [BEATS-1:0] behind = done - took;
  wire [ADDRESS-1:0] due = first + done * BYTES;
  wire takes = data_valid & data_ready;
  wire accepted = command_valid & command_ready;
  always @(posedge clk) begin
    stored <= rst ? 0 : stored + arrived - takes;
    under_way <= rst ? 0 : under_way + asked - arrived;
    if (rst | accepted) wanted <= rst ? 0 : command_beats;
    if (rst | accepted) done <= 0;
    else if (asked) done <= done + 1;
    if (rst | accepted) took <= 0;
    else if (takes) took <= took + 1;
    if (accepted) first <= command_address;
  end
  always @* begin
    assume (~data_valid | stored != 0);
    assume (~arrived | under_way != 0);
    assume (~command_valid | took == wanted);
    if (begun) begin
      assert (~command_valid | (command_ready & flight == 0));
      assert (~data_valid | took != wanted);
      assert (took <= done & {2'd0, behind} == {1'b0, stored} + under_way);
      assert (flight == {1'b0, stored} + under_way);
      assert (stored <= (1 << LOG2) & under_way <= (1 << LOG2));
      assert (flight <= (1 << LOG2));
      if (~rst & arrived) assert (stored < (1 << LOG2));
      assert (left == wanted - done & done <= wanted);
      if (left != 0) assert (address == due);
      if (read_valid) assert (read_address == due & done < wanted);
    end
  end
`,
};

export const streamWrite: Properties = {
  claims: [
    "word k is written at the command's address + k elements",
    "the stream is settled when, and only when, all its writes were answered",
  ],
  provided: "memory answers what was written, once; a command comes between words, not with one",
  text: `${hasBegun}
  reg [ADDRESS-1:0] first;
  reg [ADDRESS-1:0] done = 0;
  reg commanded = 1'b0;
  reg [15:0] open = 0;
  wire [ADDRESS-1:0] due = first + done * BYTES;
  wire writes = write_valid & write_ready;
  always @(posedge clk) begin
    open <= rst ? 0 : open + writes - write_done;
    if (command_valid) begin
      first <= command_address;
      done <= 0;
      commanded <= 1'b1;
    end else if (writes) done <= done + 1;
  end
  always @* begin
    assume (~write_done | open != 0);
    assume (~command_valid | ~word_valid);
    if (begun) begin
      assert (flight == open);
      assert (flight <= 16'd32768);
      assert (settled == (open == 0));
      if (commanded) assert (address == due);
      if (commanded & write_valid) assert (write_address == due & write_data == word);
    end
  end
`,
};
