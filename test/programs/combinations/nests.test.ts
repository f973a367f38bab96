/**
 * Loop nests whose lanes a GPU orders along memory, over directives, loop order, kinds of arrays, sizes
 * and bodies: compared with plain C under Oclgrind, which finds races, and with `ARC_SLOW_TESTS=1` on PoCL.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  directive: ["parallel loop", "collapse", "inner loop", "kernels", "omp"],
  order: ["i j", "j i"],
  arrays: ["arrays", "pointers", "restrict", "the same"],
  size: ["0 5", "3 70", "66 50"],
  body: ["plain", "along the row", "down the column", "variables outside", "two stores"],
} as const;

type Case = Row<typeof axes>;

/** Loops that the user declares independent must be so. */
const isMeaningful = ({ directive, order, body, arrays }: Case): boolean => {
  const carries = body === "along the row" ? "j" : body === "down the column" ? "i" : undefined;
  const [outer] = order.split(" ");
  if (carries === undefined) return true;
  if (arrays === "the same") return false;
  return (
    directive === "kernels" || (carries !== outer && directive !== "collapse" && directive !== "inner loop")
  );
};

function functionOf({ directive, order, arrays, size, body }: Case, name: string): string {
  const [n, m] = size.split(" ");
  const present = "present(p[0:6400], q[0:6400])";
  const before = {
    "parallel loop": `#pragma acc parallel loop ${present}`,
    collapse: `#pragma acc parallel loop collapse(2) ${present}`,
    "inner loop": `#pragma acc parallel loop ${present}`,
    kernels: `#pragma acc kernels ${present}`,
    omp: "#pragma omp target teams distribute parallel for",
  }[directive];
  const inner = directive === "inner loop" ? "#pragma acc loop\n" : "";
  const outside = body === "variables outside";
  const loops = order.split(" ").map((v) => {
    const [first, last] =
      body === "along the row" && v === "j"
        ? [1, m]
        : body === "down the column" && v === "i"
          ? [1, n]
          : [0, v === "i" ? n : m];
    return `for (${outside ? "" : "int "}${v} = ${first}; ${v} < ${last}; ${v}++)`;
  });
  const own = arrays === "arrays";
  const at = (x: string, i = "i", j = "j") =>
    own ? `${x === "p" ? "a" : "b"}_${name}[${i}][${j}]` : `${x}[(${i}) * 80 + ${j}]`;
  const stores = {
    plain: `${at("p")} = ${at("q")} * 2 + i - j;`,
    "along the row": `${at("p")} += ${at("p", "i", "j - 1")} % 100 + ${at("q")};`,
    "down the column": `${at("p")} += ${at("p", "i - 1")} % 100 + ${at("q")};`,
    "variables outside": `{ t = ${at("q")} + 3; ${at("p")} = t * t; }`,
    "two stores": `{ ${at("p")} = ${at("p")} + ${at("q")}; ${at("p")} *= 2; }`,
  }[body];
  const restrict = arrays === "restrict" ? "restrict " : "";
  const text = own ? before.replace(present, `present(a_${name}, b_${name})`) : before;
  return `int a_${name}[80][80], b_${name}[80][80];
void run_${name}(int *${restrict}p, int *${restrict}q) {
  ${outside ? "int i, j, t;" : ""}
${text}
  ${loops[0]}
${inner}    ${loops[1]} ${stores}
}
static void ${name}(void) {
  for (int i = 0; i < 80; i++)
    for (int j = 0; j < 80; j++) a_${name}[i][j] = i + j % 7, b_${name}[i][j] = i * 3 % 5 + j;
#pragma acc data copy(a_${name}, b_${name})
  { run_${name}(&a_${name}[0][0], &${arrays === "the same" ? "a" : "b"}_${name}[0][0]); }
  long all = 0;
  for (int i = 0; i < 80; i++)
    for (int j = 0; j < 80; j++) all += (long)a_${name}[i][j] * (i % 7 + j % 5 + 1);
  printf("${name} %ld %d %d\\n", all, a_${name}[1][1], a_${name}[2][3]);
}
`;
}

describeAsPlainC(
  "nests whose lanes go along memory",
  pairwise<typeof axes>(allRows(axes, isMeaningful)).map((row, k) => functionOf(row, `f${k}`)),
);
