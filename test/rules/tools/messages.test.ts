import { describe, expect, it } from "vitest";
import { parseMessages } from "../../../rules/tools/messages.ts";

describe("a compiler's messages", () => {
  it("become findings, notes with the message before them", () => {
    const text = `In file included from a.h:1,
a.c: In function 'main':
a.c:3:5: error: 'x' undeclared
    3 |     x = 1;
      |     ^
a.c:3:5: note: each undeclared identifier is reported only once
b.c:7: warning: no column [-Wfoo]
c.c:1:10: fatal error: none.h: No such file or directory
compilation terminated.
`;
    expect(parseMessages(text, "cc")).toEqual([
      {
        severity: "error",
        code: "cc",
        message: "'x' undeclared",
        loc: { file: "a.c", line: 3, col: 5 },
        notes: [
          {
            message: "each undeclared identifier is reported only once",
            loc: { file: "a.c", line: 3, col: 5 },
          },
        ],
      },
      {
        severity: "warning",
        code: "cc",
        message: "no column [-Wfoo]",
        loc: { file: "b.c", line: 7, col: 1 },
      },
      expect.objectContaining({ severity: "error", message: "none.h: No such file or directory" }),
    ]);
  });

  it("of nvcc have their place in brackets", () => {
    const text =
      'kernel.cu(12): error: identifier "q" is undefined\nkernel.cu(3): warning #177-D: variable "v" was declared but never referenced\n';
    expect(parseMessages(text, "nvcc")).toMatchObject([
      { severity: "error", message: 'identifier "q" is undefined', loc: { file: "kernel.cu", line: 12 } },
      { severity: "warning", message: 'variable "v" was declared but never referenced', loc: { line: 3 } },
    ]);
  });

  it("say what to do about a header that is not there, and about files that are no text", () => {
    const text = [
      "a.c:1:10: fatal error: none.h: No such file or directory",
      "b.h:1:10: error: #include nested depth 200 exceeds maximum of 200",
      ...Array.from({ length: 99 }, (_, i) => `a.c:2:${i + 1}: warning: null character(s) ignored`),
      "a.c:9:9: error: and this",
    ].join("\n");
    const found = parseMessages(text, "cc");
    expect(found.slice(0, 3).map(({ remedy }) => remedy)).toEqual([
      expect.stringContaining("`include`"),
      expect.stringContaining("#pragma once"),
      expect.stringContaining("UTF-8"),
    ]);
    expect(found).toHaveLength(8);
    expect(found.at(-1)).toMatchObject({ severity: "error", message: "and this" });
  });

  it("without places are none", () => {
    expect(parseMessages("Killed\ncc: fatal error: out of memory\n", "cc")).toEqual([]);
  });
});
