/**
 * Offsets of each key's records in a log, newest first: a hash table in typed arrays, which takes a fifth of the memory
 * of a Map of keys. Only hashes are stored, so whoever looks up an offset must compare the key in the log.
 */

/** FNV-1a over UTF-16 units. */
export function hashOf(key: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) value = Math.imul(value ^ key.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

const FIRST_SLOTS = 16;

export class RecordOffsets {
  /** Number of the newest record of a hash, counted from 1; 0: free. At most half of the slots are taken. */
  #slots = new Uint32Array(0);
  #hashes = new Uint32Array(0);
  #offsets = new Float64Array(0);
  /** Number of the previous record with the same hash; 0: none. */
  #older = new Uint32Array(0);
  #records = 0;
  #keys = 0;
  #superseded = 0;

  get records(): number {
    return this.#records;
  }

  /** Number of distinct keys, except that keys with equal hashes count as one. */
  get keys(): number {
    return this.#keys;
  }

  /** Bytes of the records that have a newer one. */
  get superseded(): number {
    return this.#superseded;
  }

  /** Adds a record as the newest of its hash; it lies after all others. */
  note(hash: number, offset: number): void {
    if (2 * this.#keys + 2 > this.#slots.length) this.#growSlots();
    if (this.#records === this.#hashes.length) this.#growRecords();
    const slot = this.#slotOf(hash);
    const newest = this.#slots[slot] as number;
    if (newest === 0) this.#keys += 1;
    else {
      const next = newest === this.#records ? offset : (this.#offsets[newest] as number);
      this.#superseded += next - (this.#offsets[newest - 1] as number);
    }
    this.#hashes[this.#records] = hash;
    this.#offsets[this.#records] = offset;
    this.#older[this.#records] = newest;
    this.#records += 1;
    this.#slots[slot] = this.#records;
  }

  has(hash: number): boolean {
    return this.#keys > 0 && (this.#slots[this.#slotOf(hash)] as number) > 0;
  }

  /** Offsets of the records that may belong to a key, newest first. */
  *find(hash: number): Generator<number> {
    if (this.#keys === 0) return;
    for (let number = this.#slots[this.#slotOf(hash)] as number; number > 0; ) {
      yield this.#offsets[number - 1] as number;
      number = this.#older[number - 1] as number;
    }
  }

  /** All offsets; those of one hash come newest first. */
  *entries(): Generator<readonly [hash: number, offset: number]> {
    for (let at = this.#records - 1; at >= 0; at -= 1) {
      yield [this.#hashes[at] as number, this.#offsets[at] as number];
    }
  }

  clear(): void {
    this.#slots = new Uint32Array(0);
    this.#hashes = new Uint32Array(0);
    this.#offsets = new Float64Array(0);
    this.#older = new Uint32Array(0);
    this.#records = 0;
    this.#keys = 0;
    this.#superseded = 0;
  }

  /** The slot of a hash, or the free slot where it belongs. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const number = this.#slots[slot] as number;
      if (number === 0 || this.#hashes[number - 1] === hash) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #growSlots(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(Math.max(FIRST_SLOTS, 2 * before.length));
    for (const number of before) {
      if (number > 0) this.#slots[this.#slotOf(this.#hashes[number - 1] as number)] = number;
    }
  }

  #growRecords(): void {
    const size = Math.max(FIRST_SLOTS >> 1, 2 * this.#records);
    const hashes = new Uint32Array(size);
    const offsets = new Float64Array(size);
    const older = new Uint32Array(size);
    hashes.set(this.#hashes);
    offsets.set(this.#offsets);
    older.set(this.#older);
    this.#hashes = hashes;
    this.#offsets = offsets;
    this.#older = older;
  }
}
