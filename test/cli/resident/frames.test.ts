import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frame, frameOf, parseRequest, statusFrame } from "../../../cli/resident/frames.ts";
import { cases } from "../../cases.ts";

const requestOf = (...fields: readonly string[]): Buffer => {
  const text = Buffer.from(fields.map((field) => `${field}\0`).join(""), "utf8");
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
};

const word = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", ""));
const name = fc.stringMatching(/^[A-Z_]+$/);

describe("a request to a resident compiler", () => {
  it("is read as it was written, and only when it is whole", () => {
    const env = fc.dictionary(name, word);
    fc.assert(
      fc.property(fc.array(word), env, fc.nat(0o777), fc.nat(), (args, env, umask, cut) => {
        const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
        const bytes = requestOf(
          umask.toString(8),
          "",
          "80x25",
          "/folder",
          `${args.length}`,
          ...args,
          ...variables,
        );
        expect(parseRequest(bytes.subarray(0, cut % bytes.length))).toBeUndefined();
        expect(parseRequest(bytes)).toEqual({
          umask,
          stdout: undefined,
          stderr: { columns: 80, rows: 25 },
          cwd: "/folder",
          args,
          env: { ...env },
        });
      }),
      cases(200),
    );
  });

  it("is refused if it is none: no folder, fewer arguments than it says, too long", () => {
    expect(() => parseRequest(requestOf("22", "", "", "folder", "1", "cc"))).toThrow("damaged");
    expect(() => parseRequest(requestOf("22", "", "", "/folder", "3", "cc"))).toThrow("damaged");
    expect(() => parseRequest(Buffer.from([0, 0, 0, 255]))).toThrow("too long");
  });
});

describe("an answer of a resident compiler", () => {
  it("is frames of a kind, a length and bytes", () => {
    expect([...frameOf(frame.stderr, Buffer.from("no"))]).toEqual([2, 2, 0, 0, 0, 110, 111]);
    expect([...statusFrame(-1)]).toEqual([3, 4, 0, 0, 0, 255, 255, 255, 255]);
  });
});
