/** Random stencils and reductions with what runs them, under random legal choices. */
import fc from "fast-check";
import type { Assignment } from "../../../../../schema/document/axis.ts";

export interface Generated {
  readonly source: string;
  readonly main: string;
  readonly choice: Assignment;
}

const ones = "num_gangs(1) num_workers(1) vector_length(1)";

/** A stencil over a flat or two-dimensional array. */
export const stencil = (k: number) =>
  fc.gen().map((g): Generated => {
    const pick = <T>(...of: readonly T[]): T => of[g(fc.integer, { min: 0, max: of.length - 1 })] as T;
    const int = (min: number, max: number) => g(fc.integer, { min, max });
    const flag = () => g(fc.boolean);
    const dims = int(1, 2);
    const [rows, cols] = dims === 2 ? [int(3, 9), int(3, 9)] : [1, int(8, 60)];
    const size = rows * cols;
    const inPlace = int(0, 4) === 0;
    const type = inPlace || flag() ? "unsigned" : pick("float", "short", "unsigned char");
    const inputs = inPlace ? (int(0, 2) === 0 ? ["a", "b"] : ["a"]) : flag() ? ["a"] : ["a", "b"];
    const windows = inputs.length > 1 && flag() ? inputs : ["a"];
    const output = inPlace ? "a" : "o";
    const typed = dims === 2 && flag();
    const down = int(0, 3) === 0;
    const mirrored = dims === 1 && int(0, 5) === 0;
    const local = !typed && flag();
    const guarded = flag();
    const offsets = inputs.flatMap((name) =>
      Array.from({ length: int(1, 4) }, () => ({
        name,
        di: dims === 2 ? int(-2, 2) : 0,
        dj: int(-3, 3),
        by: int(1, 4),
      })),
    );
    const reach = (d: readonly number[]) => [Math.max(0, ...d.map((x) => -x)), Math.max(0, ...d)] as const;
    const [up, below] = reach(offsets.map((o) => o.di));
    const [left, right] = reach(offsets.map((o) => (mirrored ? -o.dj : o.dj)));
    const [i0, i1, j0, j1] = guarded ? [0, rows, 0, cols] : [up, rows - below, left, cols - right];
    const at = (di: number, dj: number) =>
      typed
        ? `[i + ${di}][j + ${dj}]`
        : local
          ? `[x + (${di}) * ${cols} + (${dj})]`
          : dims === 2
            ? `[(i + ${di}) * ${cols} + j + ${dj}]`
            : mirrored
              ? `[${cols - 1} - j + ${dj}]`
              : `[j + ${dj}]`;
    const inside = (di: number, dj: number) => {
      const j = mirrored ? `${cols - 1} - j` : "j";
      return [
        `${j} + ${dj} >= 0`,
        `${j} + ${dj} < ${cols}`,
        ...(dims === 2 ? [`i + ${di} >= 0`, `i + ${di} < ${rows}`] : []),
      ].join(" && ");
    };
    const term = (o: (typeof offsets)[number]) => {
      const read = `${o.by} * ${o.name}${at(o.di, o.dj)}`;
      return guarded ? `(${inside(o.di, o.dj)} ? ${read} : 0)` : read;
    };
    const store = `${output}${at(0, 0)} ${inPlace && flag() ? "+=" : "="} v;`;
    const body = [
      ...(local ? [`int x = ${dims === 2 ? `i * ${cols} + j` : mirrored ? `${cols - 1} - j` : "j"};`] : []),
      ...(int(0, 4) === 0 ? ["if (j % 3 == 1) continue;"] : []),
      `${type} v = ${offsets.map(term).join(" + ")};`,
      int(0, 3) === 0 ? `if (j % 2) { ${store} } else { ${output}${at(0, 0)} = 7; }` : store,
    ].join(" ");
    const header = (v: string, from: number, to: number) =>
      down
        ? `for (int ${v} = ${to - 1}; ${v} >= ${from}; ${v}--)`
        : `for (int ${v} = ${from}; ${v} < ${to}; ${v}++)`;
    const loops = dims === 2 ? `${header("i", i0, i1)} ${header("j", j0, j1)}` : header("j", j0, j1);
    const names = [...new Set([...inputs, output])];
    const param = (n: string) =>
      typed ? `${type} ${n}[restrict ${rows}][${cols}]` : `${type} *restrict ${n}`;
    const mapped = names.map((n) => (typed ? `${n}[0:${rows}][0:${cols}]` : `${n}[0:${size}]`));
    const collapse = dims === 2 && flag() ? "collapse(2)" : "";
    const source = `
void work${k}(${names.map(param).join(", ")}) {
#pragma acc ${inPlace ? "serial loop" : `parallel loop ${ones}`} ${collapse} copy(${mapped.join(", ")})
${windows.map((name) => `#pragma openarc transform window(${name}, ${output})`).join("\n")}
#pragma unroll ${int(1, 6)}
  ${loops} { ${body} }
}`;
    const main = `
  ${names.map((n) => `${type} *${n} = malloc(${size} * sizeof(${type}));`).join(" ")}
  for (int k = 0; k < ${size}; k++) { ${names.map((n, m) => `${n}[k] = (k * ${7 + m} + ${m}) % 23;`).join(" ")} }
  WORK(${names.map((n) => (typed ? `(void *)${n}` : n)).join(", ")});
  for (int k = 0; k < ${size}; k++) printf("${names.map(() => "%g ").join("")}", ${names.map((n) => `(double)${n}[k]`).join(", ")});
  ${names.map((n) => `free(${n});`).join(" ")}`;
    const window = pick<string | number>("auto", "auto", 1, 2, 4, 8);
    return {
      source,
      main,
      choice: {
        window,
        hoist: flag(),
        collapse: flag(),
        "block-size": pick(0, 0, 3, 8),
        stencil: flag(),
      },
    };
  });

/** One or two accumulations over one or two loops. */
export const reduction = (k: number) =>
  fc.gen().map((g): Generated => {
    const pick = <T>(...of: readonly T[]): T => of[g(fc.integer, { min: 0, max: of.length - 1 })] as T;
    const int = (min: number, max: number) => g(fc.integer, { min, max });
    const flag = () => g(fc.boolean);
    const dims = int(1, 2);
    const trips = Array.from({ length: dims }, () => int(0, dims === 1 ? 40 : 9));
    const lower = int(0, 3);
    const step = int(1, 3);
    const type = pick("float", "double", "int", "unsigned");
    const ops = Array.from({ length: int(1, 2) }, () => pick("+", "max", "min", "+", "*"));
    const size = 64 * 16;
    const index = dims === 2 ? "i * 16 + j" : "i";
    const value = type === "float" || type === "double" ? `(x[${index}] - 4)` : `x[${index}]`;
    const update = (op: string, m: number) => {
      const name = `s${k}_${m}`;
      if (op === "+") return `${name} += ${value} * ${m + 1};`;
      if (op === "*") return `${name} *= x[${index}] % 7 == 3 ? -1 : 1;`;
      return `if (${value} ${op === "max" ? ">" : "<"} ${name}) ${name} = ${value};`;
    };
    const integral = type === "int" || type === "unsigned";
    const chosen = ops.map((op) => (op === "*" && !integral ? "+" : op));
    const body = `${int(0, 3) === 0 ? "if (i % 4 == 2) continue; " : ""}${chosen.map(update).join(" ")}`;
    const clause = chosen.map((op, m) => `reduction(${op}:s${k}_${m})`).join(" ");
    const loops = ["i", "j"]
      .slice(0, dims)
      .map((_, d) =>
        d === 0
          ? `for (int i = ${lower}; i < ${lower} + ${trips[0]} * ${step}; i += ${step})`
          : `for (int j = 0; j < n; j++)`,
      );
    const names = chosen.map((_, m) => `s${k}_${m}`);
    const source = `
static ${type} ${names.join(", ")};
void work${k}(int n, const ${type} *restrict x) {
#pragma acc parallel loop ${ones} ${dims === 2 && flag() ? "collapse(2)" : ""} ${clause} copyin(x[0:${size}])
#pragma unroll ${int(1, 5)}
  ${loops.join(" ")} { ${body} }
}`;
    const main = `
  static ${type} x[${size}];
  for (int k = 0; k < ${size}; k++) x[k] = (k * 5 + 3) % 11;
  ${names.map((n, m) => `${n} = ${m + 2};`).join(" ")}
  WORK(${trips[1] ?? 0}, x);
  printf("${names.map(() => "%.17g ").join("")}", ${names.map((n) => `(double)${n}`).join(", ")});`;
    return {
      source,
      main,
      choice: {
        reduction: pick<string | number>("auto", 1, 2, 4),
        "half-depth": flag(),
        "reduction-depth": pick(0, 0, 3, 7),
        collapse: flag(),
      },
    };
  });
