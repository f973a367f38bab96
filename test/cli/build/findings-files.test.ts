/** What a build finds, in files for code hosts: the same findings that are printed, in builds that run nothing, too. */
import { expect, it } from "vitest";
import { codeQuality } from "../../../cli/check/code-quality.ts";
import { Rig } from "../rig.ts";

const yaml = `arc: 1
project: p
host: [sub/p.c]
cflags: [-Wall]
targets: { cpu: { kind: host } }
`;
const source = `int main(void) {
  int x;
  return 0;
}
`;

it("a build writes SARIF and GitLab's report of what it finds, of what is up to date, too", {
  timeout: 120_000,
}, async () => {
  const rig = new Rig({ "arc.yaml": yaml, "sub/p.c": source }, "shared");
  const build = () =>
    rig.arc(["build", "--sarif", "a.sarif", "--code-quality=q.json"], { env: { CI_PROJECT_DIR: rig.root } });
  for (let times = 0; times < 2; times++) {
    const { status, err } = await build();
    expect(status, err).toBe(0);
    const [{ tool, results }] = JSON.parse(rig.read("a.sarif")).runs;
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ ruleId: tool.driver.rules[0].id, ruleIndex: 0, level: "warning" });
    expect(results[0].locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: "project/sub/p.c" },
      region: { startLine: 2, startColumn: 7 },
    });
    const [entry, ...others] = JSON.parse(rig.read("q.json"));
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      severity: "minor",
      location: { path: "project/sub/p.c", lines: { begin: 2 } },
      description: expect.stringContaining("unused"),
    });
    rig.remove("a.sarif");
  }
  rig.write("sub/p.c", source.replace("int x;", "return y;"));
  expect((await build()).status).toBe(1);
  expect(JSON.parse(rig.read("a.sarif")).runs[0].results[0]).toMatchObject({ level: "error" });
  expect(JSON.parse(rig.read("q.json"))[0]).toMatchObject({ severity: "critical" });
});

it("GitLab tells a finding by what it says, not by its line; two of one kind are two", () => {
  const finding = {
    severity: "error",
    code: "c",
    message: "m",
    loc: { file: "a.c", line: 3, col: 1 },
  } as const;
  const prints = (...lines: readonly number[]): readonly string[] =>
    JSON.parse(codeQuality(lines.map((line) => ({ ...finding, loc: { ...finding.loc, line } })))).map(
      ({ fingerprint }: { readonly fingerprint: string }) => fingerprint,
    );
  expect(prints(3)).toEqual(prints(4));
  expect(new Set(prints(3, 9)).size).toBe(2);
});
