/**
 * Properties of the address generators for words of several elements, as assertions inside them. One arbitrary lane is
 * followed (Wolper).
 */
import { hasBegun, type Properties } from "./part.ts";

export const wordsRead: Properties = {
  claims: [
    "memory is asked for the words from the first wanted element's to the last's, aligned, in order, each once",
    "there is room for every answer: reads under way and words that wait never exceed the queue",
    "each wanted lane of a word is the element of its own place, from the word of memory that holds it; there are as many words as hold wanted elements",
    "a word that waits stays as it is",
    "a command is taken at once, and nothing is under way then",
  ],
  provided:
    "a command comes when all words of the one before were taken, and a stream is shorter than memory; memory answers what was asked, once, in order; the queue of words keeps to its claims",
  text: `${hasBegun}
  localparam PLACES = 1 << LOG2;
  (* keep *) wire choose;
  // One lane, the same in all cycles.
  (* keep *) wire [LANE_BITS-1:0] any_lane;
  reg [LANE_BITS-1:0] same_lane;
  always @(posedge clk) same_lane <= any_lane;
  // Of the stream: the lane of memory that is the kernel's lowest, and that of the kernel's with its last element.
  reg had = 1'b0;
  reg [LANE_BITS-1:0] lowest;
  reg [LANE_BITS-1:0] highest;
  // The kernel's words that are still to be taken, whether one was, and whether one was made.
  reg [COUNT:LANE_BITS] owes = 0;
  reg is_first;
  reg made;
  wire ended = ~had | owes == 0;
  // Words of memory: the last of the stream, the next to be asked for, the next answer, the next that the queue offers,
  // and that in which the kernel's word begins that is made next.
  reg [ADDRESS-1:LOW] final;
  reg [ADDRESS-1:LOW] due;
  reg [ADDRESS-1:LOW] comes;
  reg [ADDRESS-1:LOW] at;
  reg [ADDRESS-1:LOW] front;
  reg [LOG2:0] stored = 0;
  reg [LOG2:0] under_way = 0;
  reg followed = 1'b0;
  reg [ADDRESS-1:LOW] its_place;
  reg [WIDTH-1:0] its_value;
  reg waited = 1'b0;
  reg [WIDTH-1:0] was;
  wire [ADDRESS-1:0] first_byte = command_address + LEAD * LANE;
  wire [COUNT-1:0] final_index = {1'b0, command_beats} + LEAD - 1;
  wire [ADDRESS-1:BYTE_BITS] final_element = command_address[ADDRESS-1:BYTE_BITS] + final_index;
  always @(posedge clk) begin
    had <= ~rst & (had | begins);
    stored <= rst ? 0 : stored + arrived - taken;
    under_way <= rst ? 0 : under_way + asked - arrived;
    if (begins) begin
      lowest <= shift;
      highest <= final_index[LANE_BITS-1:0];
      owes <= final_index[COUNT-1:LANE_BITS] + 1;
      is_first <= 1'b1;
      made <= 1'b0;
      final <= final_element[ADDRESS-1:LOW];
      due <= first_byte[ADDRESS-1:LOW];
      comes <= first_byte[ADDRESS-1:LOW];
      at <= first_byte[ADDRESS-1:LOW];
      front <= command_address[ADDRESS-1:LOW];
    end else begin
      if (data_valid & data_ready) begin
        owes <= owes - 1'b1;
        is_first <= 1'b0;
      end
      if (step & holds) made <= 1'b1;
      due <= due + asked;
      comes <= comes + arrived;
      at <= at + taken;
      front <= front + (step & holds);
    end
    if (rst | begins) followed <= 1'b0;
    else if (arrived & choose & ~followed) begin
      followed <= 1'b1;
      its_place <= comes;
      its_value <= arriving;
    end
    waited <= ~rst & data_valid & ~data_ready;
    was <= data;
  end
  // Where the element lies that the word which is offered has in that lane.
  wire wanted = (~is_first | any_lane >= LEAD) & (owes != 1 | any_lane <= highest);
  wire [LANE_BITS:0] element = {1'b0, lowest} + any_lane;
  wire [LANE_BITS-1:0] its_lane = element;
  wire [ADDRESS-1:LOW] its_word = element[LANE_BITS] ? front : front - 1'b1;
  wire [LANE_BITS:0] first_lane = {1'b0, lowest} + LEAD;
  wire [LANE_BITS:0] final_lane = {1'b0, lowest} + highest;
  wire [ADDRESS-1:LOW] asked_last = place + more;
  wire [ADDRESS-1:LOW] given_last = front + left + final_lane[LANE_BITS];
  always @* begin
    assume (~begun | any_lane == same_lane);
    assume (~command_valid | ended);
    assume (~begins | command_beats < (1 << (ADDRESS - 1 - BYTE_BITS)));
    assume (~arrived | under_way != 0);
    assume (~there | stored != 0);
    assume (~(there & followed & at == its_place) | upper == its_value);
    if (begun) begin
      assert (~command_valid | command_ready);
      if (ended) assert (~asks & ~gives & ~data_valid & flight == 0 & stored == 0 & under_way == 0);
      assert (flight == {1'b0, stored} + under_way & flight <= PLACES);
      assert (stored <= PLACES & under_way <= PLACES);
      if (~rst & arrived) assert (stored < PLACES);
      assert (had | ~(asks | gives | data_valid | followed));
      if (read_valid) assert (read_address == {due, {LOW{1'b0}}});
      if (had) begin
        assert (comes == at + stored & due == comes + under_way);
        assert (owes == (gives ? {1'b0, left} + 1'b1 : 0) + data_valid);
        assert (asks | due == final + 1'b1);
        assert (gives | at == final + 1'b1);
        assert (made ? ~is_first | data_valid : is_first & ~data_valid);
      end
      if (asks) begin
        assert (asked_last == final & due == place + skips);
        assert (~(skips & more == 0) & more <= (1 << (BEATS - LANE_BITS)) + 1);
      end
      if (gives) begin
        assert (by == lowest & given_last == final);
        assert (blank_first == first_lane[LANE_BITS] & blank_last == ~final_lane[LANE_BITS]);
        assert (at == (holds | blank_first ? front + 1'b1 : front));
        assert (left <= (1 << (BEATS - LANE_BITS)) & (holds | ~made));
        if (holds & followed & front == its_place & (made | ~blank_first)) assert (held == its_value);
      end
      if (data_valid & wanted & followed & its_word == its_place)
        assert (data[any_lane*LANE*8 +: LANE*8] == its_value[its_lane*LANE*8 +: LANE*8]);
      if (waited) assert (data_valid & data == was);
    end
  end
`,
};

export const wordsWrite: Properties = {
  claims: [
    "each lane that is stored goes out once, in its own place of its own word of memory, with its value; no other lane has a strobe",
    "a write that waits stays as it is",
    "the stream is settled when, and only when, nothing is held and all writes were answered",
  ],
  provided:
    "a command comes when the stream before it has settled; words that wait stay as they are; memory answers what was written, once",
  text: `${hasBegun}
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
