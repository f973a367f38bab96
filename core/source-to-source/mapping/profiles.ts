/** How loops are mapped, by kind of device or by how a given compiler handles directives. Each rule has its source. */

export const mappings = ["default", "cpu", "gpu", "gcc", "clang", "nvc", "cce"] as const;
export type MappingName = (typeof mappings)[number];

/** literal: as the directives say; the others follow Algorithms 2 to 4 of CCAMP, and what was measured (docs/translate.md). */
export type Strategy = "literal" | "omp-cpu" | "omp-gpu" | "omp-gcc" | "acc";

interface Rule {
  readonly strategy: Strategy;
  /** Regions become loops of the host's threads, if the source leaves the device's memory to its directives. */
  readonly onHost?: true;
  /** Whether the compiler takes `always` in data clauses (OpenACC 3.4). */
  readonly knowsAlways?: false;
  readonly source: string;
}

interface Profile {
  readonly openmp: Rule;
  readonly openacc: Rule;
}

const ccamp = "J. Lambert, CCAMP (PhD, University of Oregon, 2021)";
const asWritten: Rule = { strategy: "literal", source: "the directives as they stand" };
const forAcc: Rule = { strategy: "acc", source: `${ccamp}, Algorithm 4: the same for CPUs and GPUs` };

export const profiles: Readonly<Record<MappingName, Profile>> = {
  default: { openmp: asWritten, openacc: asWritten },
  cpu: {
    openmp: {
      strategy: "omp-cpu",
      onHost: true,
      source:
        `${ccamp}, Algorithm 2; measured with gcc 12 on two cores (docs/translate.md): a region of the host's threads ` +
        "is faster than `target`, branches are no hindrance to simd, and collapse is one where the rows are many",
    },
    openacc: forAcc,
  },
  gpu: { openmp: { strategy: "omp-gpu", source: `${ccamp}, Algorithm 3` }, openacc: forAcc },
  gcc: {
    openmp: {
      strategy: "omp-gcc",
      source:
        `${ccamp}, section 3.5.4: GCC 10.1 needs simd on GPUs too; measured with gcc 12.2 on an H200 (docs/translate.md): ` +
        "rows of a sparse matrix are 1.7 times as fast with simd, a stencil of one statement is slower by a quarter",
    },
    // gcc 12.2: "'always' undeclared".
    openacc: { ...forAcc, knowsAlways: false },
  },
  clang: {
    openmp: { strategy: "omp-gpu", source: `${ccamp}, section 3.4: clang ignores simd on GPUs` },
    openacc: forAcc,
  },
  nvc: {
    openmp: {
      strategy: "omp-gpu",
      source: `${ccamp}, section 4.4: nvc 20.11 takes loop nests as Algorithm 3 has them`,
    },
    openacc: {
      strategy: "acc",
      source: `${ccamp}, section 3.4: gang and worker have no effect on PGI's compiler`,
    },
  },
  cce: {
    openmp: {
      strategy: "omp-gpu",
      source:
        "HPE Cray, Classic C and C++ Reference Manual 9.0.0 (S-2179): from CCE 9 the C compiler is clang, whose mapping " +
        "this is; github.com/MFlowCode/MFC/pull/1606: with CCE 19 on an MI250X simd changes no time (Fortran)",
    },
    openacc: forAcc,
  },
};
