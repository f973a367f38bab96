/** A source beside a program's other sources: only those that its regions need are read. */
import { expect, test } from "vitest";
import type { StepContext } from "../../../../core/build/model/action.ts";
import { frontEnd, standsAlone } from "../../../../core/compiler/driver/front-end.ts";
import { readTranslation, translationOf } from "../../../../rules/inputs/source-inputs.ts";

const region = (body: string): string =>
  `float far(float);\nfloat near(float x) { return x; }\nvoid f(float *a) {\n#pragma acc parallel loop copy(a[0:9])\nfor (int i = 0; i < 9; i++) a[i] = ${body};\n}\n`;
const helper = {
  file: "helper.c",
  text: "float deep(float x) { return x; }\nfloat far(float x) { return deep(x); }\n",
};
const stranger = { file: "stranger.c", text: "float far(float);\nfloat other(float x) { return far(x); }\n" };
const own = (body: string) => ({ file: "own.c", text: region(body) });

const codes = (body: string, others = [stranger, helper]): string[] =>
  frontEnd(own(body), { kind: "whole", others })
    .program.diagnostics.filter(({ severity }) => severity === "error")
    .map(({ code }) => code);

test.each([
  ["near(a[i])", true],
  ["sqrtf(a[i])", true],
  ["far(a[i])", false],
  ["far(near(a[i]))", false],
])("a region that computes %s stands alone: %s", (body, alone) => {
  expect(standsAlone(own(body), "whole")).toBe(alone);
});

test("a function comes from the source that defines it, whatever was known before", () => {
  expect(codes("far(a[i])", [])).toEqual(["no-device-code"]);
  expect(codes("far(a[i])")).toEqual([]);
  expect(codes("far(a[i])", [stranger])).toEqual(["no-device-code"]);
  expect(codes("far(a[i])", [{ ...helper, text: helper.text.replaceAll("far", "farther") }])).toEqual([
    "no-device-code",
  ]);
  expect(codes("far(a[i])")).toEqual([]);
});

test.each([
  ["near(a[i])", ["source-0.i"]],
  ["far(a[i])", ["source-0.i", "source-1.i", "source-2.i"]],
])("a translation of %s reads %j", async (body, wanted) => {
  const texts = [own(body), stranger, helper];
  const inputs = texts.map(({ file, text }) => ({ file, from: { text } }));
  const [first, ...rest] = inputs;
  const { options } = translationOf(first as (typeof inputs)[number], { kind: "whole", others: rest });
  const read: string[] = [];
  const context = {
    action: { options },
    readInput: async (name: string) => {
      read.push(name);
      return Buffer.from(texts[Number(/\d+/.exec(name))]?.text ?? "");
    },
  } as unknown as StepContext;
  const { source, others } = await readTranslation(context);
  expect(read).toEqual(wanted);
  expect(source).toEqual(texts[0]);
  expect(others.others).toHaveLength(wanted.length - 1);
});
