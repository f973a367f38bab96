/**
 * Translation units inside object files. A section that no program loads and no link keeps holds the
 * preprocessed text, so that device code is compiled for the whole program when it is linked.
 *
 *   section = { "arc-unit 1 " bytes " " file "\n" text }
 */
import { readSection } from "./elf.ts";

export interface KeptUnit {
  readonly file: string;
  readonly text: string;
}

const sectionName = ".arc.unit";

export function keepUnit({ file, text }: KeptUnit): Buffer {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([Buffer.from(`arc-unit 1 ${bytes.length} ${file}\n`), bytes]);
}

/** C text that puts a file's bytes into the section. `e`: left out of what is linked in the end. */
export function sectionOf(file: string): string {
  return `__asm__(".pushsection ${sectionName},\\"e\\",@progbits\\n.incbin \\"${file}\\"\\n.popsection");`;
}

/** Of an object file; several when `ld -r` joined objects. */
export function keptUnits(object: Buffer): readonly KeptUnit[] {
  const units: KeptUnit[] = [];
  let rest = readSection(object, sectionName);
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
