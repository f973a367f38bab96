import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { junitXml } from "../../../../cli/report/text/junit.ts";

const runs = [
  { variant: "cpu:default", run: "small", seconds: 1.5, end: { how: "same" } },
  {
    variant: "cpu:default",
    run: 'q"<',
    seconds: 0,
    end: { how: "differs", message: "3 &\tmore", details: "a\r\n\u0007b" },
  },
  { variant: "gpu:default", run: "small", seconds: 0, end: { how: "skipped", message: "no device" } },
  { variant: "gpu:default", run: "large", seconds: 0, end: { how: "error", message: "link failed" } },
] as const;

it("is XML with a suite per variant, and counts of how its runs ended", () => {
  const xml = junitXml("p", runs);
  const output = execFileSync(
    "python3",
    [
      "-c",
      `import sys, json, xml.etree.ElementTree as e
root = e.fromstring(sys.stdin.buffer.read())
print(json.dumps([root.attrib, [[s.attrib["name"], s.attrib["tests"], [[c.attrib["name"], [[x.tag, x.attrib["message"], x.text] for x in c]] for c in s]] for s in root]]))`,
    ],
    { input: xml, encoding: "utf8" },
  );
  expect(JSON.parse(output)).toEqual([
    { name: "p", tests: "4", failures: "1", errors: "1", skipped: "1", time: "1.500" },
    [
      [
        "cpu:default",
        "2",
        [
          ["small", []],
          ['q"<', [["failure", "3 &\tmore", "a\r\n\ufffdb"]]],
        ],
      ],
      [
        "gpu:default",
        "2",
        [
          ["small", [["skipped", "no device", null]]],
          ["large", [["error", "link failed", null]]],
        ],
      ],
    ],
  ]);
});
