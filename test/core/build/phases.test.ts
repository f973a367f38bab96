/** Information about a running action: its tool's output, and its expected duration. */
import { expect, test } from "vitest";
import { digestBytes } from "../../../core/build/key/digest.ts";
import type { Action, StepContext } from "../../../core/build/model/action.ts";
import { shell, Workshop } from "./workshop.ts";

/** A project with a slow step whose actions run a script and report each line as a phase. */
function shopOf(): Workshop {
  const shop = new Workshop();
  shop.step({
    name: "tool",
    digest: digestBytes("tool"),
    typicalSeconds: 10,
    async run(context: StepContext) {
      const argv = ["sh", "-c", String(context.action.options)];
      const { code, stdout, stderr } = await context.spawn({ argv }, (text) => {
        for (const line of text.split("\n")) if (line !== "") context.progress(line);
      });
      await context.writeOutput("said", Buffer.concat([stdout, stderr]));
      return { ok: code === 0 } as never;
    },
  });
  return shop;
}

const tool = (address: string, script: string): Action => ({
  address,
  step: "tool",
  options: script,
  inputs: [],
  outputs: [{ name: "said", kind: "file" }],
});

test("a step receives the output of its process while it runs, and all of it at the end", async () => {
  const shop = shopOf();
  const heard = "while ! [ -e heard ]; do sleep 0.01; done";
  let file = "";
  const built = await shop.build([tool("a", `echo one; echo "in $PWD" >&2; ${heard}; echo two`)], {
    onEvent(event) {
      if (event.type !== "progress" || !event.phase.startsWith("in ")) return;
      file = `${event.phase.slice(3)}/heard`;
      // The process only continues if its output is received in time.
      void import("node:fs").then((fs) => fs.writeFileSync(file, ""));
    },
  });
  expect(built.ok).toBe(true);
  expect(built.of("progress").map((event) => event.phase)).toEqual(
    expect.arrayContaining(["one", expect.stringMatching(/^in /), "two"]),
  );
  expect(shop.engine.read("a", "said").toString()).toMatch(/^one\ntwo\nin .*\n$/);
});

test("a new action's expected time is that of the same stage for another kernel", async () => {
  const shop = shopOf();
  await shop.build([tool("fpga:x/old#layout", "sleep 0.2"), tool("fpga:x/old#netlist", "true")]);
  const built = await shop.build([tool("fpga:x/new#layout", ": 1"), tool("gpu:x/new#layout", ": 2")]);
  const running = new Map(built.of("running").map((event) => [event.address, event]));
  const known = running.get("fpga:x/new#layout");
  expect(known?.expected).toBeGreaterThan(0.19);
  expect(known?.guess).toBeUndefined();
  // If no earlier run of the action exists, its kind of step gives an estimate, which is marked as such.
  expect(running.get("gpu:x/new#layout")).toMatchObject({ expected: 10, guess: true });
});

test("actions that wait for another one are part of the remaining work", async () => {
  const shop = shopOf();
  const chain = (word: string) => [
    tool("a", `echo ${word}`),
    shell("b", "sleep 0.3; cat said > b.txt", { said: ["a", "said"] }, ["b.txt"]),
  ];
  expect((await shop.build(chain("one"))).of("running")[0]?.guess).toBe(true);
  const [first] = (await shop.build(chain("two"))).of("running");
  expect(first?.behind).toBeGreaterThan(0.29);
  expect(first?.behind).toBeLessThan(10);
});
