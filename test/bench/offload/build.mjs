/**
 * Examples in both languages, by hand and by `arc translate`, built by gcc for nvptx: `node test/bench/offload/build.mjs
 * FOLDER`. Needs gcc 12 with its offloading compiler (Debian: gcc-12-offload-nvptx). `python3 measure.py` in the folder
 * runs them, on a machine with an NVIDIA GPU that needs neither gcc nor Node: libgomp is in the folder.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { byHand, examples } from "./by-hand.mjs";

const root = path.resolve(import.meta.dirname, "../../..");
const [folder, ...chosen] = process.argv.slice(2);
if (!folder) throw new Error("name the folder to build into");

/** sm_80: `as` of nvptx-tools asks ptxas, and that of CUDA 13 knows none of gcc 12's older ones. libatomic: reductions of two doubles. */
const offload = ["-foffload=nvptx-none", "-foffload=-misa=sm_80", "-foffload=-lm", "-foffload=-latomic"];
const flags = { openacc: ["-fopenacc", ...offload], openmp: ["-fopenmp", ...offload], serial: [] };

function needs(command, args, what) {
  try {
    execFileSync(command, args, { stdio: ["ignore", "ignore", "ignore"], input: "" });
  } catch {
    throw new Error(`${what} is missing: install Debian's gcc-12-offload-nvptx, or name its gcc by BENCH_CC`);
  }
}

/** So large that a kernel takes longer than what starts it, which is about 2 ms by gcc's OpenMP. */
const sizes = {
  jacobi: ["4096", "4096", "20"],
  matmul: ["2048"],
  hotspot: ["4096", "4096", "20"],
  spmv: ["1000000", "64", "10"],
  srad: ["2048", "2048", "10"],
};

const [cc, ...where] = (process.env.BENCH_CC ?? "gcc").split(" ");
mkdirSync(folder, { recursive: true });
const probe = path.join(folder, "probe.c");
writeFileSync(probe, "int main(void) {\n#pragma omp target\n;\n}\n");
needs(cc, [...where, ...flags.openmp, probe, "-o", path.join(folder, "probe")], "gcc's compiler for nvptx");

const translate = (source, to, map) =>
  execFileSync(path.join(root, "bin/arc"), ["translate", source, "--to", to, "--map", map], {
    encoding: "utf8",
  });

const runs = {};
for (const example of chosen.length > 0 ? chosen : examples) {
  const source = path.join(root, "examples", example, "src", `${example}.c`);
  const text = readFileSync(source, "utf8");
  const write = (name, content) => {
    const file = path.join(folder, `${example}.${name}.c`);
    writeFileSync(file, content);
    return file;
  };
  const plain = write("omp", byHand(example, text, false));
  const simd = write("omp-simd", byHand(example, text, true));
  const texts = [
    ["serial", "serial", text],
    ["acc", "openacc", text],
    ["omp", "openmp", readFileSync(plain, "utf8")],
    ["omp-simd", "openmp", readFileSync(simd, "utf8")],
    ...["default", "gcc"].map((map) => [`acc-to-omp.${map}`, "openmp", translate(source, "openmp", map)]),
    ["omp-to-acc", "openacc", translate(plain, "openacc", "default")],
    ["omp-simd-to-acc", "openacc", translate(simd, "openacc", "default")],
  ];
  for (const [name, language, content] of texts) {
    const file = write(name, content);
    const program = path.join(folder, `${example}.${name}`);
    execFileSync(cc, [...where, "-O3", "-w", "-no-pie", ...flags[language], file, "-o", program, "-lm"], {
      stdio: "inherit",
    });
    execFileSync("strip", [program]);
    if (name === "serial") {
      const [result] = execFileSync(program, sizes[example], { encoding: "utf8" }).split("\n");
      runs[example] = { arguments: sizes[example], result };
    }
  }
}

for (const name of ["libgomp.so.1", "libgomp-plugin-nvptx.so.1"]) {
  const found = execFileSync(cc, [...where, `-print-file-name=${name}`], { encoding: "utf8" }).trim();
  copyFileSync(realpathSync(found), path.join(folder, name));
}
writeFileSync(path.join(folder, "runs.json"), JSON.stringify(runs));
copyFileSync(path.join(import.meta.dirname, "measure.py"), path.join(folder, "measure.py"));
