/**
 * Actions that spoil their input in every way, do something to the file afterwards, and end in some way: they fail, and
 * other actions get the bytes that they asked for.
 */
import { expect, test } from "vitest";
import { shell, Workshop } from "./workshop.ts";

const writes = {
  appends: "echo bad >> g",
  overwrites: "echo bad > g",
  empties: ": > g",
  "writes in the middle": "printf X | dd of=g bs=1 seek=1 conv=notrunc 2>/dev/null",
  "writes through another name": "ln g h; echo bad > h",
  "writes to an open file": "exec 3>>g; rm g; echo bad >&3",
};

const afterwards = {
  "leaves it": ":",
  "removes it": "rm -f g",
  "moves it": "if [ -e g ]; then mv g away; fi",
  "replaces it": "rm -f g; echo other > g",
  "takes its rights": "if [ -e g ]; then chmod 000 g; fi",
  "makes it the output": "if [ -e g ]; then mv -f g o; fi",
};

const ends = { succeeds: "exit 0", fails: "exit 3", "is killed": "kill -9 $$" };

const first = shell("first", "echo good > g", {}, ["g"]);

test.each(Object.entries(writes))("of an action that %s", async (_, write) => {
  const shop = new Workshop({ jobs: 1 });
  let readers = 0;
  for (const [then, after] of Object.entries(afterwards))
    for (const [end, last] of Object.entries(ends)) {
      const what = `${write}, ${then}, ${end}`;
      const command = `# ${what}\nchmod u+w g; echo > o; ${write}; ${after}; ${last}`;
      const built = await shop.build([first, shell("vandal", command, { g: ["first", "g"] }, ["o"])]);
      expect(built.of("failed"), what).toMatchObject([
        { message: expect.stringContaining("vandal wrote to one of its inputs") },
      ]);
      readers += 1;
      const reader = shell("reader", `: ${readers}; cat g > r`, { g: ["first", "g"] }, ["r"]);
      expect((await shop.build([first, reader])).ok, what).toBe(true);
      expect(shop.read("out/r"), what).toBe("good\n");
    }
});
