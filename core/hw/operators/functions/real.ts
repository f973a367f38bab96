import { itemAt } from "../../../checked/access.ts";

/**
 * Real numbers for the tables of elementary functions, in fixed point on big integers: n stands for n / 2^fractionBits.
 * Series are summed until their terms vanish, so errors are some tens of units in the last place.
 */

/** n / d rounded to the nearest integer, d > 0. */
function quotient(n: bigint, d: bigint): bigint {
  const doubled = 2n * n + d;
  const below = doubled / (2n * d);
  return doubled < 0n && below * 2n * d !== doubled ? below - 1n : below;
}

export const fixed = (n: number | bigint, fractionBits: number): bigint => BigInt(n) << BigInt(fractionBits);

export const times = (a: bigint, b: bigint, fractionBits: number): bigint => (a * b) >> BigInt(fractionBits);

export const over = (a: bigint, b: bigint, fractionBits: number): bigint =>
  b < 0n ? quotient(-a << BigInt(fractionBits), -b) : quotient(a << BigInt(fractionBits), b);

/** Converts to fewer or more fraction bits. */
export const toFractionBits = (x: bigint, from: number, to: number): bigint =>
  to >= from ? x << BigInt(to - from) : quotient(x, 1n << BigInt(from - to));

/** e^x for x of moderate size. */
export function exponential(x: bigint, fractionBits: number): bigint {
  let [sum, term] = [0n, fixed(1, fractionBits)];
  for (let k = 1n; term !== 0n && term !== -1n; k++) {
    sum += term;
    term = times(term, x, fractionBits) / k;
  }
  return sum;
}

/** (e^x - 1) / x */
export function exponentialSlope(x: bigint, fractionBits: number): bigint {
  let [sum, term] = [0n, fixed(1, fractionBits)];
  for (let k = 2n; term !== 0n && term !== -1n; k++) {
    sum += term;
    term = times(term, x, fractionBits) / k;
  }
  return sum;
}

/** The natural logarithm, most accurate between a half and two: 2 artanh((x - 1) / (x + 1)). */
export function logarithm(x: bigint, fractionBits: number): bigint {
  const one = fixed(1, fractionBits);
  const ratio = over(x - one, x + one, fractionBits);
  const square = times(ratio, ratio, fractionBits);
  let [sum, power] = [0n, ratio];
  for (let k = 1n; power !== 0n && power !== -1n; k += 2n) {
    sum += power / k;
    power = times(power, square, fractionBits);
  }
  return 2n * sum;
}

export function sine(x: bigint, fractionBits: number): bigint {
  const square = times(x, x, fractionBits);
  let [sum, term] = [0n, x];
  for (let k = 2n; term !== 0n && term !== -1n; k += 2n) {
    sum += term;
    term = -(times(term, square, fractionBits) / (k * (k + 1n)));
  }
  return sum;
}

/** (1 - e^-2x) / (1 + e^-2x) for nonnegative x of moderate size. */
export function hyperbolicTangent(x: bigint, fractionBits: number): bigint {
  const power = exponential(-2n * x, fractionBits);
  const one = fixed(1, fractionBits);
  return over(one - power, one + power, fractionBits);
}

/** For x of moderate size: terms grow up to e^(x^2) before they vanish. */
export function errorFunction(x: bigint, fractionBits: number): bigint {
  const square = times(x, x, fractionBits);
  let [sum, term] = [0n, x];
  for (let k = 0n; term !== 0n && term !== -1n; k++) {
    sum += term / (2n * k + 1n);
    term = -times(term, square, fractionBits) / (k + 1n);
  }
  return over(2n * sum, squareRoot(pi(fractionBits), fractionBits), fractionBits);
}

/**
 * e^(x^2) erfc(x) for nonnegative x. From 1 on it is an integral over e^-t^2 / (t^2 + x^2), by the trapezoidal rule in
 * steps of 1 / k; the error after the correction for its poles is about e^-(pi k)^2 (C. Chiarella and A. Reichel,
 * Mathematics of Computation 22, 1968).
 */
export function scaledErrorComplement(x: bigint, fractionBits: number): bigint {
  const one = fixed(1, fractionBits);
  const square = times(x, x, fractionBits);
  if (x < one)
    return times(exponential(square, fractionBits), one - errorFunction(x, fractionBits), fractionBits);
  const circle = pi(fractionBits);
  const k = BigInt(Math.ceil(Math.sqrt((fractionBits + 8) * Math.LN2) / Math.PI));
  let sum = over(one, 2n * square, fractionBits);
  // e^-(n / k)^2, whose logarithms differ by 1, 3, 5 ... times the first one.
  let ratio = over(one, exponential(one / (k * k), fractionBits), fractionBits);
  const next = times(ratio, ratio, fractionBits);
  for (let [n, weight] = [1n, ratio]; weight > 0n; n++) {
    sum += over(weight, fixed(n * n, fractionBits) / (k * k) + square, fractionBits);
    ratio = times(ratio, next, fractionBits);
    weight = times(weight, ratio, fractionBits);
  }
  const integral = over(2n * times(x, sum, fractionBits), circle * k, fractionBits);
  // The correction 2 e^(x^2) / (e^(2 pi k x) - 1), needed if the poles lie inside.
  const width = circle * k;
  if (x >= width) return integral;
  const fall = exponential(times(x, 2n * width - x, fractionBits), fractionBits);
  const rest = one - over(one, exponential(2n * times(x, width, fractionBits), fractionBits), fractionBits);
  return integral - over(2n * one, times(fall, rest, fractionBits), fractionBits);
}

/** For a number between 0 and 1: the angle is halved twice. */
export function arctangent(x: bigint, fractionBits: number): bigint {
  const one = fixed(1, fractionBits);
  const halved = (t: bigint) =>
    over(t, one + squareRoot(one + times(t, t, fractionBits), fractionBits), fractionBits);
  const small = halved(halved(x));
  const square = times(small, small, fractionBits);
  let [sum, power] = [0n, small];
  for (let k = 1n; power !== 0n && power !== -1n; k += 2n) {
    sum += power / k;
    power = -times(power, square, fractionBits);
  }
  return 4n * sum;
}

export const squareRoot = (x: bigint, fractionBits: number): bigint => rootOf(x << BigInt(fractionBits), 2n);

export const cubeRoot = (x: bigint, fractionBits: number): bigint =>
  rootOf(x << BigInt(2 * fractionBits), 3n);

/** The integer root, by Newton's iteration from above. */
function rootOf(x: bigint, degree: bigint): bigint {
  if (x === 0n) return 0n;
  let root = 1n << (BigInt(x.toString(2).length) / degree + 1n);
  for (;;) {
    const next = ((degree - 1n) * root + x / root ** (degree - 1n)) / degree;
    if (next >= root) return root;
    root = next;
  }
}

/** Computed by Machin's formula. */
export function pi(fractionBits: number): bigint {
  const more = fractionBits + 16;
  const arctan = (inverse: bigint): bigint => {
    let [sum, power] = [0n, fixed(1, more) / inverse];
    for (let k = 1n; power !== 0n; k += 2n) {
      sum += k % 4n === 1n ? power / k : -(power / k);
      power /= inverse * inverse;
    }
    return sum;
  };
  return (16n * arctan(5n) - 4n * arctan(239n)) >> 16n;
}

export const naturalLogarithmOf2 = (fractionBits: number): bigint =>
  logarithm(fixed(2, fractionBits), fractionBits);

/** ln 10 = 3 ln 2 + ln 1.25 */
export const naturalLogarithmOf10 = (fractionBits: number): bigint =>
  3n * naturalLogarithmOf2(fractionBits) + logarithm(fixed(5, fractionBits) / 4n, fractionBits);

/** The natural logarithm of any positive number. */
export function naturalLogarithm(x: bigint, fractionBits: number): bigint {
  const twos = x.toString(2).length - fractionBits;
  const near = twos >= 0 ? x >> BigInt(twos) : x << BigInt(-twos);
  return logarithm(near, fractionBits) + BigInt(twos) * naturalLogarithmOf2(fractionBits);
}

/**
 * ln Γ(x) for x of at least 1, by Stirling's series at x + n, minus ln (x (x + 1) ... (x + n - 1)). (F. Johansson,
 * "Arbitrary-precision computation of the gamma function", 2021, bounds the omitted terms.)
 */
export function logarithmOfGamma(x: bigint, fractionBits: number): bigint {
  const more = fractionBits + 32;
  const one = fixed(1, more);
  let z = x << 32n;
  let product = one;
  for (const far = fixed(Math.ceil(more / 4), more); z < far; z += one) product = times(product, z, more);
  const log = naturalLogarithm(z, more);
  let sum = times(z - one / 2n, log, more) - z + naturalLogarithm(2n * pi(more), more) / 2n;
  const square = times(z, z, more);
  for (let [k, power] = [1, over(one, z, more)]; power !== 0n; k++) {
    const { n, d } = bernoulli(2 * k);
    const term = quotient(n * power, d * BigInt(2 * k) * BigInt(2 * k - 1));
    if (term === 0n) break;
    sum += term;
    power = over(power, square, more);
  }
  return (sum - naturalLogarithm(product, more)) >> 32n;
}

interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

const bernoullis: Fraction[] = [{ n: 1n, d: 1n }];

/** Bernoulli numbers, each from the previous ones: their sum weighted with binomial coefficients is 0. */
function bernoulli(m: number): Fraction {
  for (let next = bernoullis.length; next <= m; next++) {
    let [n, d, binomial] = [0n, 1n, 1n];
    bernoullis.forEach((b, k) => {
      [n, d] = [n * b.d + binomial * b.n * d, d * b.d];
      const common = divisorOf(n < 0n ? -n : n, d);
      [n, d] = [n / common, d / common];
      binomial = (binomial * BigInt(next + 1 - k)) / BigInt(k + 1);
    });
    bernoullis.push({ n: -n, d: d * BigInt(next + 1) });
  }
  return itemAt(bernoullis, m);
}

const divisorOf = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisorOf(b, a % b));
