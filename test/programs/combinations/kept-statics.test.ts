/** Static variables of blocks that code of a device changes: each region goes on with what the one before left. */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  type: ["int", "unsigned char", "long long", "float", "double", "enum", "bool", "member", "array", "rows"],
  initialiser: ["none", "constant", "expression"],
  where: ["function", "block of the function", "what it calls", "beside one of the same name", "region"],
  caller: ["serial", "one gang", "kernels", "lanes", "one lane of many"],
  linkage: ["static", "static, defined behind", "declared a routine"],
  model: ["acc", "omp"],
} as const;

type Combination = Row<typeof axes>;

const shared = ({ caller }: Combination): boolean => caller === "lanes" || caller === "one lane of many";

/** Lanes change the variable by atomic additions; the next region asks the function for the sum. */
const isMeaningful = (c: Combination): boolean =>
  !(c.where === "region" && (shared(c) || c.linkage !== "static")) &&
  !(c.caller === "lanes" && (c.type === "bool" || c.type === "enum" || c.where.startsWith("beside")));

/** How the variable is declared, which part of it changes, its value, and one that is an expression. */
const variables: Readonly<Record<Combination["type"], readonly [string, string, string, string]>> = {
  int: ["int last", "last", "5", "(int)sizeof(double) * 2 - 3"],
  "unsigned char": ["unsigned char last", "last", "200", "'a' + 3"],
  "long long": ["long long last", "last", "1LL << 40", "-(1LL << 33) + 7"],
  float: ["float last", "last", "0.5f", "3 / 2.0f"],
  double: ["double last", "last", "1e3", "-(2.25 + 1)"],
  enum: ["enum OF_choice last", "last", "OF_b", "OF_c - OF_b + OF_a"],
  bool: ["_Bool last", "last", "1", "3 > 2"],
  member: ["struct OF_parts last", "last.s", "{'x', {1, 2}, 30}", "{.s = 7 * 3, .d[1] = 2}"],
  array: ["short last[4]", "last[2]", "{1, 2, 3, 4}", "{[2] = 5 + 6, [0] = 1}"],
  rows: ["int last[2][3]", "last[1][2]", "{{1, 2, 3}, {4, 5, 6}}", "{[1] = {[2] = 4 * 4}}"],
};

function functionOf(c: Combination, name: string): string {
  const { type, initialiser, where, caller, linkage, model } = c;
  const [declared, value, constant, expression] = variables[type];
  const begun = { none: "", constant: ` = ${constant}`, expression: ` = ${expression}` }[initialiser];
  const variable = `static ${declared}${begun};`.replaceAll("OF_", `${name}_`);
  const types = `enum ${name}_choice { ${name}_a, ${name}_b = 4, ${name}_c };
struct ${name}_parts { char c; double d[2]; short s; };
`;
  const atomic = caller === "lanes" ? `\n#pragma ${model} atomic update\n` : "";
  const add = type === "enum" || type === "bool" ? `${value} = !${value};` : `${atomic} ${value} += k;`;
  const read = caller === "lanes" ? `(k == 0 ? (long)${value} : 0)` : `(long)${value}`;
  const change = `${variable} ${add}`;
  const twin = `static long ${name}_twin(int k) { static int last = 50; last += k > 0; return k + 50; }`;
  const body = {
    function: `${change} return ${read};`,
    "block of the function": `long found = k; if (k >= 0) { ${change} found += ${read}; } return found;`,
    "what it calls": `return ${name}_inner(k) + 1;`,
    "beside one of the same name": `long more = ${name}_twin(k); { ${change} more += ${read}; } return more;`,
    region: "return k;",
  }[where];
  const inner =
    where === "what it calls" ? `static long ${name}_inner(int k) { ${change} return ${read}; }\n` : "";
  const head = `static long ${name}_next(int k)`;
  const routine = {
    acc: `#pragma acc routine seq\n${head};\n`,
    omp: `${head};\n#pragma omp declare target to(${name}_next)\n`,
  }[model];
  const before = { static: "", "static, defined behind": `${head};\n`, "declared a routine": routine }[
    linkage
  ];
  const defined = `${where.startsWith("beside") ? `${twin}\n` : ""}${inner}${head} { ${body} }\n`;
  const serial = model === "acc" ? "acc serial copy(out)" : "omp target map(tofrom: out)";
  const directive = {
    serial,
    "one gang":
      model === "acc"
        ? "acc parallel num_gangs(1) copy(out)"
        : "omp target teams num_teams(1) thread_limit(1)",
    kernels: model === "acc" ? "acc kernels copy(out)" : "omp target defaultmap(tofrom)",
    lanes: model === "acc" ? "acc parallel loop" : "omp target teams distribute parallel for",
    "one lane of many": model === "acc" ? "acc parallel loop" : "omp target parallel for",
  }[caller];
  const inOrder = model === "acc" && caller !== "serial" ? "#pragma acc loop seq\n" : "";
  const step = where === "region" ? `${change} out[k] += (long)${value};` : `out[k] += ${name}_next(k);`;
  const each = caller === "lanes" ? `${name}_next(1 + k % 3);` : `if (k == 3) ${name}_next(k);`;
  const region = shared(c)
    ? `#pragma ${directive}\n  for (int k = 0; k < 8; k++) { ${each} }\n#pragma ${serial}\n  out[0] += ${name}_next(0);`
    : `#pragma ${directive}\n  {\n${inOrder}    for (int k = 0; k < 8; k++) { ${step} }\n  }`;
  const last = linkage === "static, defined behind";
  return `${types}${before}${last ? "" : defined}static void ${name}(void) {
  long out[8] = {0};
  for (int launch = 0; launch < 3; launch++) {
${region}
  }
  unsigned long h = 7;
  for (int k = 0; k < 8; k++) h = h * 31 + (unsigned long)out[k];
  printf("${name} %lu\\n", h);
}
${last ? defined : ""}`;
}

judged("static variables of blocks that regions change", axes, isMeaningful, functionOf);
