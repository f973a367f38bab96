/** Tokens of system headers that another text had are those of this text, and so are the macros in force. */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { lex, parse } from "../../../../core/lang/index.ts";

const preprocessed = (text: string, file: string): string =>
  execFileSync("gcc", ["-E", "-dD", "-fopenmp", "-x", "c", "-"], {
    input: `# 1 "${file}"\n${text}`,
    encoding: "utf8",
  });

const uses = (pragma: string): string => `int n;\nvoid f(void) {\n#pragma ${pragma}\n  n++;\n}\n`;

const sources: Readonly<Record<string, string>> = {
  "the same headers": `#include <stdio.h>\n#include <math.h>\n${uses("acc parallel num_gangs(BUFSIZ)")}`,
  "the same headers once more": `#include <stdio.h>\n#include <math.h>\n${uses("acc parallel num_gangs(EOF)")}`,
  "a macro in front of them": `#define M_PI 3\n#undef M_PI\n#include <stdio.h>\n#include <math.h>\n${uses("acc parallel if(M_PI > 3)")}`,
  "a header's macro is taken away": `#include <stdio.h>\n#undef BUFSIZ\n${uses("acc parallel num_gangs(BUFSIZ)")}`,
  "a header's macro has another value behind it": `#include <stdio.h>\n#undef BUFSIZ\n#define BUFSIZ 7\n#include <math.h>\n${uses("acc parallel num_gangs(BUFSIZ)")}`,
  "a pragma in front of a header": `#pragma omp declare target\n#include <stdio.h>\n#pragma omp end declare target\n${uses("acc parallel num_gangs(BUFSIZ)")}`,
  "another order": `#include <math.h>\n#include <stdio.h>\n${uses("acc parallel num_gangs(BUFSIZ)")}`,
  "no header": uses("acc parallel num_gangs(BUFSIZ)"),
  "a header that was read between declarations": `int before;\n#include <stdio.h>\nint behind;\n${uses("acc parallel num_gangs(BUFSIZ)")}`,
};

function told(text: string, sharesHeaders: boolean) {
  const { tokens, macrosAt, systemFiles, ...rest } = lex(text, "a.c", {
    expandPragmas: ["acc"],
    sharesHeaders,
  });
  const plain = tokens.map(({ offset: _, pragmas, ...token }) => ({
    ...token,
    pragmas: pragmas?.map(({ tokens: words }) => words.map((word) => word.text).join(" ")),
  }));
  const versions = tokens.map((_, at) => {
    const { table, version, relex } = macrosAt(at);
    return table
      .lookup("BUFSIZ", version, relex)
      ?.body.map((token) => token.text)
      .join(" ");
  });
  return { ...rest, plain, versions, systemFiles: [...systemFiles].sort() };
}

describe("headers that were read before", () => {
  test.each(Object.entries(sources))("%s", (_, source) => {
    for (const file of ["a.c", "b.c"]) {
      const text = preprocessed(source, file);
      const alone = told(text, false);
      expect(alone.plain.some(({ pragmas }) => pragmas)).toBe(true);
      expect(told(text, true)).toEqual(alone);
    }
  });

  test("their tokens are not made twice", () => {
    const [one, two] = ["a.c", "b.c"].map((file) => {
      const text = preprocessed(sources["the same headers"] ?? "", file);
      return parse(text, { file, usedPrototypes: true }).source.tokens;
    });
    const ofHeaders = (tokens: typeof one) => (tokens ?? []).filter(({ loc }) => loc.file.startsWith("/"));
    expect(ofHeaders(one).length).toBeGreaterThan(1000);
    expect(ofHeaders(two)[0]).toBe(ofHeaders(one)[0]);
  });
});
