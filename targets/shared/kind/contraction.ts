/** Whether device compilers may make one operation of a product and a sum, which rounds once. */

/** gcc's and clang's option for it. */
export const apartOption = "-ffp-contract=off";

/** The program's compiler options keep them apart; the last option counts, as for gcc. */
export const keepsApart = (cflags: readonly string[]): boolean =>
  cflags.findLast((word) => word.startsWith("-ffp-contract=")) === apartOption;

/** OpenCL compilers have no option for it: with this macro, kernel texts ask for it themselves. */
export const APART = "ARC_FP_CONTRACT_OFF";

/** nvcc's option, and the macro for what the option does not change. */
export const apartInCuda = ["-fmad=false", `-D${APART}`] as const;
