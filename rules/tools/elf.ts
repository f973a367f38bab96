/** Enough of ELF and ar archives to find a section of an object file. */

/**
 * The bytes of a section of a 64-bit little-endian object file; undefined for other files, or without such a section.
 */
export function readSection(file: Buffer, name: string): Buffer | undefined {
  const isElf = file.length >= 64 && file.readUInt32BE(0) === 0x7f454c46 && file[4] === 2 && file[5] === 1;
  if (!isElf) return undefined;
  const table = Number(file.readBigUInt64LE(40));
  const entrySize = file.readUInt16LE(58);
  let count = file.readUInt16LE(60);
  let names = file.readUInt16LE(62);
  const header = (index: number): Buffer =>
    file.subarray(table + index * entrySize, table + (index + 1) * entrySize);
  // More than 65279 sections: the real numbers are in the first section's header.
  if (count === 0) count = Number(header(0).readBigUInt64LE(32));
  if (names === 0xffff) names = header(0).readUInt32LE(40);
  const bytesOf = (index: number): Buffer => {
    const offset = Number(header(index).readBigUInt64LE(24));
    return file.subarray(offset, offset + Number(header(index).readBigUInt64LE(32)));
  };
  const strings = bytesOf(names);
  for (let index = 1; index < count; index++) {
    const start = header(index).readUInt32LE(0);
    if (strings.toString("utf8", start, strings.indexOf(0, start)) === name) return bytesOf(index);
  }
  return undefined;
}

/** The members of an ar archive in order, with GNU's long names resolved. Names may repeat. */
export function readArchive(file: Buffer): readonly { readonly name: string; readonly bytes: Buffer }[] {
  if (file.toString("latin1", 0, 8) !== "!<arch>\n") return [];
  const members: { name: string; bytes: Buffer }[] = [];
  let longNames = "";
  for (let at = 8; at + 60 <= file.length; ) {
    const field = (start: number, length: number): string =>
      file.toString("latin1", at + start, at + start + length).trimEnd();
    const size = Number(field(48, 10));
    const bytes = file.subarray(at + 60, at + 60 + size);
    const name = field(0, 16);
    if (name === "//") longNames = bytes.toString("latin1");
    else if (name !== "/" && name !== "/SYM64/") members.push({ name: memberName(name, longNames), bytes });
    at += 60 + size + (size % 2);
  }
  return members;
}

function memberName(name: string, longNames: string): string {
  if (!/^\/\d+$/.test(name)) return name.replace(/\/$/, "");
  const start = Number(name.slice(1));
  return longNames.slice(start, longNames.indexOf("/\n", start));
}
