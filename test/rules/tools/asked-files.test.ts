import { expect, it } from "vitest";
import { probedFiles } from "../../../rules/tools/asked-files.ts";
import { assembledFiles, assemblerFolders } from "../../../rules/tools/assembled-files.ts";

const quoted = (name: string) => ({ name, quoted: true });
const angled = (name: string) => ({ name, quoted: false });

it.each([
  ['#if __has_include("a.h") && __has_include ( <b/c.h> )', [quoted("a.h"), angled("b/c.h")]],
  ['#if defined(__has_include) && \\\n  __has_include( \\\n "a.h")', [quoted("a.h")]],
  ["#ifdef __has_include\n#endif", []],
  ['# embed "d.bin" limit(3)\n#if __has_embed(<e.bin>)', [quoted("d.bin"), angled("e.bin")]],
  ['#define NAME "n.h"\n#if __has_include(NAME)', [quoted("n.h")]],
  ["#define HAS(x) __has_include(x)\n#if HAS(<m.h>)", [angled("m.h")]],
  ["int has_include(int x);", []],
])("what %j asks for is found", (text, asked) => {
  expect(probedFiles([text], [])).toEqual([asked]);
});

it("a name may be in another file, or in an option", () => {
  const texts = ['#define NAME "n.h"\n', "#if __has_include(NAME) || __has_include(OTHER)\n"];
  expect(probedFiles(texts, ["-DOTHER=<o.h>"])[1]).toEqual([quoted("n.h"), angled("o.h")]);
});

it.each([
  ['asm(".incbin \\"a.bin\\"");', ["a.bin"]],
  [
    '__asm__ volatile (".section x\\n\\t"\n  ".incbin \\"" "b c.bin" "\\", 4\\n.include \\"i.s\\"" : : );',
    ["b c.bin", "i.s"],
  ],
  ['char *s = ".incbin \\"a.bin\\"";', []],
  ["int main(void) { return 0; }", []],
])("what the assembler reads for %j is found", (unit, names) => {
  expect(assembledFiles(unit)).toEqual({ names });
});

it("names that only the assembler can compute are reported with their location", () => {
  const unit = '# 1 "<arc>"\n# 7 "src/a.c"\nint x;\n  asm(".macro m f\\n.incbin \\"\\\\f\\"\\n.endm");\n';
  expect(assembledFiles(unit).unclear).toEqual({ file: "src/a.c", line: 8, col: 3, directive: "incbin" });
});

it("folders of the assembler are taken from options", () => {
  expect(
    assemblerFolders(["-O2", "-Wa,-Ix,--gdwarf-4", "-Wa,-I,y", "-Xassembler", "-I", "-Xassembler", "z"]),
  ).toEqual(["x", "y", "z"]);
});
