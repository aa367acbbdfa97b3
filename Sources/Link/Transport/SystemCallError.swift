import Glibc

/// A system call that failed.
public struct SystemCallError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The call's name, such as `connect`.
  public var call: String
  /// The value of `errno` after it.
  public var code: Int32
  /// What it was about, such as a path; empty where the call says it all.
  public var subject: String

  /// Creates an error.
  public init(_ call: String, _ code: Int32, on subject: String = "") {
    self.call = call
    self.code = code
    self.subject = subject
  }

  public var description: String {
    "\(call)\(subject.isEmpty ? "" : " \(subject)"): \(SystemText.of(code))"
  }
}

/// What the operating system's error numbers mean.
public enum SystemText {
  /// Returns the system's own words for a value of `errno`, and where it helps how to get out of it.
  public static func of(_ code: Int32) -> String {
    let text = String(cString: strerror(code))
    guard code == EMFILE else { return text }
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return text }
    return "\(text): a process may have \(limit.rlim_cur) open here; raise that with ulimit -n"
  }
}

/// The computer's own clock, which no trace ever sees: for deadlines on processes that may hang.
enum MonotonicClock {
  /// Nanoseconds since some moment before this process.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Returns the moment so many seconds from now.
  static func after(seconds: Double) -> Int64 { now + Int64(min(max(seconds, 0), 1e9) * 1e9) }
}
