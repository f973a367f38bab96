/*
 * Runs a command and notes which files it and its descendants name in system calls:
 *
 *   tracer all|light LOG PROGRAM ARGUMENT...
 *
 * `light` leaves out what realpath asks: the C library reads each folder of a path as if it were a link. Two thirds of
 * the calls of a C compiler are such, and what it resolves it opens or looks at, too.
 *
 * The kernel asks before each call that names a file (seccomp user notification, Linux 5.5); the call is noted and
 * allowed. This works for programs in any language, also for statically linked ones, and needs no privileges. LOG
 * receives records of a letter, an absolute path and NUL, each once: `r` opened for reading, `w` written, made, renamed
 * or removed, `s` stat, `x` executed; `!` and a text: something could not be followed; at last `c` and the microseconds
 * of processor time that the tracer took. If the kernel does not support this, the command runs untraced. Exits as the
 * command does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE 1
#endif

#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

static FILE *log_file;

/* --- What was recorded already ----------------------------------------------------------------------- */

static char **recorded;
static size_t capacity, recorded_count;

static size_t place_of(const char *record) {
  size_t hash = 1469598103934665603u;
  for (const char *at = record; *at != 0; at++) hash = (hash ^ (unsigned char)*at) * 1099511628211u;
  size_t place = hash & (capacity - 1);
  while (recorded[place] != NULL && strcmp(recorded[place], record) != 0) place = (place + 1) & (capacity - 1);
  return place;
}

/* Doubles the table when it is half full. */
static bool grow(void) {
  char **before = recorded;
  size_t old_capacity = capacity;
  capacity = old_capacity == 0 ? 4096 : 2 * old_capacity;
  recorded = calloc(capacity, sizeof *recorded);
  if (recorded == NULL) return false;
  for (size_t at = 0; at < old_capacity; at++)
    if (before[at] != NULL) recorded[place_of(before[at])] = before[at];
  free(before);
  return true;
}

static void record_once(char kind, const char *text) {
  char record[PATH_MAX + 2];
  if (snprintf(record, sizeof record, "%c%s", kind, text) >= (int)sizeof record) return;
  if (2 * recorded_count >= capacity && !grow()) exit(125);
  size_t place = place_of(record);
  if (recorded[place] != NULL) return;
  recorded[place] = strdup(record);
  recorded_count++;
  fwrite(record, 1, strlen(record) + 1, log_file);
}

/* --- What a call names --------------------------------------------------------------------------- */

/* Reads a string from another process' memory. */
static bool read_text(pid_t pid, uint64_t address, char text[PATH_MAX]) {
  size_t count = 0;
  while (count < PATH_MAX) {
    /* Read no further than the current page: the next one may not be mapped. */
    size_t part = 4096 - (size_t)((address + count) & 4095);
    if (part > PATH_MAX - count) part = PATH_MAX - count;
    struct iovec here = {text + count, part}, there = {(void *)(uintptr_t)(address + count), part};
    ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);
    if (got <= 0) return false;
    if (memchr(text + count, 0, (size_t)got) != NULL) return true;
    count += (size_t)got;
  }
  return false;
}

/* A relative path starts at a folder that the process has open, or at its working folder. */
static void record_path(pid_t pid, char kind, int folder, uint64_t address) {
  char path[PATH_MAX], link[64], base[PATH_MAX], whole[2 * PATH_MAX];
  if (address == 0 || !read_text(pid, address, path) || *path == 0) return;
  if (*path == '/') {
    record_once(kind, path);
    return;
  }
  if (folder == AT_FDCWD) snprintf(link, sizeof link, "/proc/%d/cwd", (int)pid);
  else snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)pid, folder);
  ssize_t length = readlink(link, base, sizeof base - 1);
  if (length <= 0) return;
  base[length] = 0;
  snprintf(whole, sizeof whole, "%s/%s", base, path);
  record_once(kind, whole);
}

static char kind_of(uint64_t flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0 ? 'w' : 'r';
}

static const int followed[] = {
#ifdef SYS_open
    SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_rename, SYS_unlink, SYS_mkdir, SYS_rmdir,
    SYS_link, SYS_symlink,
#endif
    SYS_openat, SYS_openat2, SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_execve,
    SYS_execveat, SYS_truncate, SYS_renameat, SYS_renameat2, SYS_unlinkat, SYS_mkdirat, SYS_linkat, SYS_symlinkat,
    SYS_io_uring_setup,
};
#define FOLLOWED (sizeof followed / sizeof *followed)

/* The call by which the C library reads links, and which of its arguments is the size of the buffer. */
#ifdef SYS_readlink
#define READLINK SYS_readlink
#define READLINK_SIZE 2
#else
#define READLINK SYS_readlinkat
#define READLINK_SIZE 3
#endif

static void note(pid_t pid, const struct seccomp_data *call) {
  const uint64_t *args = (const uint64_t *)call->args;
  int folder = (int)args[0];
  switch (call->nr) {
#ifdef SYS_open
  case SYS_open: record_path(pid, kind_of(args[1]), AT_FDCWD, args[0]); return;
  case SYS_creat: record_path(pid, 'w', AT_FDCWD, args[0]); return;
  case SYS_stat: case SYS_lstat: case SYS_access: case SYS_readlink: record_path(pid, 's', AT_FDCWD, args[0]); return;
  case SYS_unlink: case SYS_mkdir: case SYS_rmdir: record_path(pid, 'w', AT_FDCWD, args[0]); return;
  case SYS_rename:
    record_path(pid, 'w', AT_FDCWD, args[0]);
    record_path(pid, 'w', AT_FDCWD, args[1]);
    return;
  case SYS_link:
    record_path(pid, 'r', AT_FDCWD, args[0]);
    record_path(pid, 'w', AT_FDCWD, args[1]);
    return;
  case SYS_symlink: record_path(pid, 'w', AT_FDCWD, args[1]); return;
#endif
  case SYS_openat: record_path(pid, kind_of(args[2]), folder, args[1]); return;
  case SYS_openat2: {
    uint64_t flags = 0;
    struct iovec here = {&flags, sizeof flags}, there = {(void *)(uintptr_t)args[2], sizeof flags};
    if (process_vm_readv(pid, &here, 1, &there, 1, 0) != (ssize_t)sizeof flags) flags = 0;
    record_path(pid, kind_of(flags), folder, args[1]);
    return;
  }
  case SYS_newfstatat: case SYS_statx: case SYS_faccessat: case SYS_faccessat2: case SYS_readlinkat:
    record_path(pid, 's', folder, args[1]);
    return;
  case SYS_execve: record_path(pid, 'x', AT_FDCWD, args[0]); return;
  case SYS_execveat: record_path(pid, 'x', folder, args[1]); return;
  case SYS_truncate: record_path(pid, 'w', AT_FDCWD, args[0]); return;
  case SYS_unlinkat: case SYS_mkdirat: record_path(pid, 'w', folder, args[1]); return;
  case SYS_symlinkat: record_path(pid, 'w', (int)args[1], args[2]); return;
  case SYS_linkat:
    record_path(pid, 'r', folder, args[1]);
    record_path(pid, 'w', (int)args[2], args[3]);
    return;
  case SYS_renameat: case SYS_renameat2:
    record_path(pid, 'w', folder, args[1]);
    record_path(pid, 'w', (int)args[2], args[3]);
    return;
  case SYS_io_uring_setup: record_once('!', "a program uses io_uring, by which files are opened unseen"); return;
  }
}

/* --- The two sides ------------------------------------------------------------------------------- */

/* Of the buffer that glibc's realpath gives to readlink: 1024 bytes without the last one. */
#define REALPATH_BUFFER 1023

/* Installs the filter for the calls above; returns the notification descriptor, or -1. */
static int ask(bool light) {
#ifdef ARCH
  /* Where the list of calls begins, and the two verdicts behind it. */
  enum { LIST = 9, ALLOW = LIST + FOLLOWED, ASK = ALLOW + 1 };
  struct sock_filter filter[ASK + 1];
  size_t at = 0;
  /* Programs for another architecture have other call numbers. */
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 0, (uint8_t)(ALLOW - 2));
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  /* A third of all calls are about a file that is open already, and name none. */
  filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_newfstatat, 0, 2);
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[3]));
  filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, AT_EMPTY_PATH, (uint8_t)(ALLOW - 6),
                                              (uint8_t)(ASK - 6));
  filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, READLINK, 0, 2);
  filter[at++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * READLINK_SIZE);
  filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, light ? REALPATH_BUFFER : UINT32_MAX,
                                              (uint8_t)(ALLOW - 9), (uint8_t)(ASK - 9));
  for (size_t k = 0; k < FOLLOWED; k++)
    filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)followed[k],
                                                (uint8_t)(FOLLOWED - k), 0);
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  struct sock_fprog program = {(unsigned short)at, filter};
  /* Who may administer the system keeps the rights of set-user-ID programs. */
  int questions = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (questions >= 0 || errno != EACCES || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return questions;
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
#else
  (void)light;
  return -1;
#endif
}

static bool send_descriptor(int socket, int descriptor) {
  char byte = descriptor < 0 ? 'n' : 'y', control[CMSG_SPACE(sizeof descriptor)] = {0};
  struct iovec bytes = {&byte, 1};
  struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
  if (descriptor >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  return sendmsg(socket, &message, 0) == 1;
}

static int receive_descriptor(int socket) {
  char byte, control[CMSG_SPACE(sizeof(int))];
  struct iovec bytes = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  int descriptor = -1;
  ssize_t got;
  do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  struct cmsghdr *header = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
  if (header != NULL && header->cmsg_type == SCM_RIGHTS) memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

static void answer(int questions) {
  _Alignas(8) char request_bytes[512], response_bytes[128];
  struct seccomp_notif *question = (void *)request_bytes;
  struct seccomp_notif_resp *reply = (void *)response_bytes;
  memset(request_bytes, 0, sizeof request_bytes);
  if (ioctl(questions, SECCOMP_IOCTL_NOTIF_RECV, question) != 0) return;
  note((pid_t)question->pid, &question->data);
  memset(response_bytes, 0, sizeof response_bytes);
  reply->id = question->id;
  reply->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ioctl(questions, SECCOMP_IOCTL_NOTIF_SEND, reply);
}

static int follow(pid_t child, int questions) {
  /* Linux 6.6: lets the asking process and this one take turns on one processor. */
  ioctl(questions, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
  int status = 0, ends = (int)syscall(SYS_pidfd_open, child, 0);
  struct pollfd both[] = {{questions, POLLIN, 0}, {ends, POLLIN, 0}};
  for (;;) {
    poll(both, 2, ends < 0 ? 5 : -1);
    if (both[0].revents & POLLIN) {
      answer(questions);
      continue;
    }
    if (both[0].revents & POLLHUP) both[0].fd = -1;
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return status;
  }
}

static void record_cost(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  char text[32];
  snprintf(text, sizeof text, "%lld",
           (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000LL + used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  record_once('c', text);
}

int main(int count, char **arguments) {
  if (count < 4 || (log_file = fopen(arguments[2], "we")) == NULL) {
    fprintf(stderr, "tracer: %s\n", count < 4 ? "usage: tracer all|light LOG PROGRAM ARGUMENT..." : strerror(errno));
    return 125;
  }
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return 125;
  pid_t child = fork();
  if (child < 0) return 125;
  if (child == 0) {
    int questions = ask(strcmp(arguments[1], "light") == 0);
    if (!send_descriptor(sockets[1], questions)) _exit(125);
    if (questions >= 0) close(questions);
    execvp(arguments[3], arguments + 3);
    fprintf(stderr, "%s: %s\n", arguments[3], strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
  }
  close(sockets[1]);
  /* The whole group receives the signal; calls until then are still answered. */
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  int status = 0, questions = receive_descriptor(sockets[0]);
  if (questions < 0) {
    record_once('!', "this system does not tell what a process reads (seccomp user notification)");
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  } else status = follow(child, questions);
  record_cost();
  bool written = fclose(log_file) == 0;
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  return written ? WEXITSTATUS(status) : 125;
}
