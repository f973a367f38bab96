/** Promises of hardware's parts: they hold, and of a part that is broken a counterexample is found. */
import { describe, expect, it } from "vitest";
import { partObligations } from "../../../targets/rtl/proof/obligations.ts";
import { libraryOf } from "../../../targets/rtl/verilog/library.ts";
import { Rig } from "../../cli/rig.ts";
import { prove } from "./prove.ts";

interface Case {
  /** As a kernel has it. */
  readonly instance: string;
  /** What makes it break its promises. */
  readonly breaks: readonly [from: string, to: string];
}

/** Of addresses, and of the longest burst. */
const burst = ".ADDRESS(12), .LOG2(2)";

const cases: readonly Case[] = [
  {
    instance: "arc_fifo #(.WIDTH(3), .LOG2(2)) words (",
    breaks: ["reg [WIDTH-1:0] memory [0:DEPTH-1]", "reg [WIDTH-1:0] memory [0:DEPTH-2]"],
  },
  {
    instance: "arc_queue #(.WIDTH(3), .LOG2(2)) words (",
    breaks: ["reg [WIDTH-1:0] place [0:DEPTH-1]", "reg [WIDTH-1:0] place [0:DEPTH-2]"],
  },
  {
    instance: "arc_shift_queue #(.WIDTH(3), .DEPTH(3)) words (",
    breaks: ["taken | ~full[k]", "taken"],
  },
  {
    instance: "arc_ring #(.WIDTH(3), .LENGTH(5), .LOG2(3)) line (",
    breaks: ["next == LENGTH[LOG2-1:0] - {{(LOG2-1){1'b0}}, 1'b1}", "next == LENGTH[LOG2-1:0]"],
  },
  {
    instance: "arc_early_ring #(.WIDTH(3), .LENGTH(5), .LOG2(3)) line (",
    breaks: ["if (enable) out", "if (take) out"],
  },
  {
    instance: "arc_stream_read #(.BYTES(2), .ADDRESS(12), .BEATS(5), .LOG2(2)) stream (",
    breaks: ["asks & ~flight[LOG2]", "asks"],
  },
  {
    instance: "arc_stream_write #(.BYTES(4), .ADDRESS(12)) stream (",
    breaks: ["address <= address + BYTES[ADDRESS-1:0]", "address <= address + 12'd2"],
  },
  {
    instance:
      "arc_words_read #(.LANE(1), .LANES(2), .BYTE_BITS(0), .LANE_BITS(1), .LEAD(0), .ADDRESS(10), .BEATS(5), .LOG2(2)) lanes (",
    breaks: ["holds ? ~(closes & blank_last) : ~blank_first", "~(closes & blank_last)"],
  },
  {
    instance:
      "arc_words_read #(.LANE(2), .LANES(4), .BYTE_BITS(1), .LANE_BITS(2), .LEAD(3), .ADDRESS(12), .BEATS(6), .LOG2(2)) lanes (",
    breaks: ["skips <= lead[LANE_BITS]", "skips <= 1'b0"],
  },
  {
    instance: "arc_words_write #(.LANE(2), .LANES(2), .BYTE_BITS(1), .LANE_BITS(1), .ADDRESS(10)) lanes (",
    breaks: ["complete & (passes | ~fills)", "complete & passes"],
  },
  {
    instance: `arc_burst_read #(.BYTES(1), .BYTE_BITS(0), .WORD(4), .WORD_BITS(2), ${burst}, .BEATS(6), .UNIT_BITS(0), .LEAD(0)) ahead (`,
    breaks: ["closing ? last[WORD_BITS +: LOG2] : {LOG2{1'b1}}", "last[WORD_BITS +: LOG2]"],
  },
  {
    instance: `arc_burst_read #(.BYTES(8), .BYTE_BITS(3), .WORD(4), .WORD_BITS(2), ${burst}, .BEATS(6), .UNIT_BITS(1), .LEAD(2)) ahead (`,
    breaks: ["next <= first[ADDRESS-1:WORD_BITS] & ", "next <= first[ADDRESS-1:WORD_BITS] | "],
  },
  {
    instance: `arc_burst_write #(.BYTES(1), .BYTE_BITS(0), .WORD(4), .WORD_BITS(2), ${burst}) gathers (`,
    breaks: ["same_word ? strobe | part_strobe : part_strobe", "part_strobe"],
  },
  {
    instance: `arc_burst_write #(.BYTES(8), .BYTE_BITS(3), .WORD(4), .WORD_BITS(2), ${burst}) gathers (`,
    breaks: ["accepts & (now == {PARTS_BITS{1'b1}})", "accepts"],
  },
];

const textOf = (instance: string) => `${libraryOf(instance)}\n  ${instance}\n`;

describe("proofs", () => {
  it("show of every part what it promises, by induction, each size once", async () => {
    const lists = cases.map(({ instance }) => partObligations(textOf(instance)));
    const { result, messages, proofs } = await prove(...lists, ...lists);
    expect(result, messages).toEqual({ ok: true });
    expect(proofs.map(({ part, sizes }) => `${part}: ${sizes}`)).toEqual([
      "arc_fifo: WIDTH 3, LOG2 2",
      "arc_queue: WIDTH 3, LOG2 2",
      "arc_shift_queue: WIDTH 3, DEPTH 3",
      "arc_ring: WIDTH 3, LENGTH 5, LOG2 3",
      "arc_early_ring: WIDTH 3, LENGTH 5, LOG2 3",
      "arc_stream_read: BYTES 2, ADDRESS 12, BEATS 5, LOG2 2",
      "arc_fifo: WIDTH 16, LOG2 2",
      "arc_stream_write: BYTES 4, ADDRESS 12",
      "arc_words_read: LANE 1, LANES 2, BYTE_BITS 0, LANE_BITS 1, LEAD 0, ADDRESS 10, BEATS 5, LOG2 2",
      "arc_words_read: LANE 2, LANES 4, BYTE_BITS 1, LANE_BITS 2, LEAD 3, ADDRESS 12, BEATS 6, LOG2 2",
      "arc_fifo: WIDTH 64, LOG2 2",
      "arc_words_write: LANE 2, LANES 2, BYTE_BITS 1, LANE_BITS 1, ADDRESS 10",
      "arc_burst_read: BYTES 1, BYTE_BITS 0, WORD 4, WORD_BITS 2, ADDRESS 12, LOG2 2, BEATS 6, UNIT_BITS 0, LEAD 0",
      "arc_fifo: WIDTH 32, LOG2 3",
      "arc_burst_read: BYTES 8, BYTE_BITS 3, WORD 4, WORD_BITS 2, ADDRESS 12, LOG2 2, BEATS 6, UNIT_BITS 1, LEAD 2",
      "arc_burst_write: BYTES 1, BYTE_BITS 0, WORD 4, WORD_BITS 2, ADDRESS 12, LOG2 2",
      "arc_queue: WIDTH 13, LOG2 2",
      "arc_fifo: WIDTH 36, LOG2 3",
      "arc_burst_write: BYTES 8, BYTE_BITS 3, WORD 4, WORD_BITS 2, ADDRESS 12, LOG2 2",
    ]);
    for (const proof of proofs) expect(proof.induction, proof.part).toBeGreaterThan(0);
  }, 120_000);

  it.each(cases)(
    "find a counterexample where a part is broken: $instance",
    async ({ instance, breaks }) => {
      const whole = textOf(instance);
      const broken = whole.replace(...breaks);
      expect(broken).not.toBe(whole);
      const { result, messages } = await prove(partObligations(broken));
      expect(result).toMatchObject({ ok: false, fact: true });
      expect(result).toHaveProperty(
        "message",
        expect.stringMatching(/^arc_\w+ \(.*\) does not keep its promises/),
      );
      expect(messages).toMatch(/model found for base case: FAIL!/);
      expect(messages).toMatch(/\\rst +\d/);
    },
    120_000,
  );
});

describe("arc verify --prove", () => {
  it("shows a table of what holds of the target's hardware; runs are not needed for it", async () => {
    const rig = new Rig(
      {
        "arc.yaml":
          "arc: 1\nproject: p\nsources: [p.c]\ntargets: { fpga: { kind: rtl }, cpu: { kind: host } }\n",
        "p.c": `int main(void) {
  unsigned char a[9] = {1}, b[9];
#pragma acc parallel loop copyin(a) copyout(b)
  for (int i = 0; i < 9; i++) b[i] = a[i] + 1;
}
`,
      },
      "shared",
    );
    const { status, out, err } = await rig.arc(["verify", "--prove"]);
    expect(status, err).toBe(0);
    expect(out).toMatch(
      /^fpga:default +arc_fifo +WIDTH 8, LOG2 \d +induction, k = \d .*words leave in the order/m,
    );
    expect(out).toMatch(/^ +provided that no word is pushed/m);
    expect(out).toMatch(/^fpga:default +main_\w+: loop1 .*every iteration stores/m);
    // Source lines are not part of the obligations.
    rig.write("p.c", `\n\n${rig.read("p.c")}`);
    const moved = await rig.arc(["verify", "--prove"]);
    expect(moved.err).toMatch(/ran .* what is to be proved of p\.c/);
    expect(moved.err).not.toMatch(/prove the parts/);
    const again = await rig.arc(["verify", "--prove", "--json"]);
    expect(again.out).toMatch(/^\{"type":"proofs","proofs":\[\{"address":"fpga:default#proof"/m);
    const none = await rig.arc(["verify"]);
    expect(none.status).toBe(2);
  }, 120_000);
});
