/** Whether device compilers may make one operation of a product and a sum, which rounds once. */

/** gcc's and clang's option for it, and nvcc's. */
export const apartOption = "-ffp-contract=off";
export const apartInCuda = "-fmad=false";

/** The program's compiler options keep them apart; the last option counts, as for gcc. */
export const keepsApart = (cflags: readonly string[]): boolean =>
  cflags.findLast((word) => word.startsWith("-ffp-contract=")) === apartOption;

/** OpenCL compilers have no option for it: with this macro, kernel texts ask for it themselves. */
export const APART = "ARC_FP_CONTRACT_OFF";
