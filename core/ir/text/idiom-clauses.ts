/** Clauses of delay lines. */

import { INT } from "../../lang/index.ts";
import type { Symbol } from "../../lang/tree/ast.ts";
import { freshSymbol } from "../../lang/tree/build.ts";
import { type Clause, enclosed, join } from "./clause.ts";

/** `taps(all)`, or the elements of a delay line that are read. */
export const taps: Clause = {
  key: "taps",
  required: true,
  print: (node) => [`taps(${node.taps === "all" ? "all" : (node.taps as readonly number[]).join(", ")})`],
  read: (at, node) => {
    node.taps = enclosed(at, () => {
      if (at.accept("all")) return "all";
      return at.peek()?.text === ")" ? [] : at.list(() => at.number());
    });
  },
};

/** `written(8, 9)`: elements of a delay line that the body changes. */
export const written: Clause = {
  key: "written",
  print: (node) => join("written", ((node.written as readonly number[] | undefined) ?? []).map(String)),
  read: (at, node) => {
    node.written = enclosed(at, () => at.list(() => at.number()));
  },
};

/** A variable that the clauses after it use. */
export const lane: Clause = {
  key: "lane",
  print: (node, spell) => (node.lane ? [`lane(${spell.name(node.lane as Symbol)})`] : []),
  read: (at, node) => {
    const sym = freshSymbol(
      enclosed(at, () => at.word("a name")),
      INT,
    );
    at.bring(sym);
    node.lane = sym;
  },
};
