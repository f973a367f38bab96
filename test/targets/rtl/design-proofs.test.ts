/** Pipelines, control and the memory port of designs satisfy their contracts; broken ones have a counterexample. */
import { describe, expect, it } from "vitest";
import type { Assignment } from "../../../schema/document/axis.ts";
import { arbiterProperties } from "../../../targets/rtl/proof/arbiters.ts";
import { axiProperties } from "../../../targets/rtl/proof/axi.ts";
import { creditProperties } from "../../../targets/rtl/proof/credits.ts";
import type { ModuleProperties } from "../../../targets/rtl/proof/monitor.ts";
import { moduleObligation } from "../../../targets/rtl/proof/obligations.ts";
import { pipelineProperties } from "../../../targets/rtl/proof/pipelines.ts";
import { streamTurnProperties } from "../../../targets/rtl/proof/stream-turns.ts";
import { prove, searched } from "./prove.ts";
import { randomKernel } from "./random/random-kernel.ts";
import { type Designed, designed, designsOf } from "./simulation.ts";

/** The property to prove for a design, for its text or a changed one. */
const shown =
  (properties: typeof pipelineProperties) =>
  ({ design }: Designed, text = design.text, only = "") =>
    design.plans
      .flatMap((plan, k) => properties(plan, design.modules[k] as (typeof design.modules)[0]))
      .filter(({ part }) => part.endsWith(only))
      .map((one) => moduleObligation(text, one));

const pipelines = shown(pipelineProperties);
const control = shown(creditProperties);

interface Case {
  readonly what: string;
  readonly source: string;
  readonly choice?: Assignment;
  readonly clock?: number;
  readonly loop: string;
  readonly breaks: readonly (readonly [how: string, from: string, to: string])[];
}

const cases: readonly Case[] = [
  {
    what: "narrow sums over several stages",
    source: `void work(int n, const signed char *restrict a, short *restrict b) {
#pragma acc parallel loop copyin(a[0:n]) copyout(b[0:n])
  for (int i = 0; i < n; i++) {
    int x = a[i];
    int y = x * 5 - (x >> 1);
    b[i] = y > 300 ? 300 : y;
  }
}`,
    clock: 150,
    loop: "loop1",
    breaks: [
      ["a register between stages too few", "= loop1_t14_at1 -", "= loop1_t14 -"],
      ["a sign that is lost", "{{4{loop1_t16_at1[6]}}, loop1_t16_at1}", "{4'd0, loop1_t16_at1}"],
      ["iterations closer than the recurrence lets them", "loop1_wait <= 1'd1", "loop1_wait <= 1'd0"],
      ["a store a cycle too early", ".push(loop1_valid3)", ".push(loop1_valid2)"],
    ],
  },
  {
    what: "a multiplier that operations take turns on",
    source: `void work(int n, const signed char *restrict a, const signed char *restrict b, int *restrict y) {
#pragma acc parallel loop copyin(a[0:n], b[0:n]) copyout(y[0:n])
  for (int i = 0; i < n; i++) y[i] = a[i] * b[i] + a[i] * a[i];
}`,
    choice: { "share-mul": 1 },
    loop: "loop1",
    breaks: [
      ["operands of the wrong one", "loop1_valid1 ? loop1_b_2_at1", "loop1_valid2 ? loop1_b_2_at1"],
      ["a result that is taken too late", "if (loop1_valid2) mul_unit0", "if (loop1_valid3) mul_unit0"],
    ],
  },
  {
    what: "a local array in memory, whose words are forwarded",
    source: `void work(int n, const unsigned char *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:n]) copyout(out[0:256])
  {
    int bins[256];
    for (int i = 0; i < 256; i++) bins[i] = 0;
    for (int i = 0; i < n; i++) bins[a[i]]++;
    for (int i = 0; i < 256; i++) out[i] = bins[i];
  }
}`,
    loop: "loop3",
    breaks: [["a word that goes elsewhere", ": loop3_a_2_at1;", ": loop3_a;"]],
  },
];

describe("proofs of pipelines", () => {
  it.each(cases)(
    "hold for runs of any length, and find what is broken: $what",
    async ({ source, choice, clock, loop, breaks }) => {
      const made = designed(source, choice, "separate", clock);
      const whole = await prove(pipelines(made));
      expect(whole.result, whole.messages).toEqual({ ok: true });
      for (const proof of whole.proofs) expect(proof.induction, proof.part).toBeGreaterThan(0);
      for (const [how, from, to] of breaks) {
        const broken = made.design.text.replace(from, to);
        expect(broken, how).not.toBe(made.design.text);
        const { result, messages } = await prove(searched(pipelines(made, broken, loop)));
        expect(result, how).toMatchObject({ ok: false, fact: true });
        expect(messages, how).toMatch(/model found for base case: FAIL!/);
      }
    },
    120_000,
  );

  it("hold if a register keeps a loop-invariant value for a whole run", async () => {
    const made = designed(`void work(int n, float w, int *restrict y) {
#pragma acc serial copy(y[0:1])
  {
    int k = y[0];
    for (int i = 0; i < n; i++) if (w > -5.0f && w < 7.0f) k = (int)w;
    y[0] = k;
  }
}`);
    const { result, messages } = await prove(pipelines(made));
    expect(result, messages).toEqual({ ok: true });
    const broken = made.design.text.replace(/(loop1_\w+_at1 <= )(\w+);/, "$1~$2;");
    expect(broken).not.toBe(made.design.text);
    expect((await prove(searched(pipelines(made, broken, "loop1")))).result).toMatchObject({
      ok: false,
      fact: true,
    });
  });

  it.runIf(process.env.ARC_SLOW_TESTS)(
    "notice every register that holds the opposite",
    async () => {
      const kept: string[] = [];
      for (const { source, choice, clock, loop } of cases) {
        const made = designed(source, choice, "separate", clock);
        const registers = made.design.text.matchAll(
          new RegExp(`^ .*\\b(${loop}_\\w+_at\\d+) <= (.*);$`, "gm"),
        );
        for (const [line, name = "", value = ""] of registers) {
          const broken = made.design.text.replace(line, line.replace(`<= ${value}`, `<= ~(${value})`));
          const { result } = await prove(pipelines(made, broken, loop));
          if (result?.ok !== false) kept.push(name);
        }
      }
      expect(kept).toEqual([]);
    },
    1_200_000,
  );

  const [from = 1, to = from] = (process.env.ARC_PROOF_SEEDS ?? "1-3").split("-").map(Number);
  const seeds = Array.from({ length: to - from + 1 }, (_, k) => from + k);
  it.runIf(process.env.ARC_SLOW_TESTS || process.env.ARC_PROOF_SEEDS).each(seeds)(
    "hold of random kernel %d",
    async (seed) => {
      const { source } = randomKernel(seed, seed % 6 === 0, seed % 3 === 0);
      const turns = { "share-fadd": 1, "share-fmul": 1, "share-mul": 1, "share-div": 1 };
      const [made] = designsOf(source, seed % 2 === 0 ? {} : turns);
      if (!made || "diagnostics" in made) return;
      const { result, messages } = await prove(pipelines(made));
      expect(result, `${source}\n${messages}`).toEqual({ ok: true });
    },
    3_600_000,
  );
});

describe("proofs of a kernel's control", () => {
  const source = `void work(int n, const unsigned char *restrict a, const int *restrict b, int *restrict y) {
#pragma acc serial copyin(a[0:n], b[0:256]) copy(y[0:256])
  for (int i = 0; i < n; i++) {
    int k = a[i];
    if (k & 1) y[k] = b[k];
  }
}`;

  it("show that its queues have space for pushes, and data for pops", async () => {
    const { result, messages, proofs } = await prove(control(designed(source)));
    expect(result, messages).toEqual({ ok: true });
    expect(proofs.map(({ sizes, induction }) => [sizes, induction])).toEqual([["7 queues", 1]]);
  });

  it.each([
    ["a credit too many", "~loop1_a_port_asked[1]", "(loop1_a_port_asked != 2'd3)"],
    ["an iteration that does not wait for its data", "= loop1_a_valid & loop1_b_known", "= loop1_b_known"],
    ["a pipeline that is left as it starts", "~fresh & loop1_quiet", "loop1_quiet"],
  ])("find %s", async (_, from, to) => {
    const made = designed(source);
    const broken = made.design.text.replace(from, to);
    expect(broken).not.toBe(made.design.text);
    const { result, messages } = await prove(searched(control(made, broken)));
    expect(result).toMatchObject({ ok: false, fact: true });
    expect(messages).toMatch(/model found for base case: FAIL!/);
  });
});

describe("proofs of when streams begin", () => {
  const made = designed(`void work(const unsigned char *restrict a, unsigned char *restrict y) {
#pragma acc serial copyin(a[0:8]) copy(y[0:8])
  for (int i = 0; i < 3; i++) y[i] = a[i] + 5;
}`);
  const streams = shown((_, kernel) => streamTurnProperties(kernel));

  it("show that the one before has ended", async () => {
    const { result, messages, proofs } = await prove(streams(made));
    expect(result, messages).toEqual({ ok: true });
    expect(proofs.map(({ sizes, induction }) => [sizes, induction])).toEqual([["2 streams", 1]]);
  });

  it.each([
    ["words that are not waited for", " | ~loop1_y_port_settled", ""],
    ["elements that are left behind", "loop1_running | ", ""],
  ])("find %s", async (_, from, to) => {
    const broken = made.design.text.replace(from, to);
    expect(broken).not.toBe(made.design.text);
    const { result, messages } = await prove(searched(streams(made, broken)));
    expect(result).toMatchObject({ ok: false, fact: true });
    expect(messages).toMatch(/model found for base case: FAIL!/);
  });
});

describe("proofs of the one memory port", () => {
  const { design } = designed(
    `void work(int n, const unsigned char *restrict a, const int *restrict b, const short *restrict c, int *restrict y) {
#pragma acc serial copyin(a[0:n], b[0:256], c[0:256]) copy(y[0:256])
  for (int i = 0; i < n; i++) y[a[i]] = b[a[i]] + c[a[i]];
}`,
    {},
    "one",
  );
  const port = design.port as NonNullable<typeof design.port>;
  const obligations = (text = design.text) =>
    arbiterProperties(port).map((properties) => moduleObligation(text, properties));

  it("show which client is served and who gets the answer", async () => {
    const { result, messages, proofs } = await prove(obligations());
    expect(result, messages).toEqual({ ok: true });
    expect(proofs.map(({ sizes, induction }) => [sizes, induction])).toEqual([
      ["3 who ask, 32 bits, 16 under way", 1],
      ["1 who ask, 32 bits, 16 under way", 1],
      ["of 1, 32 bits", 1],
    ]);
  });

  it.each([
    ["an answer to the wrong one", "& (read_order[3:2] == 2'd1)", "& (read_order[3:2] != 2'd0)"],
    ["a command that is lost", "read_valid <= read_any;", "read_valid <= read_any & ~read_pick[2];"],
    ["one who always comes first", "(read_above != 3'd0) ? read_above : read_wanted", "read_wanted"],
    ["an element of other bytes", "read_order[0] ?", "~read_order[0] ?"],
  ])("find %s", async (_, from, to) => {
    const broken = design.text.replace(from, to);
    expect(broken).not.toBe(design.text);
    const { result, messages } = await prove(searched(obligations(broken)));
    expect(result).toMatchObject({ ok: false, fact: true });
    expect(messages).toMatch(/model found for base case: FAIL!/);
  });
});

describe("proofs of an AXI4 manager", () => {
  const [made] = designsOf(
    `void work(int n, const unsigned char *restrict a, double *restrict b, short *restrict c) {
#pragma acc serial copyin(a[0:n]) copyout(b[0:n]) copy(c[0:256])
  for (int i = 0; i < n; i++) { b[n - i - 1] = 1; c[a[i]] = 7; }
}`,
    {},
    "axi4",
    undefined,
    { outstanding: 2, burst: 4 },
  ) as [Designed];
  const { design } = made;
  const { axi, port } = design;
  if (!axi || !port) throw new Error("it is no manager");
  const all: readonly ModuleProperties[] = [...arbiterProperties(port), axiProperties(axi, port)];
  const obligations = (text = design.text, only = "") =>
    all.filter(({ part }) => part.endsWith(only)).map((properties) => moduleObligation(text, properties));

  it("show that it keeps to the protocol, and where each byte goes", async () => {
    const { result, messages, proofs } = await prove(obligations());
    expect(result, messages).toEqual({ ok: true });
    expect(proofs.map(({ part, induction }) => [part.replace(/.*: /, ""), induction])).toEqual([
      ["reads", 1],
      ["writes", 1],
      ["words that are written", 1],
      ["AXI4", 1],
    ]);
  });

  it.each([
    ["WLAST a word too late", "AXI4", "wlast = beat == write_last", "wlast = beat == write_beats"],
    ["a length that counts from 1", "AXI4", "arlen = read_last[7:0]", "arlen = read_beats[7:0]"],
    [
      "a VALID that READY takes back",
      "AXI4",
      "awvalid = write_valid",
      "awvalid = write_valid & ~m_axi_wready",
    ],
    ["an error that is forgotten", "AXI4", "else if (error == 2'd0) error", "else error"],
    ["more under way than agreed", "reads", "read_room = ~read_open[1]", "read_room = 1'b1"],
    [
      "an element in the wrong lane",
      "words that are written",
      "<< loop1_c_port_write_address[1:0]",
      "<< 2'd0",
    ],
    ["a half of an element twice", "words that are written", "word <= word_rest[31:0]", "word <= word"],
    [
      "a command among the words of another",
      "words that are written",
      "(word_ready & (word_left == 1'd0))) & write_room",
      "word_ready) & write_room",
    ],
  ])("find %s", async (_, only, from, to) => {
    const broken = design.text.replace(from, to);
    expect(broken).not.toBe(design.text);
    const { result, messages } = await prove(searched(obligations(broken, only)));
    expect(result).toMatchObject({ ok: false, fact: true });
    expect(messages).toMatch(/model found for base case: FAIL!/);
  });
});
