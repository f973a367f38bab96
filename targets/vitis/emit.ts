/** Regions as HLS C++. */
import { asIdiom } from "../../core/ir/model/idioms.ts";
import { mapStmt, walkStmt } from "../../core/lang/index.ts";
import type { Diagnostic, Stmt } from "../../core/lang/tree/ast.ts";
import { compound } from "../../core/lang/tree/build.ts";
import { flat } from "../shared/device/control.ts";
import type { LoweredRegion } from "../shared/device/device.ts";
import type { ChannelDeclaration, EmittedRegion, Emitter } from "../shared/kind/emit.ts";
import { uncheckedCalls, withoutFunctionPointers } from "../shared/legalise/function-pointers.ts";
import { merged } from "../shared/legalise/merge.ts";
import { unsupported } from "../shared/legalise/unsupported.ts";
import { inCpp } from "../shared/print/cpp.ts";
import { idiomCode } from "../shared/print/idiom-code.ts";
import { type Dialect, kernelText } from "../shared/print/kernel-text.ts";
import { hls, kernelLines } from "./dialect.ts";
import { withLineBuffers } from "./linebuffers.ts";
import { withDirectives } from "./loops.ts";
import { withConstantPlaces } from "./neighbourhoods.ts";

/** `withStreams`: the dialect for kernels connected by streams. */
export const emitterFor = (
  dialect: Dialect,
  withStreams: (region: LoweredRegion, streams: readonly ChannelDeclaration[]) => Dialect,
): Emitter => {
  const emitted = (given: LoweredRegion, by: Dialect): EmittedRegion => {
    const region = withoutFunctionPointers(given, "goes-on");
    const diagnostics: Diagnostic[] = [];
    return {
      ...kernelText(inCpp(forHls(region, diagnostics)), by),
      diagnostics: [
        ...unsupported(region, "an FPGA", {
          longDouble: true,
          types: ["_Float16", "__bf16"],
          variableArrays: true,
          emptyRecords: true,
          abort: true,
          clock: true,
          heap: true,
        }),
        ...uncheckedCalls(region),
        ...diagnostics,
      ],
    };
  };
  return {
    extension: ".cpp",
    // A kernel is called once: there are no work-items.
    model: { maxItems: 1, defaultItems: 1, partition: "block", inOrder: true, constants: 1 << 16 },
    emit: (region) => emitted(region, dialect),
    connected: (regions, streams) => {
      const all = merged(regions);
      return {
        ...emitted(all, withStreams(all, streams)),
        // Instances of kernels are numbered; these are the first instance of each.
        links: streams.map(
          (c) => `--connectivity.stream_connect=${c.from}_1.${c.name}:${c.to}_1.${c.name}:${c.depth}`,
        ),
      };
    },
  };
};

export const vitisEmitter = emitterFor(hls, (_, streams) => ({
  ...hls,
  head: (text) => [...hls.head(text), "#include <hls_stream.h>"],
  kernel: (kernel, print) => kernelLines(kernel, print, streams),
}));

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
