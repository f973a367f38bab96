/** What `arc report --compare` compares with when no file is named: reports that arc kept, and commits. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { VariantReport } from "../../../cli/report/model/report.ts";
import { lastOther, type StoredReport, withReport } from "../../../cli/report/stored.ts";
import { Rig } from "../rig.ts";

const yaml = `arc: 1
project: p
sources: [p.c]
targets: { fpga: { kind: intel-fpga, board: pac_a10 } }
`;
const source = (size: number) => `int main(void) {
  static float x[${size}], y[${size}];
#pragma acc parallel loop copyin(x) copyout(y)
  for (int i = 0; i < ${size}; i++) y[i] = 2 * x[i];
  return 0;
}
`;

describe("arc report --compare", () => {
  async function built(size: number, before?: Rig): Promise<Rig> {
    const rig = before ?? new Rig({ "arc.yaml": yaml, "p.c": source(size) }, "shared");
    rig.write("p.c", source(size));
    const { status, err } = await rig.arc(["build", "fpga:*#estimate", "fpga:*#kernels"]);
    expect(status, err).toBe(0);
    return rig;
  }
  const git = (rig: Rig, ...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
      cwd: rig.folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });

  it("alone compares with the last report that had other figures, as often as it is asked", async () => {
    const rig = await built(1000);
    const none = await rig.arc(["report", "--compare"]);
    expect(none.status).toBe(2);
    expect(none.err).toContain("arc has kept no earlier report");
    await rig.arc(["report"]);
    const same = await rig.arc(["report", "--compare"]);
    expect(same.err).toContain("no earlier report has other figures");
    await built(100000, rig);
    for (const _ of [1, 2]) {
      const { status, out, err } = await rig.arc(["report", "--compare"]);
      expect(err).toMatch(/^arc: compared with the report of \d{4}-\d\d-\d\d \d\d:\d\d$/m);
      expect(status).toBe(0);
      expect(out).toMatch(/^fpga:default .*, worse\)/m);
    }
    const json = await rig.arc(["report", "--compare", "--json"]);
    expect(JSON.parse(json.out)[0].address).toBe("fpga:default");
  });

  it("with a commit compares with what was seen there, or with arc.yaml's baseline in it", async () => {
    const rig = await built(1000);
    git(rig, "init", "-q", "-b", "main");
    git(rig, "add", "arc.yaml", "p.c");
    git(rig, "commit", "-qm", "one");
    await rig.arc(["report"]);
    await built(100000, rig);
    const { out, err, status } = await rig.arc(["report", "--compare", "main"]);
    expect(status, err).toBe(0);
    expect(err).toMatch(/compared with the report of .* at main/);
    expect(out).toMatch(/^fpga:default .*, worse\)/m);
    git(rig, "commit", "-qam", "two");
    // The report of the changed file was that of no commit; one is kept now.
    const unknown = await rig.arc(["report", "--compare", "HEAD"]);
    expect(unknown.status).toBe(2);
    expect(unknown.err).toMatch(/there is no report of commit [0-9a-f]{10} \(HEAD\)/);
    await rig.arc(["report"]);
    expect((await rig.arc(["report", "--compare", "HEAD"])).status).toBe(0);

    rig.write("arc.yaml", `${yaml}budgets: { baseline: base.json, fail: [clock drops 5 %] }\n`);
    rig.write("base.json", (await rig.arc(["report", "--json"])).out);
    git(rig, "add", "base.json");
    git(rig, "commit", "-qam", "three");
    const kept = await rig.arc(["report", "--compare", "HEAD"]);
    expect(kept.err).toContain("compared with HEAD:./base.json");
    expect(kept.out).not.toMatch(/worse|better/);
    // The baseline of arc.yaml is what is meant where nothing is named.
    expect((await rig.arc(["report", "--compare"])).err).toContain("compared with base.json");
    rig.remove("base.json");
    expect((await rig.arc(["report", "--compare"])).err).toContain(
      "the baseline base.json of arc.yaml's budgets is not there",
    );
  });
});

describe("a kept report", () => {
  const variant = (address: string, images: number, seconds?: number) =>
    ({
      address,
      images,
      totals: { resources: {}, percent: {}, ...(seconds && { seconds }) },
    }) as VariantReport;
  const keep = (
    before: readonly StoredReport[],
    variants: readonly VariantReport[],
    commit?: string,
  ): readonly StoredReport[] => withReport(before, variants, { at: before.length, commit });

  it("is not replaced by what was built and not run yet, but is completed by the run", () => {
    const one = keep([], [variant("a:x", 100, 3)]);
    const unrun = keep(one, [variant("a:x", 100)]);
    expect(unrun).toBe(one);
    const changed = keep(one, [variant("a:x", 120)]);
    expect(changed.length).toBe(2);
    const run = keep(changed, [variant("a:x", 120, 2)]);
    expect(run.length).toBe(2);
    expect(run[1]?.variants[0]?.totals.seconds).toBe(2);
    expect(lastOther(run, [variant("a:x", 120, 2)])?.variants[0]?.totals.seconds).toBe(3);
  });

  it("keeps what is known of variants that were not looked at", () => {
    const one = keep([], [variant("a:x", 100), variant("a:y", 200)]);
    const two = keep(one, [variant("a:x", 110)]);
    expect(two[1]?.variants.map(({ images }) => images)).toEqual([110, 200]);
  });

  it("knows each commit that has these figures", () => {
    const one = keep([], [variant("a:x", 100)], "c1");
    const two = keep(one, [variant("a:x", 100)], "c2");
    expect(two.map(({ commits }) => commits)).toEqual([["c1", "c2"]]);
    expect(keep(two, [variant("a:x", 100)])).toBe(two);
  });

  it("is one of ten at most, and nothing where no figure is known", () => {
    let reports: readonly StoredReport[] = [];
    for (let i = 1; i < 20; i++) reports = keep(reports, [variant("a:x", i)]);
    expect(reports.length).toBe(10);
    const empty = { address: "a:x", totals: { resources: {}, percent: {} } } as VariantReport;
    expect(keep([], [empty])).toEqual([]);
  });
});
