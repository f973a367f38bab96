export function sourcesDigest(root: string): string;
export function noteSources(root: string, digest: string): void;
export function isMadeOfSources(root: string): boolean;
