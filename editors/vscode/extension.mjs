/** Starts `arc lsp` for C files and arc.yaml. */
import { workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let client;

export async function activate() {
  const command = workspace.getConfiguration("arc").get("command", "arc");
  const [folder] = workspace.workspaceFolders ?? [];
  const server = { command, args: ["lsp"], options: { cwd: folder?.uri.fsPath } };
  client = new LanguageClient("arc", "arc", server, {
    documentSelector: [
      { scheme: "file", language: "c" },
      { scheme: "file", pattern: "**/arc.yaml" },
      { scheme: "file", pattern: "**/*.c.directives" },
    ],
  });
  await client.start();
}

export const deactivate = () => client?.stop();
