/** Complex numbers in languages that lack them: records of two, and functions for their operators. */
import { build, canonical, isVoid, sizeOf } from "../../../core/lang/index.ts";
import type { CType, Expr, Stmt } from "../../../core/lang/tree/ast.ts";
import { BOOL } from "../../../core/lang/tree/types.ts";
import { complexCall } from "../device/math.ts";

export const isComplex = (type: CType): boolean => canonical(type).kind === "complex";

/** The type of the parts of a complex number, or of a real number that meets one. */
const partOf = (type: CType): string => {
  const c = canonical(type);
  const bytes = sizeOf(c) ?? 8;
  return (c.kind === "complex" ? bytes === 8 : bytes === 4) ? "float" : "double";
};

export function complexTypeName(type: CType): string | undefined {
  return type.kind === "complex" ? `struct arc_complex_${partOf(type)}` : undefined;
}

const operators: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "==": "equal",
  "!=": "equal",
};

/** Combines two complex values of a type, as text. */
export const combinedComplex =
  (op: string, type: CType) =>
  (a: string, b: string): string => {
    const part = partOf(type);
    const logical = op === "&&" || op === "||";
    if (logical) return `arc_complex_${part}(arc_ctrue_${part}(${a}) ${op} arc_ctrue_${part}(${b}), 0)`;
    return `arc_c${operators[op]}_${part}(${a}, ${b})`;
  };

/** The expression, if complex numbers take part in it; undefined for others. */
export function complexText(e: Expr, print: (e: Expr) => string): string | undefined {
  switch (e.kind) {
    case "float":
      return isComplex(e.type)
        ? `arc_complex_${partOf(e.type)}(0, ${e.text.replace(/[ij]/gi, "")})`
        : undefined;
    case "cast":
      return conversion(e.arg, e.to, print);
    case "unary":
      return prefixed(e, print);
    case "binary":
      return binary(e, print);
    case "assign":
      return e.op !== "=" && (isComplex(e.left.type) || isComplex(e.right.type))
        ? changed(e, print)
        : undefined;
    case "incdec":
      return isComplex(e.arg.type)
        ? changed(build.assign(e.arg, build.intLit(1), e.op === "++" ? "+=" : "-="), print)
        : undefined;
    case "cond":
      return isComplex(e.test.type) && e.then
        ? `(${truth(e.test, print)} ? ${print(e.then)} : ${print(e.else)})`
        : undefined;
    case "call":
      return call(e, print);
    default:
      return undefined;
  }
}

/** A statement with complex conditions as one with truth values. */
export function withTruthValues(s: Stmt): Stmt {
  if (s.kind !== "if" && s.kind !== "while" && s.kind !== "do" && s.kind !== "for") return s;
  return s.test && isComplex(s.test.type) ? { ...s, test: build.cast(BOOL, s.test) } : s;
}

const truth = (e: Expr, print: (e: Expr) => string): string =>
  isComplex(e.type) ? `arc_ctrue_${partOf(e.type)}(${print(e)})` : `(${print(e)})`;

function conversion(arg: Expr, to: CType, print: (e: Expr) => string): string | undefined {
  const part = partOf(to);
  if (!isComplex(arg.type))
    return isComplex(to) ? `arc_complex_${part}((${part})(${print(arg)}), 0)` : undefined;
  if (isVoid(to)) return undefined;
  const from = partOf(arg.type);
  if (isComplex(to)) return part === from ? print(arg) : `arc_complex_${part}_of_${from}(${print(arg)})`;
  if (canonical(to) === BOOL) return truth(arg, print);
  return print(
    build.cast(to, { kind: "unary", op: "__real__", arg, type: realOf(arg.type), span: arg.span }),
  );
}

const realOf = (type: CType): CType => {
  const c = canonical(type);
  return c.kind === "complex" ? { kind: "float", name: c.name } : type;
};

function prefixed(e: Expr & { readonly kind: "unary" }, print: (e: Expr) => string): string | undefined {
  if (!isComplex(e.arg.type)) {
    if (e.op === "__real__") return print(e.arg);
    return e.op === "__imag__" ? `((void)(${print(e.arg)}), 0)` : undefined;
  }
  const part = partOf(e.arg.type);
  const arg = print(e.arg);
  if (e.op === "-") return `arc_cneg_${part}(${arg})`;
  if (e.op === "~") return `arc_cconj_${part}(${arg})`;
  if (e.op === "!") return `!${truth(e.arg, print)}`;
  if (e.op === "__real__") return `(${arg}).re`;
  if (e.op === "__imag__") return `(${arg}).im`;
  return e.op === "+" || e.op === "__extension__" ? `(${arg})` : undefined;
}

function binary(e: Expr & { readonly kind: "binary" }, print: (e: Expr) => string): string | undefined {
  const [left, right] = [isComplex(e.left.type), isComplex(e.right.type)];
  if (!left && !right) return undefined;
  if (e.op === "&&" || e.op === "||") return `(${truth(e.left, print)} ${e.op} ${truth(e.right, print)})`;
  const part = partOf(left ? e.left.type : e.right.type);
  const name = operators[e.op];
  if (!name) return undefined;
  const comparison = name === "equal";
  // A real operand of + - * / stays real: what it lacks must not turn into NaN.
  const operand = (side: Expr): string =>
    isComplex(side.type)
      ? print(side)
      : comparison
        ? `arc_complex_${part}((${part})(${print(side)}), 0)`
        : `(${part})(${print(side)})`;
  const kinds = comparison || (left && right) ? "" : left ? "_real" : "_of_real";
  return `${e.op === "!=" ? "!" : ""}arc_c${name}${kinds}_${part}(${operand(e.left)}, ${operand(e.right)})`;
}

/** `a += b` as `a = a + b`. */
function changed(e: Expr, print: (e: Expr) => string): string | undefined {
  if (e.kind !== "assign") return undefined;
  const op = e.op.slice(0, -1) as "+";
  const value = build.binary(op, build.convert(e.left, unqualifiedType(e.left.type)), e.right);
  return `(${print(e.left)} = ${print(build.convert(value, unqualifiedType(e.left.type)))})`;
}

const unqualifiedType = (type: CType): CType => {
  const { quals: _, ...rest } = canonical(type);
  return rest;
};

function call(e: Expr & { readonly kind: "call" }, print: (e: Expr) => string): string | undefined {
  const called = complexCall(e);
  if (!called) return undefined;
  const { name, type } = called;
  const complexType: CType = { kind: "complex", name: type };
  if (name === "complex") {
    const part = partOf(e.type);
    return `arc_complex_${part}(${e.args.map((a) => `(${part})(${print(a)})`).join(", ")})`;
  }
  const args = e.args.map((a) => print(build.convert(a, complexType)));
  if (name === "creal" || name === "cimag") return `(${args[0]}).${name === "creal" ? "re" : "im"}`;
  return `arc_c${name.slice(1)}_${type}(${args.join(", ")})`;
}

// ---------------------------------------------------------------- functions

interface Helper {
  readonly params: readonly string[];
  /** The type of its value: a complex number, a part, int. */
  readonly gives: "complex" | "part" | "int";
  readonly body: readonly string[];
}

const x = ["C x"];
const xy = ["C x", "C y"];
const complexOf = (re: string, im: string): readonly string[] => [
  "C r;",
  `r.re = ${re};`,
  `r.im = ${im};`,
  "return r;",
];
const helper = (
  params: readonly string[],
  body: readonly string[],
  gives: Helper["gives"] = "complex",
): Helper => ({
  params,
  gives,
  body,
});
/** Of an infinite number 1 or -1, else a zero, with the sign. */
const unit = (v: string) => `(T)(${v} > MAX ? 1 : ${v} < -MAX ? -1 : ${v} < 0 ? -0. : 0)`;
const infinite = (v: string) => `(${v} > MAX || ${v} < -MAX)`;
const finite = (v: string) => `(${v} >= -MAX && ${v} <= MAX)`;
const zeroed = (v: string) => `if (${v} != ${v}) ${v} = 0;`;

/** Annex G, as compilers' libraries have it: what computes as NaN twice may still be an infinity. */
const product: readonly string[] = [
  "T a = x.re, b = x.im, c = y.re, d = y.im;",
  "const T ac = a * c, bd = b * d, ad = a * d, bc = b * c;",
  "C r;",
  "r.re = ac - bd;",
  "r.im = ad + bc;",
  "if (r.re == r.re || r.im == r.im) return r;",
  "int again = 0;",
  `if (${infinite("a")} || ${infinite("b")}) {`,
  `  a = ${unit("a")}; b = ${unit("b")};`,
  `  ${zeroed("c")} ${zeroed("d")}`,
  "  again = 1;",
  "}",
  `if (${infinite("c")} || ${infinite("d")}) {`,
  `  c = ${unit("c")}; d = ${unit("d")};`,
  `  ${zeroed("a")} ${zeroed("b")}`,
  "  again = 1;",
  "}",
  `if (!again && (${["ac", "bd", "ad", "bc"].map(infinite).join(" || ")})) {`,
  `  ${["a", "b", "c", "d"].map(zeroed).join(" ")}`,
  "  again = 1;",
  "}",
  "if (again) {",
  "  const T inf = MAX * 2;",
  "  r.re = inf * (a * c - b * d);",
  "  r.im = inf * (a * d + b * c);",
  "}",
  "return r;",
];

/** What computed as NaN twice: a division by zero, or of or by an infinity. */
const recovered: readonly string[] = [
  "if (r.re == r.re || r.im == r.im) return r;",
  "const T inf = MAX * 2;",
  "if (c == 0 && d == 0 && (a == a || b == b)) {",
  "  const T signed_inf = 1 / c < 0 ? -inf : inf;",
  "  r.re = signed_inf * a;",
  "  r.im = signed_inf * b;",
  `} else if ((${infinite("a")} || ${infinite("b")}) && ${finite("c")} && ${finite("d")}) {`,
  `  a = ${unit("a")}; b = ${unit("b")};`,
  "  r.re = inf * (a * c + b * d);",
  "  r.im = inf * (b * c - a * d);",
  `} else if ((${infinite("c")} || ${infinite("d")}) && ${finite("a")} && ${finite("b")}) {`,
  `  c = ${unit("c")}; d = ${unit("d")};`,
  "  r.re = 0 * (a * c + b * d);",
  "  r.im = 0 * (b * c - a * d);",
  "}",
  "return r;",
];

/** Smith's method (1962), with the scaling of Baudin and Smith (2012): no overflow between. */
const scaled: readonly string[] = [
  "const T big = MAX / 2, small = LEAST, eps = EPSILON, many = 1 / eps, most = big * eps;",
  "const int swap = ABS(c) < ABS(d);",
  "if (swap) { const T t = a; a = b; b = -t; const T u = c; c = d; d = -u; }",
  "if (ABS(c) >= big) { a = a / 2; b = b / 2; c = c / 2; d = d / 2; }",
  "if (ABS(c) < eps || (ABS(a) < small && ABS(b) < most && ABS(c) < most) || (ABS(b) < small && ABS(a) < most && ABS(c) < most)) {",
  "  a = a * many; b = b * many; c = c * many; d = d * many;",
  "}",
  "const T ratio = d / c, denominator = d * ratio + c;",
  "if (ABS(ratio) > small) {",
  "  r.re = (b * ratio + a) / denominator;",
  "  r.im = (b - a * ratio) / denominator;",
  "} else {",
  "  r.re = (a + d * (b / c)) / denominator;",
  "  r.im = (b - d * (a / c)) / denominator;",
  "}",
];

/** In double there is room for the squares of floats. */
const widened: readonly string[] = [
  "const double aa = a, bb = b, cc = c, dd = d, denominator = cc * cc + dd * dd;",
  "r.re = (T)((aa * cc + bb * dd) / denominator);",
  "r.im = (T)((bb * cc - aa * dd) / denominator);",
];

const quotient = (part: string): readonly string[] => [
  "T a = x.re, b = x.im, c = y.re, d = y.im;",
  "C r;",
  ...(part === "float" ? widened : scaled),
  ...recovered,
];

const helpers = (part: string): Readonly<Record<string, Helper>> => {
  const other = part === "float" ? "double" : "float";
  return {
    complex: helper(["T re", "T im"], complexOf("re", "im")),
    [`complex_${part}_of`]: { ...helper([`struct arc_complex_${other} x`], complexOf("(T)x.re", "(T)x.im")) },
    cneg: helper(x, complexOf("-x.re", "-x.im")),
    cconj: helper(x, complexOf("x.re", "-x.im")),
    ctrue: helper(x, ["return x.re != 0 || x.im != 0;"], "int"),
    cequal: helper(xy, ["return x.re == y.re && x.im == y.im;"], "int"),
    cadd: helper(xy, complexOf("x.re + y.re", "x.im + y.im")),
    cadd_real: helper(["C x", "T y"], complexOf("x.re + y", "x.im")),
    cadd_of_real: helper(["T x", "C y"], complexOf("x + y.re", "y.im")),
    csub: helper(xy, complexOf("x.re - y.re", "x.im - y.im")),
    csub_real: helper(["C x", "T y"], complexOf("x.re - y", "x.im")),
    csub_of_real: helper(["T x", "C y"], complexOf("x - y.re", "-y.im")),
    cmul: helper(xy, product),
    cmul_real: helper(["C x", "T y"], complexOf("x.re * y", "x.im * y")),
    cmul_of_real: helper(["T x", "C y"], complexOf("x * y.re", "x * y.im")),
    cdiv: helper(xy, quotient(part)),
    cdiv_real: helper(["C x", "T y"], complexOf("x.re / y", "x.im / y")),
    cdiv_of_real: helper(["T x", "C y"], ["return cdiv(complex(x, 0), y);"]),
    cabs: helper(x, ["return hypot(x.re, x.im);"], "part"),
    carg: helper(x, ["return atan2(x.im, x.re);"], "part"),
    cproj: helper(x, [
      `if (${infinite("x.re")} || ${infinite("x.im")}) return complex(MAX * 2, x.im < 0 ? (T)-0. : (T)0);`,
      "return x;",
    ]),
    cexp: helper(x, [
      "const T e = exp(x.re);",
      `if (x.im == 0 || (e == 0 && !${finite("x.im")})) return complex(e, x.im == 0 ? x.im : (T)0);`,
      "return complex(e * cos(x.im), e * sin(x.im));",
    ]),
    clog: helper(x, ["return complex(log(hypot(x.re, x.im)), atan2(x.im, x.re));"]),
    cpow: helper(xy, ["return cexp(cmul(y, clog(x)));"]),
    csqrt: helper(x, [
      "if (x.re == 0 && x.im == 0) return complex((T)0, x.im);",
      "const T t = sqrt((ABS(x.re) + hypot(x.re, x.im)) / 2), other = ABS(x.im) / (2 * t);",
      "if (x.re >= 0) return complex(t, x.im < 0 ? -other : other);",
      "return complex(other, x.im < 0 ? -t : t);",
    ]),
    csin: helper(x, complexOf("sin(x.re) * cosh(x.im)", "cos(x.re) * sinh(x.im)")),
    ccos: helper(x, complexOf("cos(x.re) * cosh(x.im)", "-sin(x.re) * sinh(x.im)")),
    csinh: helper(x, complexOf("sinh(x.re) * cos(x.im)", "cosh(x.re) * sin(x.im)")),
    ccosh: helper(x, complexOf("cosh(x.re) * cos(x.im)", "sinh(x.re) * sin(x.im)")),
    ctanh: helper(x, [
      "const T s = sinh(x.re), c = cos(x.im), denominator = s * s + c * c;",
      "return complex(s * cosh(x.re) / denominator, sin(x.im) * c / denominator);",
    ]),
    ctan: helper(x, ["const C r = ctanh(complex(-x.im, x.re));", "return complex(r.im, -r.re);"]),
  };
};

const limits = {
  float: { MAX: "3.402823466e+38f", LEAST: "1.175494351e-38f", EPSILON: "1.192092896e-07f" },
  double: {
    MAX: "1.7976931348623157e+308",
    LEAST: "2.2250738585072014e-308",
    EPSILON: "2.220446049250313e-16",
  },
} as const;

/** The definitions that a kernel's text needs. */
export function complexDefinitions(text: string, prefix: string): readonly string[] {
  const parts = (["float", "double"] as const).filter((part) => text.includes(`arc_complex_${part}`));
  if (parts.length === 0) return [];
  // Conversions between the two need both records.
  const records = (["float", "double"] as const)
    .filter((part) => text.includes(`arc_complex_${part}`))
    .map((part) => `struct arc_complex_${part} { ${part} re, im; };`);
  const functions = parts.flatMap((part) => {
    const all = helpers(part);
    const needed = new Set<string>();
    const need = (name: string, within: string): void => {
      const own = all[name];
      if (!own || needed.has(name) || !within) return;
      for (const inner of innerCalls(own.body, all)) need(inner, "helper");
      needed.add(name);
    };
    for (const name of Object.keys(all)) if (named(name, part, text)) need(name, "text");
    return [...needed].map((name) => definition(name, all[name] as Helper, part, prefix, all));
  });
  return [...records, ...functions];
}

/** The whole name of a helper. */
const nameOf = (name: string, part: string): string =>
  name.startsWith("complex_")
    ? `arc_${name}_${part === "float" ? "double" : "float"}`
    : `arc_${name}_${part}`;

const named = (name: string, part: string, text: string): boolean => text.includes(`${nameOf(name, part)}(`);

const innerCalls = (body: readonly string[], all: Readonly<Record<string, Helper>>): readonly string[] =>
  [...body.join("\n").matchAll(/\b(c\w+)\(/g)].flatMap(([, name]) => (name && name in all ? [name] : []));

function definition(
  name: string,
  { params, gives, body }: Helper,
  part: "float" | "double",
  prefix: string,
  all: Readonly<Record<string, Helper>>,
): string {
  const record = `struct arc_complex_${part}`;
  const spell = (line: string): string =>
    line
      .replace(/\bABS\(([\w.]+)\)/g, "($1 < 0 ? -$1 : $1)")
      .replace(/\b(c\w+)\(/g, (match, inner: string) => (inner in all ? `${nameOf(inner, part)}(` : match))
      .replace(/\bC\b/g, record)
      .replace(/\bT\b/g, part)
      .replace(/\b(MAX|LEAST|EPSILON)\b/g, (limit) => limits[part][limit as "MAX"]);
  const result = gives === "complex" ? record : gives === "part" ? part : "int";
  const head = `${prefix} ${result} ${nameOf(name, part)}(${params.map(spell).join(", ")})`;
  return [`${head} {`, ...body.map((line) => `  ${spell(line)}`), "}"].join("\n");
}
