/**
 * Lines per second of the front end in a warm process:
 * esbuild test/bench/lang.bench.ts --bundle --platform=node --format=esm | node --input-type=module -
 */
import { execFileSync } from "node:child_process";
import { lex, parse, print } from "../../core/lang/index.ts";

const LINES = 1000;

/** A file of numeric C with directives that includes stdio, stdlib and math. */
function program(): string {
  const lines = ["#include <stdio.h>", "#include <stdlib.h>", "#include <math.h>", "#define N 512"];
  for (let k = 0; lines.length < LINES; k++) {
    lines.push(
      `static void step${k}(int n, double *restrict out, const double *restrict in, double dt) {`,
      "#pragma acc parallel loop gang num_gangs(N / 4) present(out[0:n*n], in[0:n*n])",
      "  for (int i = 1; i < n - 1; i++) {",
      "#pragma acc loop vector",
      "    for (int j = 1; j < n - 1; j++) {",
      "      double left = in[i * n + j - 1], right = in[i * n + j + 1];",
      "      double up = in[(i - 1) * n + j], down = in[(i + 1) * n + j];",
      "      double next = in[i * n + j] + dt * (left + right + up + down - 4.0 * in[i * n + j]);",
      "      if (fabs(next) > 1e6 || isnan(next)) next = 0.0;",
      "      out[i * n + j] = next > 0 ? sqrt(next) : -exp(next / N);",
      "    }",
      "  }",
      `  if (n < 0) { fprintf(stderr, "step ${k}: %d\\n", n); exit(${k % 7}); }`,
      "}",
    );
  }
  return lines.join("\n");
}

const source = execFileSync("gcc", ["-E", "-dD", "-x", "c", "-"], { encoding: "utf8", input: program() });
const { unit } = parse(source, { file: "bench.c" });

/** Repeats `run` for two seconds after one to warm up, and prints the median. */
function measure(name: string, run: () => unknown): void {
  const times: number[] = [];
  const begin = performance.now();
  for (let now = begin; now < begin + 3000; ) {
    run();
    const after = performance.now();
    if (now > begin + 1000) times.push(after - now);
    now = after;
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? Number.NaN;
  const [best = Number.NaN] = times;
  console.log(
    `${name}: median ${median.toFixed(1)} ms, best ${best.toFixed(1)} ms, ${Math.round((LINES / median) * 1000)} lines/s`,
  );
}

console.log(`${LINES} lines with stdio, stdlib and math; ${source.split("\n").length} after cc -E -dD`);
measure("lex", () => lex(source, "bench.c"));
measure("lex and parse", () => parse(source, { file: "bench.c" }));
measure("print", () => print(unit));
