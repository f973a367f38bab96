import { expect, it } from "vitest";
import { annotated, command } from "../../../cli/ui/annotations.ts";

const finding = {
  severity: "warning",
  code: "a:b",
  message: "100 % wrong\nreally",
  remedy: "mend it",
  loc: { file: "src/a,b.c", line: 3, col: 7 },
} as const;

it("a finding is one line that GitHub parses, whatever text it contains", () => {
  expect(command(finding, "sub/src/a,b.c")).toBe(
    "::warning file=sub/src/a%2Cb.c,line=3,col=7,title=arc%3A a%3Ab::100 %25 wrong%0Areally%0Aremedy: mend it\n",
  );
});

it("each finding is printed once, by its path in the checkout, beside the view", () => {
  const written: string[] = [];
  const seen: string[] = [];
  const view = {
    onEvent: ({ type }: { type: string }) => void seen.push(type),
    finish: async () => {},
    abandon() {},
  };
  const ui = annotated(view, {
    graph: [],
    write: (text) => void written.push(text),
    root: "/co/sub",
    workspace: "/co",
  });
  const note = { ...finding, severity: "note" } as const;
  for (const address of ["x", "y"])
    ui.onEvent({
      type: "failed",
      address,
      title: "t",
      message: "m",
      log: "",
      cached: false,
      seconds: 1,
      diagnostics: [finding, note],
    });
  expect(seen).toEqual(["failed", "failed"]);
  expect(written).toHaveLength(1);
  expect(written[0]).toContain("file=sub/src/a%2Cb.c,");
});
