import CSystem
import Glibc
import Synchronization

/// The user's wish to stop, by Ctrl-C or by `kill`: a flag, and a descriptor that a poll can wait on.
///
/// The handler only sets the flag and writes one byte. Whoever drives a run looks at the flag between two
/// steps, leaves its scopes, and so ends the children and removes what was made. Calls that wait are
/// interrupted, as the handler is installed without restarting them.
public enum StopSignal {
  /// Whether the user wants to stop.
  public static var isRaised: Bool { state.signal.load(ordering: .relaxed) != 0 }

  /// The number of the signal that came, for the exit status 128 + it; nil when none came.
  public static var number: Int32? {
    let signal = state.signal.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// Becomes readable when a signal comes; nil before ``install()``.
  public static var descriptor: CInt? {
    let descriptor = state.readEnd.load(ordering: .relaxed)
    return descriptor < 0 ? nil : descriptor
  }

  /// Takes over SIGINT and SIGTERM, and lets SIGPIPE be an error of the write.
  public static func install() throws(SystemCallError) {
    if descriptor == nil {
      var ends: [CInt] = [-1, -1]
      let status = cs_pipe(&ends, 1)
      guard status == 0 else { throw SystemCallError("pipe", -status) }
      state.writeEnd.store(ends[1], ordering: .relaxed)
      state.readEnd.store(ends[0], ordering: .relaxed)
    }
    var action = sigaction()
    sigemptyset(&action.sa_mask)
    action.__sigaction_handler.sa_handler = { signal in StopSignal.raise(signal) }
    for signal in [SIGINT, SIGTERM] where sigaction(signal, &action, nil) != 0 {
      throw SystemCallError("sigaction", errno)
    }
    // Whoever started us may have had them blocked, and a blocked signal is inherited.
    var wanted = sigset_t()
    sigemptyset(&wanted)
    for signal in [SIGINT, SIGTERM] { sigaddset(&wanted, signal) }
    pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    Glibc.signal(SIGPIPE, SIG_IGN)
  }

  /// Does what the handler does.
  static func raise(_ signal: Int32) {
    let before = errno
    state.signal.store(signal, ordering: .relaxed)
    var byte: UInt8 = 1
    let descriptor = state.writeEnd.load(ordering: .relaxed)
    if descriptor >= 0 { _ = write(descriptor, &byte, 1) }
    errno = before
  }

  /// Forgets what came, for the next run in this process.
  public static func reset() {
    state.signal.store(0, ordering: .relaxed)
    guard let descriptor else { return }
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }

  /// A handler has no other way to reach what it sets; nothing but the handler and this type touches it.
  private static let state = State()

  private final class State: Sendable {
    let signal = Atomic<Int32>(0)
    let readEnd = Atomic<CInt>(-1)
    let writeEnd = Atomic<CInt>(-1)
  }
}
