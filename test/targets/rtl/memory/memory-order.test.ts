/** Loops read what was written before: proved for a kernel's control; broken ones have a counterexample. */
import { describe, expect, it } from "vitest";
import { memoryOrderProperties } from "../../../../targets/rtl/proof/memory-order.ts";
import { moduleObligation } from "../../../../targets/rtl/proof/obligations.ts";
import { prove, searched } from "../prove.ts";
import { type Designed, designed } from "../simulation.ts";

const order = ({ design }: Designed, text = design.text) =>
  design.modules.flatMap(memoryOrderProperties).map((one) => moduleObligation(text, one));

/** What is handed on gives an address, so that it is not taken from registers. */
const handedOn = designed(`void work(const unsigned char *restrict k, unsigned char *restrict y) {
#pragma acc serial copyin(k[0:64]) copy(y[0:64])
  for (int i = 2; i < 5; i++) y[i] = k[y[i - 2] & 63];
}`);

/** What a stream has written is read at addresses that are loaded. */
const oneAfterTheOther = designed(`void work(const unsigned char *restrict a, unsigned char *restrict y) {
#pragma acc serial copyin(a[0:4]) copy(y[0:32])
  {
    for (int i = 0; i < 2; i++) y[i] = a[i];
    for (int i = 0; i < 4; i++) y[2 * i] = y[a[i] & 15];
  }
}`);

/** Stores depend on loaded values, and pointers may alias. */
const pointers = designed(`void work(const unsigned char *a, unsigned char *y) {
#pragma acc serial copyin(a[0:64]) copy(y[0:64])
  for (int i = 0; i < 32; i++)
    if (a[i] > 3) y[i] = a[63 - i] + 1;
}`);

describe("the order of a kernel's reads and writes", () => {
  it("is shown by induction, for dependences of any distance and from loop to loop", async () => {
    const { result, messages, proofs } = await prove(
      order(handedOn),
      order(oneAfterTheOther),
      order(pointers),
    );
    expect(result, messages).toEqual({ ok: true });
    expect(proofs.map(({ sizes, induction }) => [sizes, induction])).toEqual([
      ["2 ports that read, 1 that write, dependences at distance 2", 1],
      ["3 ports that read, 2 that write, dependences at distance 9", 1],
      ["2 ports that read, 1 that write, dependences at distance 1", 1],
    ]);
    const asks = proofs.map(({ provided }) => provided?.includes("did not find the pointers' memory apart"));
    expect(asks).toEqual([false, false, true]);
  });

  it.each([
    [
      "a group that does not wait for answers",
      handedOn,
      " | (loop1_y_port_2_flight != 6'd0));\n  always",
      ");\n  always",
    ],
    ["a group that does not wait for iterations", handedOn, "(loop1_open != 16'd0) | ", ""],
    ["a group of one more than the distance", handedOn, "(loop1_group != 2'd2)", "(loop1_group != 2'd3)"],
    ["a loop that is left before its writes are answered", oneAfterTheOther, " | ~loop1_y_port_settled", ""],
    [
      "a kernel that is done before its writes are answered",
      handedOn,
      " | loop1_running | (loop1_y_port_2_flight != 6'd0)",
      " | loop1_running",
    ],
    ["iterations that enter whatever pointers meet", pointers, "((loop1_group != 1'd1) | apart)", "1'b1"],
  ])("is not that of %s", async (_, made, from, to) => {
    const broken = made.design.text.replace(from, to);
    expect(broken).not.toBe(made.design.text);
    const { result, messages } = await prove(searched(order(made, broken)));
    expect(result).toMatchObject({ ok: false, fact: true });
    expect(messages).toMatch(/model found for base case: FAIL!/);
  });
});
