/**
 * Members that clauses and region spell in different ways, over the spellings, what the member is, how it gets to the
 * device, and the construct: compared with plain C on the host with separate memory and under Oclgrind.
 */
import { describeAsPlainC } from "../as-plain-c.ts";
import { allRows, pairwise, type Row } from "../covering.ts";

const spellings = ["p->", "(*p).", "p[0].", "(&*p)->", "(*(p + 0))."] as const;

const axes = {
  clause: spellings,
  region: spellings,
  other: spellings,
  member: ["pointer", "array", "inner array", "number"],
  data: ["own", "data", "enter", "object first"],
  construct: ["parallel loop", "kernels loop", "serial loop", "parallel"],
} as const;

function functionOf(
  { clause, region, other, member, data, construct }: Row<typeof axes>,
  name: string,
): string {
  const path = { pointer: "x", array: "a", "inner array": "in.a", number: "k" }[member];
  const section = { pointer: "[0:40]", array: "[0:40]", "inner array": "", number: "" }[member];
  const at = member === "number" ? "" : "[i]";
  const named = `${clause}${path}${section}`;
  const around = {
    own: ["", ""],
    data: [`#pragma acc data copy(${named})\n  {`, "}"],
    enter: [`#pragma acc enter data copyin(${named})`, `#pragma acc exit data copyout(${named})`],
    "object first": [
      `#pragma acc enter data copyin(p[0:1])\n#pragma acc enter data copyin(${named})`,
      member === "pointer"
        ? `#pragma acc exit data copyout(${named})\n#pragma acc exit data delete(p[0:1])`
        : `#pragma acc update self(${named})\n#pragma acc exit data delete(${named})\n#pragma acc exit data delete(p[0:1])`,
    ],
  }[data];
  const present = `${other}${path}${section}`;
  const clauses = data === "own" ? `copy(${named})` : `present(${present})`;
  const update = `${region}${path}${at} = ${other}${path}${at} * 2 + ${member === "number" ? "1" : "i"};`;
  const turns = member === "number" ? "1" : "40";
  const loop = `for (int i = 0; i < ${turns}; i++) ${update}`;
  const inside = construct === "parallel" ? `#pragma acc loop gang vector\n  ${loop}` : loop;
  return `struct s_${name} { int *x; int a[40]; struct { double d; int a[40]; } in; int k; };
static void ${name}(void) {
  static int x[40];
  struct s_${name} object, *p = &object;
  memset(p, 0, sizeof *p);
  p->x = x, p->k = 5;
  for (int i = 0; i < 40; i++) x[i] = i, p->a[i] = 3 * i, p->in.a[i] = 50 - i;
${around[0]}
#pragma acc ${construct} ${clauses}
  ${inside}
${around[1]}
  long all = p->k;
  for (int i = 0; i < 40; i++) all = all * 3 % 100003 + p->x[i] + 7 * p->a[i] + 11 * p->in.a[i];
  printf("${name} %ld %d\\n", all, p->k);
}
`;
}

describeAsPlainC(
  "members in different spellings",
  pairwise<typeof axes>(allRows(axes, () => true)).map((row, k) => functionOf(row, `f${k}`)),
  ["host", "oclgrind"],
);
