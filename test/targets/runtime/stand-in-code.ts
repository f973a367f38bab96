/** The stand-ins want the length of their code in front of it. */
export function sized(so: Buffer): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(so.length));
  return Buffer.concat([size, so]);
}
