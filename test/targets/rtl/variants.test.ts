import { describe, expect, it } from "vitest";
import type { Assignment } from "../../../schema/document/axis.ts";
import { serialArrays } from "./serial.ts";
import { designed, ideal, simulate } from "./simulation.ts";

const sum = {
  source: `void work(int n, short *restrict a, int *restrict s) {
  int total = s[0];
#pragma acc parallel loop copyin(a[0:n]) reduction(+:total) copy(total)
  for (int i = 0; i < n; i++) total += a[i] * a[i];
  s[0] = total;
}`,
  given: {
    n: 21,
    a: { bytes: 2, values: Array.from({ length: 21 }, (_, k) => k * 13 - 90) },
    s: { bytes: 4, values: [7] },
  },
};

const stencil = {
  source: `void work(int *restrict in, int *restrict out) {
#pragma acc parallel loop copyin(in[0:40]) copyout(out[0:40])
#pragma openarc transform window(in, out)
  for (int i = 3; i < 36; i++) out[i] = in[i - 3] + 2 * in[i] - in[i + 4];
}`,
  given: {
    in: { bytes: 4, values: Array.from({ length: 40 }, (_, k) => k * k - 300) },
    out: { bytes: 4, values: Array.from({ length: 40 }, () => 1) },
  },
};

const countdown = {
  source: `void work(int n, int *restrict out) {
#pragma acc serial copy(out[0:4])
  {
    int c = 0;
    while (n > 5) { n -= 3; c++; }
    out[0] = n;
    out[1] = c;
    out[2] = out[0] + out[1];
    for (int i = 0; i < 3; i++) out[3] += out[i];
  }
}`,
  given: { n: 44, out: { bytes: 4, values: [0, 0, 0, 5] } },
};

describe("kernels that read arguments and memory give the serial result", () => {
  it.each([
    [
      "atomic updates of elements that iterations share",
      `void work(int *restrict x, int *restrict bins) {
#pragma acc parallel loop copyin(x[0:30]) copy(bins[0:4])
  for (int i = 0; i < 30; i++) {
#pragma acc atomic update
    bins[x[i] & 3] += i;
  }
}`,
    ],
    [
      "switches: falling through, a default in the middle, ranges, a continue, a loop inside",
      `void work(int *restrict x, int *restrict bins) {
#pragma acc serial copyin(x[0:30]) copy(bins[0:4])
  {
    int s = 1;
    for (int i = 0; i < 30; i++) {
      switch (x[i] - 1) {
      case -1: s += 3;
      case 1: s ^= i; break;
      default: s += 100;
      case 3 ... 5:
        if (s & 1) break;
        for (int k = 0; k < 3; k++) { if (k == x[i] % 3) break; s += k; }
        switch (s & 3) { case 2: s++; break; case 3: bins[2] = i; }
        continue;
      case 8: { int t = s / 2; s = t - i; }
      }
      s += 7;
    }
    bins[0] = s;
  }
}`,
    ],
    [
      "stores where control never comes",
      `void work(int *restrict x, int *restrict bins) {
#pragma acc parallel loop copyin(x[0:30]) copy(bins[0:4])
  for (int i = 0; i < 4; i++)
    if ((i ^ i) && x[i]) bins[i] = x[99999 * i];
    else if (x[i] & 1) bins[i] = i;
}`,
    ],
    [
      "a reduction of an array",
      `void work(int *restrict x, int *restrict bins) {
#pragma acc parallel loop copyin(x[0:30]) reduction(+:bins[0:4])
  for (int i = 0; i < 30; i++) bins[x[i] % 4] += i;
}`,
    ],
    [
      "sums of small rows into one variable",
      `void work(int *restrict x, int *restrict bins) {
  int sum = bins[1];
#pragma acc parallel loop reduction(+:sum) copyin(x[0:30])
  for (int i = 0; i < 10; i++) {
#pragma acc loop reduction(+:sum)
    for (int j = 0; j < 3; j++) sum += x[3 * i + j];
  }
  bins[1] = sum;
}`,
    ],
  ])("%s", (_, source) => {
    const x = { bytes: 4, values: Array.from({ length: 30 }, (_, k) => (k * k) % 11) };
    const bins = { bytes: 4, values: [1, 2, 3, 4] };
    const [serial] = serialArrays([{ source, given: { x, bins } }]);
    const one = source.includes("int sum");
    const given = { x, bins, ...(one && { sum: { bytes: 4, values: [2] } }) };
    const { arrays } = simulate(designed(source), given, { latency: 4, stalls: 2, seed: 3 });
    if (one) expect(arrays.sum?.[0]).toBe(serial?.bins?.[1]);
    else expect(arrays.bins).toEqual(serial?.bins);
  });

  it("with values that the region changes, and memory that it reads back", () => {
    const [serial] = serialArrays([countdown]);
    for (const stalls of [0, 4])
      expect(
        simulate(designed(countdown.source), countdown.given, { latency: 3, stalls, seed: 2 }).arrays,
      ).toEqual(serial);
  });
});

describe("variants give the serial result", () => {
  it.each<[string, Assignment]>([
    ["one accumulator", {}],
    ["four partial sums, four iterations per step", { reduction: 4 }],
    ["eight partial sums", { reduction: 1, "reduction-depth": 8 }],
  ])("a sum: %s", (_, choice) => {
    const [serial] = serialArrays([sum]);
    const { n, a, s } = sum.given;
    const { arrays } = simulate(designed(sum.source, choice), { n, a, total: s }, ideal);
    expect(arrays.total).toEqual(serial?.s);
  });

  it.each<[string, Assignment]>([
    ["no window", { window: 0 }],
    ["a window", { window: 1 }],
    ["a window that moves by four", { window: 4 }],
  ])("a stencil: %s", (_, choice) => {
    const [serial] = serialArrays([stencil]);
    const made = designed(stencil.source, choice);
    expect(simulate(made, stencil.given, { latency: 2, stalls: 3, seed: 4 }).arrays).toEqual(serial);
  });

  it.each([1, 2])("windows over two arrays of a loop: %i iterations per step", (window) => {
    const source = `void work(int *restrict x, int *restrict y, int *restrict out) {
#pragma acc serial loop copyin(x[0:30], y[0:30]) copy(out[0:30])
#pragma openarc transform window(x, out)
#pragma openarc transform window(y, out)
  for (int i = 5; i < 25; i++) out[i] = x[i - 5] + 2 * x[i + 5] + y[i - 1] * y[i + 2];
}`;
    const list = (by: number) => ({ bytes: 4, values: Array.from({ length: 30 }, (_, k) => (k * by) % 11) });
    const given = { x: list(3), y: list(5), out: list(7) };
    const [serial] = serialArrays([{ source, given }]);
    const { arrays } = simulate(designed(source, { window }), given, { latency: 3, stalls: 2, seed: 5 });
    expect(arrays).toEqual(serial);
  });
});
