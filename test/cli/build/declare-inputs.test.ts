import { expect, test } from "vitest";
import { withInputs } from "../../../cli/build/declare-inputs.ts";

/** The text of an action in arc.yaml, and the text after `data/x` and `b c` became inputs. */
const forms: Record<string, readonly [before: string, after: string]> = {
  "a map in one line": [
    "  a: { run: [r], outputs: [o] } # why\n",
    '  a: { run: [r], outputs: [o], inputs: ["b c", data/x] } # why\n',
  ],
  "a map with a list in one line": [
    "  a: { run: [r], inputs: [t], outputs: [o] }\n",
    '  a: { run: [r], inputs: [t, "b c", data/x], outputs: [o] }\n',
  ],
  "a list with spaces and a comma at its end": [
    "  a: { run: [r], inputs: [ t, ] }\n",
    '  a: { run: [r], inputs: [ t, "b c", data/x ] }\n',
  ],
  "an empty list": [
    "  a:\n    inputs: []\n    run: [r]\n",
    '  a:\n    inputs: ["b c", data/x]\n    run: [r]\n',
  ],
  "a block": [
    "  a:\n    run: [r] # so\n    outputs: [o]   # and so\n",
    '  a:\n    run: [r] # so\n    outputs: [o]   # and so\n    inputs: ["b c", data/x]\n',
  ],
  "a block without a line break at its end": [
    "  a:\n    run: [r]",
    '  a:\n    run: [r]\n    inputs: ["b c", data/x]',
  ],
  "a block with a list of lines": [
    "  a:\n    inputs:\n      - t # tool\n      - u\n    run: [r]\n",
    '  a:\n    inputs:\n      - t # tool\n      - u\n      - "b c"\n      - data/x\n    run: [r]\n',
  ],
  "a block that ends in text of several lines": [
    "  a:\n    inputs: [t]\n    run:\n      - sh\n      - |\n        one\n        two\n",
    '  a:\n    inputs: [t, "b c", data/x]\n    run:\n      - sh\n      - |\n        one\n        two\n',
  ],
};

for (const [form, [before, after]] of Object.entries(forms))
  for (const [around, [head, tail]] of Object.entries({
    alone: ["arc: 1\nactions:\n", ""],
    "between others": [
      "arc: 1\n# all\nactions:\n  z: { run: [z] }\n",
      "  y: { run: [y] } # last\nruns: {}\n",
    ],
  }))
    test(`${form}, ${around}, gets inputs in its own way of writing`, () => {
      if (tail !== "" && !before.endsWith("\n")) return;
      expect(withInputs(head + before + tail, "a", ["b c", "data/x"])).toBe(head + after + tail);
    });

test("what is no action, and inputs that are no list, stay", () => {
  const text = "arc: 1\nactions:\n  a: { run: [r], inputs: t }\n";
  for (const action of ["a", "b", "src/a.c#compile"]) expect(withInputs(text, action, ["x"])).toBeUndefined();
});
