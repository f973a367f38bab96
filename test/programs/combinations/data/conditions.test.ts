/**
 * Regions that use a variable which a data construct around them names, under a condition: if it does not hold, the
 * variable is not on the device, and the region moves it as if no construct were there.
 */
import type { Row } from "../covering.ts";
import { judged } from "../judged.ts";

const axes = {
  holds: ["yes", "no", "never"],
  shape: ["file array", "array", "part", "pointer", "scalar", "member"],
  use: ["read", "changed", "summed"],
  region: ["acc parallel loop", "acc kernels", "acc serial", "omp target teams distribute parallel for"],
  clause: ["to", "both"],
} as const;

type Combination = Row<typeof axes>;

const isMeaningful = ({ shape, use, region, clause }: Combination): boolean => {
  // Changes that `copyin` leaves on the device, and sums of private scalars, are not what plain C does.
  if (use === "changed" && clause === "to") return false;
  return shape !== "scalar" || (use !== "changed" && !region.startsWith("omp"));
};

function functionOf({ holds, shape, use, region, clause }: Combination, name: string): string {
  const acc = region.startsWith("acc");
  const variable = {
    "file array": `v_${name}`,
    array: "v",
    part: "v",
    pointer: "v",
    scalar: "v",
    member: "s.v",
  }[shape];
  const at = shape === "scalar" ? "v" : `${variable}[i]`;
  const declared = {
    "file array": "",
    array: "int v[8];",
    part: "int v[8];",
    pointer: "int *v = malloc(8 * sizeof *v);",
    scalar: "int v = 3;",
    member: "struct { int *v; int n; } s = {malloc(8 * sizeof(int)), 8};",
  }[shape];
  const section = {
    "file array": "",
    array: "",
    part: "[2:n - 2]",
    pointer: "[0:n + 2]",
    scalar: "",
    member: "[0:8]",
  }[shape];
  const from = shape === "part" ? 2 : 0;
  const item = `${variable}${section}`;
  const named = acc
    ? `acc data ${clause === "to" ? "copyin" : "copy"}(${item})`
    : `omp target data map(${clause === "to" ? "to" : "tofrom"}: ${item})`;
  const condition = { yes: "n > 5", no: "n > 6", never: "0" }[holds];
  const body = { read: `out[i] = ${at} * 2;`, changed: `${at} += i;`, summed: `sum += ${at};` }[use];
  const sum =
    use !== "summed"
      ? ""
      : acc && region !== "acc kernels"
        ? " reduction(+:sum)"
        : acc
          ? ""
          : " reduction(+:sum) map(tofrom: sum)";
  const other = acc && region !== "acc kernels" ? " copy(out)" : "";
  const loop = `for (int i = ${from}; i < n; i++) ${body}`;
  const work =
    region === "acc serial"
      ? `#pragma acc serial loop${sum}${other}\n    ${loop}`
      : `#pragma ${region}${sum}${other}\n    ${loop}`;
  const set = shape === "scalar" ? "" : `for (int i = 0; i < 8; i++) ${at} = 5 * i + 1;`;
  return `${shape === "file array" ? `static int v_${name}[8];\n` : ""}static void ${name}(void) {
  ${declared}
  int out[8] = {0}, sum = 0, n = 6;
  ${set}
#pragma ${named} if (${condition})
  {
    ${work}
    ${work}
  }
  for (int i = 0; i < 8; i++) sum = sum * 3 + out[i] + ${at};
  printf("${name} %d\\n", sum);
}
`;
}

judged("data constructs with a condition", axes, isMeaningful, functionOf, ["host", "oclgrind"]);
