import CSystem
import Glibc
import Synchronization

/// Processes that a user's program started and left behind in process groups of their own.
///
/// A process group is killed with its program (``ChildProcess``), but a process can leave it (`setsid`). Once this process
/// adopts orphans, such a process becomes its child, and is killed at the end.
public enum Orphans {
  /// The children that existed before the first call of ``adopt()``; nil until then.
  private static let strangers = Mutex<Set<pid_t>?>(nil)
  /// The limit of rounds of ``kill()``, each of which ends a generation of processes.
  private static let roundsMax = 100

  /// Makes this process the parent of its descendants' orphans.
  ///
  /// Further calls have no effect.
  public static func adopt() {
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
      guard Int32(name) != nil, let file = fopen("/proc/self/task/\(name)/children", "re") else { continue }
      defer { fclose(file) }
      var text: [UInt8] = []
      var next = getc(file)
      while next >= 0 {
        text.append(UInt8(truncatingIfNeeded: next))
        next = getc(file)
      }
      found += text.split(separator: UInt8(ascii: " ")).compactMap { pid_t(String(decoding: $0, as: UTF8.self)) }
    }
    return found
  }
}
