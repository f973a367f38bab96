/**
 * Actions in columns: names and paths by number, inputs and outputs as slices of one array, and whatever many actions
 * share stored once. An `Action` object is made on request. For large graphs this takes a fifth of the memory, and the
 * garbage collector has nothing to traverse.
 */
import type { Action, ActionInput, ActionOutput, Address, Command } from "../model/action.ts";
import { Pages, withRoom } from "./column.ts";
import { Strings } from "./strings.ts";

/** What many actions can share: all fields except address, title, arguments, inputs and outputs. */
interface Shape extends Omit<Action, "address" | "title" | "inputs" | "outputs" | "command"> {
  readonly command?: Omit<Command, "argv">;
}

function makeShape({ address, title, inputs, outputs, command, ...rest }: Action): Shape {
  if (command === undefined) return rest;
  const { argv, ...how } = command;
  return { ...rest, command: how };
}

/** A text that identifies a shape; making it takes a fifth of the time of making the shape. */
function shapeText(action: Action): string {
  const {
    step,
    options,
    tools,
    resources,
    executor,
    finish,
    deterministic,
    cache,
    expand,
    skip,
    site,
    command,
  } = action;
  const all = { step, options, tools, resources, executor, finish, deterministic, cache, expand, skip, site };
  if (command === undefined) return JSON.stringify(all satisfies All<Shape>);
  const { env, passEnv, stdout, ok, timeoutSeconds, memoryLimitBytes, inProject } = command;
  const how = { env, passEnv, stdout, ok, timeoutSeconds, memoryLimitBytes, inProject };
  return JSON.stringify([all, how satisfies All<Command>]);
}

/** Makes the compiler check that no property is forgotten. */
type All<T> = { readonly [K in Exclude<keyof T, "command" | "argv">]-?: T[K] | undefined };

/** Cells of an action: address, shape, title, then three lists, each preceded by its length. */
const ADDRESS = 0;
const SHAPE = 1;
const TITLE = 2;
const LISTS = 3;
/** Stored in place of a missing title. */
const NO_TITLE = -1;
/** Stored instead of a title: it is the arguments joined by spaces. */
const ARGUMENTS = -2;

/** Cells of an input: name, kind of source, and the source. */
const INPUT = 4;
const FROM = { file: 0, action: 1, text: 2 } as const;
/** Cells of an output: name, place or -1, flags. */
const OUTPUT = 3;
const NO_PLACE = -1;
const FLAG = { folder: 1, executable: 2, optional: 4, asWritten: 8 } as const;

export class ActionTable implements Iterable<Action> {
  /** Shared by this table and the one that it extends. */
  readonly strings: Strings;
  readonly #base: ActionTable | undefined;
  readonly #first: number;
  #count = 0;
  /** Where the cells of each action begin. */
  #starts = new Int32Array(0);
  readonly #cells = new Pages();
  /** By number of an address: the action's number, counted from 1, or 0. */
  #actions = new Int32Array(0);
  readonly #shapes: Shape[] = [];
  readonly #shapeNumbers = new Map<string, number>();
  /** The action that was asked for last: a decision asks for it several times, and it may have very many inputs. */
  #made: { readonly number: number; readonly action: Action } | undefined;

  /** `base` is a table that this one extends without changing it. */
  constructor(base?: ActionTable) {
    this.#base = base;
    this.#first = base?.size ?? 0;
    this.strings = base?.strings ?? new Strings();
  }

  static of(actions: Iterable<Action>): ActionTable {
    if (actions instanceof ActionTable) return actions;
    const table = new ActionTable();
    for (const action of actions) table.add(action);
    return table;
  }

  get size(): number {
    return this.#first + this.#count;
  }

  *[Symbol.iterator](): Generator<Action> {
    for (let number = 0; number < this.size; number += 1) yield this.get(number);
  }

  *addresses(): Generator<Address> {
    for (let number = 0; number < this.size; number += 1) yield this.addressOf(number);
  }

  /** Actions are numbered from 0 in the order of adding. If two have the same address, lookups find the last. */
  add(action: Action): number {
    const { strings } = this;
    const { address, title, inputs, outputs, command } = action;
    const argv = command?.argv;
    const number = this.#count;
    this.#count += 1;
    this.#starts = withRoom(this.#starts, this.#count);
    this.#starts[number] = this.#cells.length;
    const addressNumber = strings.number(address);
    this.#push(addressNumber);
    this.#push(this.#shapeOf(action));
    this.#push(this.#titleNumber(title, argv));
    this.#push(argv?.length ?? 0);
    for (const argument of argv ?? []) this.#push(strings.number(argument));
    this.#push(inputs.length);
    for (const input of inputs) this.#pushInput(input);
    this.#push(outputs.length);
    for (const output of outputs) this.#pushOutput(output);
    this.#actions = withRoom(this.#actions, addressNumber + 1);
    this.#actions[addressNumber] = number + 1;
    return this.#first + number;
  }

  get(number: number): Action {
    if (this.#base !== undefined && number < this.#first) return this.#base.get(number);
    if (this.#made?.number === number) return this.#made.action;
    const action = this.#make(number);
    this.#made = { number, action };
    return action;
  }

  #make(number: number): Action {
    const { strings } = this;
    const start = this.#start(number);
    const { command, ...rest } = this.#shapes[this.#cell(start + SHAPE)] as Shape;
    const argv = this.#arguments(start);
    const title = this.#title(start, argv);
    return {
      address: strings.text(this.#cell(start + ADDRESS)),
      ...rest,
      ...(title === undefined ? {} : { title }),
      ...(command === undefined ? {} : { command: { argv, ...command } }),
      inputs: this.#list(this.#inputsAt(start), INPUT, (at) => this.#input(at)),
      outputs: this.#list(this.#outputsAt(start), OUTPUT, (at) => this.#output(at)),
    };
  }

  of(address: Address): Action | undefined {
    const number = this.numberOf(address);
    return number === undefined ? undefined : this.get(number);
  }

  numberOf(address: Address): number | undefined {
    const text = this.strings.find(address);
    return text === undefined ? undefined : this.numberAt(text);
  }

  /** The action whose address is this string number. */
  numberAt(text: number): number | undefined {
    const own = this.#actions[text];
    if (own !== undefined && own > 0) return this.#first + own - 1;
    return this.#base?.numberAt(text);
  }

  addressOf(number: number): Address {
    return this.strings.text(this.addressText(number));
  }

  /** String number of the action's address. */
  addressText(number: number): number {
    if (this.#base !== undefined && number < this.#first) return this.#base.addressText(number);
    return this.#cell(this.#start(number) + ADDRESS);
  }

  /** The fields that many actions share. */
  shapeOf(number: number): Shape {
    if (this.#base !== undefined && number < this.#first) return this.#base.shapeOf(number);
    return this.#shapes[this.#cell(this.#start(number) + SHAPE)] as Shape;
  }

  titleOf(number: number): string | undefined {
    if (this.#base !== undefined && number < this.#first) return this.#base.titleOf(number);
    const start = this.#start(number);
    return this.#title(start, this.#arguments(start));
  }

  /** String numbers of the addresses whose outputs it takes, each once. */
  needsOf(number: number): readonly number[] {
    if (this.#base !== undefined && number < this.#first) return this.#base.needsOf(number);
    const list = this.#inputsAt(this.#start(number));
    const needs: number[] = [];
    for (let at = list + 1; at < list + 1 + this.#cell(list) * INPUT; at += INPUT) {
      const need = this.#cell(at + 2);
      if (this.#cell(at + 1) === FROM.action && !needs.includes(need)) needs.push(need);
    }
    return needs;
  }

  /** String numbers in pairs: the address of a producer, and the name of the output taken from it. */
  outputsReadBy(number: number): readonly number[] {
    if (this.#base !== undefined && number < this.#first) return this.#base.outputsReadBy(number);
    const list = this.#inputsAt(this.#start(number));
    const reads: number[] = [];
    for (let at = list + 1; at < list + 1 + this.#cell(list) * INPUT; at += INPUT)
      if (this.#cell(at + 1) === FROM.action) reads.push(this.#cell(at + 2), this.#cell(at + 3));
    return reads;
  }

  /** String numbers of all names, inputs first. */
  namesOf(number: number): readonly number[] {
    if (this.#base !== undefined && number < this.#first) return this.#base.namesOf(number);
    const start = this.#start(number);
    return [
      ...this.#list(this.#inputsAt(start), INPUT, (at) => this.#cell(at)),
      ...this.#list(this.#outputsAt(start), OUTPUT, (at) => this.#cell(at)),
    ];
  }

  /** String numbers of the project files that it reads. */
  filesOf(number: number): readonly number[] {
    if (this.#base !== undefined && number < this.#first) return this.#base.filesOf(number);
    const list = this.#inputsAt(this.#start(number));
    const files: number[] = [];
    for (let at = list + 1; at < list + 1 + this.#cell(list) * INPUT; at += INPUT)
      if (this.#cell(at + 1) === FROM.file) files.push(this.#cell(at + 2));
    return files;
  }

  /** String numbers of its outputs' places; -1 for an output without one. */
  placesOf(number: number): readonly number[] {
    if (this.#base !== undefined && number < this.#first) return this.#base.placesOf(number);
    return this.#list(this.#outputsAt(this.#start(number)), OUTPUT, (at) => this.#cell(at + 1));
  }

  outputCount(number: number): number {
    if (this.#base !== undefined && number < this.#first) return this.#base.outputCount(number);
    return this.#cell(this.#outputsAt(this.#start(number)));
  }

  /** Index of the output with this name; -1: none. */
  outputNamed(number: number, name: string): number {
    return this.outputCalled(number, this.strings.find(name) ?? -1);
  }

  /** Like `outputNamed`, by string number. */
  outputCalled(number: number, wanted: number): number {
    if (this.#base !== undefined && number < this.#first) return this.#base.outputCalled(number, wanted);
    const list = this.#outputsAt(this.#start(number));
    for (let output = 0; output < this.#cell(list); output += 1)
      if (this.#cell(list + 1 + output * OUTPUT) === wanted) return output;
    return -1;
  }

  outputOf(number: number, output: number): ActionOutput {
    if (this.#base !== undefined && number < this.#first) return this.#base.outputOf(number, output);
    return this.#output(this.#outputsAt(this.#start(number)) + 1 + output * OUTPUT);
  }

  // --- Cells ------------------------------------------------------------------------------------------

  #start(number: number): number {
    return this.#starts[number - this.#first] as number;
  }

  #cell(at: number): number {
    return this.#cells.at(at);
  }

  #push(value: number): void {
    this.#cells.push(value);
  }

  #pushInput({ name, from }: ActionInput): void {
    const { strings } = this;
    this.#push(strings.number(name));
    if ("file" in from) {
      this.#push(FROM.file);
      this.#push(strings.number(from.file));
      this.#push(0);
    } else if ("action" in from) {
      this.#push(FROM.action);
      this.#push(strings.number(from.action));
      this.#push(strings.number(from.output));
    } else {
      this.#push(FROM.text);
      this.#push(strings.add(from.text));
      this.#push(0);
    }
  }

  #pushOutput({ name, place, kind, executable, optional }: ActionOutput): void {
    this.#push(this.strings.number(name));
    this.#push(place === undefined ? NO_PLACE : this.strings.number(place));
    this.#push(
      (kind === "folder" ? FLAG.folder : 0) |
        (executable === true ? FLAG.executable : 0) |
        (executable === "as-written" ? FLAG.asWritten : 0) |
        (optional ? FLAG.optional : 0),
    );
  }

  #shapeOf(action: Action): number {
    const text = shapeText(action);
    let number = this.#shapeNumbers.get(text);
    if (number === undefined) {
      number = this.#shapes.push(makeShape(action)) - 1;
      this.#shapeNumbers.set(text, number);
    }
    return number;
  }

  #titleNumber(title: string | undefined, argv: readonly string[] | undefined): number {
    if (title === undefined) return NO_TITLE;
    return title === argv?.join(" ") ? ARGUMENTS : this.strings.add(title);
  }

  #title(start: number, argv: readonly string[]): string | undefined {
    const title = this.#cell(start + TITLE);
    if (title === NO_TITLE) return undefined;
    return title === ARGUMENTS ? argv.join(" ") : this.strings.text(title);
  }

  #arguments(start: number): string[] {
    return this.#list(start + LISTS, 1, (at) => this.strings.text(this.#cell(at)));
  }

  #inputsAt(start: number): number {
    return start + LISTS + 1 + this.#cell(start + LISTS);
  }

  #outputsAt(start: number): number {
    const inputs = this.#inputsAt(start);
    return inputs + 1 + this.#cell(inputs) * INPUT;
  }

  #list<T>(list: number, width: number, read: (at: number) => T): T[] {
    const count = this.#cell(list);
    const items: T[] = [];
    for (let item = 0; item < count; item += 1) items.push(read(list + 1 + item * width));
    return items;
  }

  #input(at: number): ActionInput {
    const { strings } = this;
    const name = strings.text(this.#cell(at));
    const what = strings.text(this.#cell(at + 2));
    const kind = this.#cell(at + 1);
    if (kind === FROM.file) return { name, from: { file: what } };
    if (kind === FROM.text) return { name, from: { text: what } };
    return { name, from: { action: what, output: strings.text(this.#cell(at + 3)) } };
  }

  #output(at: number): ActionOutput {
    const { strings } = this;
    const place = this.#cell(at + 1);
    const flags = this.#cell(at + 2);
    return {
      name: strings.text(this.#cell(at)),
      kind: flags & FLAG.folder ? "folder" : "file",
      ...(place === NO_PLACE ? {} : { place: strings.text(place) }),
      ...(flags & FLAG.executable ? { executable: true } : {}),
      ...(flags & FLAG.asWritten ? { executable: "as-written" } : {}),
      ...(flags & FLAG.optional ? { optional: true } : {}),
    };
  }
}
