/** Images for tests: regions written by hand, from plain values. */
import { type ImageHead, image, type Payload } from "../../../targets/shared/kind/launch.ts";

interface KernelText {
  readonly name: string;
  readonly grid: readonly string[];
  readonly group: readonly string[];
  readonly params: readonly string[];
  /** Lines before it and behind it. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface RegionText {
  readonly name: string;
  readonly args: number;
  readonly site?: string;
  readonly scratch?: readonly string[];
  /** A scratch that is zero at first, and a kernel's name. */
  readonly zeroed?: string;
  readonly together?: string;
  readonly kernels: readonly KernelText[];
}

export interface ImageText {
  readonly backend: ImageHead["backend"];
  readonly target: string;
  readonly variant?: string;
  readonly options?: string;
  readonly regions: readonly RegionText[];
  readonly payloads: readonly (Omit<Payload, "bytes"> & { readonly bytes: Uint8Array | string })[];
}

const three = (expressions: readonly string[]): string =>
  [0, 1, 2].map((i) => expressions[i] ?? "1").join(" ; ");

function regionText(region: RegionText): string {
  const lines = [`region ${region.name}`];
  if (region.site) lines.push(`site ${region.site}`);
  lines.push(`args ${region.args}`);
  if (region.together) lines.push(`together ${region.together}`);
  for (const bytes of region.scratch ?? []) lines.push(`scratch ${bytes}`);
  if (region.zeroed) lines.push(`zeroed ${region.zeroed}`);
  for (const kernel of region.kernels) {
    lines.push(
      ...(kernel.before ?? []),
      `kernel ${kernel.name}`,
      `group ${three(kernel.group)}`,
      `grid ${three(kernel.grid)}`,
    );
    for (const param of kernel.params) lines.push(`param ${param}`);
    lines.push(...(kernel.after ?? []));
  }
  return lines.join("\n");
}

/** The file, by the compiler's own writer. */
export const imageBytes = ({ regions, payloads, variant = "default", ...head }: ImageText): Buffer =>
  Buffer.from(
    image(
      { ...head, variant },
      regions.map(regionText),
      payloads.map(({ kind, bytes, tag }) => ({
        kind,
        bytes: Buffer.from(bytes),
        ...(tag === undefined ? {} : { tag }),
      })),
    ),
  );
