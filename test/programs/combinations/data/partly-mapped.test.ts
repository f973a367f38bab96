/**
 * Arrays of which only a part is on the device when a region uses that part without naming the array (OpenMP 5.2, section
 * 5.8.7), and which are mapped whole when nothing of them is there any more.
 */
import type { Row } from "../covering.ts";
import { judged } from "../judged.ts";

const axes = {
  shape: ["flat", "rows"],
  type: ["int", "double", "short", "struct"],
  where: ["local", "static", "file"],
  part: ["first", "middle", "last", "one", "two"],
  mapping: ["enter", "data", "again and again"],
  region: ["target", "target parallel for", "target teams distribute parallel for"],
} as const;

const parts = { first: [0, 2], middle: [2, 2], last: [4, 2], one: [3, 1], two: [1, 2] } as const;

function functionOf(row: Row<typeof axes>, name: string): string {
  const { shape, type, where, part, mapping, region } = row;
  const [from, count] = parts[part];
  const array = where === "file" ? `array_${name}` : "a";
  const value = type === "struct" ? ".v" : "";
  const declared = `${type === "struct" ? `struct s_${name}` : type} ${array}${shape === "rows" ? "[6][5]" : "[6]"};`;
  const all = (i: string, of: (at: string) => string): string =>
    shape === "rows"
      ? `for (int j = 0; j < 5; j++) ${of(`${array}[${i}][j]${value}`)}`
      : of(`${array}[${i}]${value}`);
  const work = (lo: string, n: string, by: number): string =>
    `#pragma omp ${region}\n  for (int i = ${lo}; i < ${lo} + ${n}; i++) ${all("i", (at) => `${at} = ${at} * 2 + i + ${by};`)}`;
  const section = (lo: string, n: string): string => `${array}[${lo}:${n}]`;
  const mapped = {
    enter: `#pragma omp target enter data map(to: ${section(`${from}`, `${count}`)})
  ${work(`${from}`, `${count}`, 1)}
  ${work(`${from}`, `${count}`, 2)}
#pragma omp target exit data map(from: ${section(`${from}`, `${count}`)})`,
    data: `#pragma omp target data map(tofrom: ${section(`${from}`, `${count}`)})
  {
  ${work(`${from}`, `${count}`, 1)}
  ${work(`${from}`, `${count}`, 2)}
  }`,
    "again and again": `for (int k = ${from}; k < ${from + count}; k++) {
#pragma omp target enter data map(to: ${section("k", "1")})
  ${work("k", "1", 1)}
#pragma omp target exit data map(from: ${section("k", "1")})
  }`,
  }[mapping];
  return `${type === "struct" ? `struct s_${name} { char c; int v; };\n` : ""}${where === "file" ? `static ${declared}\n` : ""}static void ${name}(void) {
  ${where === "file" ? "" : where === "static" ? `static ${declared}` : declared}
  for (int i = 0; i < 6; i++) ${all("i", (at) => `${at} = 3 * i + 1;`)}
${mapped}
  ${work("0", "6", 3)}
  double sum = 0;
  for (int i = 0; i < 6; i++) ${all("i", (at) => `sum = sum * 3 + ${at};`)}
  printf("${name} %.17g\\n", sum);
}
`;
}

judged("partly mapped arrays", axes, () => true, functionOf, ["host", "oclgrind"]);
