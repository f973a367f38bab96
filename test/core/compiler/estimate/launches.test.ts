/** How often a program launches a region and with which sizes, as its host code says from `main` on. */
import { describe, expect, test } from "vitest";
import { frontEnd } from "../../../../core/compiler/driver/front-end.ts";
import { launchesOf } from "../../../../core/compiler/estimate/launches.ts";

/** COUNT x SIZE of each launch of `work`, and what was assumed, of `main` with these statements. */
function launches(body: string, args: readonly string[] = []): readonly string[] {
  const text = `
int atoi(const char *); double atof(const char *); void exit(int); int unknown(void);
static void work(int n, float *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) a[i] = 1;
}
static int half(int n) { if (n < 0) return 0; return n / 2; }
int main(int argc, char **argv) {
  static float a[1000]; int n = 10, k = 0;
  ${body}
  return 0;
}`;
  const { program } = frontEnd({ file: "x.c", text });
  expect(program.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return launchesOf([program], args).map(({ count, values, assumed }) => {
    const size = [...values].find(([sym]) => sym.name === "n")?.[1];
    return [`${count}x${size}`, ...assumed].join(", ");
  });
}

describe("sizes", () => {
  test.each([
    ["work(n, a);", "1x10"],
    ["work(half(n), a);", "1x5"],
    ["work(atoi(argv[1]), a);", "1x77"],
    ["work((int)atof(argv[2]), a);", "1x3"],
    ["work(argc, a);", "1x3"],
    ["n++; ++n; n--; n++; work(n, a);", "1x12"],
    ["n = 4, k = 5; work((k++, n * k), a);", "1x24"],
    ["work(argc > 2 ? 8 : 9, a);", "1x8"],
    ["work(n ?: 9, a);", "1x10"],
    ["work(k ?: 9, a);", "1x9"],
    ["work((n && k) + !k + -n + +n + 3, a);", "1x4"],
    ["if (argc > 2) work(1, a); else work(2, a);", "1x1"],
    ["if (k) work(1, a); else work(2, a);", "1x2"],
    ["goto end; end: work(n, a);", "1x10"],
    ["k += 3; work(n + k, a);", "1xundefined"],
    ["n = unknown(); work(n, a);", "1xundefined"],
    ["int *p = &n; *p = 3; work(n, a);", "1xundefined"],
    ["int *p = &k; *p = 3; a[k] = 2; work(n, a);", "1x10"],
    ["int *p = &n; a[k] = 2; work(n, a);", "1x10"],
  ])("%s", (body, launch) => expect(launches(body, ["77", "3.5"])).toEqual([launch]));

  test("what may have happened is not known", () => {
    expect(launches("if (unknown()) n = 3; work(n, a);")).toEqual(["1xundefined"]);
    expect(launches("unknown() ? (n = 3) : 0; work(n, a);")).toEqual(["1xundefined"]);
    expect(launches("unknown() && (n = 3); work(n, a);")).toEqual(["1xundefined"]);
    expect(launches("unknown() && (k = 3); work(n, a);")).toEqual(["1x10"]);
    expect(launches("switch (unknown()) { case 1: n = 3; default: k = 2; } work(n, a);")).toEqual([
      "1xundefined",
    ]);
    expect(launches("if (unknown()) n = 10; work(n, a);")).toEqual(["1x10"]);
  });
});

describe("counts", () => {
  test.each([
    ["for (int i = 0; i < 7; i++) work(n, a);", "7x10"],
    ["for (k = 9; k > 0; k -= 3) work(n, a);", "3x10"],
    ["for (int i = 0; i < argc * 2; i++) for (int j = 0; j < 3; j++) work(n, a);", "18x10"],
    ["for (int i = 0; i < 5; i++) work(i, a);", "5x2"],
  ])("%s", (body, launch) => expect(launches(body, ["77", "3.5"])).toEqual([launch]));

  test.each([
    ["while (unknown()) work(n, a);"],
    ["do work(n, a); while (unknown());"],
    ["for (int i = 0; unknown(); i++) work(n, a);"],
    ["for (int i = 1; i < 100; i *= 2) work(n, a);"],
    ["for (;;) { work(n, a); if (unknown()) break; }"],
  ])("%s is assumed to run once", (body) => {
    expect(launches(body)).toEqual(["1x10, the loop at x.c:10 is taken to run once"]);
  });

  test("nothing happens behind the end of the program", () => {
    expect(launches("exit(1); work(n, a);")).toEqual([]);
    expect(launches("if (n) return 1; work(n, a);")).toEqual([]);
    expect(launches("if (unknown()) return 1; work(n, a);")).toEqual(["1x10"]);
  });
});
