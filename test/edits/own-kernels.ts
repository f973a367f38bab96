/** A program whose tasks are kernels of its author's own, edits of it, and how often they make nvcc compile again. */
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { Rig } from "../cli/rig.ts";

type Files = Readonly<Record<string, string>>;

const program = `#include <stdio.h>
#include "sizes.h"

#pragma omp target device(cuda) ndrange(1, n, 128) file(smooth.cu)
#pragma omp task in([n]x) out([n]y)
void smooth(int n, const float *x, float *y);

#pragma omp target device(cuda) ndrange(1, n, 128) file(norm.cu)
#pragma omp task in([n]x) out([1]sum)
void norm(int n, const float *x, float *sum);

#pragma omp target device(cuda) ndrange(1, n, 128)
#pragma omp task inout([n]x)
__global__ void scale(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= FACTOR;
}

int main(void) {
  static float x[N], y[N], sum;
  smooth(N, x, y);
  scale(N, y);
  norm(N, y, &sum);
#pragma omp taskwait
  printf("%g\\n", sum);
  return 0;
}
`;

const files: Files = {
  "arc.yaml": "arc: 1\nproject: app\nsources: [src/app.c]\ninclude: [inc]\ntargets:\n  cpu: { kind: host }\n",
  "src/app.c": program,
  "src/smooth.cu":
    '#include "grid.h"\n__global__ void smooth(int n, const float *x, float *y) { y[AT] = x[AT]; }\n',
  "src/norm.cu": "__global__ void norm(int n, const float *x, float *sum) { *sum += x[0]; }\n",
  "src/grid.h": "#define AT (blockIdx.x * blockDim.x + threadIdx.x)\n",
  "inc/sizes.h": "enum { N = 1000 };\n#define FACTOR 2\n",
};

interface OwnEdit {
  readonly name: string;
  readonly file?: string;
  readonly from?: string | RegExp;
  readonly to?: string;
  /** Another nvcc. */
  readonly upgrade?: true;
  /** The kernels that are compiled again. */
  readonly compiled: readonly string[];
}

const app = "src/app.c";

export const ownEdits: readonly OwnEdit[] = [
  {
    name: "a comment on every line of the program",
    file: app,
    from: /;\n/g,
    to: "; // noted\n",
    compiled: [],
  },
  {
    name: "a line above a kernel in the program's own file",
    file: app,
    from: "\n\n",
    to: "\n\n\n",
    compiled: [],
  },
  {
    name: "other numbers of work-items: `ndrange`",
    file: app,
    from: "n, 128) file",
    to: "n, 64) file",
    compiled: [],
  },
  { name: "other memory that is moved", file: app, from: "out([n]y)", to: "inout([n]y)", compiled: [] },
  {
    name: "another size of the program's arrays",
    file: "inc/sizes.h",
    from: "1000",
    to: "2000",
    compiled: [],
  },
  { name: "a kernel in its file", file: "src/norm.cu", from: "+=", to: "=", compiled: ["norm"] },
  {
    name: "a comment in a file of kernels",
    file: "src/norm.cu",
    from: "\n",
    to: " // ours\n",
    compiled: ["norm"],
  },
  {
    name: "a header that a file of kernels includes",
    file: "src/grid.h",
    from: "x *",
    to: "x*",
    compiled: ["smooth"],
  },
  { name: "a kernel in the program's own file", file: app, from: "*= ", to: "+= ", compiled: ["scale"] },
  {
    name: "a macro that a kernel in the program's own file uses",
    file: "inc/sizes.h",
    from: "FACTOR 2",
    to: "FACTOR 3",
    compiled: ["scale"],
  },
  { name: "another version of nvcc", upgrade: true, compiled: ["norm", "scale", "smooth"] },
];

/** No other run of the tests has results of it. */
const run = randomUUID();

const nvcc = (version: string, log: string): string => `# ${run} ${version}
for word; do case $word in kernel.*) text=$word ;; esac; last=$word; done
sed -n 's/.*__global__ void \\([a-z]*\\).*/\\1/p' $text | tee -a '${log}' | sed 's/^/.entry /' > $last`;

export class OwnKernels {
  readonly #rig = new Rig(files, "shared");
  readonly #log = path.join(this.#rig.root, "calls");

  async #build(version: string): Promise<readonly string[]> {
    writeFileSync(this.#log, "");
    this.#rig.tool("nvcc", nvcc(version, this.#log));
    const { status, err } = await this.#rig.arc(["build", "cpu"]);
    expect(status, err).toBe(0);
    return readFileSync(this.#log, "utf8").split("\n").filter(Boolean).sort();
  }

  first(): Promise<readonly string[]> {
    return this.#build("1.0");
  }

  /** The kernels that are compiled again after the edit, which is then undone. */
  async after({ name, file, from = "", to = "", upgrade }: OwnEdit): Promise<readonly string[]> {
    const before = file === undefined ? "" : (files[file] ?? "");
    const edited = before.replace(from, to);
    if (file !== undefined && edited === before) throw new Error(`${name} changes nothing in ${file}`);
    try {
      if (file !== undefined) this.#rig.write(file, edited);
      return await this.#build(upgrade ? "2.0" : "1.0");
    } finally {
      if (file !== undefined) this.#rig.write(file, before);
    }
  }
}
