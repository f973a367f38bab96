/** Halves in constant expressions, for all 65536 of them. */
import { expect, it } from "vitest";
import { halfBits } from "../../../core/lang/index.ts";

/** The number that 16 bits stand for, as IEEE 754 defines it. */
function numberOf(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const sign = bits >> 15 ? -1 : 1;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

const magnitudes = Array.from({ length: 0x7c00 }, (_, bits) => bits);

it("every half is spelled by its own bits", () => {
  for (const bits of magnitudes) {
    expect(halfBits(numberOf(bits))).toBe(bits);
    expect(halfBits(-numberOf(bits))).toBe(bits | 0x8000);
  }
  expect(halfBits(Infinity)).toBe(0x7c00);
  expect(halfBits(Number.NaN)).toBe(0x7e00);
});

it("a number between two halves becomes the nearer one, and the even one in the middle", () => {
  for (const bits of magnitudes) {
    const low = numberOf(bits);
    const middle = bits === 0x7bff ? 65520 : (low + numberOf(bits + 1)) / 2;
    const tiny = middle * 2 ** -50;
    expect(halfBits(middle)).toBe(bits % 2 === 0 ? bits : bits + 1);
    expect(halfBits(middle - tiny)).toBe(bits);
    expect(halfBits(middle + tiny)).toBe(bits + 1);
  }
});
