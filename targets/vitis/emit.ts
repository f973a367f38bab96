/** Regions as HLS C++. */
import { asIdiom } from "../../core/ir/idioms.ts";
import type { Diagnostic, Stmt } from "../../core/lang/ast.ts";
import { compound } from "../../core/lang/build.ts";
import { mapStmt, walkStmt } from "../../core/lang/index.ts";
import { flat } from "../shared/control.ts";
import { inCpp } from "../shared/cpp.ts";
import type { LoweredRegion } from "../shared/device.ts";
import type { Emitter } from "../shared/emit.ts";
import { idiomCode } from "../shared/idiomcode.ts";
import { type Dialect, kernelText } from "../shared/kerneltext.ts";
import { unsupportedTypes } from "../shared/unsupported.ts";
import { hls } from "./dialect.ts";
import { withLineBuffers } from "./linebuffers.ts";
import { withDirectives } from "./loops.ts";
import { withConstantPlaces } from "./neighbourhoods.ts";

export const emitterFor = (dialect: Dialect): Emitter => ({
  extension: ".cpp",
  // A kernel is called once: there are no work-items.
  model: { maxItems: 1, defaultItems: 1, partition: "block", inOrder: true },
  emit(region) {
    const diagnostics: Diagnostic[] = [];
    return {
      ...kernelText(inCpp(forHls(region, diagnostics)), dialect),
      diagnostics: [...unsupportedTypes(region, "an FPGA", { longDouble: true }), ...diagnostics],
    };
  },
});

export const vitisEmitter = emitterFor(hls);

function forHls(region: LoweredRegion, diagnostics: Diagnostic[]): LoweredRegion {
  return {
    ...region,
    functions: region.functions.map((f) => ({ ...f, body: withDirectives(f.body) })),
    kernels: region.kernels.map((k) => ({ ...k, body: flat(bodyForHls(compound(k.body), diagnostics)) })),
  };
}

function bodyForHls(body: Stmt, diagnostics: Diagnostic[]): Stmt {
  const buffered = withLineBuffers(withConstantPlaces(body));
  walkStmt(buffered, {
    stmt(s) {
      const line = asIdiom(s, "delayline");
      if (line)
        diagnostics.push({
          severity: "warning",
          code: "window-of-one-memory",
          loc: s.span.start,
          message: `this window of ${line.length} elements is read at places that are known only at run time: HLS moves all of it in each step`,
          remedy: "read it at constant distances, or leave the window out",
        });
    },
  });
  return withDirectives(mapStmt(buffered, { stmt: (s) => idiomCode(s) ?? s }));
}
