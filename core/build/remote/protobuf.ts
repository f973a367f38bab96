/** Protocol buffers, as far as the Remote Execution API's cache needs them: fields by number, without a schema. */

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

interface Field {
  readonly number: number;
  readonly varint?: number;
  readonly bytes?: Buffer;
}

export function message(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

export function varintField(number: number, value: number): Buffer {
  return Buffer.concat([varint(number * 8 + WIRE.varint), varint(value)]);
}

export function bytesField(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + WIRE.bytes), varint(bytes.length), bytes]);
}

export function lengthDelimited(fields: readonly Field[], number: number): Buffer[] {
  return fields.flatMap((field) =>
    field.number === number && field.bytes !== undefined ? [field.bytes] : [],
  );
}

/** Throws when the bytes are not a message. */
export function parse(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at];
      at += 1;
      if (byte === undefined || scale > 2 ** 63) throw new Error("a number is cut off");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const skip = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error("a field is cut off");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (number === 0) throw new Error("field 0");
    if (wire === WIRE.varint) fields.push({ number, varint: readVarint() });
    else if (wire === WIRE.bytes) fields.push({ number, bytes: skip(readVarint()) });
    else if (wire === WIRE.fixed64) skip(8);
    else if (wire === WIRE.fixed32) skip(4);
    else throw new Error(`wire type ${wire}`);
  }
  return fields;
}
