/** Pointers that change places while what they lead to is on the device. A run with versions of both arrays says what is wrong. */
import { describe, expect, it } from "vitest";
import { lintText } from "./preprocessed.ts";

interface Program {
  readonly steps: number;
  /** What holds the data, and so names what is copied back: when it begins, or at its end. */
  readonly held: "region" | "enter";
  /** Which of the two is copied back at the end. */
  readonly back: "a" | "b" | "both" | "none";
  readonly update: "none" | "a" | "b";
  readonly place: "loop" | "behind";
  readonly read: "a" | "b";
}

const programs: readonly Program[] = [3, 4].flatMap((steps) =>
  (["region", "enter"] as const).flatMap((held) =>
    (["a", "b", "both", "none"] as const).flatMap((back) =>
      (["none", "a", "b"] as const).flatMap((update) =>
        (["loop", "behind"] as const).flatMap((place) =>
          (["a", "b"] as const).map((read) => ({ steps, held, back, update, place, read })),
        ),
      ),
    ),
  ),
);

const copies = ({ back }: Program, name: "a" | "b"): boolean => back === name || back === "both";

function textOf(program: Program): string {
  const { steps, held, update, place, read } = program;
  const named = (yes: string, no: string) =>
    (["a", "b"] as const).map((name) => `${copies(program, name) ? yes : no}(${name}[0:n])`).join(" ");
  const brought = update === "none" ? "" : `#pragma acc update self(${update}[0:n])\n`;
  const shown = `printf("%g\\n", ${read}[3]);\n`;
  return `int printf(const char *, ...);
void *malloc(unsigned long);
void work(double *a, int n) {
  double *b = malloc(n * sizeof(double)), *t;
  for (int i = 0; i < n; i++) b[i] = 0;
#pragma acc ${held === "region" ? `data ${named("copy", "copyin")}` : "enter data copyin(a[0:n], b[0:n])"}
{
for (int k = 0; k < ${steps}; k++) {
#pragma acc parallel loop
for (int i = 0; i < n; i++) b[i] = a[i] + 1;
t = a; a = b; b = t;
${place === "loop" ? brought : ""}}
${place === "behind" ? brought : ""}}
${held === "enter" ? `#pragma acc exit data ${named("copyout", "delete")}\n` : ""}${shown}}
`;
}

/** Whether the host reads an array whose newest values the device has had. */
function isWrong(program: Program): boolean {
  const { steps, held, update, place, read } = program;
  const first = { a: { host: 0, device: 0 }, b: { host: 0, device: 0 } };
  let { a, b } = first;
  const bring = (): void => {
    const brought = { a, b, none: undefined }[update];
    if (brought) brought.host = brought.device;
  };
  for (let k = 1; k <= steps; k++) {
    b.device = k;
    [a, b] = [b, a];
    if (place === "loop") bring();
  }
  if (place === "behind") bring();
  const named = held === "region" ? first : { a, b };
  for (const name of ["a", "b"] as const) if (copies(program, name)) named[name].host = named[name].device;
  const seen = { a, b }[read];
  return seen.host < seen.device;
}

describe("pointers that change places while data is on the device", () => {
  it("are followed to what the host reads", () => {
    const judged = programs.map((program) => {
      const found = lintText(textOf(program)).filter((f) => f.certainty === "proved" && !f.advice);
      return { program, wrong: isWrong(program), codes: found.map((f) => f.code) };
    });
    const right = (one: (typeof judged)[number]): boolean =>
      one.wrong ? one.codes.join() === "lost-result" : one.codes.length === 0;
    expect(judged.filter((one) => !right(one))).toEqual([]);
    const wrong = judged.filter((one) => one.wrong).length;
    expect([programs.length, wrong]).toEqual([192, 56]);
  });
});
