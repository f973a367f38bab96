/** Where builds write in the project. */

/** Everything in this folder belongs to arc. */
export const outputFolder = "out";
