export function noteSources(root: string): void;
export function isMadeOfSources(root: string): boolean;
