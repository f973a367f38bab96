/**
 * Lines per second from preprocessed C with OpenACC to host code and to kernels, in a warm process. The file has
 * 1 000 lines of stencils and reductions and includes stdio, stdlib and math.
 *
 * esbuild test/bench/translate.bench.ts --bundle --platform=node --format=cjs | node -
 */
import { execFileSync } from "node:child_process";
import { translateHost, translateKernels } from "../../core/compiler/driver/translate.ts";
import { cudaEmitter } from "../../targets/cuda/emit.ts";
import { hostEmitter } from "../../targets/host/emit.ts";
import { openclEmitter } from "../../targets/opencl/emit.ts";

const functions = (n: number): string => `
static void relax${n}(int n, const double *a, double *b) {
#pragma acc parallel loop collapse(2) present(a[0:n * n], b[0:n * n])
  for (int i = 1; i < n - 1; i++) {
    for (int j = 1; j < n - 1; j++) {
      double sum = a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j];
      if (sum > 0)
        b[i * n + j] = sqrt(sum) * 0.25;
      else
        b[i * n + j] = fabs(sum) + 1.0;
    }
  }
}

double squares${n}(int n, const double *a) {
  double sum = 0;
#pragma acc parallel loop reduction(+ : sum) copyin(a[0:n])
  for (int i = 0; i < n; i++)
    sum += a[i] * a[i];
  printf("%f\\n", sum);
  return sum;
}
`;

let source = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n";
for (let n = 0; source.split("\n").length < 1000; n++) source += functions(n);
const lines = source.split("\n").length;
const text = execFileSync("gcc", ["-E", "-dD", "-x", "c", "-"], {
  input: source,
  maxBuffer: 1 << 28,
}).toString();
const unit = { file: "<stdin>", text };

function measure(name: string, run: () => void): void {
  const times = Array.from({ length: 15 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const [best = 0] = times;
  const median = times[times.length >> 1] ?? 0;
  console.log(
    `${name}: best ${best.toFixed(0)} ms, median ${median.toFixed(0)} ms, ${Math.round((1000 * lines) / median)} lines/s`,
  );
}

console.log(
  `${lines} lines, ${text.split("\n").length} after preprocessing, ${source.split("#pragma").length - 1} regions`,
);
measure("host code", () => translateHost(unit, source));
for (const [name, emitter] of Object.entries({ host: hostEmitter, opencl: openclEmitter, cuda: cudaEmitter }))
  measure(`${name} kernels`, () => translateKernels(unit, emitter));
