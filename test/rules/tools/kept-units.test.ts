import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readArchive, readSection } from "../../../rules/tools/elf.ts";
import { keepUnit, keptUnits, sectionOf } from "../../../rules/tools/kept-units.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-units-"));
const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, [...args], { cwd: folder, encoding: "utf8" });
const bytes = (file: string): Buffer => readFileSync(path.join(folder, file));

/** An object that contains a unit, made by the real tools. */
function object(name: string, text: string, code = ""): string {
  writeFileSync(path.join(folder, `${name}.unit`), keepUnit({ file: `${name}.c`, text }));
  writeFileSync(path.join(folder, `${name}.c`), `${code}\n${sectionOf(`${name}.unit`)}\n`);
  run("cc", "-c", `${name}.c`, "-o", `${name}.o`);
  return `${name}.o`;
}

describe("units stored in objects", () => {
  it("are read back unchanged, whatever text they contain", () => {
    const text = "int π;\narc-unit 1 3 x\n\0\n";
    expect(keptUnits(bytes(object("odd", text)))).toEqual([{ file: "odd.c", text }]);
  });

  it("survive joining objects, and are absent from programs", () => {
    object("one", "first", "int main(void) { return 0; }");
    object("two", "second");
    run("ld", "-r", "one.o", "two.o", "-o", "both.o");
    expect(keptUnits(bytes("both.o")).map((unit) => unit.text)).toEqual(["first", "second"]);
    run("cc", "one.o", "two.o", "-o", "program");
    expect(keptUnits(bytes("program"))).toEqual([]);
  });

  it("are found in members of archives, also with long names", () => {
    const long = object("a-name-that-is-longer-than-fifteen-characters", "long");
    run("ar", "rcs", "lib.a", object("short", "text"), long);
    const members = readArchive(bytes("lib.a"));
    expect(members.map((member) => member.name)).toEqual(["short.o", long]);
    expect(members.flatMap((member) => keptUnits(member.bytes)).map((unit) => unit.text)).toEqual([
      "text",
      "long",
    ]);
  });

  it("are not found in other files", () => {
    for (const file of [Buffer.alloc(0), Buffer.from("#!/bin/sh\n"), Buffer.alloc(100, 0x7f)]) {
      expect(readSection(file, ".text")).toBeUndefined();
      expect(readArchive(file)).toEqual([]);
      expect(keptUnits(file)).toEqual([]);
    }
  });
});
