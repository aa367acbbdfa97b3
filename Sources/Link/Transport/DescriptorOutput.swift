import Glibc

/// Writes whole buffers to descriptors.
package enum DescriptorOutput {
  /// Writes all bytes; continues after interruptions and partial writes.
  ///
  /// - Returns: The `errno` of a failed write, after which an unknown part of the bytes is written; 0 for none.
  package static func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> CInt {
    var rest = bytes
    while !rest.isEmpty {
      let written = write(descriptor, rest, rest.count)
      if written < 0 {
        let code = errno
        if code == EINTR { continue }
        return code
      }
      guard written < rest.count else { return 0 }
      rest.removeFirst(written)
    }
    return 0
  }
}

/// The signal of a write beyond the limit of file sizes (`ulimit -f`), which ends a process by default.
public enum FileSizeSignal {
  /// Makes such a write fail with `EFBIG`, so that it ends with a message.
  public static func ignore() { signal(SIGXFSZ, SIG_IGN) }

  /// Gives the signal its default effect again, for a program that is about to be executed.
  public static func restore() { signal(SIGXFSZ, SIG_DFL) }
}
