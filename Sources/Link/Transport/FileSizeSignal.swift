import Glibc

/// The signal of a write beyond the limit of file sizes (`ulimit -f`), which ends a process by default.
public enum FileSizeSignal {
  /// Makes such a write fail with `EFBIG`, so that it ends with a message.
  public static func ignore() { signal(SIGXFSZ, SIG_IGN) }

  /// Gives the signal its default effect again, for a program that is about to be executed.
  public static func restore() { signal(SIGXFSZ, SIG_DFL) }
}
