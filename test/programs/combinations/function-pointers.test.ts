/**
 * Calls through pointers in regions: where the pointer is, how it gets there, what type the functions have, and where it is
 * called. `indirect` names the functions where the program does; elsewhere arc finds them.
 */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  place: ["argument", "local", "table", "member", "file scope", "result"],
  data: ["none", "on the construct", "around"],
  construct: ["parallel", "kernels", "serial", "target"],
  type: ["int", "double and int", "through a pointer", "structure"],
  call: ["in the loop", "in a function", "compared", "chosen"],
  marked: ["no", "declare target", "indirect"],
} as const;

type Combination = Row<typeof axes>;

const isMeaningful = ({ place, data, construct, marked }: Combination): boolean =>
  !(place === "result" && data !== "none") && (construct === "target" || marked !== "indirect");

const N = 12;

function functionOf(c: Combination, name: string): string {
  const { place, data, construct, type, call, marked } = c;
  const n = (word: string) => `${name}_${word}`;
  // Of functions of one type, those that are marked are called where any is: each case has types of its own.
  const alone = `struct ${n("s")} *s`;
  const [result, parameters, code] = {
    int: ["int", `int x, ${alone}`, (op: string) => `return x ${op} 3;`],
    "double and int": ["double", `double x, int k, ${alone}`, (op: string) => `return x ${op} k;`],
    "through a pointer": ["void", `int *to, int x, ${alone}`, (op: string) => `*to = x ${op} 3;`],
    structure: [
      n("p"),
      `${n("p")} p, ${alone}`,
      (op: string) => `p.a = p.a ${op} 3; p.b = p.b ${op} 0.5; return p;`,
    ],
  }[type] as [string, string, (op: string) => string];
  const omp = construct === "target";
  const functions = `static inline ${result} ${n("up")}(${parameters}) { ${code("+")} }
static inline ${result} ${n("times")}(${parameters}) { ${code("*")} }
`;
  const begin = omp
    ? `#pragma omp begin declare target${marked === "indirect" ? " indirect" : ""}\n`
    : "#pragma acc routine seq\n";
  const defined =
    marked === "no"
      ? functions
      : omp
        ? `${begin}${functions}#pragma omp end declare target\n`
        : functions.replace(/^static/gm, `${begin}static`);
  const pointer = `${n("f")}_t`;
  const use = (f: string) =>
    ({
      int: `x[i] = ${f}(i, 0);`,
      "double and int": `x[i] = (int)${f}(i * 2.0, 4, 0);`,
      "through a pointer": `${f}(&x[i], i, 0);`,
      structure: `${n("p")} p = {i, i * 4}; p = ${f}(p, 0); x[i] = p.a * 100 + (int)(p.b * 2);`,
    })[type];
  const held = {
    argument: "f",
    local: "f",
    table: "f[i % 2]",
    member: "f.call",
    "file scope": n("held"),
    result: `${n("pick")}(i)`,
  }[place];
  const body = {
    "in the loop": use(held),
    "in a function": `${n("all")}(${held}, x, i);`,
    compared: `${use(held)} if (${held} == ${n("times")}) x[i] += 1000;`,
    chosen: use(`(i % 3 ? ${held} : ${n("up")})`),
  }[call];
  const variable = place === "file scope" ? n("held") : "f";
  const clause = omp ? `map(to: ${variable})` : `copyin(${variable})`;
  const own = data === "on the construct" ? ` ${clause}` : "";
  const around = data === "around" ? `#pragma ${omp ? "omp target" : "acc"} data ${clause}\n` : "";
  const directive = omp
    ? `omp target teams distribute parallel for map(x)${own}`
    : `acc ${construct} loop copy(x)${own}`;
  const declared = {
    argument: "",
    local: `${pointer} f = ${n("times")};`,
    table: `${pointer} f[2] = {${n("up")}, ${n("times")}};`,
    member: `struct { int before; ${pointer} call; } f = {1, ${n("times")}};`,
    "file scope": "",
    result: "",
  }[place];
  const routine = omp
    ? ["#pragma omp begin declare target\n", "#pragma omp end declare target\n"]
    : ["#pragma acc routine seq\n", ""];
  return `struct ${n("s")};
${type === "structure" ? `typedef struct { int a; double b; } ${n("p")};\n` : ""}${defined}typedef ${result} (*${pointer})(${parameters});
${place === "file scope" ? `static ${pointer} ${n("held")} = ${n("times")};\n` : ""}${
  place === "result"
    ? `${routine[0]}static ${pointer} ${n("pick")}(int i) { return i % 2 ? ${n("times")} : ${n("up")}; }\n${routine[1]}`
    : ""
}${
  call === "in a function"
    ? `${routine[0]}static int ${n("all")}(${pointer} f, int *x, int i) { ${use("f")} return 0; }\n${routine[1]}`
    : ""
}static int g_${name}(${place === "argument" ? `${pointer} f` : "void"}) {
  int x[${N}] = {0};
  ${declared}
${around}#pragma ${directive}
  for (int i = 0; i < ${N}; i++) { ${body} }
  int h = 0;
  for (int k = 0; k < ${N}; k++) h = h * 31 % 1000003 + x[k];
  return h;
}
static void ${name}(void) {
  printf("${name} %d\\n", g_${name}(${place === "argument" ? n("times") : ""}));
}
`;
}

judged("calls through pointers", axes, isMeaningful, functionOf);
