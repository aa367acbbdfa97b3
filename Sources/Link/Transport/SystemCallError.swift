import Glibc

/// A failed system call.
public struct SystemCallError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The call's name, such as `connect`.
  public var call: String
  /// The value of `errno`.
  public var code: Int32
  /// Its subject, such as a path; empty if the call is clear by itself.
  public var subject: String

  public init(_ call: String, _ code: Int32, on subject: String = "") {
    self.call = call
    self.code = code
    self.subject = subject
  }

  public var description: String {
    "\(call)\(subject.isEmpty ? "" : " \(subject)"): \(SystemText.of(code))"
  }
}

/// The operating system's error messages.
public enum SystemText {
  /// Returns the system's message for a value of `errno`, with advice for some.
  public static func of(_ code: Int32) -> String {
    let text = String(cString: strerror(code))
    var limit = rlimit()
    if code == EFBIG, getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 {
      return "\(text): a file may have \(limit.rlim_cur) bytes here; raise that with ulimit -f"
    }
    guard code == EMFILE else { return text }
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return text }
    return "\(text): a process may have \(limit.rlim_cur) open here; raise that with ulimit -n"
  }
}

/// The computer's clock, which never affects a trace: for deadlines of processes that may hang.
enum MonotonicClock {
  /// Nanoseconds since an instant before this process.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Returns the instant a number of seconds from now.
  static func after(seconds: Double) -> Int64 { now + Int64(min(max(seconds, 0), 1e9) * 1e9) }
}
