/** First line of preprocessed host code: options must not include further files before it. */
export const expandedMark = "/* all that this file includes is in it */";
