import { expect, it } from "vitest";
import type { Action } from "../../core/build/model/action.ts";
import { translateAction } from "../../rules/steps/translate.ts";
import { translateHostAction } from "../../rules/steps/translate-host.ts";
import { warmUp } from "../../rules/warm-up.ts";

const texts: Readonly<Record<string, string>> = {
  good: "void f(float *x) {\n#pragma acc parallel loop copy(x[0:8])\n for (int i = 0; i < 8; i++) x[i] = i;\n}\n",
  bad: "void f(\n",
};
const actions = Object.entries(texts).flatMap(([file, text]) => {
  const source = { file, from: { text } };
  const others = { kind: "whole", others: [] } as const;
  return [
    translateHostAction({ address: `${file}#translate`, source, original: { text }, others }),
    translateAction({ address: `cpu/${file}#translate`, name: "cpu", source, others, kind: "host" }),
  ];
});
const textOf = (address: string): Buffer =>
  Buffer.from(texts[address.includes("good") ? "good" : "bad"] as string);

it("translates what a project translates a few times, and ends; errors in the source are no matter", async () => {
  const read = new Map<string, number>();
  let translations = 0;
  const noting = ({ address }: Action, name: string): Buffer => {
    const what = `${address} ${name}`;
    read.set(what, (read.get(what) ?? 0) + 1);
    return textOf(address);
  };
  for await (const _ of warmUp(actions, noting, Number.POSITIVE_INFINITY)) translations += 1;
  expect(read.size).toBe(6);
  expect(new Set(read.values()).size).toBe(1);
  expect(translations).toBe(4 * (read.get("good#translate source-0.i") ?? 0));
  expect(translations).toBeGreaterThan(8);
});

it("ends sooner where a project takes more than it may cost", async () => {
  const read = new Set<string>();
  const noting = ({ address }: Action): Buffer => {
    read.add(address);
    return textOf(address);
  };
  for await (const _ of warmUp(actions, noting, 0)) throw new Error("it goes on");
  expect([...read]).toEqual(["good#translate"]);
});

it("continues if an input of a translation is missing", async () => {
  let translations = 0;
  const lacking = ({ address }: Action): Buffer => {
    if (address.includes("bad")) throw new Error("not built");
    return textOf(address);
  };
  for await (const _ of warmUp(actions, lacking, Number.POSITIVE_INFINITY)) translations += 1;
  expect(translations).toBeGreaterThan(8);
});
