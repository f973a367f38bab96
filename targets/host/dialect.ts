import { pointerTo, qualify, sizeOf } from "../../core/lang/index.ts";
import type { Kernel, KernelParam, WorkItemId } from "../shared/device/device.ts";
import { unrollCopies } from "../shared/device/pragmas.ts";
import { apart } from "../shared/print/apart.ts";
import { type AtomicHelper, newValue, operandsOf } from "../shared/print/atomics.ts";
import { combined, type Dialect, type KernelPrinter, treeReduce } from "../shared/print/kernel-text.ts";
import { predefined } from "../shared/print/type-closure.ts";
import { declaredForTeam, withTeamPointers } from "./team-arrays.ts";

const workItemIds: Record<WorkItemId, string> = {
  item: "0",
  items: "1",
  group: "arc_group",
  groups: "arc_groups",
  item_x: "0",
  item_y: "0",
  group_x: "arc_group",
  group_y: "0",
  groups_x: "arc_groups",
  groups_y: "1",
};

/** As libarcrt and gcc's OpenMP have it. */
const clock = [
  "#ifndef ARC_CLOCK",
  "#define ARC_CLOCK",
  "#include <time.h>",
  "static inline double omp_get_wtime(void) {",
  "  struct timespec arc_now;",
  "  clock_gettime(CLOCK_MONOTONIC, &arc_now);",
  "  return (double)arc_now.tv_sec + 1e-9 * (double)arc_now.tv_nsec;",
  "}",
  "static inline double omp_get_wtick(void) { return 1e-9; }",
  "#endif",
];

export const host: Dialect = {
  reserved: new Set(),
  deviceTypes: [2],
  hasType: predefined({ size_t: "ulong", ptrdiff_t: "long" }),
  options: {
    expr(e) {
      if (e.kind !== "float" || Number.isFinite(e.value)) return undefined;
      return e.value === Infinity ? "__builtin_inf()" : sizeOf(e.type) === 4 ? "NAN" : '__builtin_nan("")';
    },
  },
  pragma(p) {
    const copies = unrollCopies(p);
    return copies === undefined ? undefined : copies > 0 ? [`#pragma GCC unroll ${copies}`] : [];
  },
  head: (text) => [
    "#include <stddef.h>",
    "#include <stdint.h>",
    ...(/\b(malloc|free|abs|labs|llabs|abort|exit)\(/.test(text) ? ["#include <stdlib.h>"] : []),
    ...(/\bprintf\(/.test(text) ? ["#include <stdio.h>"] : []),
    ...(/\b__assert_fail\(/.test(text) ? ["#include <assert.h>"] : []),
    ...(/\bmem(cpy|set)\(/.test(text) ? ["#include <string.h>"] : []),
    "#include <math.h>",
    '#include "arc_host_team.h"',
    ...(/\bomp_get_wti(me|ck)\(/.test(text) ? clock : []),
  ],
  workItemId: (p) => workItemIds[p],
  barrier: ";",
  fence: "__atomic_thread_fence(__ATOMIC_SEQ_CST);",
  shared: (declaration) => `${declaration};`,
  functionPrefix: "static",
  spaceOf: () => "",
  kernel(kernel: Kernel, print: KernelPrinter) {
    const params = parameters(kernel, print);
    const inner = `${kernel.name}_group`;
    const names = kernel.params.map((p) => print.name(p.sym));
    return [
      `ARC_WIDEST static void ${inner}(${["const long arc_group", "const long arc_groups", ...params].join(", ")}) {`,
      ...kernel.shared.map((s) => `  ${print.decl(s.type, print.name(s), s)};`),
      ...print.workItemIds(kernel, ["group", "groups"]),
      ...print.body(kernel.body),
      "}",
      "",
      `void ${kernel.name}(const struct arc_host_grid *arc_grid, void *const *arc_args) {`,
      ...kernel.params.map((p, i) => `  ${unpack(p, i, print)}`),
      "  const long arc_groups = arc_grid->grid[0];",
      "  (void)arc_args;",
      ...overGroups(kernel, [`${inner}(${["arc_group", "arc_groups", ...names].join(", ")});`]),
      "}",
    ];
  },
  groupReduce: (n, print) => treeReduce(n, combined(n.op), print, ";"),
  atomic(h: AtomicHelper, print: KernelPrinter) {
    const type = print.type(h.type);
    const result = h.fresh ? "fresh" : "old";
    return [
      `static inline ${type} ${h.name}(${type} *target, ${operandsOf(h, (of) => print.type(of))}) {`,
      `  ${type} old, fresh;`,
      "  __atomic_load(target, &old, __ATOMIC_RELAXED);",
      `  do fresh = ${newValue(h, type)};`,
      "  while (!__atomic_compare_exchange(target, &old, &fresh, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));",
      `  return ${result};`,
      "}",
    ];
  },
};

/**
 * Kernels whose groups have several items: the items are coroutines of the group's thread, which switch at barriers.
 */
export const hostItems: Dialect = {
  ...host,
  head: (text) => [...host.head(text), '#include "arc_host_items.h"'],
  workItemId: (p) => (p === "item" || p === "item_x" ? "arc_item" : workItemIds[p]),
  barrier: "arc_barrier();",
  kernel(kernel: Kernel, print: KernelPrinter) {
    const params = parameters(kernel, print);
    const { name, group } = kernel;
    const own = ["arc_group", "arc_groups", ...(kernel.atLaunch ? ["arc_items"] : [])];
    const items = kernel.atLaunch ? "arc_items" : group[0] * group[1];
    return [
      `struct ${name}_launch {`,
      `  long ${own.join(", ")};`,
      "  void *const *arc_args;",
      "};",
      "",
      `static void ${name}_item(${[...["arc_item", ...own].map((p) => `const long ${p}`), ...params].join(", ")}) {`,
      // A group runs on one thread.
      ...declaredForTeam(kernel, print),
      ...print.workItemIds(kernel, ["item", "items", "group", "groups"]),
      ...print.body(withTeamPointers(kernel)),
      "}",
      "",
      `static void ${name}_start(long arc_item, void *arc_of) {`,
      `  const struct ${name}_launch *arc_launch = arc_of;`,
      "  void *const *arc_args = arc_launch->arc_args;",
      ...kernel.params.map((p, i) => `  ${unpack(p, i, print)}`),
      "  (void)arc_args;",
      `  ${name}_item(${["arc_item", ...own.map((p) => `arc_launch->${p}`), ...kernel.params.map((p) => print.name(p.sym))].join(", ")});`,
      "}",
      "",
      `void ${name}(const struct arc_host_grid *arc_grid, void *const *arc_args) {`,
      "  const long arc_groups = arc_grid->grid[0];",
      ...(kernel.atLaunch ? ["  const long arc_items = arc_grid->group[0];"] : []),
      ...overGroups(kernel, [
        `struct ${name}_launch arc_launch = {${own.join(", ")}, arc_args};`,
        `arc_run_items(${items}, ${name}_start, &arc_launch);`,
      ]),
      "}",
    ];
  },
  groupReduce: (n, print) => treeReduce(n, combined(n.op), print, "arc_barrier();"),
};

/** The statements for each group, of which each thread takes a block. */
function overGroups({ grid }: Kernel, statements: readonly string[]): readonly string[] {
  if (grid[0] !== "1") return ["  ARC_EACH_GROUP(", ...statements.map((l) => `    ${l}`), "  )"];
  const each = "  for (long arc_group = 0; arc_group < arc_groups; arc_group++) {";
  return [each, ...statements.map((l) => `    ${l}`), "  }"];
}

/**
 * Parameters of the function that contains the loops. `restrict` saves vector code the aliasing checks, of which there
 * may be too many.
 */
function parameters(kernel: Kernel, print: KernelPrinter): string[] {
  const known = apart(kernel);
  return kernel.params.map((p) => {
    const restrict = p.unaliased === true && known.has(p) ? "restrict " : "";
    return print.decl(p.sym.type, `${restrict}${print.name(p.sym)}`, p.sym);
  });
}

function unpack(p: KernelParam, i: number, print: KernelPrinter): string {
  const name = print.name(p.sym);
  const there = print.type(pointerTo(qualify(p.sym.type, { const: true })));
  const value = p.pointer ? `arc_args[${i}]` : `*(${there})arc_args[${i}]`;
  return `${print.decl(p.sym.type, name, p.sym)} = ${value};`;
}
