/** The designs of passes.mjs: programs, and what is done to each of them. */

/** One thing at a time against the line above it. `edits` replace text of the source, `choose` sets axes. */
const plain = [{ what: "as it is" }];

/** All operations of a loop on one circuit of each operator. */
const one = (...operators) => Object.fromEntries(operators.map((operator) => [`share-${operator}`, 1]));

export const programs = [
  {
    name: "Sobel and a count, 640 x 480",
    file: "test/programs/fpga/sobel.c",
    defines: { ROWS: 480, COLS: 640 },
    designs: [
      { what: "nested loops", edits: [[" collapse(2)", ""]], choose: { window: 0 } },
      { what: "collapse", choose: { window: 0 } },
      { what: "collapse, window", choose: {} },
      { what: "collapse, window of 2", choose: { window: 2 } },
      { what: "collapse, window of 4", choose: { window: 4 } },
    ],
  },
  {
    name: "Sobel, 1920 x 1080",
    file: "examples/sobel-rtl/src/edges.c",
    edits: [["#define WIDTH 640", "#define WIDTH 1920"]],
    defines: { HEIGHT: 1080 },
    designs: [{ what: "collapse, window" }],
  },
  {
    name: "Pathfinder, 64 rows of 1000",
    file: "test/programs/fpga/pathfinder.c",
    defines: { ROWS: 64, COLS: 1000 },
    designs: [{ what: "no window", choose: { window: 0 } }, { what: "window" }],
  },
  {
    name: "Needleman-Wunsch, 256 x 256",
    file: "test/programs/fpga/nw.c",
    defines: { ROWS: 257, COLS: 257 },
    designs: [{ what: "no window", choose: { window: 0 } }, { what: "window" }],
  },
  {
    name: "histogram of 20000 bytes",
    file: "examples/histogram/src/histogram.c",
    args: ["20000"],
    ignore: ["^time:"],
    designs: plain,
  },
  {
    name: "histogram of 20000 bytes, local bins",
    file: "test/bench/rtl/programs/histogram.c",
    designs: plain,
  },
  {
    name: "smoothed steps, 4096 of 16 bits",
    file: "test/bench/rtl/programs/channels.c",
    designs: [
      { what: "through memory" },
      {
        what: "channel",
        edits: [
          ["create(smooth)", "pipe(smooth)"],
          ["loop present(in)", "loop pipeout(smooth)"],
          ["loop present(out)", "loop pipein(smooth)"],
        ],
      },
    ],
  },
  {
    name: "four branches with a product each",
    file: "test/bench/rtl/programs/branches.c",
    designs: [{ what: "as written" }, { what: "code motion", choose: { hoist: true } }],
  },
  {
    name: "sum of 4096 ints",
    file: "test/bench/rtl/programs/sum.c",
    defines: { TYPE: "int" },
    designs: [
      { what: "no shift register", choose: { reduction: 0 } },
      { what: "unroll 4", choose: { reduction: 4 } },
    ],
  },
  {
    name: "sum of 4096 floats",
    file: "test/bench/rtl/programs/sum.c",
    designs: [{ what: "no shift register", choose: { reduction: 0 } }, { what: "shift register" }],
  },
  {
    name: "dot product of 4096 floats",
    file: "test/bench/rtl/programs/sum.c",
    defines: { DOT: true },
    designs: [
      { what: "no shift register", choose: { reduction: 0 } },
      { what: "shift register" },
      { what: "fixed point, q24.8", choose: { format: "q24.8" } },
    ],
  },
  {
    name: "Jacobi, 512 x 64, float",
    file: "test/programs/fpga/jacobi.c",
    defines: { ROWS: 64, COLS: 512 },
    tolerance: 1e-4,
    designs: [
      { what: "collapse, window" },
      { what: "collapse, window, fixed point, q8.24", choose: { format: "q8.24" } },
    ],
  },
  {
    name: "Jacobi, 1024 x 64, float",
    file: "test/programs/fpga/jacobi.c",
    defines: { ROWS: 64, COLS: 1024 },
    tolerance: 1e-4,
    designs: [{ what: "collapse, window" }],
  },
  {
    name: "heat, 8 steps of 512 x 64, 16 bits",
    file: "test/programs/fpga/heat.c",
    defines: { ROWS: 64, COLS: 512, STEPS: 8, WHOLE: true },
    designs: [
      { what: "window, copy", choose: { stencil: true } },
      { what: "2 steps in a pass", choose: { "time-steps": 2 } },
      { what: "4 steps in a pass", choose: { "time-steps": 4 } },
      { what: "8 steps in a pass", choose: { "time-steps": 8 } },
    ],
  },
  {
    name: "HotSpot, 512 x 64, float",
    file: "test/programs/fpga/hotspot.c",
    defines: { ROWS: 64, COLS: 512 },
    tolerance: 1e-4,
    designs: [
      { what: "collapse, window" },
      { what: "code motion", choose: { hoist: true } },
      { what: "code motion, 4 adders", choose: { hoist: true, "share-fadd": 4 } },
      { what: "code motion, shared operators", choose: { hoist: true, ...one("fadd", "fmul") } },
    ],
  },
  {
    name: "HotSpot, 1024 x 64, float",
    file: "test/programs/fpga/hotspot.c",
    defines: { ROWS: 64, COLS: 1024 },
    tolerance: 1e-4,
    designs: [{ what: "code motion, shared operators", choose: { hoist: true, ...one("fadd", "fmul") } }],
  },
  {
    name: "FD3D, 24 x 10 x 16, float",
    file: "test/programs/fpga/fd3d.c",
    defines: { NX: 24, NY: 10, NZ: 16 },
    tolerance: 1e-4,
    designs: [{ what: "window" }, { what: "window, shared operators", choose: one("fadd", "fmul") }],
  },
  {
    name: "SRAD, 64 x 64, float",
    file: "test/programs/fpga/srad.c",
    defines: { ROWS: 64, COLS: 64 },
    tolerance: 1e-3,
    designs: [
      { what: "window, shared operators", choose: one("fadd", "fmul", "fdiv") },
      { what: "window, shared operators, flush", choose: { ...one("fadd", "fmul", "fdiv"), flush: true } },
    ],
  },
];
