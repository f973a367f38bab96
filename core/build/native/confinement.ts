/**
 * A process that can write nothing but its action's own folders, reach no network, and see no other process: by bubblewrap.
 * It reads what the user may read, with the exception of /run, where services listen.
 */

export interface Confined {
  /** The program `bwrap`. */
  readonly bwrap: string;
  /** Where it may write: the folder it runs in or writes outputs to, and the one for temporary files. */
  readonly work: string;
  readonly temporary: string;
  /** Where it starts. */
  readonly folder: string;
}

/** The same command, confined. Tools that keep caches in the user's home keep them in the temporary folder. */
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

/** Devices stay: some actions run on them. */
export const confinement: readonly string[] = [
  ...["--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc", "--tmpfs", "/run"],
  ...["--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent"],
];
