/** The language server: takes an editor's documents, returns diagnostics, hovers, completions and edits. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  type CodeAction,
  CodeActionKind,
  CompletionItemKind,
  type Connection,
  type Diagnostic,
  DiagnosticSeverity,
  DidChangeWatchedFilesNotification,
  type InitializeResult,
  type Location,
  MarkupKind,
  type Position,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { candidatesInEntry, meaningInEntry } from "../../rules/editor/directive-file-words.ts";
import { candidatesAt, meaningAt } from "../../rules/editor/words.ts";
import { diagnoseProject, type diagnoseSource, type Found, isProjectFile } from "./diagnose.ts";
import type { KernelPlace } from "./kernel-text.ts";
import { knownFigures } from "./known-figures.ts";
import { Lines } from "./positions.ts";

/** Pause in typing, in ms, after which a document is checked. */
const PAUSE_MS = 20;

interface Tools {
  readonly diagnoseSource: (
    shown: Parameters<typeof diagnoseSource>[0],
    signal: AbortSignal,
    early: (found: readonly Found[]) => void,
  ) => Promise<readonly Found[]>;
  /** Kernels that are made of a line, in files. Places count from 1. */
  readonly kernelPlaces: (asked: {
    readonly file: string;
    readonly text: string;
    readonly line: number;
  }) => Promise<readonly KernelPlace[]>;
  readonly version: string;
  /** Called with internal errors of arc. */
  readonly failed: (error: unknown) => void;
}

/** Resolves when the editor disconnects. */
export function serve(connection: Connection, tools: Tools): Promise<void> {
  const documents = new TextDocuments(TextDocument);
  const checks = new Checks(connection, tools);
  let watches = false;
  connection.onInitialize(({ capabilities }): InitializeResult => {
    watches = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return {
      serverInfo: { name: "arc", version: tools.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        hoverProvider: true,
        completionProvider: { triggerCharacters: [" ", ","] },
        definitionProvider: true,
        implementationProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
      },
    };
  });
  connection.onInitialized(() => {
    if (!watches) return;
    const watchers = ["**/*.{c,h}", "**/*.c.directives", "**/arc.yaml"].map((globPattern) => ({
      globPattern,
    }));
    void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  });
  documents.onDidChangeContent(({ document }) => checks.soon(document));
  // A changed header or changed project flags may lead to other findings.
  const all = (): void => {
    for (const document of documents.all()) checks.soon(document);
  };
  documents.onDidSave(all);
  connection.onDidChangeWatchedFiles(all);
  documents.onDidClose(({ document }) => checks.forget(document.uri));
  connection.onHover(({ textDocument, position }) => {
    const { uri } = textDocument;
    const at = lineAt(documents.get(uri), position);
    const meaning = isDirectiveFile(uri) ? meaningInEntry(...at, sourceOf(uri, documents)) : meaningAt(...at);
    const isSaved = uri.startsWith("file:") && !isDirectiveFile(uri);
    const figures = isSaved ? knownFigures(fileURLToPath(uri), position.line + 1) : undefined;
    const texts = [meaning && `**${meaning.title}**\n\n${meaning.text}`, figures].filter(
      (text) => text !== undefined,
    );
    return texts.length === 0 ? null : { contents: { kind: MarkupKind.Markdown, value: texts.join("\n\n") } };
  });
  connection.onCompletion(({ textDocument: { uri }, position }) => {
    const at = lineAt(documents.get(uri), position);
    const words = isDirectiveFile(uri)
      ? candidatesInEntry(...at, sourceOf(uri, documents))
      : candidatesAt(...at);
    return words.map(({ word, kind, title, text }) => ({
      label: word,
      kind: kind === "directive" ? CompletionItemKind.Keyword : CompletionItemKind.Property,
      detail: title,
      documentation: { kind: MarkupKind.Markdown, value: text },
    }));
  });
  connection.onCodeAction(({ textDocument, range }) =>
    checks
      .fixesFor(textDocument.uri)
      .filter(({ diagnostics }) =>
        diagnostics?.some(
          (d) => d.range.start.line <= range.end.line && d.range.end.line >= range.start.line,
        ),
      ),
  );
  const kernels = async (
    uri: string,
    position: Position,
    isAnywhere: boolean,
  ): Promise<Location[] | null> => {
    const document = documents.get(uri);
    if (document === undefined || !uri.startsWith("file:") || !uri.endsWith(".c")) return null;
    if (!isAnywhere && !/^\s*#\s*pragma\b/.test(lineAt(document, position)[0])) return null;
    const asked = { file: fileURLToPath(uri), text: document.getText(), line: position.line + 1 };
    const places = await tools.kernelPlaces(asked);
    return places.map(({ file, line }) => {
      const start = { line: line - 1, character: 0 };
      return { uri: pathToFileURL(file).href, range: { start, end: start } };
    });
  };
  // The definition of a name is for servers of C: a directive has none but its kernels.
  connection.onDefinition(({ textDocument: { uri }, position }) => kernels(uri, position, false));
  connection.onImplementation(({ textDocument: { uri }, position }) => kernels(uri, position, true));
  documents.listen(connection);
  const exited = new Promise<void>((resolve) => {
    connection.onShutdown(() => checks.stop());
    connection.onExit(() => resolve());
  });
  connection.listen();
  return exited;
}

const suffix = ".directives";

/** A directive file is no C; its errors are shown in its source. */
const isDirectiveFile = (uri: string): boolean => uri.endsWith(`.c${suffix}`);

/** The text of a directive file's source, as the editor has it or as it is saved; empty if there is none. */
function sourceOf(uri: string, documents: TextDocuments<TextDocument>): string {
  const source = uri.slice(0, -suffix.length);
  const open = documents.get(source);
  if (open) return open.getText();
  const file = source.startsWith("file:") ? fileURLToPath(source) : "";
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** The logical line at a position, with continued lines before it joined, and the column in it. */
function lineAt(document: TextDocument | undefined, { line, character }: Position): [string, number] {
  const text = (k: number): string =>
    document?.getText({ start: { line: k, character: 0 }, end: { line: k + 1, character: 0 } }).trimEnd() ??
    "";
  let before = "";
  for (let k = line - 1; k >= 0 && text(k).endsWith("\\"); k--) before = `${text(k).slice(0, -1)} ${before}`;
  const own =
    document?.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } }) ?? "";
  return [before + own.replace(/[\\\r\n]+$/, ""), before.length + character];
}

/** What is known about each open document. */
class Checks {
  readonly #connection: Connection;
  readonly #tools: Tools;
  readonly #running = new Map<string, AbortController>();
  readonly #mending = new Map<string, readonly CodeAction[]>();
  /** The last complete findings. */
  readonly #known = new Map<string, Known>();

  constructor(connection: Connection, tools: Tools) {
    this.#connection = connection;
    this.#tools = tools;
  }

  fixesFor(uri: string): readonly CodeAction[] {
    return this.#mending.get(uri) ?? [];
  }

  /** Checks a document once typing pauses; a check of an older text is aborted. */
  soon(document: TextDocument): void {
    const { uri } = document;
    if (!uri.startsWith("file:") || isDirectiveFile(uri)) return;
    this.#running.get(uri)?.abort();
    const control = new AbortController();
    this.#running.set(uri, control);
    setTimeout(() => {
      if (control.signal.aborted) return;
      this.#look(document, control.signal).catch((error) => {
        if (!control.signal.aborted) this.#tools.failed(error);
      });
    }, PAUSE_MS);
  }

  forget(uri: string): void {
    this.#running.get(uri)?.abort();
    this.#running.delete(uri);
    this.#mending.delete(uri);
    this.#known.delete(uri);
    void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  stop(): void {
    for (const control of this.#running.values()) control.abort();
  }

  async #look(document: TextDocument, signal: AbortSignal): Promise<void> {
    const { uri, version } = document;
    const shown = { file: fileURLToPath(uri), text: document.getText() };
    const before = this.#known.get(uri);
    let first: string | undefined;
    // Until the rules have run again, their findings stay where the line is unchanged.
    const early = (found: readonly Found[]): void => {
      if (signal.aborted) return;
      const all = [...found, ...(before === undefined ? [] : stillThere(before, shown.text))];
      first = JSON.stringify(all);
      void this.#show(uri, version, shown.text, all);
    };
    const found = isProjectFile(shown.file)
      ? diagnoseProject(shown)
      : await this.#tools.diagnoseSource(shown, signal, early);
    if (signal.aborted) return;
    this.#known.set(uri, { text: shown.text, found });
    if (JSON.stringify(found) !== first) await this.#show(uri, version, shown.text, found);
  }

  async #show(uri: string, version: number, text: string, found: readonly Found[]): Promise<void> {
    const lines = new Lines(text);
    const diagnosed = found.map((one) => ({ one, diagnostic: diagnosticOf(one, lines) }));
    this.#mending.set(
      uri,
      diagnosed.flatMap(({ one, diagnostic }) => actionOf(one, diagnostic, uri, lines)),
    );
    await this.#connection.sendDiagnostics({ uri, version, diagnostics: diagnosed.map((t) => t.diagnostic) });
  }
}

interface Known {
  readonly text: string;
  readonly found: readonly Found[];
}

/** Rule findings in lines that a newer text still has at the same distance from its start or end. */
export function stillThere({ text, found }: Known, now: string): readonly Found[] {
  const [before, after] = [text.split("\n"), now.split("\n")];
  const by = after.length - before.length;
  return found.flatMap((one): Found[] => {
    if (one.rule !== true) return [];
    const line = before[one.loc.line - 1];
    // Its edits refer to the older text.
    const { fix: _, ...same } = one;
    if (after[one.loc.line - 1] === line) return [same];
    if (after[one.loc.line - 1 + by] !== line) return [];
    return [
      {
        ...same,
        loc: { ...one.loc, line: one.loc.line + by },
        ...(one.end === undefined ? {} : { end: { ...one.end, line: one.end.line + by } }),
      },
    ];
  });
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} as const;

function diagnosticOf({ severity, code, message, loc, end, why, remedy }: Found, lines: Lines): Diagnostic {
  const more = [why && `(${why})`, remedy && `try: ${remedy}`].filter(Boolean);
  return {
    range: lines.range(loc, end),
    severity: severities[severity],
    source: "arc",
    code,
    message: [message, ...more].join("\n"),
  };
}

function actionOf({ fix, remedy }: Found, diagnostic: Diagnostic, uri: string, lines: Lines): CodeAction[] {
  if (fix === undefined || fix.length === 0) return [];
  const edits = fix.map((edit) => ({
    range: { start: lines.position(edit.loc), end: lines.position(edit.end) },
    newText: edit.text,
  }));
  return [
    {
      title: remedy ?? "mend it",
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnostic],
      isPreferred: true,
      edit: { changes: { [uri]: edits } },
    },
  ];
}
