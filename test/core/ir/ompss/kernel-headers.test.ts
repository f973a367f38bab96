/** Headers of kernels' files travel with them. */
import { expect, it } from "vitest";
import { withHeaders } from "../../../../core/ir/ompss/kernel-headers.ts";

const files: Readonly<Record<string, string>> = {
  "a.h": '#include "b.h"\nint a;\n',
  "b.h": "#pragma once\nint b;\n",
  "self.h": '#ifndef SELF\n#define SELF\n#include "self.h"\nint self;\n#endif\n',
};
const whole = (text: string) =>
  withHeaders({ path: "k.cl", text }, (path) => {
    const found = files[path];
    return found === undefined ? undefined : { path, text: found };
  });

it("headers are included in place, keep their line numbers, and occur once if they say so", () => {
  expect(whole('int k;\n#include "a.h"\n# include "b.h" // again\nint l;\n')).toBe(
    [
      ...[
        "int k;",
        '#line 1 "a.h"',
        '#line 1 "b.h"',
        "",
        "int b;",
        '#line 2 "a.h"',
        "int a;",
        '#line 3 "k.cl"',
      ],
      ...["", "int l;", ""],
    ].join("\n"),
  );
  expect(whole('#include "self.h"\n').match(/int self/g)).toHaveLength(1);
});

it.each(["__kernel void f() {}\r\n", '#include <x.h>\n#include "gone.h"\n#define A "a.h"\n', ""])(
  "text without headers that exist is unchanged: %#",
  (text) => expect(whole(text)).toBe(text),
);
