/** What the command line is taken for. */
import { describe, expect, it } from "vitest";
import { parseArguments } from "../../../cli/call/arguments.ts";
import { helpText } from "../../../cli/call/help.ts";

describe("an option whose value may be left out", () => {
  const parsed = (...args: readonly string[]) => {
    const { options, repeated, positionals } = parseArguments(["report", ...args]);
    return { compare: options.compare, repeated: repeated?.compare, positionals };
  };

  it.each([
    [["--compare"], true, [""], []],
    [["--compare", "--json"], true, [""], []],
    [["--compare="], true, [""], []],
    [["fpga", "--compare"], true, [""], ["fpga"]],
    [["--compare", "a.json", "fpga"], "a.json", ["a.json"], ["fpga"]],
    [["--compare=a.json"], "a.json", ["a.json"], []],
    [["--compare", "a.json", "--compare"], true, ["a.json", ""], []],
  ])("%j", (args, compare, repeated, positionals) => {
    expect(parsed(...args)).toEqual({ compare, repeated, positionals });
  });

  it("is shown with brackets", () => {
    expect(helpText("report")).toContain("--compare [WITH]");
  });
});

it("an option that needs a value takes whatever follows", () => {
  expect(parseArguments(["report", "--sort", "--json"]).options).toEqual({ sort: "--json" });
});

it("knows `arc tune` as another name of `arc explore`", () => {
  expect(parseArguments(["tune", "gpu", "large"])).toMatchObject({
    command: "explore",
    positionals: ["gpu", "large"],
  });
});

it.each(Object.getOwnPropertyNames(Object.prototype))("%s is no command and no option", (word) => {
  expect(() => parseArguments([word])).toThrow(`there is no command \`${word}\``);
  expect(() => parseArguments(["build", `--${word}`])).toThrow(`arc build has no option --${word}`);
});
