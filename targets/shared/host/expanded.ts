/** The first line of host code that holds all that its file includes: no option may include anything before it. */
export const expandedMark = "/* all that this file includes is in it */";
