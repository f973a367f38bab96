/**
 * Sources without directives, of which most programs have many: nothing is to be translated in them, so they need not be
 * parsed.
 */
import { untouchedMark } from "../../../targets/shared/host/expanded.ts";
import { isIr, type Preprocessed } from "./read-source.ts";

/**
 * Pragmas that are no directives for certain, so that headers may have them; an attribute may be a directive, and a raw
 * string may have lines that look like others.
 */
const mayTouch =
  /^[ \t]*#[ \t]*pragma\b(?![ \t]+(?:GCC|clang|STDC|once|pack|weak|message|redefine_extname)\b)|\[\[|\bU?[LuU8]*R"/m;

/** The runtime's names: whether the source may declare them is known only after parsing. */
const runtimeName = /\barc\d*_/;

/** Whether a source has certainly nothing to translate, nor to refuse. */
export const isDirectiveFree = (source: Preprocessed): boolean =>
  !isIr(source.file) && !mayTouch.test(source.text) && !runtimeName.test(source.text);

/** Host code of such a source. */
export const untouched = ({ text }: Preprocessed): string =>
  // The lines stay: they are counted.
  `${untouchedMark}\n${text.replace(/^#(?:define|undef) .*$/gm, "")}`;
