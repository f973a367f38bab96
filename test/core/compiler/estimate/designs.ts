/** Small programs to designs and estimates. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { frontEnd } from "../../../../core/compiler/driver/front-end.ts";
import { designsOf, type Estimate, estimate } from "../../../../core/compiler/estimate/estimate.ts";
import type { DeviceProfile } from "../../../../core/ir/model/device-profile.ts";
import type { Assignment } from "../../../../schema/document/axis.ts";
import { findDevice } from "../../../../targets/devices/devices.ts";

export function estimateOf(
  source: string,
  choice: Assignment = {},
  {
    device = "stratix-v",
    args = [] as readonly string[],
    defines = [] as readonly string[],
    inOrder = false,
  } = {},
): Estimate {
  const table = findDevice(device) as DeviceProfile;
  const text = execFileSync("gcc", ["-E", "-dD", ...defines.map((d) => `-D${d}`), "-x", "c", "-"], {
    input: source,
    encoding: "utf8",
  });
  const { program, linkage } = frontEnd({ file: "case.c", text });
  const errors = program.diagnostics.filter((d) => d.severity === "error");
  if (errors.length > 0) throw new Error(errors.map((d) => `${d.loc.line}: ${d.message}`).join("\n"));
  const designs = designsOf(program, linkage, () => choice, table, inOrder);
  return estimate(designs, [program], [{ name: "run", args }], table);
}

export const fpgaProgram = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, `../../../programs/fpga/${name}.c`), "utf8");
