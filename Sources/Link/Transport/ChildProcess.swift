import CSystem
import Glibc

/// A child process in its own process group, which does not outlive its owner.
///
/// So Ctrl-C in a terminal reaches only the owner, and processes started by the child die with it.
public final class ChildProcess {
  /// Its process number, and that of its group.
  public let process: Int32
  private var end: End?

  /// How a process ended.
  public enum End: Sendable, Equatable, CustomStringConvertible {
    /// By itself, with a status.
    case exited(Int32)
    /// By a signal.
    case signalled(Int32)

    public var description: String {
      switch self {
      case .exited(let status): "exited with status \(status)"
      case .signalled(let signal): "ended by signal \(signal)"
      }
    }

    /// The same with the signal's name, for common signals.
    public var namedDescription: String {
      guard case .signalled(let signal) = self else { return description }
      return "ended by \(Self.signalText(signal))"
    }

    /// A signal's number, with its name if it is a common one.
    static func signalText(_ signal: Int32) -> String {
      "signal \(signal)" + (names[signal].map { " (\($0))" } ?? "")
    }

    private static let names = [
      SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGINT: "SIGINT",
      SIGKILL: "SIGKILL", SIGPIPE: "SIGPIPE", SIGSEGV: "SIGSEGV", SIGSTOP: "SIGSTOP", SIGTERM: "SIGTERM",
      SIGTRAP: "SIGTRAP", SIGTSTP: "SIGTSTP", SIGTTIN: "SIGTTIN", SIGTTOU: "SIGTTOU",
    ]
  }

  /// The destination of a child's output.
  ///
  /// Not our standard output by default, since that may be a pipe to a program that expects one JSON object.
  public enum Output: Sendable {
    case standardError, standardOutput, nowhere
    /// An open descriptor, for standard output and standard error.
    case descriptor(Int32)
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The program, looked up in `$PATH` if it has no slash, and its arguments.
  ///   - name: What the program finds as its first argument; nil for what is looked up.
  ///   - environment: Its variables.
  ///   - inheritsEnvironment: Whether it also gets our own variables, but for those with equal names.
  ///   - descriptors: Open descriptors that the child gets as 3, 4, and so on; it gets no others.
  ///   - output: The destination of its standard output. Its standard input is empty.
  ///   - hasFixedLayout: Whether its addresses are the same at every start, if the system allows that.
  public init(
    _ arguments: [String], name: String? = nil, environment: [(name: String, value: String)] = [],
    inheritsEnvironment: Bool = true, descriptors: [Int32] = [], output: Output = .standardError,
    hasFixedLayout: Bool = false
  ) throws(SystemCallError) {
    guard let program = arguments.first else { throw SystemCallError("posix_spawn", EINVAL, on: "no program") }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    // First move them out of each other's way, then to their numbers.
    var refusal: Int32 = 0
    let raised = descriptors.map { descriptor in
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, Int32(3 + descriptors.count))
      if copy < 0 { refusal = errno }
      return copy
    }
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      for descriptor in raised where descriptor >= 0 { close(descriptor) }
    }
    guard refusal == 0 else { throw SystemCallError("fcntl", refusal, on: program) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    switch output {
    case .standardError: posix_spawn_file_actions_adddup2(&actions, 2, 1)
    case .standardOutput: break
    case .descriptor(let descriptor):
      posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
      posix_spawn_file_actions_adddup2(&actions, descriptor, 2)
    case .nowhere:
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    for (index, descriptor) in raised.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(3 + index))
    }
    var none = sigset_t()
    var ours = sigset_t()
    sigemptyset(&none)
    sigemptyset(&ours)
    for signal in [SIGINT, SIGTERM, SIGPIPE, SIGXFSZ] { sigaddset(&ours, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &ours)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    // The child has the layout of the thread that starts it.
    let personality = hasFixedLayout ? cs_fix_layout() : -1
    let stack = hasFixedLayout ? Self.fixStackLimit() : nil
    defer {
      cs_set_personality(personality)
      if var stack { setrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &stack) }
    }
    var started: pid_t = 0
    let argv = ([name ?? program] + arguments.dropFirst()).map { strdup($0) }
    let variables =
      inheritsEnvironment ? Self.environment(adding: environment) : environment.map { "\($0.name)=\($0.value)" }
    let envp = variables.map { strdup($0) }
    let status = posix_spawnp(&started, program, &actions, &attributes, argv + [nil], envp + [nil])
    for copy in argv + envp { free(copy) }
    guard status == 0 else { throw SystemCallError("posix_spawn", status, on: program) }
    process = started
  }

  /// Sets the limit that decides where the kernel maps memory, and how large the stacks of threads are.
  ///
  /// - Returns: The limit before; nil where it stays as it is.
  private static func fixStackLimit() -> rlimit? {
    var before = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_STACK.rawValue)
    guard getrlimit(resource, &before) == 0, before.rlim_cur != stackBytes, before.rlim_max >= stackBytes else {
      return nil
    }
    var fixed = rlimit(rlim_cur: stackBytes, rlim_max: before.rlim_max)
    return setrlimit(resource, &fixed) == 0 ? before : nil
  }

  private static let stackBytes: rlim_t = 8 << 20

  /// Takes over a process that another one has forked as a child of ours, in a process group of its own.
  public init(adopting process: Int32) { self.process = process }

  deinit { kill() }

  /// How it ended; nil while it runs.
  ///
  /// Does not wait. Processes that it started and left behind are killed.
  public func poll() -> End? {
    if let end { return end }
    var info = siginfo_t()
    // Looks without reaping: until it is reaped, its number, and so its group's, is not reused.
    guard waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0, info.si_signo == SIGCHLD else {
      return nil
    }
    Glibc.kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    end = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    return end
  }

  /// Waits for its end for a number of seconds of real time; nil if it still runs.
  public func wait(seconds: Double) -> End? {
    let deadline = MonotonicClock.after(seconds: seconds)
    var pause = timespec(tv_sec: 0, tv_nsec: 100_000)
    while true {
      if let end = poll() { return end }
      guard MonotonicClock.now < deadline else { return nil }
      nanosleep(&pause, nil)
      pause.tv_nsec = min(pause.tv_nsec * 2, 10_000_000)
    }
  }

  /// Kills it with all processes it started, and waits until it is gone.
  ///
  /// - Returns: How it ended; nil if the kernel could not end it within 5 s.
  @discardableResult
  public func kill() -> End? {
    if let end = poll() { return end }
    Glibc.kill(-process, SIGKILL)
    // Its group exists before it runs, but a kernel may deliver to the process sooner.
    Glibc.kill(process, SIGKILL)
    return wait(seconds: 5)
  }

  /// Waits for its end, and kills it if it does not end in time.
  @discardableResult
  public func finish(graceSeconds: Double) -> End? { wait(seconds: graceSeconds) ?? kill() }

  /// Replaces this process by another program that is killed when the parent process dies.
  ///
  /// For nodes of other programs, which do not request that themselves.
  ///
  /// - Returns: Only if the program could not be started.
  public static func become(_ arguments: [String]) -> SystemCallError {
    guard let program = arguments.first else { return SystemCallError("execvp", EINVAL, on: "no program") }
    _ = cs_die_with_parent(SIGKILL, 0)
    FileSizeSignal.restore()
    _ = execvp(program, arguments.map { strdup($0) } + [nil])
    return SystemCallError("execvp", errno, on: program)
  }

  /// Our environment with the additions, as `name=value`.
  public static func environment(adding added: [(name: String, value: String)]) -> [String] {
    var variables: [String] = []
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if !added.contains(where: { text.hasPrefix("\($0.name)=") }) { variables.append(text) }
      next += 1
    }
    return variables + added.map { "\($0.name)=\($0.value)" }
  }
}
