/**
 * Functions of C's <string.h>, <ctype.h> and <stdlib.h> whose definitions arc has, because no device has them. Device
 * code calls them as it calls functions of another source file. In <ctype.h> they are those of the "C" locale.
 */

import { parse } from "../../lang/index.ts";
import type { FunctionDef, Symbol } from "../../lang/tree/ast.ts";
import type { Program } from "./program.ts";

/** Their names in device code: compilers of kernels may know the C names. */
const prefix = "arc_";

/** The file in whose positions its functions stand. */
export const libraryFile = "C library";

const size = "unsigned long";

const text = `
void *malloc(${size});
void *memset(void *, int, ${size});
static void *arc_calloc(${size} count, ${size} each) {
  if (each && count > (${size})-1 / each) return 0;
  void *made = malloc(count * each);
  if (made) memset(made, 0, count * each);
  return made;
}
static ${size} arc_strlen(const char *s) {
  ${size} n = 0;
  while (s[n]) n++;
  return n;
}
static ${size} arc_strnlen(const char *s, ${size} most) {
  ${size} n = 0;
  while (n < most && s[n]) n++;
  return n;
}
static int arc_strcmp(const char *a, const char *b) {
  ${size} k = 0;
  while (a[k] && a[k] == b[k]) k++;
  return (int)(unsigned char)a[k] - (int)(unsigned char)b[k];
}
static int arc_strncmp(const char *a, const char *b, ${size} most) {
  for (${size} k = 0; k < most; k++) {
    if (a[k] != b[k]) return (int)(unsigned char)a[k] - (int)(unsigned char)b[k];
    if (!a[k]) return 0;
  }
  return 0;
}
static char *arc_strcpy(char *to, const char *from) {
  ${size} k = 0;
  while (from[k]) {
    to[k] = from[k];
    k++;
  }
  to[k] = 0;
  return to;
}
static char *arc_strncpy(char *to, const char *from, ${size} count) {
  ${size} k = 0;
  while (k < count && from[k]) {
    to[k] = from[k];
    k++;
  }
  for (; k < count; k++) to[k] = 0;
  return to;
}
static char *arc_strcat(char *to, const char *from) {
  ${size} at = 0;
  while (to[at]) at++;
  ${size} k = 0;
  while (from[k]) {
    to[at + k] = from[k];
    k++;
  }
  to[at + k] = 0;
  return to;
}
static char *arc_strncat(char *to, const char *from, ${size} most) {
  ${size} at = 0;
  while (to[at]) at++;
  ${size} k = 0;
  while (k < most && from[k]) {
    to[at + k] = from[k];
    k++;
  }
  to[at + k] = 0;
  return to;
}
static char *arc_strchr(const char *s, int c) {
  char wanted = (char)c;
  while (*s != wanted) {
    if (!*s) return 0;
    s++;
  }
  return (char *)s;
}
static char *arc_strrchr(const char *s, int c) {
  char wanted = (char)c;
  ${size} n = 0;
  while (s[n]) n++;
  for (; n > 0; n--)
    if (s[n] == wanted) return (char *)(s + n);
  return *s == wanted ? (char *)s : 0;
}
static char *arc_strstr(const char *s, const char *wanted) {
  for (;; s++) {
    ${size} k = 0;
    while (wanted[k] && s[k] == wanted[k]) k++;
    if (!wanted[k]) return (char *)s;
    if (!*s) return 0;
  }
}
static ${size} arc_strspn(const char *s, const char *set) {
  ${size} n = 0;
  for (; s[n]; n++) {
    ${size} k = 0;
    while (set[k] && set[k] != s[n]) k++;
    if (!set[k]) return n;
  }
  return n;
}
static ${size} arc_strcspn(const char *s, const char *set) {
  ${size} n = 0;
  for (; s[n]; n++) {
    ${size} k = 0;
    while (set[k] && set[k] != s[n]) k++;
    if (set[k]) return n;
  }
  return n;
}
static int arc_memcmp(const void *a, const void *b, ${size} count) {
  const unsigned char *x = a, *y = b;
  for (${size} k = 0; k < count; k++)
    if (x[k] != y[k]) return (int)x[k] - (int)y[k];
  return 0;
}
static void *arc_memmove(void *to, const void *from, ${size} count) {
  unsigned char *x = to;
  const unsigned char *y = from;
  if ((${size})x <= (${size})y)
    for (${size} k = 0; k < count; k++) x[k] = y[k];
  else
    for (${size} k = count; k > 0; k--) x[k - 1] = y[k - 1];
  return to;
}
static void *arc_memchr(const void *s, int c, ${size} count) {
  const unsigned char *x = s;
  for (${size} k = 0; k < count; k++)
    if (x[k] == (unsigned char)c) return (void *)(x + k);
  return 0;
}
static int arc_isdigit(int c) { return c >= '0' && c <= '9'; }
static int arc_isupper(int c) { return c >= 'A' && c <= 'Z'; }
static int arc_islower(int c) { return c >= 'a' && c <= 'z'; }
static int arc_isalpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
static int arc_isalnum(int c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
static int arc_isxdigit(int c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }
static int arc_isblank(int c) { return c == ' ' || c == '\\t'; }
static int arc_isspace(int c) { return c == ' ' || (c >= '\\t' && c <= '\\r'); }
static int arc_iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
static int arc_isprint(int c) { return c >= 32 && c < 127; }
static int arc_isgraph(int c) { return c > 32 && c < 127; }
static int arc_ispunct(int c) {
  return c > 32 && c < 127 && !((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
}
static int arc_tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
static int arc_toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
static long arc_atol(const char *s) {
  while (*s == ' ' || (*s >= '\\t' && *s <= '\\r')) s++;
  int negative = *s == '-';
  if (*s == '-' || *s == '+') s++;
  unsigned long value = 0;
  for (; *s >= '0' && *s <= '9'; s++) value = 10 * value + (unsigned long)(*s - '0');
  return (long)(negative ? 0 - value : value);
}
static long long arc_atoll(const char *s) { return arc_atol(s); }
static int arc_atoi(const char *s) { return (int)arc_atol(s); }
`;

let made: Program | undefined;

/** They as a source of the program, parsed when the first of them is called. */
function library(): Program {
  made ??= {
    unit: parse(text, { file: libraryFile }).unit,
    routines: new Map(),
    declares: [],
    diagnostics: [],
  };
  return made;
}

/** Arc's definition of a function of C's library; absent: arc has none, or the name is a static function's. */
export function libraryFunction(
  sym: Symbol,
): { readonly program: Program; readonly def: FunctionDef } | undefined {
  if (sym.storage === "static" || !text.includes(`${prefix}${sym.name}(`)) return undefined;
  const program = library();
  for (const def of program.unit.externals)
    if (def.kind === "function" && def.sym.name === `${prefix}${sym.name}`) return { program, def };
  return undefined;
}
