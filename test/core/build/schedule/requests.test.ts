/** Requests to a running build: stopping an action, retrying a failed one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Action, Address } from "../../../../core/build/model/action.ts";
import { BuildRequests } from "../../../../core/build/schedule/requests.ts";
import { shell, Workshop } from "../workshop.ts";

test("one action is cancelled: what needs it is skipped, and all else is built", async () => {
  const shop = new Workshop();
  const requests = new BuildRequests();
  const actions = [
    shell("slow", "sleep 1000; echo > s", {}, ["s"]),
    shell("after", "cat s > a", { s: ["slow", "s"] }, ["a"]),
    shell("other", "sleep 0.1; echo > o", {}, ["o"]),
    shell("more", "cat o > m", { o: ["other", "o"] }, ["m"]),
  ];
  const built = await shop.build(actions, {
    requests,
    onEvent: (event) => {
      if (event.type === "running" && event.address === "slow")
        setTimeout(() => expect(requests.cancel("slow")).toBe(true), 20);
    },
  });
  expect(built).toMatchObject({ ok: false, interrupted: false, counts: { ran: 2, failed: 1, skipped: 1 } });
  expect(built.of("failed")[0]).toMatchObject({ address: "slow", message: "cancelled", cached: false });
  expect(shop.exists("out/m")).toBe(true);
  expect(requests.cancel("slow")).toBe(false);
  const planned = await shop.build(actions, { dryRun: true });
  expect(planned.outcomes.get("slow")?.verdict).toBe("run");
});

test("a failed action is tried again while others go on, also where its failure is a fact", async () => {
  const shop = new Workshop();
  const requests = new BuildRequests();
  const marker = `${shop.directory}/marker`;
  const actions = [
    shell("flaky", `test -e ${marker} && echo > f || { echo > ${marker}; exit 3; }`, {}, ["f"]),
    shell("after", "cat f > a", { f: ["flaky", "f"] }, ["a"]),
    shell("last", "cat a > l", { a: ["after", "a"] }, ["l"]),
    // Ends when what was tried again has ended.
    shell("others", `while test ! -e ${shop.path("out/l")}; do sleep 0.02; done; echo > o`, {}, ["o"]),
  ];
  const built = await shop.build(actions, {
    requests,
    keepGoing: true,
    onEvent: (event) => {
      if (event.type === "skipped" && event.address === "last")
        setTimeout(() => expect(requests.retry("flaky")).toBe(true), 20);
    },
  });
  expect(built).toMatchObject({ ok: true, counts: { ran: 4, failed: 0, skipped: 0 } });
  expect(built.of("retried")).toEqual([{ type: "retried", address: "flaky", freed: ["after", "last"] }]);
  expect(await shop.again()).toBe("up to date");
});

test("only failed actions are retried, and none in a build that is ending", async () => {
  const shop = new Workshop();
  const requests = new BuildRequests();
  const accepted: boolean[] = [];
  const actions = [
    shell("bad", "exit 1", {}, ["b"]),
    shell("slow", "sleep 0.2; echo > s", {}, ["s"]),
    shell("good", "echo > g", {}, ["g"]),
  ];
  await shop.build(actions, {
    requests,
    onEvent: (event) => {
      if (event.type === "failed" || (event.type === "done" && event.address === "good"))
        setTimeout(() => accepted.push(requests.retry(event.address)), 10);
    },
  });
  expect(accepted.length).toBeGreaterThan(0);
  expect(accepted).not.toContain(true);
});

test("in any graph with any failures, retrying every failure builds everything", async () => {
  const node = fc.record({ needs: fc.array(fc.nat(), { maxLength: 3 }), failures: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(fc.array(node, { minLength: 2, maxLength: 10 }), async (nodes) => {
      const shop = new Workshop();
      const requests = new BuildRequests();
      const left = new Map<Address, number>(nodes.map(({ failures }, at) => [`a${at}`, failures]));
      let end = (): void => {};
      const over = new Promise<void>((resolve) => {
        end = resolve;
      });
      const done = new Set<Address>();
      shop.step({
        name: "flaky",
        digest: digestBytes("flaky"),
        async run({ action, writeOutput }) {
          if (action.address === "keeper") await over;
          const more = left.get(action.address) ?? 0;
          left.set(action.address, more - 1);
          if (more > 0) return { ok: false, fact: more === 1, message: "not yet" };
          writeOutput("o", Buffer.from(action.address));
          return { ok: true };
        },
      });
      const output = (name: string) => ({ name: "o", kind: "file" as const, place: `out/${name}` });
      const actions: Action[] = nodes.map(({ needs }, at) => ({
        address: `a${at}`,
        step: "flaky",
        inputs: [...new Set(at === 0 ? [] : needs.map((need) => need % at))].map((need) => ({
          name: `i${need}`,
          from: { action: `a${need}`, output: "o" },
        })),
        outputs: [output(`a${at}`)],
      }));
      const own = [{ name: "own", from: { text: "key" } }];
      actions.push({ address: "keeper", step: "flaky", inputs: own, outputs: [output("keeper")] });
      const built = await shop.build(actions, {
        requests,
        keepGoing: true,
        onEvent: (event) => {
          if (event.type === "failed") setImmediate(() => requests.retry(event.address));
          if (event.type !== "done" || event.address === "keeper") return;
          done.add(event.address);
          if (done.size === nodes.length) end();
        },
      });
      // Equal actions are run once.
      expect(built).toMatchObject({ ok: true, counts: { failed: 0, skipped: 0 } });
      expect(await shop.again()).toBe("up to date");
      shop.close();
    }),
    { numRuns: 25 * Number(process.env.ARC_PROPERTIES?.split(":")[0] ?? 1) },
  );
});
