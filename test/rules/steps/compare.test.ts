import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { combine, compareArrays, compareText, type Tolerance } from "../../../rules/steps/compare.ts";
import { cases } from "../../cases.ts";

const exact: Tolerance = { rel: 0, abs: 0 };
const text = (serial: string, target: string, tolerance = exact, ignore: readonly RegExp[] = []) =>
  compareText("stdout", serial, target, tolerance, ignore);

describe("texts", () => {
  it("are the same when their tokens are, whatever the white space between them", () => {
    expect(text("a  1\n\tb 2\n", "a 1 b\n2")).toMatchObject({ compared: 4, different: 0 });
  });

  it("differ by a number outside the tolerance, and agree within it", () => {
    expect(text("x = 1.000", "x = 1.001")).toMatchObject({ different: 1 });
    expect(text("x = 1.000", "x = 1.001", { rel: 0.01, abs: 0 })).toMatchObject({ different: 0 });
    expect(text("x = 0", "x = 1e-9", { rel: 0.5, abs: 0 })).toMatchObject({ different: 1 });
    expect(text("x = 0", "x = 1e-9", { rel: 0, abs: 1e-6 })).toMatchObject({ different: 0 });
  });

  it("have their numbers found inside words", () => {
    expect(text("(1.5,x=-2e3)", "(1.5000001,x=-2000)", { rel: 1e-6, abs: 0 })).toMatchObject({
      different: 0,
    });
    expect(text("v[3]=7", "v[4]=7")).toMatchObject({ different: 1 });
  });

  it("have their integers compared exactly, however large", () => {
    expect(text("1152921504606846976", "1152921504606846977")).toMatchObject({
      different: 1,
      worst: { abs: 1 },
    });
    expect(text("+007", "7")).toMatchObject({ different: 0 });
    expect(text("100", "101", { rel: 0.01, abs: 0 })).toMatchObject({ different: 0 });
  });

  it("name the line where they differ, on the target's side", () => {
    const { differences } = text("a\nb\n", "a\n\nc\n");
    expect(differences).toEqual([{ where: "stdout, line 3", serial: "b", target: "c" }]);
    expect(text("sum: 1 m", "sum: 2 m").differences).toEqual([
      { where: "stdout, line 1", serial: "1", target: "2", row: "sum: 2 m" },
    ]);
  });

  it("differ once where one of them ends early", () => {
    const { different, differences } = text("1 2 3 4", "1 2");
    expect({ different, differences }).toMatchObject({
      different: 1,
      differences: [{ serial: "3", target: "(end)" }],
    });
  });

  it("agree on not-a-number whatever its sign, and on infinities of one sign only", () => {
    expect(text("nan", "-nan")).toMatchObject({ different: 0 });
    expect(text("inf", "inf")).toMatchObject({ different: 0 });
    expect(text("inf", "-inf")).toMatchObject({ different: 1 });
    expect(text("1", "nan", { rel: 1, abs: 1 })).toMatchObject({ different: 1 });
    expect(text("1", "inf", { rel: 1, abs: 1 })).toMatchObject({ different: 1 });
  });

  it("leave out lines that match a pattern, even if their number differs", () => {
    expect(text("time: 1\nx 1", "x 1\ntime: 2\ntime: 3", exact, [/^time:/])).toMatchObject({
      compared: 2,
      different: 0,
    });
  });

  it("report the greatest difference, even within the tolerance", () => {
    const off = text("100 \n10", "100.5 \n11", { rel: 1, abs: 0 });
    expect(off.worst).toEqual({ rel: 0.1, abs: 1 });
    expect(off.worstAt).toBe("stdout, line 2");
  });

  it("keep only the first few differences, but count all", () => {
    const row = (digit: string) => `${digit} `.repeat(100);
    expect(text(row("1"), row("2"))).toMatchObject({
      compared: 100,
      different: 100,
      differences: { length: 10 },
    });
  });
});

describe("arrays", () => {
  const bytes = (values: ArrayBufferView): Uint8Array =>
    new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

  it("are compared element by element, wherever their bytes lie", () => {
    // Node's small buffers are windows into a shared one.
    const serial = Buffer.from(bytes(Float64Array.of(1, 2, 3)));
    const target = Buffer.from(bytes(Float64Array.of(1, 2.5, 3)));
    const result = compareArrays("a.bin", serial, target, "f64", exact);
    expect(result).toMatchObject({ compared: 3, different: 1, worst: { abs: 0.5 } });
    expect(result.differences).toEqual([{ where: "a.bin[1]", serial: "2", target: "2.5" }]);
  });

  it("of 64-bit integers are exact", () => {
    const serial = bytes(BigInt64Array.of(2n ** 60n));
    const target = bytes(BigInt64Array.of(2n ** 60n + 1n));
    expect(compareArrays("a", serial, target, "i64", exact)).toMatchObject({ different: 1 });
  });

  it("of different length differ, and so does one whose last element is torn", () => {
    const one = bytes(Float32Array.of(1));
    expect(compareArrays("a", one, bytes(Float32Array.of(1, 2)), "f32", exact)).toMatchObject({
      different: 1,
    });
    expect(compareArrays("a", one, Uint8Array.of(...one, 0), "f32", exact)).toMatchObject({ different: 1 });
  });

  it.each(["f32", "f64", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"] as const)(
    "of %s equal themselves",
    (type) => {
      const size = Number(type.slice(1)) / 8;
      fc.assert(
        fc.property(fc.uint8Array({ minLength: 0, maxLength: 256 }), (data) => {
          const whole = data.slice(0, data.length - (data.length % size));
          const result = compareArrays("a", whole, whole.slice(), type, exact);
          expect(result).toMatchObject({ compared: whole.length / size, different: 0 });
        }),
        cases(100),
      );
    },
  );
});

describe("the sum of comparisons", () => {
  it("adds counts and keeps the worst", () => {
    const parts = [text("1", "2"), text("10 5", "10 6")];
    expect(combine(parts)).toMatchObject({ compared: 3, different: 2, worst: { abs: 1, rel: 1 } });
  });
});
