/**
 * What address generators of streams promise, as assertions in their own modules. Bytes, lanes and words are followed
 * one at a time, any (Wolper); the queues inside are taken at their own word.
 */
import { begun, type Properties } from "./part.ts";

const streamRead: Properties = {
  claims: [
    "there is room for every answer: reads under way and words that wait never exceed the queue",
    "element k is asked for at the command's address + k elements, and as many as commanded",
  ],
  provided: "memory answers what was asked, once; the queue of words keeps to its claims",
  text: `${begun}
  // Of the queue, whose own proof is another: it offers words while it has some.
  reg [LOG2:0] stored = 0;
  reg [LOG2:0] under_way = 0;
  reg [ADDRESS-1:0] first;
  reg [BEATS-1:0] wanted = 0;
  reg [BEATS-1:0] done = 0;
  wire [ADDRESS-1:0] due = first + done * BYTES;
  wire takes = data_valid & data_ready;
  wire accepted = command_valid & command_ready;
  always @(posedge clk) begin
    stored <= rst ? 0 : stored + arrived - takes;
    under_way <= rst ? 0 : under_way + asked - arrived;
    if (rst | accepted) wanted <= rst ? 0 : command_beats;
    if (rst | accepted) done <= 0;
    else if (asked) done <= done + 1;
    if (accepted) first <= command_address;
  end
  always @* begin
    assume (~data_valid | stored != 0);
    assume (~arrived | under_way != 0);
    if (begun) begin
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

const streamWrite: Properties = {
  claims: [
    "word k is written at the command's address + k elements",
    "the stream is settled when, and only when, all its writes were answered",
  ],
  provided: "memory answers what was written, once; a command comes between words, not with one",
  text: `${begun}
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

const burstWrite: Properties = {
  claims: [
    "each byte that is handed over is in one word, in its own place, with its value; no other byte has a strobe",
    "bursts are the words in their order: word k of a burst is that of its address + k",
    "no burst crosses a block of as many words as the longest one has, and all of its words wait when it is announced",
    "queues inside have room for what is put into them",
    "the stream is settled when, and only when, nothing is gathered and all bursts were answered",
  ],
  provided:
    "no byte is written twice in a word; what waits stays as it is; memory answers each burst once, and takes words of announced ones only; the queues keep to their claims",
  text: `${begun}
  localparam COUNT = LOG2 + 5;
  (* keep *) wire choose;
  (* keep *) wire [WORD_BITS-1:0] any_lane;
  // A byte on its way from the element to its word of memory.
  wire takes = comes & accepts;
  wire [ADDRESS-1:0] offset = {place, any_lane} - write_address;
  reg followed = 1'b0;
  reg [HIGH-1:0] its_place;
  reg [WORD_BITS-1:0] its_lane;
  reg [7:0] its_value;
  reg [WORD-1:0] owes = 0;
  always @(posedge clk) begin
    if (rst) followed <= 1'b0;
    else if (takes & choose & part_strobe[any_lane] & (~followed | pushes)) followed <= 1'b1;
    else if (pushes) followed <= 1'b0;
    if (~followed | pushes) begin
      its_place <= place;
      its_lane <= any_lane;
      its_value <= part[any_lane*8 +: 8];
    end
    owes <= rst ? 0 : (pushes ? {WORD{1'b0}} : owes) | (takes ? part_strobe : {WORD{1'b0}});
  end
  // Words by their numbers, and how many bursts of them were announced and answered.
  reg [COUNT-1:0] pushed = 0;
  reg [COUNT-1:0] announced = 0;
  reg [COUNT-1:0] popped_words = 0;
  reg [2:0] waits = 0;
  reg [15:0] unanswered = 0;
  reg word_followed = 1'b0;
  reg [COUNT-1:0] its_number;
  reg [HIGH-1:0] its_word;
  wire [COUNT-1:0] its_index = its_number - announced;
  wire [HIGH-1:0] its_due = from + its_index;
  wire [HIGH-1:0] end_of_burst = from + length;
  always @(posedge clk) begin
    pushed <= rst ? 0 : pushed + pushes;
    announced <= rst ? 0 : closes ? announced + length : announced;
    popped_words <= rst ? 0 : popped_words + popped;
    waits <= rst ? 0 : waits + closes - (burst_valid & burst_ready);
    unanswered <= rst ? 0 : unanswered + closes - burst_done;
    if (rst | closes) word_followed <= ~rst & pushes & choose;
    else if (pushes & choose & ~word_followed) word_followed <= 1'b1;
    if (pushes & (closes | ~word_followed)) begin
      its_number <= pushed;
      its_word <= at;
    end
  end
  always @* begin
    assume (~(followed & ~pushes & takes & place == its_place & part_strobe[its_lane]));
    assume (~burst_done | unanswered != 0);
    assume (~burst_valid | waits != 0);
    assume (~word_valid | held != 0);
    assume (~popped | popped_words != announced);
    if (begun) begin
      assert (full ? strobe == owes : owes == 0);
      if (takes & part_strobe[any_lane]) begin
        assert (offset < BYTES);
        assert (write_strobe[offset]);
        assert (part[any_lane*8 +: 8] == write_data[offset*8 +: 8]);
      end
      if (followed) begin
        assert (full & at == its_place & strobe[its_lane]);
        assert (gathered[its_lane*8 +: 8] == its_value);
      end
      assert (pushed - announced == length);
      assert (pushed - popped_words == held);
      assert (held <= (2 << LOG2) & length <= held);
      if (~rst & pushes) assert (held < (2 << LOG2));
      assert (waiting == waits & waits <= 4);
      if (~rst & closes) assert (waits < 4);
      assert (length <= (1 << LOG2));
      assert ((1 << LOG2) * WORD <= 4096);
      if (open) begin
        assert ({1'b0, from[LOG2-1:0]} + length <= (1 << LOG2));
        assert (behind == end_of_burst);
      end
      if (word_followed) assert (its_index < length & its_due == its_word);
      assert (flight == unanswered & flight <= 16'd32768);
      assert (settled == (owes == 0 & length == 0 & unanswered == 0 & ~full));
    end
  end
  generate
    if (BYTE_BITS > WORD_BITS) begin : parts
      // Each part of an element comes once, in order.
      reg [BYTE_BITS-WORD_BITS:0] came = 0;
      reg waited = 1'b0;
      reg [ADDRESS+BYTES*9-1:0] was;
      always @(posedge clk) begin
        came <= rst | (write_valid & write_ready) ? 0 : came + takes;
        waited <= ~rst & write_valid & ~write_ready;
        was <= {write_address, write_data, write_strobe};
      end
      always @* begin
        assume (~waited | (write_valid & {write_address, write_data, write_strobe} == was));
        assume (~write_valid | write_address[BYTE_BITS-1:0] == 0);
        if (begun) begin
          assert (came == split.now);
          if (write_valid & write_ready) assert (takes & came == (1 << (BYTE_BITS - WORD_BITS)) - 1);
        end
      end
    end else begin : whole
      wire [WORD_BITS-1:0] lane = write_address[WORD_BITS-1:0];
      always @* begin
        if (BYTE_BITS > 0) assume (~write_valid | write_address[(BYTE_BITS > 0 ? BYTE_BITS - 1 : 0):0] == 0);
        if (begun) begin
          assert ((write_valid & write_ready) == takes);
          if (takes) assert (part_strobe >> lane == write_strobe);
        end
      end
    end
  endgenerate
`,
};

const burstRead: Properties = {
  claims: [
    "bursts ask for the words from the first element's to the last's, in order, each once",
    "no burst crosses a block of as many words as the longest one has; one that waits stays as it is",
    "there is room for every answer",
    "an element is made of its own bytes",
  ],
  provided:
    "a stream begins when all of the one before has arrived, and does not go round the end of memory; elements are asked for one after the other; memory answers what was asked, in order; the queue of words keeps to its claims",
  text: `${begun}
  localparam SPARE = BLOCK_BITS - WORD_BITS;
  localparam PLACES = 2 << LOG2;
  (* keep *) wire choose;
  wire [ADDRESS-1:WORD_BITS] block = {(ADDRESS-WORD_BITS){1'b1}} << SPARE;
  wire [ADDRESS-1:0] from = command_address + LEAD;
  wire [ADDRESS:0] all = {1'b0, from} + (command_beats << UNIT_BITS);
  reg had = 1'b0;
  reg [ADDRESS-1:0] first_byte;
  reg [ADDRESS-1:0] last_byte;
  reg [LOG2+2:0] stored = 0;
  reg [LOG2+2:0] under_way = 0;
  // Words of memory: of the next burst, of the next answer, and the one that is offered; the element that is next.
  reg [ADDRESS-1:WORD_BITS] due;
  reg [ADDRESS-1:WORD_BITS] comes;
  reg [ADDRESS-1:WORD_BITS] at;
  reg [ADDRESS-1:BYTE_BITS] element;
  wire [ADDRESS-1:WORD_BITS] final_word = last_byte[ADDRESS-1:WORD_BITS] | ~block;
  reg waited = 1'b0;
  reg [ADDRESS+8:0] was;
  reg followed = 1'b0;
  reg [ADDRESS-1:WORD_BITS] its_place;
  reg [WORD*8-1:0] its_value;
  always @(posedge clk) begin
    had <= ~rst & (had | begins);
    stored <= rst | begins ? 0 : stored + data_valid - taken;
    under_way <= rst | begins ? 0 : under_way + (asked ? burst_beats : 9'd0) - data_valid;
    if (begins) begin
      first_byte <= from;
      last_byte <= from + (command_beats << UNIT_BITS) - 1;
      due <= from[ADDRESS-1:WORD_BITS] & block;
      comes <= from[ADDRESS-1:WORD_BITS] & block;
      at <= from[ADDRESS-1:WORD_BITS] & block;
      element <= from[ADDRESS-1:BYTE_BITS];
    end else begin
      if (asked) due <= due + burst_beats;
      comes <= comes + data_valid;
      at <= at + taken;
      element <= element + arrived;
    end
    waited <= ~rst & burst_valid & ~burst_ready & ~begins;
    was <= {burst_address, burst_beats};
    if (rst | begins) followed <= 1'b0;
    else if (data_valid & choose & ~followed) begin
      followed <= 1'b1;
      its_place <= comes;
      its_value <= data;
    end
  end
  always @* begin
    assume (~data_valid | under_way != 0);
    assume (~there | stored != 0);
    assume (~begins | (~asks & ~measures & under_way == 0 & ~all[ADDRESS]));
    assume (~(begins & read_valid));
    assume (~read_valid | (had & read_address[ADDRESS-1:BYTE_BITS] == element));
    assume (~(there & followed & at == its_place) | word == its_value);
    if (begun) begin
      assert ({1'b0, flight} == stored + under_way & flight <= PLACES);
      assert (stored <= PLACES & under_way <= PLACES);
      if (~rst & data_valid) assert (stored < PLACES);
      assert ((1 << LOG2) * WORD <= 4096);
      assert (~(asks & measures) & (had | (~(asks | measures | followed) & flight == 0)));
      if (measures) assert (first == first_byte & end_at == last_byte & under_way == 0 & due == (first_byte[ADDRESS-1:WORD_BITS] & block));
      if (had) begin
        assert (first_byte <= last_byte);
        assert (comes + under_way == due & at + stored == comes);
      end
      if (had & ~asks & ~measures) assert (due == final_word + 1'b1);
      if (asks) assert (next == due & next <= final_word & last == final_word);
      if (burst_valid) begin
        assert (burst_address[ADDRESS-1:WORD_BITS] == due & burst_address[WORD_BITS-1:0] == 0);
        assert (burst_beats != 0 & {1'b0, burst_address[WORD_BITS +: LOG2]} + burst_beats <= (1 << LOG2));
      end
      if (waited) assert (burst_valid & {burst_address, burst_beats} == was);
    end
  end
  generate
    if (BYTE_BITS > WORD_BITS) begin : parts
      localparam EACH = BYTE_BITS - WORD_BITS;
      wire [EACH-1:0] its_part = its_place[WORD_BITS +: EACH];
      wire [EACH-1:0] slot = its_part - gather.part - 1'b1;
      wire its_element = its_place[ADDRESS-1:BYTE_BITS] == element;
      always @*
        if (begun) begin
          if (had) assert (at == {element, gather.part});
          if (followed & its_element & gather.part > its_part)
            assert (arriving[slot*BITS +: BITS] == its_value);
          if (followed & its_element & arrived) assert (arriving[its_part*BITS +: BITS] == its_value);
        end
    end else begin : whole
      wire [WORD_BITS-1:0] its_byte = element << BYTE_BITS;
      wire [BYTES*8-1:0] its_bytes = its_value >> {its_byte, 3'd0};
      always @*
        if (begun) begin
          if (had) assert (at == element >> (WORD_BITS - BYTE_BITS));
          if (arrived & followed & at == its_place) assert (arriving == its_bytes);
        end
    end
  endgenerate
`,
};

const wordsWrite: Properties = {
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

/** By the module's name. */
export const generatorProperties: Readonly<Record<string, Properties>> = {
  arc_stream_read: streamRead,
  arc_stream_write: streamWrite,
  arc_words_write: wordsWrite,
  arc_burst_read: burstRead,
  arc_burst_write: burstWrite,
};
