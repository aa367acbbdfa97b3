import CSystem
import Glibc
import Synchronization

/// The user's request to stop, by Ctrl-C, `kill` or closing the terminal: a flag, and a descriptor for poll.
///
/// The handler only sets the flag and writes one byte. The code that drives a run checks the flag between two steps and
/// leaves its scopes, which ends the children and removes temporary files. Blocking calls are interrupted, because the
/// handler is installed without SA_RESTART.
public enum StopSignal {
  /// Whether the user has requested a stop.
  public static var isRaised: Bool { state.signal.load(ordering: .relaxed) != 0 }

  /// The number of the signal, for the exit status 128 + number; nil if none arrived.
  public static var number: Int32? {
    let signal = state.signal.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// Becomes readable when a signal arrives; nil before ``install()``.
  public static var descriptor: CInt? {
    let descriptor = state.readEnd.load(ordering: .relaxed)
    return descriptor < 0 ? nil : descriptor
  }

  /// Handles SIGINT, SIGTERM and SIGHUP, and makes SIGPIPE an error of the write.
  ///
  /// An ignored SIGHUP stays ignored: `nohup` means that the run should outlive the terminal.
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
    let signals = cs_is_ignored(SIGHUP) == 1 ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    for signal in signals where sigaction(signal, &action, nil) != 0 {
      throw SystemCallError("sigaction", errno)
    }
    // The parent may have blocked them, and blocked signals are inherited.
    var wanted = sigset_t()
    sigemptyset(&wanted)
    for signal in signals { sigaddset(&wanted, signal) }
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

  /// Clears the request, for the next run in this process.
  public static func reset() {
    state.signal.store(0, ordering: .relaxed)
    guard let descriptor else { return }
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }

  /// A handler has no other way to reach its state; only the handler and this type use it.
  private static let state = State()

  private final class State: Sendable {
    let signal = Atomic<Int32>(0)
    let readEnd = Atomic<CInt>(-1)
    let writeEnd = Atomic<CInt>(-1)
  }
}
