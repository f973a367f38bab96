/**
 * Translation units inside object files. The preprocessed text is stored in a section that is neither linked nor
 * loaded, so that device code can be compiled for the whole program at link time.
 *
 *   section = { "arc-unit 1 " bytes " " file "\n" text }
 */
import { readSection } from "./elf.ts";

export interface KeptUnit {
  readonly file: string;
  readonly text: string;
}

export const keptUnitSection = ".arc.unit";

export function keepUnit({ file, text }: KeptUnit): Buffer {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([Buffer.from(`arc-unit 1 ${bytes.length} ${file}\n`), bytes]);
}

/** C text that embeds a file's bytes in the section. Flag `e`: excluded from the linked result. */
export function sectionOf(file: string): string {
  return `__asm__(".pushsection ${keptUnitSection},\\"e\\",@progbits\\n.incbin \\"${file}\\"\\n.popsection");`;
}

/** The units of an object file; several if `ld -r` joined objects. */
export function keptUnits(object: Buffer): readonly KeptUnit[] {
  const units: KeptUnit[] = [];
  let rest = readSection(object, keptUnitSection);
  while (rest !== undefined && rest.length > 0) {
    const end = rest.indexOf("\n");
    const [, length = "", file = ""] =
      /^arc-unit 1 (\d+) (.*)$/s.exec(rest.subarray(0, Math.max(end, 0)).toString("utf8")) ?? [];
    if (length === "") break;
    const start = end + 1;
    units.push({ file, text: rest.subarray(start, start + Number(length)).toString("utf8") });
    rest = rest.subarray(start + Number(length));
  }
  return units;
}
