/** Records that must be rejected, by what is wrong with them. */
import { digestBytes } from "../../../../core/build/key/digest.ts";

/** Bytes that a server has for every digest that a hostile list names. */
export const PAYLOAD = "owned\n";
const D = digestBytes(PAYLOAD);

const rows = (...list: unknown[]): string => JSON.stringify(list);
const many = (count: number, row: (at: number) => unknown): string =>
  JSON.stringify(Array.from({ length: count }, (_, at) => row(at)));
const padded = (at: number): string => String(at).padStart(7, "0");

/** Lists of folders. `outside`: an absolute path that must not be touched. */
export function hostileFolders(outside: string): Readonly<Record<string, string>> {
  return {
    "a link to elsewhere and a file by way of it": rows(["a", "l", outside], ["a/pwned", "f", D]),
    "a relative link out and a file by way of it": rows(["a", "l", "../../.."], ["a/pwned", "f", D]),
    "the file before its link": rows(["a/pwned", "f", D], ["a", "l", outside]),
    "a link to elsewhere": rows(["a", "l", outside]),
    "a link out": rows(["a", "l", "../x"]),
    "a link out from below": rows(["b/a", "l", "../../x"]),
    "a link out by way of another": rows(["a/b/s", "l", "../.."], ["x", "l", "a/b/s/../../x"]),
    "a link out by way of very many": JSON.stringify([
      ["a", "l", "b10/.."],
      ...Array.from({ length: 60 }, (_, at) => [`b${at + 10}`, "l", at < 59 ? `b${at + 11}` : "."]),
    ]),
    "a link to nothing": rows(["a", "l", ""]),
    "a link with a NUL": rows(["a", "l", "b\0c"]),
    "a link to no text": rows(["a", "l", 7]),
    "a path upwards": rows(["../pwned", "f", D]),
    "a path upwards from below": rows(["a/../../pwned", "f", D]),
    "an absolute path": rows([`${outside}/pwned`, "f", D]),
    "an empty path": rows(["", "f", D]),
    "an empty part": rows(["a//b", "f", D]),
    "a path that ends in a slash": rows(["a/", "e"]),
    "the folder itself": rows([".", "e"]),
    "a path by way of itself": rows(["a/./b", "f", D]),
    "a NUL in a path": rows(["a\0b", "f", D]),
    "half a character in a path": '[["a\\ud800","f","D"]]'.replace("D", D),
    "a name that is too long": rows(["n".repeat(256), "f", D]),
    "a path that is too long": rows([Array.from({ length: 3000 }, () => "d").join("/"), "f", D]),
    "a path that is no text": rows([["a"], "f", D]),
    "a digest that leads elsewhere": rows(["r", "f", `../../../../../../../..${outside}/kept`]),
    "a digest in capitals": rows(["r", "f", D.toUpperCase()]),
    "no digest": rows(["r", "f"]),
    "a digest too many": rows(["r", "e", D]),
    "a kind that nobody knows": rows(["r", "device", D]),
    "a kind of every object": rows(["r", "constructor", D]),
    "a row twice": rows(["a", "f", D], ["a", "f", D]),
    "a row below a file": rows(["a", "f", D], ["a/b", "f", D]),
    "a row below an empty folder": rows(["a", "e"], ["a/b", "f", D]),
    "rows in another order": rows(["b", "f", D], ["a", "f", D]),
    "a folder and then a file of its name": rows(["a/b", "f", D], ["a", "f", D]),
    "empty rows": many(1000, () => []),
    "too many rows": many(200_000, (at) => [`e${padded(at)}`, "e"]),
    "too many folders": many(10_000, (at) => [`${padded(at)}/a/b/c/d/e/f/g/h`, "e"]),
    "too many lists": "[".repeat(3_000_000),
    "an object": JSON.stringify({ a: 1 }),
    "no JSON": "<html>",
    nothing: "",
    null: "null",
  };
}

interface Loose {
  readonly outputs: readonly Readonly<Record<string, unknown>>[];
  readonly [name: string]: unknown;
}

const finding = { severity: "warning", code: "c", message: "m", loc: { file: "a", line: 1, col: 1 } };
const withOutput =
  (more: object) =>
  (result: Loose): object => ({ ...result, outputs: result.outputs.map((one) => ({ ...one, ...more })) });
const withFindings =
  (diagnostics: unknown) =>
  (result: Loose): object => ({ ...result, diagnostics });

/** Changes to the honest result of an action that writes the file `o`. */
export const hostileResults: Readonly<Record<string, (result: Loose) => unknown>> = {
  null: () => null,
  "a text": () => "result",
  "no outputs": (result) => ({ ...result, outputs: [] }),
  "outputs that are no list": (result) => ({ ...result, outputs: { length: 0 } }),
  "an output twice": (result) => ({ ...result, outputs: [...result.outputs, ...result.outputs] }),
  "an output outside": withOutput({ name: "../../pwned" }),
  "an output elsewhere": withOutput({ name: "/pwned" }),
  "an output that nobody asked for": (result) => ({
    ...result,
    outputs: [...result.outputs, { name: "p", kind: "file", digest: D, size: 6 }],
  }),
  "a folder for a file": withOutput({ kind: "folder" }),
  "a kind that nobody knows": withOutput({ kind: "link" }),
  "a digest that is a path": withOutput({ digest: "../../../etc/passwd" }),
  "a size below nothing": withOutput({ size: -1 }),
  "a size of a fraction": withOutput({ size: 0.5 }),
  "a size that is not that of the bytes": withOutput({ size: 5 }),
  "a size that is a text": withOutput({ size: "6" }),
  "an endless size": withOutput({ size: 1e300 }),
  "no text for a program": withOutput({ executable: "yes" }),
  "another key": (result) => ({ ...result, key: "0".repeat(64) }),
  "another action": (result) => ({ ...result, base: "0".repeat(64) }),
  "a time before it started": (result) => ({ ...result, seconds: -1 }),
  "a time that is a text": (result) => ({ ...result, seconds: "1" }),
  "a log that is a path": (result) => ({ ...result, log: "../../../etc/passwd" }),
  "a failure": (result) => ({ ...result, failure: { message: "no" }, outputs: [] }),
  "discovered devices": (result) => ({ ...result, discovered: { files: [["/dev/zero", D]], missing: [] } }),
  "discovered outside": (result) => ({ ...result, discovered: { files: [["../../x", D]], missing: [] } }),
  "discovered no digest": (result) => ({ ...result, discovered: { files: [["x", "y"]], missing: [] } }),
  "discovered nothing": (result) => ({ ...result, discovered: null }),
  "diagnostics that are a text": withFindings("x"),
  "diagnostics that are an object": withFindings({ length: 1 }),
  "diagnostics of nothing": withFindings([null]),
  "diagnostics without a place": withFindings([{ ...finding, loc: undefined }]),
  "diagnostics in no file": withFindings([{ ...finding, loc: { file: 7, line: 1, col: 1 } }]),
  "diagnostics in no line": withFindings([{ ...finding, loc: { file: "a", line: "1", col: 1 } }]),
  "diagnostics in a column beyond all": withFindings([
    { ...finding, loc: { file: "a", line: 1, col: 1e12 } },
  ]),
  "diagnostics of no severity": withFindings([{ ...finding, severity: "constructor" }]),
  "diagnostics with notes that are none": withFindings([{ ...finding, notes: [null] }]),
};
