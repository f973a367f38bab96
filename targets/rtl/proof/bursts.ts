/**
 * Properties of the modules that make bursts of streams, as assertions inside them. One arbitrary byte or word is
 * followed at a time (Wolper); the properties of the queues inside are assumed.
 */
import { hasBegun, type Properties } from "./part.ts";

export const burstRead: Properties = {
  claims: [
    "bursts ask for the words from the first element's to the last's, in order, each once",
    "no burst crosses a block of as many words as the longest one has; one that waits stays as it is",
    "there is room for every answer",
    "an element is made of its own bytes",
    "when all elements were served, all words have arrived: nothing is under way when the next stream begins",
  ],
  provided:
    "a stream begins when all elements of the one before were served, does not go round the end of memory and is shorter than half of it; elements are asked for one after the other, no more than commanded; memory answers what was asked, in order; the queue of words keeps to its claims",
  text: `${hasBegun}
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
  wire [ADDRESS-1:BYTE_BITS] final_element = last_byte[ADDRESS-1:BYTE_BITS];
  wire over = ~had | element == final_element + 1'b1;
  wire [ADDRESS-1:0] span_of = last_byte - first_byte;
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
    assume (~begins | (over & ~all[ADDRESS] & (command_beats << UNIT_BITS) < (1 << (ADDRESS - 1))));
    assume (~(begins & read_valid));
    assume (~read_valid | (~over & read_address[ADDRESS-1:BYTE_BITS] == element));
    assume (~(there & followed & at == its_place) | word == its_value);
    if (begun) begin
      assert ({1'b0, flight} == stored + under_way & flight <= PLACES);
      assert (stored <= PLACES & under_way <= PLACES);
      if (~rst & data_valid) assert (stored < PLACES);
      assert ((1 << LOG2) * WORD <= 4096);
      assert (~(asks & measures) & (had | (~(asks | measures | followed) & flight == 0)));
      if (measures) assert (first == first_byte & end_at == last_byte & under_way == 0 & due == (first_byte[ADDRESS-1:WORD_BITS] & block));
      if (over) assert (~asks & ~measures & under_way == 0);
      if (measures) assert (element == first_byte[ADDRESS-1:BYTE_BITS]);
      if (asks) assert (next >= (first_byte[ADDRESS-1:WORD_BITS] & block));
      if (had) begin
        assert (first_byte <= last_byte & ~span_of[ADDRESS-1]);
        assert (element >= first_byte[ADDRESS-1:BYTE_BITS] | over);
        assert (element <= final_element | over);
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
          // A word of which only some elements were served is still there.
          if (had & its_byte != 0 & element != first_byte[ADDRESS-1:BYTE_BITS]) assert (stored != 0);
          if (arrived & followed & at == its_place) assert (arriving == its_bytes);
        end
    end
  endgenerate
`,
};

export const burstWrite: Properties = {
  claims: [
    "each byte that is handed over is in one word, in its own place, with its value; no other byte has a strobe",
    "bursts are the words in their order: word k of a burst is that of its address + k",
    "no burst crosses a block of as many words as the longest one has, and all of its words wait when it is announced",
    "queues inside have room for what is put into them",
    "the stream is settled when, and only when, nothing is gathered and all bursts were answered",
  ],
  provided:
    "no byte is written twice in a word; what waits stays as it is; memory answers each burst once, and takes words of announced ones only; the queues keep to their claims",
  text: `${hasBegun}
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
