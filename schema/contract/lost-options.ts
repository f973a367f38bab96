/**
 * Options of C compilers whose results would be lost. arc compiles in folders of its own, which are gone when the program
 * runs, and programs load their kernels as shared objects.
 */

interface LostOption {
  /** What the option would do in vain, as a clause. */
  readonly why: string;
  readonly remedy: string;
  /** The program is what it would be without arc, so a warning is enough. */
  readonly isOnlyLog?: true;
}

const withoutRegions = "leave it out, or compile files without regions by the C compiler itself";

const table: readonly (readonly [option: RegExp, LostOption])[] = [
  [
    /^(--?coverage|-ftest-coverage|-fprofile-arcs|-f(cs-)?(profile|profile-instr)-generate(=.*)?|-fcoverage-mapping)$/,
    { why: "its counts would go to a folder that is gone when the program runs", remedy: withoutRegions },
  ],
  [
    /^-f(profile-use|profile-instr-use|auto-profile|profile-sample-use)(=.*)?$/,
    { why: "counts are not looked for where arc compiles", remedy: withoutRegions },
  ],
  [
    /^-gsplit-dwarf(=.*)?$/,
    {
      why: "its files would stay in a folder that is gone when the program is debugged",
      remedy: "write -g instead",
    },
  ],
  [
    /^(-{1,2}save-temps(=.*)?|-fdump-.*|-fstack-usage|-fcallgraph-info(=.*)?|-aux-info)$/,
    {
      why: "the files that it writes beside objects would be lost",
      remedy: withoutRegions,
      isOnlyLog: true,
    },
  ],
];

/** Undefined for options that change nothing but the object, or nothing that is kept. */
export const lostOption = (option: string): LostOption | undefined =>
  table.find(([pattern]) => pattern.test(option))?.[1];

/** Links without shared objects, by which programs come to their kernels. */
export const linksStatically = (option: string): boolean => /^--?static(-pie)?$/.test(option);

export const staticLink: LostOption = {
  why: "the program loads its kernels, and the devices' libraries, as shared objects",
  remedy: "leave it out; libraries of the program's own may be archives (.a, -static-libgcc)",
};
