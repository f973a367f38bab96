/** `arc report` of variants, on estimates: no tool is needed for those. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PageData } from "../../../cli/report/model/page-data.ts";
import { lines, Rig } from "../rig.ts";

const source = `#include <stdio.h>
int main(void) {
  static float x[4096], y[4096];
#pragma acc parallel loop copyin(x) copyout(y)
  for (int i = 0; i < 4096; i++) y[i] = 2 * x[i];
  printf("%g\\n", y[7]);
  return 0;
}
`;
const yaml = `arc: 1
project: p
sources: [p.c]
kernels: { double: { source: p.c, function: main } }
targets: { fpga: { kind: intel-fpga, board: pac_a10 } }
variants: { model: [swi], unroll: [1, 4, 16] }
runs: { small: {} }
`;

let rig: Rig;
beforeAll(async () => {
  rig = new Rig({ "arc.yaml": yaml, "p.c": source }, "shared");
  const { status, err } = await rig.arc(["build", "fpga:*#estimate", "fpga:*#kernels", "--all"]);
  expect(status, err).toBe(0);
});
afterAll(() => rig.remove("."));

const addresses = (out: string) => lines(out).flatMap((line) => /^fpga:[^\s,]+/.exec(line)?.[0] ?? []);

describe("arc report", () => {
  it("has a line of totals for each variant, with its axes, and arc.yaml's names of kernels", async () => {
    const { out } = await rig.arc(["report", "--all"]);
    expect(out).toMatch(/^variant +unroll +time +MHz +area .*ALUT.* time from$/m);
    expect(out).toMatch(/^fpga:swi_u4 +4 +[\d.]+ [mµ]s .*estimate$/m);
    expect(out).toContain("double (p.c:4)");
  });

  it("sorts, and takes the best", async () => {
    const { out } = await rig.arc(["report", "--all", "--sort", "aluts", "--format", "csv"]);
    expect(addresses(out)).toEqual(["fpga:swi_u1", "fpga:swi_u4", "fpga:swi_u16"]);
    const fastest = await rig.arc(["report", "--all", "--best", "time", "--format", "markdown"]);
    expect(fastest.out.split("\n").filter((line) => line.startsWith("| fpga")).length).toBe(1);
    expect((await rig.arc(["report", "fpga", "--best", "time", "--format", "markdown"])).out).toBe(
      fastest.out,
    );
    const { variants: front } = JSON.parse(
      (await rig.arc(["report", "--all", "--best", "pareto", "--json"])).out,
    );
    expect(front.length).toBeGreaterThan(0);
    expect(front.length).toBeLessThanOrEqual(3);
    const named = await rig.arc(["report", "--all", "--best", "time, area", "--json"]);
    expect(JSON.parse(named.out).variants).toEqual(front);
    expect((await rig.arc(["report", "--all", "--best", "time,are"])).err).toContain("did you mean area?");
  });

  it("names variants that a baseline has and the report has not", async () => {
    const { out } = await rig.arc(["report", "--all", "--json"]);
    const base = JSON.parse(out);
    base.variants.push({ ...base.variants[0], address: "fpga:old" });
    rig.write("older.json", JSON.stringify(base));
    const all = await rig.arc(["report", "--all", "--compare", "older.json"]);
    expect(all.err).toContain("arc: no longer there: fpga:old");
    expect((await rig.arc(["report", "fpga", "--compare", "older.json"])).err).not.toContain("no longer");
  });

  it("fails if budgets are exceeded, and says by how much", async () => {
    const { out } = await rig.arc(["report", "--all", "--json"]);
    const base = JSON.parse(out);
    for (const one of base.variants) one.totals.clock *= 1.1;
    rig.write("base.json", JSON.stringify(base));
    const check = async (budgets: string) => {
      rig.write("arc.yaml", `${yaml}budgets: ${budgets}\n`);
      const { status, err } = await rig.arc(["report", "--all", "--budgets"]);
      return { status, err };
    };
    const dropped = await check(
      '{ baseline: base.json, fail: ["clock drops 5 %", "fpga:swi_u1 area above 99 %"] }',
    );
    expect(dropped.status).toBe(1);
    expect(dropped.err).toMatch(
      /`clock drops 5 %` is broken by fpga:swi_u4: [\d.]+ became [\d.]+ \(-9\.1 %\)/,
    );
    expect(dropped.err.match(/is broken/g)).toHaveLength(3);
    const kept = await check('{ baseline: base.json, fail: ["clock drops 10 %", "cycles rise 2 %"] }');
    expect(kept).toEqual({ status: 0, err: "arc: 2 budgets kept by 3 variants\n" });
    expect(await check('{ fail: ["clock drops 10 %"] }')).toMatchObject({
      status: 2,
      err: expect.stringContaining("has nothing to be compared with"),
    });
    expect(await check('{ baseline: no.json, fail: ["clock drops 10 %"] }')).toMatchObject({
      status: 2,
      err: expect.stringContaining("the baseline no.json is not there"),
    });
    expect(await check('{ fail: ["fmax drops 10 %"] }')).toMatchObject({
      status: 2,
      err: expect.stringContaining("there is no figure `fmax`"),
    });
    rig.write("arc.yaml", yaml);
  });

  it("compares with a variant, and with an earlier report", async () => {
    const { out } = await rig.arc(["report", "--compare", "fpga:swi_u1"]);
    expect(out).toMatch(/^fpga:swi_u16 .*\((?:\+\d+ %|x [\d.]+), worse\)/m);
    const [base] = addresses(out);
    expect(base).toBe("fpga:swi_u1");
    const before = JSON.parse((await rig.arc(["report", "--all", "--json"])).out);
    before.variants[1].totals.clock *= 2;
    rig.write("before.json", JSON.stringify(before));
    const later = await rig.arc(["report", "--all", "--compare", "before.json", "--json"]);
    const changes = JSON.parse(later.out) as { changes: { figure: string; verdict: string }[] }[];
    expect(changes[1]?.changes.find(({ figure }) => figure === "clock")?.verdict).toBe("worse");
    expect(changes[0]?.changes.every(({ verdict }) => verdict === "same")).toBe(true);
  });

  it("writes a page with its data, the last build and the kernels' texts inside", async () => {
    const { status, err } = await rig.arc(["report", "--all", "--html", "report.html"]);
    expect([status, err]).toEqual([0, "arc: the report is in report.html\n"]);
    const [, text = ""] = /id="arc-report">(.*?)<\/script>/.exec(rig.read("report.html")) ?? [];
    const data = JSON.parse(text) as PageData;
    expect(data).toMatchObject({ format: 3, project: "p", problems: [], sources: { "p.c": source } });
    expect(data.build?.counts.failed).toBe(0);
    expect(data.build?.actions.map(({ address }) => address)).toContain("fpga:swi_u4#estimate");
    const kernel = data.kernels.find(({ variant }) => variant === "fpga:swi_u4");
    expect(data.texts[kernel?.text ?? -1]).toContain("unroll");
    // The passes run for each design, from the sources of the build.
    const passes = data.passes?.find(({ variant }) => variant === "fpga:swi_u4");
    expect(passes?.kernel).toBe("double (p.c:4)");
    const unrolled = passes?.remarks.find(({ pass }) => pass === "unroll");
    expect(unrolled).toMatchObject({ applied: true, file: "p.c" });
    const change = passes?.changes.find(({ pass }) => pass === "unroll");
    expect(data.texts[change?.after ?? -1]).not.toBe(data.texts[change?.before ?? -1]);
    expect(data.texts[change?.before ?? -1]).toContain("loop");
  });

  it("takes several earlier reports as a history, the oldest first, on a page alone", async () => {
    const { out } = await rig.arc(["report", "--all", "--json"]);
    expect(out).not.toContain('"schedule"');
    rig.write("one.json", out);
    rig.write("two.json", out);
    const compared = ["--compare", "one.json", "--compare", "two.json"];
    await rig.arc(["report", "--all", "--html", "report.html", ...compared]);
    const [, text = ""] = /id="arc-report">(.*?)<\/script>/.exec(rig.read("report.html")) ?? [];
    const { earlier } = JSON.parse(text) as PageData;
    expect(earlier?.map(({ name }) => name)).toEqual(["one.json", "two.json"]);
    expect(earlier?.[0]?.variants.length).toBe(3);
    const refused = await rig.arc(["report", "--all", ...compared]);
    expect(refused.status).toBe(2);
    expect(refused.err).toContain("a history, which only a page shows");
  });

  it("and verify refuse a target that there is not", async () => {
    for (const command of ["report", "verify"]) {
      const { status, err } = await rig.arc([command, "fpg*x"]);
      expect([status, err]).toEqual([2, "arc: no target is called fpg*x\n  try: there are fpga\n"]);
      const variant = await rig.arc([command, "fpga:u9"]);
      expect([variant.status, variant.err]).toEqual([
        2,
        "arc: no variant is called fpga:u9\n  try: `arc report 'fpga:*'` lists those there are\n",
      ]);
    }
  });

  it.each([
    [["--html", "x.html", "--format", "csv"], "a page has a form of its own"],
    [["--html", "x.html", "--compare", "fpga:swi_u1"], "--compare fpga:swi_u1 names no report"],
    [["fpg"], "no target is called fpg\n  try: did you mean fpga?"],
    [["--sort", "tme"], "did you mean time?"],
    [["--best", "cycles"], "of no variant is cycles known"],
    [["--format", "xml"], "there are text, csv, markdown, json"],
    [["--compare", "nothing.json"], "nothing.json names no variant, report or commit"],
    [["--compare", "p.c"], "p.c is no report: it is not JSON"],
    [["--compare", "old.json"], "old.json is a report without a format, as arc wrote before version 0.2"],
    [
      ["--compare", "newer.json"],
      "newer.json is a report of format 99 by arc 7.0.0, and this arc reads format 1",
    ],
    [["--compare", "damaged.json"], "damaged.json is damaged: it has variants without totals"],
    [["--compare", "other.json"], "other.json is no report of arc's"],
  ])("says what is wrong with %s", async (args, message) => {
    rig.write("old.json", '[{"address":"fpga:swi"}]');
    rig.write("newer.json", '{"type":"report","format":99,"arc":"7.0.0","rows":[]}');
    rig.write(
      "damaged.json",
      '{"type":"report","format":1,"arc":"0.2.0","variants":[{"address":"fpga:swi"}]}',
    );
    rig.write("other.json", '{"type":"exploration"}');
    const { status, err } = await rig.arc(["report", "--all", ...args]);
    expect(status).toBe(2);
    expect(err).toContain(message);
  });
});
