/** What the tests of the passes import as "vitest": describe and it only list the tests, for runner.mjs to call. */
import { existsSync, readFileSync } from "node:fs";
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";
import * as chai from "chai";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

chai.use((_, { addMethod }) =>
  addMethod(chai.Assertion.prototype, "toMatchFileSnapshot", function (file) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    this.assert(this._obj === text, `not what ${file} has`, "");
  }),
);

export const { expect } = chai;

/** By name, which is unique. */
export const tests = new Map();
const suites = [];

function add(title, body) {
  let name = [...suites, title].join(" ");
  while (tests.has(name)) name += "'";
  tests.set(name, body);
}

const each = (one) => (table) => (title, body) => {
  table.forEach((row, k) => {
    const values = Array.isArray(row) ? row : [row];
    one(`${title} ${row?.name ?? k}`, () => body(...values));
  });
};

export function it(title, body) {
  add(title, body);
}
it.each = each(it);

export function describe(title, body) {
  suites.push(title);
  body();
  suites.pop();
}
describe.each = each(describe);
