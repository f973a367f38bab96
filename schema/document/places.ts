/** Where in the project builds leave things. */

/** All in it is arc's. */
export const outputFolder = "out";
