import { expect, it } from "vitest";
import { type Budget, brokenBudgets, parseBudget } from "../../../../cli/report/model/budgets.ts";
import { variant } from "../variants.ts";

const budget = (text: string): Budget => {
  const parsed = parseBudget(text);
  if ("error" in parsed) throw new Error(parsed.error);
  return parsed;
};
const before = [
  variant("fpga:default", { clock: 100, cycles: 1000, area: 50, seconds: 1e-3 }),
  variant("cpu:default"),
];
const now = (totals: object) => [
  variant("fpga:default", totals),
  variant("cpu:default"),
  variant("fpga:new", { clock: 1 }),
];
const broken = (text: string, totals: object) =>
  brokenBudgets([budget(text)], now(totals), before).map(({ address, why }) => `${address} ${why}`);

it.each([
  ["clock drops 5 %", { clock: 95 }, []],
  ["clock drops 5 %", { clock: 94.9 }, ["fpga:default limit"]],
  ["clock drops 5%", {}, ["fpga:default unknown"]],
  ["fpga cycles rise 2 %", { cycles: 1020 }, []],
  ["fpga cycles rises 2 %", { cycles: 1021 }, ["fpga:default limit"]],
  ["fpga:default area above 80 %", { area: 80.5 }, ["fpga:default limit"]],
  ["fpga:default area above 80 %", { area: 80 }, []],
  ["fpga:default area above 80 %", {}, ["fpga:default unknown"]],
  ["time above 1.5 ms", { seconds: 1.6e-3 }, ["fpga:default limit"]],
  ["time above 1.5 ms", { seconds: 1.4e-3 }, []],
  ["fpga:default energy above 60 uJ", { energy: 61e-6 }, ["fpga:default limit"]],
  ["fpga:default energy above 60 uJ", { energy: 59e-6 }, []],
  ["clock below 50 MHz", { clock: 60 }, ["fpga:new limit"]],
  ["gpu time above 1 s", {}, ["gpu no variant"]],
])("%s, of %j, breaks %j", (text, totals, said) => {
  expect(broken(text, totals)).toEqual(said);
});

it.each([
  ["clock falls 5 %", "is no budget", "clock drops 5 %"],
  ["fmax drops 5 %", "there is no figure `fmax`", "clock"],
  ["clock drops 5 MHz", "a change is told in %", "clock drops"],
  ["time above 3", "`` is no unit of time", "s, ms or us"],
  ["energy above 3 W", "`W` is no unit of energy", "J, mJ or uJ"],
  ["area above 3 GB", "`GB` is no unit of area", "write %"],
])("%s is refused", (text, error, remedy) => {
  expect(parseBudget(text)).toEqual({
    error: expect.stringContaining(error),
    remedy: expect.stringContaining(remedy),
  });
});
