/** Reports as a page gets them, made by hand. */
import type { PageData } from "../../../../cli/report/model/page-data.ts";
import { variant } from "../variants.ts";

const source = 'static void f(void) {\n  for (;;)\n    "</script><!--";\n}\n';

const then = (address: string, seconds: number) => variant(address, { seconds, from: "cycles" });

/** Every view has something to show. */
export const everything: PageData = {
  format: 3,
  arc: "0.0.0",
  project: 'edges & "others"',
  createdAt: Date.UTC(2026, 10, 23),
  variants: [
    variant(
      "fpga:default",
      {
        ...{ seconds: 3e-3, from: "cycles", cycles: 300, clock: 100, area: 13, resources: { lcs: 700 } },
        ...{ energy: 68e-6, energyFrom: "model" },
      },
      {
        axes: { window: "auto" },
        comparisons: [{ run: "small", result: "same", seconds: 0.2, serial: 0.1, worst: 1e-6 }],
        hardware: [
          {
            variant: "fpga:default",
            kind: "rtl",
            region: "f_00000001",
            kernel: "edges (a.c:2)",
            from: "layout",
            loops: [
              {
                place: "a.c:2",
                ii: 2,
                limit: "one port: image (line 3)",
                trips: 99,
                schedule: {
                  interval: 2,
                  steps: [
                    { what: "ask for image", stage: 0, start: 0, cycles: 0, slack: 0, limits: true },
                    {
                      what: "fadd",
                      source: { file: "a.c", line: 2 },
                      stage: 1,
                      start: 1,
                      cycles: 4,
                      slack: 3,
                    },
                    { what: "store out", stage: 1, start: 8, cycles: 0, slack: 0 },
                  ],
                },
              },
            ],
            resources: { lcs: 700 },
            percent: { lcs: 13 },
            lines: [{ file: "a.c", line: 2, resources: { luts: 40, ffs: 20 } }],
          },
        ],
      },
    ),
    variant(
      "fpga:sw2",
      {
        ...{ seconds: 1.5e-3, from: "cycles", cycles: 150, clock: 90, area: 22, resources: { lcs: 1300 } },
        ...{ energy: 51e-6, energyFrom: "model" },
      },
      { axes: { window: 2 }, comparisons: [{ run: "small", result: "differs" }] },
    ),
    variant("fpga:sw0", { seconds: 4e-3, from: "cycles", area: 50 }, { axes: { window: 0 } }),
  ],
  problems: [
    {
      address: "fpga:sw0/f#bitstream",
      message: "the design does not fit",
      findings: [
        {
          code: "c",
          severity: "error",
          message: "too large",
          loc: { file: "a.c", line: 2, col: 1 },
          remedy: "less",
        },
      ],
      log: "ERROR: no room",
    },
  ],
  kernels: [
    { variant: "fpga:default", region: "f_00000001", kernel: "edges (a.c:2)", text: 0 },
    { variant: "fpga:sw2", region: "f_00000001", kernel: "edges (a.c:2)", text: 1 },
  ],
  texts: ["module a;\nendmodule\n", "module b;\nendmodule\n", "loop i\n", "loop i\n  window 3\n"],
  passes: [
    {
      variant: "fpga:default",
      kernel: "edges (a.c:2)",
      remarks: [
        { pass: "window", applied: true, message: "the loop reads through a window", file: "a.c", line: 2 },
        { pass: "unroll", applied: false, message: "the loop has a window", file: "a.c", line: 2 },
      ],
      changes: [{ pass: "window", before: 2, after: 3 }],
    },
  ],
  earlier: [
    { name: "old.json", variants: [then("fpga:default", 5e-3), then("fpga:sw2", 4e-3)] },
    { name: "before.json", variants: [then("fpga:default", 6e-3), then("fpga:sw2", 3e-3)] },
  ],
  measured: [
    {
      variant: "fpga:default",
      run: "small",
      program: { count: 7, least: 0.02, median: 0.025, interval: [0.024, 0.03] },
      energy: { by: "NVML", count: 3, least: 11, median: 12, most: 14, uncertainty: 0.05 },
      launches: { count: 3, least: 0.01, median: 0.01 },
      transfers: { count: 3, least: 0.002, median: 0.002 },
      operations: { f_00000001: 4e9 },
      rows: [
        {
          kind: "launch",
          device: "GPU",
          kernel: "f_00000001_k0",
          region: "f_00000001",
          file: "a.c",
          line: 2,
          bytes: 8e9,
          peak: 2e12,
          count: 10,
          seconds: 0.01,
        },
        {
          kind: "transfer",
          device: "GPU",
          variable: "image",
          direction: "to the device",
          file: "a.c",
          line: 2,
          bytes: 1e7,
          count: 1,
          seconds: 0.002,
        },
      ],
    },
    {
      variant: "fpga:sw2",
      run: "small",
      program: { count: 7, least: 0.04, median: 0.05 },
      energy: { by: "NVML", count: 3, least: 5, median: 6, most: 7 },
    },
  ],
  sources: { "a.c": source },
  build: {
    started: Date.UTC(2026, 10, 23),
    seconds: 3,
    ok: false,
    counts: { ran: 2, cached: 1, remote: 0, upToDate: 0, failed: 1, skipped: 0 },
    saved: 60,
    actions: [
      {
        address: "a",
        title: "first",
        step: "s",
        start: 0,
        seconds: 1,
        lane: 0,
        why: "a.c changed",
        needs: [],
      },
      {
        address: "b",
        title: "second",
        step: "s",
        start: 1,
        seconds: 2,
        lane: 0,
        why: "a changed",
        needs: ["a"],
      },
      {
        address: "c",
        title: "beside",
        step: "s",
        start: 0,
        seconds: 2.5,
        lane: 1,
        why: "",
        needs: [],
        failed: "x",
      },
    ],
  },
};

const many = (at: number): PageData["variants"] =>
  Array.from({ length: 10_000 }, (_, i) =>
    variant(
      `fpga:sw${i}`,
      {
        ...{ seconds: at + ((i * 7919) % 10_007), from: "cycles", area: 1 + ((i * 104_729) % 9973) / 100 },
        ...{ energy: 1 + ((i * 31_337) % 9001), energyFrom: "model" },
      },
      {
        axes: { window: i, half: i % 2 === 0 },
        comparisons: [{ run: "small", result: i === 9000 ? "differs" : "same", seconds: 1, serial: 2 }],
        hardware: [
          {
            ...{ variant: `fpga:sw${i}`, kind: "rtl", region: "f_00000001", kernel: "edges (a.c:2)" },
            ...{ from: "layout", resources: { lcs: 700 }, percent: { lcs: 13 } },
            loops: [{ place: "a.c:2", ii: 2, limit: "one port: image (line 3)", trips: 99 }],
          },
        ],
      },
    ),
  );

/** Ten thousand results, each compared, measured, and known from before. */
export const large: PageData = {
  ...everything,
  problems: [],
  variants: many(1),
  earlier: [{ name: "before.json", variants: many(2) }],
  measured: many(1).map(({ address }, i) => ({
    ...{ variant: address, run: "small", program: { count: 7, least: 1, median: 2 + (i % 97) } },
    energy: { by: "NVML", count: 3, least: 1, median: 2 + (i % 89), most: 99 },
  })),
};
