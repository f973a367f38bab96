/** Pointers of kernels for the host that compilers may take to be apart, and those that are not. */
import { beforeAll, describe, expect, it } from "vitest";
import { Rig } from "../../cli/rig.ts";

const source = `#include <stdio.h>
enum { n = 1000 };
static int a[2 * n], b[n];

static void apart(const int *restrict from, int *restrict to) {
#pragma acc parallel loop present(from[0:n], to[0:n])
  for (int i = 0; i < n; i++) to[i] = from[i] + 1;
}

/* What a restrict pointer leads to may be reached through others that come of it. */
static void based(int *restrict x, int *restrict y) {
  int *q = x + 1;
#pragma acc parallel loop present(x[0:2 * n], y[0:n])
  for (int i = 0; i < n; i++) {
    x[2 * i + 1] = 3 * i;
    y[i] = q[2 * i];
  }
}

/* Nothing is known of these. */
static void shifted(const int *from, int *to) {
#pragma acc parallel loop seq present(from[0:n], to[0:n])
  for (int i = 0; i < n; i++) to[i] = from[i];
}

int main(void) {
  long sum = 0;
#pragma acc data copy(a, b)
  {
    based(a, b);
    apart(b, a);
    shifted(a, a + 1);
  }
  for (int i = 0; i < n; i++) sum += b[i] * (long)(i % 7) + a[i];
  printf("%ld %d\\n", sum, a[n]);
  return 0;
}
`;

describe("a kernel's pointers", { timeout: 120_000 }, () => {
  const rig = new Rig({ "a.c": source }, "shared");
  let text = "";
  beforeAll(async () => {
    text = (await rig.arc(["translate", "a.c", "--to", "host"])).out;
  }, 120_000);
  const parameters = (name: string) =>
    new RegExp(`static void ${name}_\\w+_group\\((.*)\\) \\{`).exec(text)?.[1] ?? "";

  it("are restrict if the source declares all of them so", () => {
    expect(parameters("apart")).toContain("const int *restrict from, int *restrict to");
  });

  it("are not restrict if one may be derived from another, or nothing is known", () => {
    expect(parameters("based")).toMatch(/int \*/);
    expect(parameters("based")).not.toContain("restrict");
    expect(parameters("shifted")).toMatch(/int \*/);
    expect(parameters("shifted")).not.toContain("restrict");
  });

  it("lead to what they lead to in the serial program", async () => {
    await rig.arc(["cc", "-O3", "a.c", "-o", "serial"]);
    await rig.arc(["cc", "-acc", "-O3", "a.c", "-o", "program"]);
    const [serial, program] = [await rig.run("./serial", []), await rig.run("./program", [])];
    expect(program).toMatchObject({ status: 0, out: serial.out, err: "" });
    expect(serial.out).toMatch(/^\d+ \d+\n$/);
  });
});
