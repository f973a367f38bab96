/** First line of preprocessed host code: options must not include further files before it. */
export const expandedMark = "/* all that this file includes is in it */";

/** First line of host code that nothing is to be done to: the source's own text, which is preprocessed already. */
export const untouchedMark = "/* preprocessed, and as it was */";
