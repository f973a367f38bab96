/** Whether device compilers may make one operation of a product and a sum, which rounds once. */

/** The program's compiler options keep them apart; the last option counts, as for gcc. */
export const keepsApart = (cflags: readonly string[]): boolean =>
  cflags.findLast((word) => word.startsWith("-ffp-contract=")) === "-ffp-contract=off";

/** OpenCL compilers have no option for it: with this macro, kernel texts ask for it themselves. */
export const APART = "ARC_FP_CONTRACT_OFF";
