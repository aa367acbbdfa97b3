import CSystem
import Glibc
import Synchronization

/// Processes that a user's program started and left behind in process groups of their own.
///
/// A process group is killed with its program (``ChildProcess``), but a process can leave it (`setsid`). Once this process
/// adopts orphans, such a process becomes its child, and is killed at the end.
///
/// An end by SIGKILL leaves no time for that. So a process beside this one, the guard, waits for this one's end and kills
/// every process with this one's mark in its environment, which descendants inherit.
public enum Orphans {
  /// The children that existed before the first call of ``adopt()``; nil until then.
  private static let strangers = Mutex<Set<pid_t>?>(nil)
  /// The limit of rounds of ``kill()``, each of which ends a generation of processes.
  private static let roundsMax = 100

  /// The variable with the mark, which user programs get.
  private static let markName = "WRISTWIRE_GUARD"
  /// The program and arguments of a guard, before the mark, if any.
  private static let guardWords = Mutex<[String]?>(nil)
  /// The guard: its process, the end of the pipe whose closing it notices, and the mark.
  private static let guarding = Mutex<(process: ChildProcess, mark: String)?>(nil)

  /// Sets how ``adopt()`` starts a guard: a program that calls ``guardMarked(_:)`` with the argument that follows.
  public static func setGuard(_ words: [String]) { guardWords.withLock { $0 = words } }

  /// The variables that let a guard find a user program and what it starts; none without a guard.
  public static var environment: [(name: String, value: String)] {
    guarding.withLock { $0.map { [(markName, $0.mark)] } ?? [] }
  }

  private static func startGuard() {
    guard let words = guardWords.withLock({ $0 }) else { return }
    guarding.withLock { known in
      guard known == nil else { return }
      var random: UInt64 = 0
      var ends: [Int32] = [-1, -1]
      guard cs_random(&random, 8) == 0, cs_pipe(&ends, 0) == 0 else { return }
      // Always as long, since an environment's length moves a program's stack.
      let hex = String(random, radix: 16)
      let mark = String(repeating: "0", count: 16 - hex.count) + hex
      // Our end stays open as long as this process lives.
      let process = try? ChildProcess(words + [mark], descriptors: [ends[0]], output: .nowhere)
      close(ends[0])
      if let process { known = (process, mark) } else { close(ends[1]) }
    }
  }

  /// Waits until the process that started this guard has ended, and kills every process with a mark.
  public static func guardMarked(_ mark: String) {
    var byte: UInt8 = 0
    while true {
      let count = read(3, &byte, 1)
      if count == 0 || (count < 0 && errno != EINTR) { break }
    }
    let entry = Array("\(markName)=\(mark)".utf8)
    for _ in 0..<roundsMax {
      let found = processes().filter { hasVariable(entry, process: $0) }
      guard !found.isEmpty else { return }
      for process in found { Glibc.kill(process, SIGKILL) }
      var pause = timespec(tv_sec: 0, tv_nsec: 10_000_000)
      nanosleep(&pause, nil)
    }
  }

  private static func processes() -> [pid_t] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    return DirectoryNames(directory: folder).compactMap { pid_t($0) }
  }

  /// Whether a process was started with a variable; false for processes that may not be asked, and for zombies.
  private static func hasVariable(_ entry: [UInt8], process: pid_t) -> Bool {
    bytes(of: "/proc/\(process)/environ").split(separator: 0).contains { $0.elementsEqual(entry) }
  }

  private static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var text: [UInt8] = []
    var next = getc(file)
    while next >= 0 {
      text.append(UInt8(truncatingIfNeeded: next))
      next = getc(file)
    }
    return text
  }

  /// Makes this process the parent of its descendants' orphans, and starts a guard.
  ///
  /// Further calls have no effect.
  public static func adopt() {
    defer { startGuard() }
    strangers.withLock { known in
      // The program that replaced itself by this one (`exec`) may have had children, which we must not kill.
      guard known == nil, cs_adopt_orphans() == 0 else { return }
      known = Set(children())
    }
  }

  /// Kills every child of this process that it did not have before ``adopt()``, and its descendants.
  ///
  /// For the end of this process. Does nothing without ``adopt()``.
  public static func kill() {
    guard let known = strangers.withLock({ $0 }) else { return }
    for _ in 0..<roundsMax {
      let left = children().filter { !known.contains($0) }
      guard !left.isEmpty else { return }
      for process in left { Glibc.kill(process, SIGKILL) }
      for process in left { while waitpid(process, nil, 0) < 0, errno == EINTR {} }
    }
  }

  /// This process's children, including zombies; empty if the kernel does not list them.
  private static func children() -> [pid_t] {
    guard let folder = opendir("/proc/self/task") else { return [] }
    defer { closedir(folder) }
    var found: [pid_t] = []
    for name in DirectoryNames(directory: folder) {
      guard Int32(name) != nil else { continue }
      let text = bytes(of: "/proc/self/task/\(name)/children")
      found += text.split(separator: UInt8(ascii: " ")).compactMap { pid_t(String(decoding: $0, as: UTF8.self)) }
    }
    return found
  }
}
