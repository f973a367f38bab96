/**
 * Structures of which a data construct maps what their pointers lead to, while regions in it use their other members,
 * pass them to functions, or map single members: their pointers lead to what was mapped.
 */
import type { Row } from "../covering.ts";
import { judged } from "../judged.ts";

const axes = {
  language: ["acc", "omp"],
  mapped: ["pointee", "both pointees", "structure and pointee", "pointer and pointee"],
  how: ["data", "enter"],
  directive: ["loop", "one thread"],
  use: ["pointee", "number", "number alone", "inner members", "by pointer", "by value"],
  own: ["nothing", "number", "result"],
  object: ["o.", "p->"],
} as const;

type Case = Row<typeof axes>;

/**
 * Pointers that `enter data` does not map are not attached, and regions elsewhere know nothing of what it maps. The
 * structure that a pointer leads to has to be mapped itself. OpenACC has no pointers without what they lead to, and in
 * OpenMP a region may use nothing else of a structure of which these are all that is mapped.
 */
const isMeaningful = ({ language, mapped, how, object, own, use }: Case): boolean =>
  (how === "data" || (!mapped.includes("pointees") && mapped !== "pointee")) &&
  (object === "o." || mapped === "structure and pointee") &&
  (mapped !== "pointer and pointee" || (language === "omp" && use === "pointee")) &&
  (own !== "number" || object === "o.");

function functionOf({ language, mapped, how, directive, use, own, object }: Case, name: string): string {
  const isAcc = language === "acc";
  const whole = object === "o." ? "o" : "p[0:1]";
  const lists = {
    pointee: [`${object}x[0:20]`],
    "both pointees": [`${object}x[0:20]`, `${object}in.w[0:20]`],
    "structure and pointee": [whole, `${object}x[0:20]`, `${object}in.w[0:20]`],
    "pointer and pointee": [`${object}x`, `${object}x[0:20]`, `${object}in.w[0:20]`],
  }[mapped];
  const inner = mapped === "pointee" ? "" : ` + ${object}in.w[i] * ${object}in.k`;
  const value = {
    pointee: `${object}x[i]`,
    number: `${object}x[i] + ${object}n`,
    "number alone": `${object}n * i`,
    "inner members": `${object}x[i]${inner}`,
    "by pointer": `through_${name}(${object === "o." ? "&o" : "p"}, i)`,
    "by value": `copied_${name}(${object === "o." ? "o" : "*p"}, i)`,
  }[use];
  const list = lists.join(", ");
  const back = lists.filter((one) => one.endsWith("20]")).join(", ");
  const rest = lists.filter((one) => !one.endsWith("20]")).join(", ");
  const [before, after] = isAcc
    ? how === "data"
      ? [`#pragma acc data copy(${list})\n  {`, "}"]
      : [
          `#pragma acc enter data copyin(${list})`,
          `#pragma acc exit data copyout(${back})${rest && `\n#pragma acc exit data delete(${rest})`}`,
        ]
    : how === "data"
      ? [`#pragma omp target data map(tofrom: ${list})\n  {`, "}"]
      : [
          `#pragma omp target enter data map(to: ${list})`,
          `#pragma omp target exit data map(from: ${back})${rest && ` map(release: ${rest})`}`,
        ];
  const owned = {
    nothing: "",
    number: isAcc ? ` copyin(${object}n)` : ` map(to: ${object}n)`,
    result: isAcc ? " copyout(y)" : " map(from: y)",
  }[own];
  const construct = {
    loop: isAcc ? "acc parallel loop" : "omp target teams distribute parallel for",
    "one thread": isAcc ? "acc serial" : "omp target",
  }[directive];
  const onDevice = (function_: string): string =>
    isAcc
      ? `#pragma acc routine seq\n${function_}`
      : `#pragma omp declare target\n${function_}\n#pragma omp end declare target`;
  return `struct s_${name} { int n; int *x; struct { int k; int *w; } in; };
${onDevice(`static int through_${name}(struct s_${name} *o, int i) { return o->x[i] + 2 * o->n; }`)}
${onDevice(`static int copied_${name}(struct s_${name} o, int i) { return o.x[i] * 3 + o.n; }`)}
static void ${name}(void) {
  static int x[20], w[20], y[20];
  struct s_${name} o = {7, x, {3, w}}, *p = &o;
  for (int i = 0; i < 20; i++) x[i] = i, w[i] = 50 - i, y[i] = 0;
${before}
#pragma ${construct}${owned}
  for (int i = 0; i < 20; i++) y[i] = ${value};
#pragma ${construct}
  for (int i = 0; i < 20; i++) ${object}x[i] += 1;
${after}
  long all = o.x == x && o.in.w == w && o.n == 7 && o.in.k == 3 && p == &o;
  for (int i = 0; i < 20; i++) all = all * 3 % 100003 + x[i] + 7 * w[i] + 11 * y[i];
  printf("${name} %ld\\n", all);
}
`;
}

judged("structures around what they lead to", axes, isMeaningful, functionOf, ["host", "oclgrind"]);
