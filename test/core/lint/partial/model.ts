/** Programs that set an array on the device in part: what they consist of. */

/** How the arrays are declared. */
export const shapes = ["line", "declared", "linear", "variable"] as const;
export const lengths = ["constant", "known", "large"] as const;
export const around = ["none", "for", "while"] as const;

/** Elements `[low, n - high)` of each dimension. */
export interface Inside {
  readonly low: number;
  readonly high: number;
}

/** In two dimensions; the first alone counts in one. */
export type Offset = readonly [number, number];

export type Operation =
  /** A region: elements inside are made of the other array's, with offsets. */
  | {
      readonly is: "stencil";
      readonly to: "a" | "b";
      readonly inside: Inside;
      readonly offsets: readonly Offset[];
      /** By a condition on the loops' variables, and not by the loops' bounds. */
      readonly byCondition: boolean;
    }
  /** A region that sets the first and last row, or column. */
  | { readonly is: "border"; readonly side: "rows" | "columns" }
  /** The host's first rows to the device, or the device's to the host. */
  | { readonly is: "update"; readonly to: "device" | "host"; readonly rows: number | "all" }
  | { readonly is: "host-read"; readonly inside: Inside };

export interface Partial {
  readonly shape: (typeof shapes)[number];
  readonly length: (typeof lengths)[number];
  readonly around: (typeof around)[number];
  readonly language: "acc" | "omp";
  readonly clause: "alloc" | "from";
  /** In the loop, if there is one. */
  readonly steps: readonly Operation[];
  /** What the host reads of `b` behind the data region, where its clause copies it back. */
  readonly after: Inside | undefined;
}
