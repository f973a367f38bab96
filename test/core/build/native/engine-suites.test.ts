/** The engine's own tests once more with its native part, which users have and which modules do not load by themselves. */
import { describe } from "vitest";
import { loadedWith, noLibrary } from "../ways.ts";

const suites = {
  "bad-input": () => import("../bad-input.test.ts"),
  engine: () => import("../engine.test.ts"),
  "full-disk": () => import("../full-disk.test.ts"),
  "generated-headers.property": () => import("../generated-headers.property.test.ts"),
  "hit-check": () => import("../hit-check.test.ts"),
  phases: () => import("../phases.test.ts"),
  "same-keys": () => import("../same-keys.test.ts"),
  "saved-meanwhile": () => import("../saved-meanwhile.test.ts"),
  "spoilt-inputs": () => import("../spoilt-inputs.test.ts"),
  "strange-files": () => import("../strange-files.test.ts"),
};

for (const [name, load] of Object.entries(suites)) {
  describe.skipIf(noLibrary !== undefined)(name, async () => {
    await loadedWith<unknown>("native", load);
  });
}
