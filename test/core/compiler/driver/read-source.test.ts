/** Which sources keep their trees. */
import { afterEach, describe, expect, it } from "vitest";
import { keepTreesOf, readSource } from "../../../../core/compiler/driver/read-source.ts";

const sourceOf = (name: string) => ({ file: `${name}.c`, text: `# 1 "${name}.c"\nint ${name}[20];\n` });

describe("trees of sources", () => {
  afterEach(() => keepTreesOf(2_000_000));

  it("are kept for those that are read again", () => {
    const first = readSource(sourceOf("first"));
    readSource(sourceOf("second"));
    expect(readSource(sourceOf("first"))).toBe(first);
  });

  it("are dropped once later sources have as many characters as may be kept", () => {
    const { text } = sourceOf("third");
    keepTreesOf(2 * text.length);
    const third = readSource(sourceOf("third"));
    const other = readSource(sourceOf("other"));
    expect(readSource(sourceOf("third"))).toBe(third);
    readSource(sourceOf("fifth"));
    expect(readSource(sourceOf("third"))).toBe(third);
    expect(readSource(sourceOf("other"))).not.toBe(other);
  });

  it("are kept of the last source, however long it is", () => {
    keepTreesOf(0);
    const only = readSource(sourceOf("only"));
    expect(readSource(sourceOf("only"))).toBe(only);
  });
});
