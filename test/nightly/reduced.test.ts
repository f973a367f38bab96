import { expect, it } from "vitest";
import { reduced } from "./reduced.ts";

const program = `static void one(void) {
int a = 1;
}
static void two(void) {
if (a) {
for (;;) {
#pragma acc atomic update
x += 1;
y();
}
}
#pragma acc wait
}
int main(void) {
one();
two();
}`;

it("leaves out lines and blocks and takes blocks apart while the text holds what it must", () => {
  const balanced = (text: string) => text.split("{").length === text.split("}").length;
  const holds = (text: string) => balanced(text) && text.includes("x += 1;");
  expect(reduced(program, holds, Number.POSITIVE_INFINITY)).toBe(
    "#pragma acc atomic update\nx += 1;\n#pragma acc wait",
  );
});

it("stops when its time is over", () => {
  expect(reduced(program, () => true, 0)).toBe(program);
});
