/** The numbers of device types that a program's header and arc's runtime share. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { deviceTypes } from "../../../../core/ir/model/device-types.ts";
import { foreignDeviceTypes } from "../../../../core/ir/read/foreign-header.ts";
import { parse } from "../../../../core/lang/index.ts";

const warnings = (text: string) => foreignDeviceTypes(parse(text, { file: "a.c" }).unit.scope);

const ours = readFileSync(
  path.resolve(import.meta.dirname, "../../../../targets/runtime/include/openacc.h"),
  "utf8",
);
const enumeration = /typedef enum acc_device_t \{[^}]*\} acc_device_t;/.exec(ours)?.[0] ?? "";

describe("device types", () => {
  it("have the values of arc's openacc.h", () => {
    const values = [...enumeration.matchAll(/acc_device_(\w+) = (\d+)/g)].map(
      ([, name, value]) => [name, Number(value)] as const,
    );
    expect(Object.fromEntries(values)).toEqual(deviceTypes);
    expect(warnings(enumeration)).toEqual([]);
  });

  it("are a warning where another compiler's header gives them other values", () => {
    // gcc's.
    const theirs =
      '# 1 "/opt/gcc/openacc.h" 1\n' +
      "typedef enum acc_device_t { acc_device_none = 0, acc_device_default = 1, acc_device_host = 2,\n" +
      "  acc_device_not_host = 4, acc_device_nvidia = 5 } acc_device_t;\n";
    expect(warnings(theirs)).toMatchObject([
      {
        code: "foreign-header",
        loc: { file: "/opt/gcc/openacc.h", line: 2, col: 3 },
        message: expect.stringContaining(
          "'acc_device_not_host' is 4 in this header, and 3 for arc's runtime",
        ),
      },
    ]);
  });

  it("are the program's own names where it has no such header", () => {
    expect(warnings("int acc_device_host;")).toEqual([]);
    expect(warnings("enum { first, acc_device_nothing };")).toEqual([]);
  });
});
