/**
 * Runs a process under bubblewrap: it can write only to its action's own folders, has no network, and sees no other
 * process. It can read what the user can read, except /run, where services listen.
 */

interface Confined {
  /** Path of the program `bwrap`. */
  readonly bwrap: string;
  /** Writable folders: the one that it runs in or writes outputs to, and the one for temporary files. */
  readonly work: string;
  readonly temporary: string;
  /** Working folder at the start. */
  readonly folder: string;
}

/** The confined command. Tools that keep caches in the user's home keep them in the temporary folder instead. */
export function confined(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  { bwrap, work, temporary, folder }: Confined,
): readonly string[] {
  const caches = env.XDG_CACHE_HOME === undefined ? ["--setenv", "XDG_CACHE_HOME", `${temporary}/cache`] : [];
  return [
    ...[bwrap, ...confinement],
    ...["--bind", work, work, "--bind", temporary, temporary],
    ...caches,
    ...["--chdir", folder, "--", ...argv],
  ];
}

/** /dev is visible, as some actions use devices. */
export const confinement: readonly string[] = [
  ...["--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc", "--tmpfs", "/run"],
  ...["--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent"],
];
