/**
 * Halves in regions: over where they are declared, what is done with them, and the type that they meet. Every result has
 * the bits of the serial program's, for which gcc computes in float and rounds where it stores.
 */
import { sampled } from "../../sampled.ts";
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  place: [
    "array",
    "pointer",
    "member",
    "rows",
    "file scope",
    "declare",
    "local",
    "local array",
    "private",
    "gang memory",
    "scalar",
    "by value",
    "by pointer",
    "returned",
    "separate clauses",
  ],
  what: [
    "assigned",
    "read",
    "sum",
    "difference",
    "product",
    "quotient",
    "into the other",
    "steps",
    "excess",
    "excess read",
    "casts",
    "comparisons",
    "choices",
    "functions",
    "value of assignment",
    "blocks",
    "constants",
    "conditions",
    "initialisers",
    "constant array",
    "atomic update",
    "atomic capture",
    "atomic write",
    "builtins",
    "structure copy",
  ],
  partner: [
    "_Bool",
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "float",
    "double",
    "_Float16",
    "enum few",
  ],
} as const;

type Case = Row<typeof axes>;

/** Of X, the half; B and P, a half and a value of the other type that are read; Q, one of the other type that is changed. */
const statements: Readonly<Record<Case["what"], string>> = {
  assigned: "X = P;",
  read: "Q = X; if (X) X = -X + +B;",
  sum: "X += P;",
  difference: "X -= P; X = X - P;",
  product: "X *= P; X *= B * B;",
  quotient: "X /= P;",
  "into the other": "Q += X; Q *= B;",
  steps: "Q = X++ + B; --X; X++; Q += ++X - X--;",
  excess: "X = X * B + P;",
  "excess read": "Q = X * B;",
  casts: "Q = (T)(_Float16)(X * B) + (_Float16)P; X = (_Float16)(X * B) * (float)B + (double)X;",
  comparisons: "Q = (X < P) + 2 * (X * B > P) + 3 * (X == (_Float16)P) + (X * B != (_Float16)(X * B));",
  choices: "Q = P > X ? X * B : P; X = X > B ? X : P; Q += X ?: P;",
  functions: "X = sqrtf(X * X) + fmaxf(B, P) - fabs(X) + floorf(X * B);",
  "value of assignment": "Q = (X = B * P) * B; Q += (X += P) * B;",
  blocks: "Q = ({ _Float16 t = X * B; t + P; }); Q += (X += 1, X * B);",
  constants: "X = X * 0.1f16 + (_Float16)0.1 + 3.7f16 * P; Q = P * 0.3f16 + 0x1.8p1f16;",
  conditions: "Q = !X + (X && P) + (X * B || P); while (X > 3) X -= 1.25f16; if (X - X) Q = 9;",
  initialisers: "_Float16 t[3] = {X, P, B * P}; T u[2] = {X, X * B}; X = t[i % 3]; Q = u[i % 2];",
  "constant array":
    "static const _Float16 t[4] = {0.1f16, 1, -2.7, 65504}; const _Float16 c = 0.1f16; X = t[i % 3] * c; Q = t[i % 2] * 10;",
  "atomic update": "\n#pragma acc atomic update\nX += P;\n#pragma acc atomic update\nX = B - X;\n",
  "atomic capture":
    "_Float16 v, w; T u;\n#pragma acc atomic capture\nv = X += P;\n#pragma acc atomic capture\n{ w = X; X *= B; }\n#pragma acc atomic capture\nu = X++;\nQ = u + v * w;",
  "atomic write":
    "_Float16 v; T u;\n#pragma acc atomic write\nX = B * P;\n#pragma acc atomic read\nv = X;\n#pragma acc atomic read\nu = X;\nQ = v + u;",
  builtins:
    "X = __builtin_copysignf16(X * B, -P) + __builtin_fabsf16(B); Q = __builtin_isnan(X) + (X < __builtin_inff16()) + sizeof(X * B);",
  "structure copy":
    "struct pair { _Float16 a; T b; } s = {X, P}, t = s; t.a *= B; s = t; X = s.a; Q = s.b; union { _Float16 h; unsigned short u; } both = {X}; both.u ^= 0x8000; X = both.h;",
};

const isAtomic = ({ what }: Case) => what.startsWith("atomic");

const isMeaningful = (c: Case): boolean =>
  // A change of what only one item has is no business of atomics.
  !(isAtomic(c) && ["local", "local array", "private", "by value", "returned", "scalar"].includes(c.place)) &&
  !(c.what === "blocks" && c.partner === "_Bool");

const isUnsigned = (type: string) => /unsigned|_Bool|enum|char/.test(type);

function functionOf(c: Case, name: string): string {
  const { place, what, partner } = c;
  const sign = isUnsigned(partner) || what === "quotient" ? "" : "i % 3 == 1 ? -1 : ";
  const body = (x: string): string =>
    statements[what]
      .replaceAll(/\bX\b/g, x)
      .replaceAll(/\bB\b/g, "b[i]")
      .replaceAll(/\bP\b/g, "p[i]")
      .replaceAll(/\bQ\b/g, "q[i]")
      .replaceAll(/\bT\b/g, partner);
  const set = (x: string) => `for (int i = 0; i < 70; i++) ${x} = (${sign}1) * (i % 13) * 0.37;`;
  const get = (x: string) => `for (int i = 0; i < 70; i++) sum = sum * 31 + bits_of_${name}(${x});`;
  const loop = "#pragma acc parallel loop";
  const others = "copyin(b, p) copy(q)";
  const each = "for (int i = 0; i < 70; i++)";
  const whole = (declared: string, x: string, clause: string, directive = loop, within = body(x)) => ({
    before: "",
    code: `${declared}\n  ${set(x)}\n${directive} ${clause} ${others}\n  ${each} {\n    ${within}\n  }\n  ${get(x)}`,
  });
  const routine = (head: string, how: (x: string) => string, call: string) => ({
    ...whole("static _Float16 x[70];", "x[i]", "copy(x)", loop, call),
    before: `#pragma acc routine seq\ninline static ${head.replace("NAME", `of_${name}`)} { ${how("y").replaceAll("[i]", "[0]").replaceAll(/\bi\b/g, "0")} }\n`,
  });
  const through = (declared: string, x: string) =>
    whole(
      "static _Float16 x[70];",
      "x[i]",
      "copy(x)",
      loop,
      `${declared}${x} = x[i];\n    ${body(x)}\n    x[i] = ${x};`,
    );
  const made = (): { readonly before: string; readonly code: string } => {
    switch (place) {
      case "array":
        return whole("_Float16 x[70];", "x[i]", "copy(x)");
      case "pointer":
        return whole("static _Float16 room[140], *x = room + 7;", "x[i]", "copy(x[0:70])");
      case "member":
        return whole("static struct { char c; _Float16 h[2]; double d; } x[70];", "x[i].h[1]", "copy(x)");
      case "rows": {
        const x = "x[i / 10][i % 10]";
        return {
          before: "",
          code: `static _Float16 x[7][10];\n  ${set(x)}\n${loop} collapse(2) copy(x) ${others}\n  for (int k = 0; k < 7; k++) for (int l = 0; l < 10; l++) {\n    int i = k * 10 + l;\n    ${body("x[k][l]")}\n  }\n  ${get(x)}`,
        };
      }
      case "file scope":
        return { ...whole("", `of_${name}[i]`, ""), before: `static _Float16 of_${name}[70];\n` };
      case "declare": {
        const x = `of_${name}[i]`;
        return {
          before: `static _Float16 of_${name}[70];\n#pragma acc declare create(of_${name})\n`,
          code: `${set(x)}\n#pragma acc update device(of_${name})\n${loop} ${others}\n  ${each} {\n    ${body(x)}\n  }\n#pragma acc update self(of_${name})\n  ${get(x)}`,
        };
      }
      case "local":
        return through("_Float16 y; ", "y");
      case "local array":
        return through("_Float16 y[3]; ", "y[i % 3]");
      case "private":
        return whole(
          "static _Float16 x[70]; _Float16 y = 7;",
          "x[i]",
          "copy(x) private(y)",
          loop,
          `y = x[i];\n    ${body("y")}\n    x[i] = y;`,
        );
      case "gang memory":
        return {
          before: "",
          code: `static _Float16 x[70];\n  ${set("x[i]")}\n#pragma acc parallel loop gang copy(x) ${others}\n  for (int k = 0; k < 7; k++) {\n    _Float16 y[10];\n#pragma acc loop vector\n    for (int l = 0; l < 10; l++) y[9 - l] = x[k * 10 + l];\n#pragma acc loop vector\n    for (int l = 0; l < 10; l++) {\n      int i = k * 10 + l;\n      ${body("y[l]")}\n    }\n#pragma acc loop vector\n    for (int l = 0; l < 10; l++) x[k * 10 + l] = y[9 - l];\n  }\n  ${get("x[i]")}`,
        };
      case "scalar":
        return {
          before: "",
          code: `_Float16 x = 1.7;\n#pragma acc serial copy(x) ${others}\n  for (int i = 0; i < 5; i++) {\n    ${body("x")}\n  }\n  sum = bits_of_${name}(x);`,
        };
      case "by value":
        return routine(
          `_Float16 NAME(_Float16 y, const _Float16 *b, const ${partner} *p, ${partner} *q)`,
          (y) => `${body(y)} return y;`,
          `x[i] = of_${name}(x[i] * b[i], b + i, p + i, q + i);`,
        );
      case "by pointer":
        return routine(
          `void NAME(_Float16 *y, const _Float16 *b, const ${partner} *p, ${partner} *q)`,
          (y) => body(`*${y}`).replaceAll("*y++", "(*y)++").replaceAll("*y--", "(*y)--"),
          `of_${name}(&x[i], b + i, p + i, q + i);`,
        );
      case "returned":
        return routine(
          `_Float16 NAME(float y, const _Float16 *b, const ${partner} *p, ${partner} *q)`,
          (y) => `_Float16 z = ${y}; ${body("z")} return z * b[0];`,
          `x[i] = of_${name}(x[i], b + i, p + i, q + i) * b[i];`,
        );
      case "separate clauses":
        return {
          before: "",
          code: `static _Float16 x[70], y[70]; _Float16 w = 0.3;\n  ${set("x[i]")}\n#pragma acc parallel loop copyin(x) copyout(y) firstprivate(w) ${others} async(1)\n  ${each} {\n    y[i] = x[i] + w;\n    ${body("y[i]")}\n  }\n#pragma acc wait\n  ${get("y[i]")}`,
        };
    }
  };
  const { before, code } = made();
  const values =
    partner === "float" || partner === "double" || partner === "_Float16" ? "+ (i % 9) * 0.123" : "";
  const enumerated =
    partner === "enum few"
      ? `enum few { few_${name}_0, few_${name}_9 = 9 };\n`.replace("enum few", `enum few_${name}`)
      : "";
  // Products and sums are not fused.
  const text = `#pragma STDC FP_CONTRACT OFF
static unsigned bits_of_${name}(_Float16 h) { unsigned short u; __builtin_memcpy(&u, &h, 2); return u; }
${enumerated}${before}static void ${name}(void) {
  static _Float16 b[70];
  static ${partner} p[70], q[70];
  unsigned sum = 0;
  for (int i = 0; i < 70; i++) b[i] = (i % 7) * 0.21 + 0.1, p[i] = (${partner})(i % 5 + 1 ${values}), q[i] = i % 4;
  ${code}
  double all = 0;
  for (int i = 0; i < 70; i++) all = all * 0.75 + (double)q[i];
  printf("${name} %u %.17g\\n", sum, all);
}
`;
  return enumerated
    ? text.replaceAll("enum few ", `enum few_${name} `).replaceAll("enum few)", `enum few_${name})`)
    : text;
}

describeAsPlainC(
  "halves",
  sampled(pairwise<typeof axes>(allRows(axes, isMeaningful)), 24).map((row, k) => functionOf(row, `f${k}`)),
  ["shared", "host", "oclgrind", "lanes"],
);
