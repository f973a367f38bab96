/**
 * What address generators of words of several elements promise, as assertions in their own modules. Lanes are followed
 * one at a time, any (Wolper).
 */
import { begun, type Properties } from "./part.ts";

export const wordsWrite: Properties = {
  claims: [
    "each lane that is stored goes out once, in its own place of its own word of memory, with its value; no other lane has a strobe",
    "a write that waits stays as it is",
    "the stream is settled when, and only when, nothing is held and all writes were answered",
  ],
  provided:
    "a command comes when the stream before it has settled; words that wait stay as they are; memory answers what was written, once",
  text: `${begun}
  (* keep *) wire choose;
  (* keep *) wire [LANE_BITS-1:0] any_lane;
  // Places of elements: of the kernel's next word, and of the word of memory that is gathered.
  reg [ADDRESS-1:BYTE_BITS] front;
  reg commanded = 1'b0;
  wire [ADDRESS-1:BYTE_BITS] back = {place, {LANE_BITS{1'b0}}};
  wire taken = word_valid & word_ready;
  // What goes out, by lanes.
  wire [LANES-1:0] goes;
  wire [LANES-1:0] comes;
  wire [LANES-1:0] at_once;
  wire [LANE_BITS-1:0] shift = front;
  generate
    for (k = 0; k < LANES; k = k + 1) begin : followed_lane
      wire [LANE_BITS-1:0] of = k - shift;
      wire [ADDRESS-1:BYTE_BITS] own = front + of;
      assign goes[k] = sent & write_strobe[k*LANE];
      assign comes[k] = taken & word_lanes[of];
      assign at_once[k] = comes[k] & goes[k] & own == back + k;
      always @* if (begun & write_valid) assert (write_strobe[k*LANE +: LANE] == {LANE{write_strobe[k*LANE]}});
    end
  endgenerate
  reg [LANES-1:0] owes = 0;
  wire [ADDRESS-1:BYTE_BITS] own = front + any_lane;
  wire [LANE_BITS-1:0] to = own;
  wire now = at_once[to];
  reg followed = 1'b0;
  reg [ADDRESS-1:BYTE_BITS] its_place;
  reg [BITS-1:0] its_value;
  wire [LANE_BITS-1:0] its_lane = its_place;
  wire leaves = followed & goes[its_lane];
  reg [15:0] open = 0;
  reg waited = 1'b0;
  reg [ADDRESS+WIDTH+LANES*LANE-1:0] was;
  reg kept = 1'b0;
  reg over = 1'b0;
  reg [WIDTH+LANES-1:0] before;
  always @(posedge clk) begin
    commanded <= ~rst & (commanded | command_valid);
    if (command_valid) front <= command_address[ADDRESS-1:BYTE_BITS];
    else if (taken) front <= front + LANES;
    owes <= rst ? 0 : (owes & ~goes) | (comes & ~at_once);
    if (rst) followed <= 1'b0;
    else if (~followed | leaves) followed <= taken & choose & word_lanes[any_lane] & ~now;
    if (~followed | leaves) begin
      its_place <= own;
      its_value <= word[any_lane*BITS +: BITS];
    end
    open <= rst ? 0 : open + sent - write_done;
    waited <= ~rst & write_valid & ~write_ready;
    was <= {write_address, write_data, write_strobe};
    kept <= ~rst & word_valid & ~word_ready;
    over <= ~rst & ended & ~word_valid;
    before <= {word, word_lanes};
  end
  always @* begin
    assume (~command_valid | (settled & ~word_valid));
    assume (~word_valid | commanded);
    assume (~kept | (word_valid & {word, word_lanes} == before));
    assume (~over | command_valid | (ended & ~word_valid));
    assume (~write_done | open != 0);
    if (begun) begin
      assert (commanded | owes == 0);
      assert (owes == holds & ~(complete & holds == 0));
      assert ((owes & comes & ~goes) == 0);
      assert ((goes & ~owes & ~at_once) == 0 & (owes & at_once) == 0);
      if (commanded) begin
        assert (over & owes == 0 | front[ADDRESS-1:LOW] == place + complete);
        assert (by == LANES - shift & beyond == ~({LANES{1'b1}} << shift));
        assert ((holds & ~beyond) == 0 | complete);
      end
      if (taken & word_lanes[any_lane] & now) assert (write_data[to*BITS +: BITS] == word[any_lane*BITS +: BITS]);
      if (followed) begin
        assert (owes[its_lane] & its_place == back + its_lane);
        assert (held[its_lane*BITS +: BITS] == its_value);
        if (leaves) assert (write_data[its_lane*BITS +: BITS] == its_value);
      end
      if (sent) assert (write_address == {back, {BYTE_BITS{1'b0}}});
      assert (flight == open & flight <= 16'd32768);
      assert (settled == (open == 0 & owes == 0));
      if (waited) assert (write_valid & {write_address, write_strobe} == {was[LANES*LANE+WIDTH +: ADDRESS], was[LANES*LANE-1:0]});
    end
  end
`,
};
