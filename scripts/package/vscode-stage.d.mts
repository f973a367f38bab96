/** Writes the extension for VS Code into an empty folder; resolves to its version. */
export function stageExtension(stage: string): Promise<string>;
