import CSystem
public import Glibc
import Link
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

/// Temporary files and folders of killed processes, and how to distinguish them from those in use.
///
/// The creator of a temporary item holds a lock on it (`flock`) until it exits; the kernel releases the lock when the
/// process dies. So an item with one of our names that belongs to this user and can be locked is a leftover. Names
/// contain the computer's name, because locks of other computers may be invisible on a network file system.
public enum Leftovers {
  /// The prefix of this computer's temporary files and folders.
  public static let prefix = "wristwire-\(hostMark)-"

  /// Locks a file or folder that this process has just created.
  ///
  /// - Returns: False if another process removed it first with ``sweep(_:prefix:suffix:kind:)``: create another one.
  ///   Also true on a file system without locks, where nothing is ever removed.
  public static func claim(_ descriptor: CInt) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return errno != EWOULDBLOCK }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// Removes what dead processes of this user left in a folder; once per folder and process.
  ///
  /// - Parameters:
  ///   - folder: The folder; subfolders are not searched.
  ///   - prefix: The prefix of names.
  ///   - suffix: The suffix of names.
  ///   - kind: `S_IFREG` or `S_IFDIR`; symbolic links are never followed.
  public static func sweep(_ folder: String, prefix: String = prefix, suffix: String = "", kind: mode_t) {
    let key = "\(kind) \(prefix) \(suffix) \(folder)"
    guard swept.withLock({ $0.insert(key).inserted }), let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    for name in DirectoryNames(directory: directory) {
      guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { continue }
      remove(name, in: dirfd(directory), path: "\(folder)/\(name)", kind: kind)
    }
  }

  private static func remove(_ name: String, in folder: CInt, path: String, kind: mode_t) {
    let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == kind, status.st_uid == geteuid(),
      kind == S_IFDIR || status.st_nlink == 1, flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return }
    // The locked item must be the one that the name still refers to.
    var named = stat()
    guard fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0, named.st_ino == status.st_ino,
      named.st_dev == status.st_dev
    else { return }
    if kind == S_IFDIR { TemporaryDirectory.removeAll(path) } else { unlinkat(folder, name, 0) }
  }

  private static let swept = Mutex<Set<String>>([])

  /// Eight hexadecimal digits derived from this computer's name.
  private static let hostMark: String = {
    var text = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
    gethostname(&text, text.count)
    let name = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(Digest.text(Digest.prefix(name)).prefix(8))
  }()
}

/// The names in an open folder, including `.` and `..`, in the order of the file system.
struct DirectoryNames: Sequence, IteratorProtocol {
  /// From `opendir`; the caller closes it.
  let directory: OpaquePointer

  mutating func next() -> String? {
    cs_next_name(directory).map { String(cString: $0) }
  }
}
