/**
 * node editor-stand-in.cjs EXTENSION FOLDER: loads the extension as VS Code would, with a module `vscode` of which only what
 * the language client decides by is real, activates it, has one C document open, prints what it is told, and deactivates it.
 */
const Module = require("node:module");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const [, , extension, folder] = process.argv;
const uriOf = (file) => ({ scheme: "file", fsPath: file, toString: () => pathToFileURL(file).href });

/** Whatever is asked of it or called on it is such a thing again. */
const anything = () =>
  new Proxy(() => anything(), {
    get: (_, name) =>
      name === Symbol.toPrimitive ? () => "" : name === "then" || name === Symbol.iterator ? undefined : anything(),
    construct: () => anything(),
  });
const besides = (own) => new Proxy(own, { get: (_, name) => (name in own ? own[name] : anything()) });
/** Classes of data, which the client extends and makes. */
const withClasses = (own) =>
  new Proxy(own, {
    get(_, name) {
      if (!(name in own)) own[name] = /^[A-Z]/.test(String(name)) ? class extends Data {} : anything();
      return own[name];
    },
  });

class EventEmitter {
  #listeners = new Set();
  get event() {
    return (listener) => {
      this.#listeners.add(listener);
      return { dispose: () => this.#listeners.delete(listener) };
    };
  }
  fire(value) {
    for (const listener of this.#listeners) listener(value);
  }
  dispose() {
    this.#listeners.clear();
  }
}
class Disposable {
  dispose() {}
}
class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable() };
  cancel() {}
  dispose() {}
}
class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value === "" ? part : `${this.value}.${part}`);
  }
  static Empty = new CodeActionKind("");
}
class Data {
  constructor(...values) {
    this.values = values;
  }
}

const document = {
  ...{ uri: uriOf(path.join(folder, "a.c")), languageId: "c", version: 1, isClosed: false },
  getText: () => "void f(int *a) {\n#pragma acc parallel lop copy(a[0:9])\n  for (int i = 0; i < 9; i++) a[i] = i;\n}\n",
};
const shown = new EventEmitter();
const vscode = withClasses({
  ...{ EventEmitter, Disposable, CancellationTokenSource, CodeActionKind },
  // As the oldest editor that the extension's manifest takes.
  version: process.env.EDITOR_VERSION,
  Uri: { file: uriOf, parse: (text) => ({ toString: () => text }) },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  window: besides({
    tabGroups: besides({ all: [] }),
    visibleTextEditors: [{ document }],
    showErrorMessage: async (...words) => console.log("error:", ...words),
  }),
  languages: besides({
    match: (selectors) => ([selectors].flat().some(({ language }) => language === "c") ? 10 : 0),
    createDiagnosticCollection: () =>
      besides({ set: (_, list) => shown.fire(list.map(({ values: [, message] }) => message)), dispose() {} }),
  }),
  workspace: besides({
    getConfiguration: () => ({ get: (name, usual) => (name === "command" ? process.env.ARC : usual) }),
    workspaceFolders: [{ uri: uriOf(folder), name: "folder", index: 0 }],
    textDocuments: [document],
    notebookDocuments: [],
  }),
});

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const { activate, deactivate } = require(path.resolve(extension));

const told = new Promise((resolve) => shown.event((messages) => messages.length > 0 && resolve(messages)));
activate()
  .then(() => told)
  .then((messages) => console.log(`shown: ${messages.join(" ")}`))
  .then(deactivate)
  .then(
    () => console.log("ended"),
    (error) => {
      console.log(error);
      process.exit(1);
    },
  );
