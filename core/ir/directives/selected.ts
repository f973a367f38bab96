/** Selects the effective clause of a directive if there are several for different device types. */
import type { Clause, Directive } from "./directive.ts";
import type { Reading } from "./read-state.ts";

/** A clause that device_type may override: the default one, else the one for every device. */
export function selected(reading: Reading, d: Directive, name: string): Clause | undefined {
  const found = d.clauses.filter((c) => c.name === name);
  for (const c of found)
    if (
      c.deviceTypes &&
      !c.deviceTypes.includes("*") &&
      !c.deviceTypes.includes("default") &&
      !reading.diagnostics.some((n) => n.loc === c.loc)
    )
      reading.diagnostics.push({
        severity: "note",
        code: "device-type",
        loc: c.loc,
        message: `'${name}' for device_type(${c.deviceTypes.join(", ")}) is not used: one host program serves every target`,
        remedy: "put sizes into the default clauses, or use a variant axis",
      });
  return (
    found.find((c) => !c.deviceTypes) ??
    found.find((c) => c.deviceTypes?.some((t) => t === "*" || t === "default"))
  );
}
