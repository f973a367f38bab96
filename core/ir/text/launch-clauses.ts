/** Clauses about where and when a construct runs. */

import type { WaitList } from "../model/ir.ts";
import { type Clause, enclosed, join, quoted, single } from "./clause.ts";

export const deviceType: Clause = single<string>("type", "deviceType", {
  print: String,
  read: (at) => (at.accept("*") ? "*" : at.word("a device type")),
});

/** `wait` or `wait(queues)`. */
export const wait: Clause = {
  key: "wait",
  host: true,
  print: (node, spell) => {
    const list = node.wait as WaitList | undefined;
    if (!list) return [];
    const { queues, elsewhere = [] } = list;
    if (queues.length === 0) return elsewhere.length > 0 ? [] : ["wait"];
    return join(
      "wait",
      queues.map((q) => spell.expr(q)),
    );
  },
  read: (at, node) => {
    const { loc } = at;
    const queues = at.peek()?.text === "(" ? enclosed(at, () => at.list(() => at.expr())) : [];
    node.wait = { queues, loc } satisfies WaitList;
  },
};

/** `wait-elsewhere(device, queues)`, for each of other devices. */
export const waitElsewhere: Clause = {
  key: "wait-elsewhere",
  host: true,
  print: (node, spell) =>
    ((node.wait as WaitList | undefined)?.elsewhere ?? []).flatMap(({ device, queues }) =>
      join(
        "wait-elsewhere",
        [device, ...queues].map((e) => spell.expr(e)),
      ),
    ),
  read: (at, node) => {
    const { loc } = at;
    const [device, ...queues] = enclosed(at, () => at.list(() => at.expr()));
    const before = (node.wait as WaitList | undefined) ?? { queues: [], loc };
    if (device)
      node.wait = {
        ...before,
        elsewhere: [...(before.elsewhere ?? []), { device, queues }],
      } satisfies WaitList;
  },
};

/** `task("depend(in: a)")` */
export const hostTask: Clause = quoted("task", "hostTask");
