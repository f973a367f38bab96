/**
 * Variables of loops: wherever they are declared, of any type that may count, in loops that are shared out, nested,
 * collapsed or run in order. Each is private to its loop, so that what the loop stores is that of plain C.
 */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  declared: [
    "in the loop",
    "local",
    "parameter",
    "static",
    "file scope",
    "static at file scope",
    "of each thread",
  ],
  type: ["int", "unsigned char", "short", "long", "size_t", "pointer", "enum"],
  construct: ["parallel", "kernels", "serial", "target"],
  place: ["only loop", "outer loop", "inner loop", "collapsed outer", "collapsed inner", "in order"],
  form: ["up", "down", "by twos", "to the end"],
} as const;

type Combination = Row<typeof axes>;

const COUNT = 24;

const isMeaningful = ({ type, form }: Combination): boolean =>
  // Numbers without a sign do not end below zero.
  !(form === "down" && (type === "unsigned char" || type === "size_t"));

const typeOf = ({ type }: Combination, name: string): string =>
  type === "pointer" ? "const int *" : type === "enum" ? `enum ${name}_e ` : `${type} `;

/** The head of a loop over the variable, and its value as a number. */
function loopOf(c: Combination, v: string): readonly [head: string, number: string] {
  const declared = c.declared === "in the loop" ? typeOf(c, v.replace(/_v$/, "")) : "";
  const [first, end] = c.type === "pointer" ? ["base", `base + ${COUNT}`] : ["0", `${COUNT}`];
  const last = c.type === "pointer" ? `base + ${COUNT - 1}` : `${COUNT - 1}`;
  const heads: Readonly<Record<Combination["form"], string>> = {
    up: `for (${declared}${v} = ${first}; ${v} < ${end}; ${v}++)`,
    down: `for (${declared}${v} = ${last}; ${v} >= ${first}; ${v}--)`,
    "by twos": `for (${declared}${v} = ${first}; ${v} < ${end}; ${v} += 2)`,
    "to the end": `for (${declared}${v} = ${first}; ${v} != ${end}; ++${v})`,
  };
  return [heads[c.form], c.type === "pointer" ? `(int)(${v} - base)` : `(int)${v}`];
}

/** Directives of the region, and of a loop inside it: alone, around another one, and inside. */
function directives({ construct, place }: Combination): readonly [region: string, loop: string] {
  const collapse = place.startsWith("collapsed") ? " collapse(2)" : "";
  if (construct === "target") {
    const region = "#pragma omp target teams map(tofrom: out) map(to: base[0:24])";
    return place === "in order"
      ? ["#pragma omp target map(tofrom: out) map(to: base[0:24])", ""]
      : [region, `#pragma omp distribute parallel for${collapse}`];
  }
  const region = `#pragma acc ${construct} copy(out) copyin(base[0:24])`;
  const independent = construct === "kernels" ? " independent" : "";
  return [
    region,
    place === "in order" ? "#pragma acc loop seq" : `#pragma acc loop${collapse}${independent}`,
  ];
}

function functionOf(c: Combination, name: string): string {
  const v = `${name}_v`;
  const [head, number] = loopOf(c, v);
  const [region, loop] = directives(c);
  const variable = `${typeOf(c, name)}${v};`;
  const atFile = {
    "file scope": "",
    "static at file scope": "static ",
    "of each thread": "static _Thread_local ",
  };
  const outside = Object.entries(atFile).flatMap(([where, word]) =>
    where === c.declared ? [`${word}${variable}`] : [],
  );
  const inside = { local: variable, static: `static ${variable}` }[c.declared as string] ?? "";
  const parameter = c.declared === "parameter" ? `${typeOf(c, name)}${v}` : "void";
  const argument = c.declared === "parameter" ? "0" : "";
  const other = "for (int k = 0; k < 3; k++)";
  const store = `out[${number} * 3 + k] = out[${number} * 3 + k] * 2 + ${number};`;
  const single = `{ for (int k = 0; k < 3; k++) ${store} }`;
  const body: Readonly<Record<Combination["place"], string>> = {
    "only loop": `${loop}\n    ${head} ${single}`,
    "in order": `${loop}\n    ${head} ${single}`,
    "outer loop": `${loop}\n    ${head} {\n    ${other} ${store}\n    }`,
    "inner loop": `${loop}\n    ${other} {\n    ${head} ${store}\n    }`,
    "collapsed outer": `${loop}\n    ${head}\n    ${other} ${store}`,
    "collapsed inner": `${loop}\n    ${other}\n    ${head} ${store}`,
  };
  return `${c.type === "enum" ? `enum ${name}_e { ${name}_low = -1, ${name}_high = 100 };\n` : ""}${outside.join("\n")}
static unsigned long ${name}_run(${parameter}) {
  int out[${COUNT * 3}], base[${COUNT}];
  ${inside}
  for (int k = 0; k < ${COUNT * 3}; k++) out[k] = k;
  for (int k = 0; k < ${COUNT}; k++) base[k] = 0;
${region}
  {
    ${body[c.place]}
  }
  unsigned long h = 7;
  for (int k = 0; k < ${COUNT * 3}; k++) h = h * 31 + (unsigned long)out[k];
  return h;
}
static void ${name}(void) { printf("${name} %lu\\n", ${name}_run(${argument})); }
`;
}

judged("variables of loops", axes, isMeaningful, functionOf);
