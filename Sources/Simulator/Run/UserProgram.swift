package import Console
import Foundation
package import Link
package import LinkTransport
import Synchronization

/// A user program that plays a node.
package struct UserProgram: Sendable, Equatable {
  /// The command as written.
  package var text: String
  /// The program and its arguments.
  var words: [String]
  /// Where a scenario names it, as `file:line:column: error: key`; nil for an option.
  ///
  /// No part of its identity.
  var place: String?

  /// Reads a command.
  ///
  /// - Parameters:
  ///   - option: The option or key, for errors.
  ///   - folder: The folder that the program's path is relative to; nil for the current folder. A name without a slash
  ///     is looked up in `$PATH`, and arguments stay as they are.
  package init(_ text: String, option: String, in folder: String? = nil) throws(Failure) {
    self.text = text
    words = try CommandWords.split(text, option: option)
    if words[0].contains("/") {
      words[0] = FilePath.resolve(words[0], in: folder ?? FileManager.default.currentDirectoryPath)
    }
  }

  package static func == (lhs: Self, rhs: Self) -> Bool { (lhs.text, lhs.words) == (rhs.text, rhs.words) }

  /// The command relative to a file in a folder.
  func text(relativeTo folder: String) -> String {
    guard words[0].hasPrefix("/") else { return CommandWords.join(words) }
    let path = FilePath.relative(words[0], to: folder)
    return CommandWords.join([path.contains("/") ? path : "./\(path)"] + words.dropFirst())
  }

  /// The exit status of ``becoming`` if the program could not be started, like a shell's.
  package static let notStarted: Int32 = 127

  /// The command that starts it as a program which dies with its run.
  var becoming: [String] { [ProcessRun.ownPath, CommandName.become, "--"] + words }

  /// Properties of its file; nil for a script, and for a missing one.
  var image: ProgramImage? { Self.images.image(of: words[0]) }

  private static let images = ImageCache()
}

/// Caches programs' properties: a sweep starts the same two thousands of times.
private final class ImageCache: Sendable {
  private let known = Mutex<[String: ProgramImage]>([:])

  func image(of word: String) -> ProgramImage? {
    if let image = known.withLock({ $0[word] }) { return image }
    guard let image = ProgramImage(word) else { return nil }
    known.withLock { $0[word] = image }
    return image
  }
}

/// The user programs of a run; nil for built-in nodes.
package struct UserPrograms: Sendable, Equatable {
  package var watch: UserProgram?
  package var phone: UserProgram?

  package init() {}

  package var isEmpty: Bool { watch == nil && phone == nil }

  package subscript(role: NodeRole) -> UserProgram? {
    get {
      switch role {
      case .watch: watch
      case .phone: phone
      case .edge: nil
      }
    }
    set {
      switch role {
      case .watch: watch = newValue
      case .phone: phone = newValue
      case .edge: preconditionFailure("the edge's program is none of these")
      }
    }
  }
}

extension ProgramsHeader {
  /// The member; nil for a run with built-in nodes only.
  ///
  /// - Parameter isVirtual: Whether the run is in virtual time: then a trace depends on the exact bytes of an app's
  ///   program.
  static func member(_ scenario: Scenario, isVirtual: Bool) -> JSONMember? {
    guard !scenario.programs.isEmpty else { return nil }
    var members: [JSONMember] = []
    for role in [NodeRole.watch, .phone] {
      guard let program = scenario.programs[role] else { continue }
      let app = isVirtual ? program.image.flatMap { $0.isApp ? $0 : nil } : nil
      let fields: JSONFields = [
        "command": .string(program.text), "sha256": app.map { .string($0.digest) },
        "virtualTime": app.map { _ in virtualTime(scenario.appTime) },
      ]
      members.append(JSONMember(role.text, .fields(fields)))
    }
    return JSONMember(key, .object(members))
  }

  private static func virtualTime(_ time: AppTime) -> JSONValue {
    .fields([
      "version": .integer(AppTime.version), "threads": .string(time.policy.rawValue),
      // Seeds are strings: not every JSON reader has 64-bit integers.
      "threadsSeed": time.threadsSeed.map { .string(String($0)) },
      "jitterMilliseconds": .count(time.jitterMilliseconds),
      "environment": time.environment.added.isEmpty
        ? nil : .array(time.environment.added.map { JSONNode(.string($0)) }),
    ])
  }
}

/// The end of the user's program in mid-run: a result of the run, like a broken invariant.
package struct ProgramEnd: Sendable, Equatable {
  package var role: NodeRole
  package var end: ChildProcess.End
  /// False for a program that never became part of the run.
  var hasJoined = true
  /// When it was noticed.
  package var time: VirtualTime
  /// Its last lines of output, without control characters.
  var output: [String]

  /// Limit of output lines shown.
  static let linesMax = 12
  /// Limit of backtrace lines shown.
  static let backtraceMax = 40

  /// The end in a sentence.
  package var text: String {
    "the \(role.text)'s program \(end.namedDescription) at \(time.text)\(hasJoined ? "" : ", before it joined the run")"
  }

  /// What a program that ended by itself without joining may lack; nil for any other.
  package var hint: String? {
    guard !hasJoined, case .exited = end else { return nil }
    return "a node joins by activating its session of WatchConnectivity, or the protocol (docs/internals/protocol.md)"
  }

  /// Its own last lines, without blank ones and without a backtrace.
  package var lastLines: [String] {
    let own = output.firstIndex { line in Self.backtraceMarks.contains { line.contains($0) } } ?? output.endIndex
    let said = output[..<own].filter { line in
      // Threads of virtual time that wait are none that the runtime can stop.
      line.contains { $0 != " " } && !line.hasPrefix("swift-runtime: failed to suspend thread")
    }
    return Array(said.suffix(Self.linesMax))
  }

  /// The backtrace of the crashed thread, as Swift's runtime printed it; empty if there was none.
  package var backtrace: [String] {
    guard let first = output.lastIndex(where: { $0.hasPrefix("Thread ") && $0.contains("crashed") }) else { return [] }
    let rest = output[(first + 1)...].prefix { line in !Self.backtraceEnds.contains { line.hasPrefix($0) } }
    return Array(([output[first]] + rest.filter { $0.contains { $0 != " " } }).prefix(Self.backtraceMax))
  }

  /// Whether it trapped in a check of its own that code runs on the right actor.
  var isIsolationTrap: Bool {
    guard case .signalled = end else { return false }
    return output.contains { line in Self.isolationMarks.contains { line.contains($0) } }
  }

  /// What Swift's runtime and libdispatch print, and their functions in a backtrace.
  private static let isolationMarks = [
    "Incorrect actor executor assumption", "_checkExpectedExecutor", "swift_task_checkIsolated",
    "swift_task_isCurrentExecutor", "dispatch_assert_queue",
  ]
  private static let backtraceMarks = ["*** Signal ", "*** Program crashed", "💣 Program crashed"]
  private static let backtraceEnds = ["Registers:", "Images (", "Thread "]

  /// The member of `--json`.
  var object: JSONValue {
    let (key, number) =
      switch end {
      case .exited(let status): ("exitStatus", status)
      case .signalled(let signal): ("signal", signal)
      }
    return .fields([
      "node": .string(role.text), "how": .string(end.namedDescription), "t": .integer(time.nanoseconds),
      key: .count(number), "output": .texts(lastLines), "backtrace": .texts(backtrace),
    ])
  }
}

extension ProgramEnd {
  /// The end of the program behind a failure; nil for any other failure.
  init?(_ failure: NodeFailure, at time: VirtualTime) {
    guard let role = failure.role, case .programEnded(let end, let hasJoined, let output) = failure.cause
    else { return nil }
    self.init(role: role, end: end, hasJoined: hasJoined, time: time, output: output)
  }
}

/// Properties of a program's file, read before it is started.
struct ProgramImage: Sendable {
  var path: String
  /// Whether it contains the session of `WatchConnectivity`, so that it joins a run as an app.
  var isApp: Bool
  /// Whether the dynamic linker loads it, so that a library can be preloaded.
  var isDynamic: Bool
  /// SHA-256 of the file, 64 hexadecimal digits.
  var digest: String

  /// The marker from Sources/CSessionStart, in two parts so that this program does not contain it itself.
  private static let marker = Data(["wristwire.session", "virtual-time"].joined(separator: "/").utf8)
  /// The first bytes of a program's file.
  private static let elf = Data([0x7F, 0x45, 0x4C, 0x46])
  /// The same session as a dynamic library.
  private static let library = Data(["libWatchConnectivity", "so"].joined(separator: ".").utf8)

  /// Reads a program's file.
  ///
  /// - Parameter word: The program, looked up in `$PATH` if it has no slash.
  /// - Returns: Nil for one that does not exist, cannot be executed, or is no ELF file.
  init?(_ word: String) {
    guard let path = Self.find(word), access(path, X_OK) == 0,
      let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
      data.starts(with: Self.elf)
    else { return nil }
    self.path = path
    isDynamic = Self.hasInterpreter(data)
    isApp = data.range(of: Self.marker) != nil || isDynamic && data.range(of: Self.library) != nil
    digest = isApp ? WorkoutDigest.text(ofFile: path) ?? "" : ""
  }

  /// Why a program cannot be started; nil if its file shows no reason.
  static func obstacle(to word: String) -> String? {
    guard let path = find(word) else {
      return word.contains("/") ? "found no file \(word)" : "found no \(word) in $PATH"
    }
    guard access(path, X_OK) == 0 else { return "found \(path), which is not executable" }
    // The system would hand any other file to a shell. One that may not be read may still be executed.
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    let start = (try? file.read(upToCount: elf.count)) ?? Data()
    guard start.starts(with: elf) || start.starts(with: Data("#!".utf8)) else {
      return "found \(path), which is neither an ELF file nor a script that begins with #!"
    }
    return nil
  }

  /// The file of a program: the first executable one with its name in the path.
  private static func find(_ word: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let candidates = word.contains("/") ? [word] : folders.map { "\($0)/\(word)" }
    let files = candidates.filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }
    return files.first { access($0, X_OK) == 0 } ?? files.first
  }

  /// Whether an ELF file names a program interpreter.
  private static func hasInterpreter(_ data: Data) -> Bool {
    let interpreter: UInt32 = 3
    func number(_ offset: Int, _ count: Int) -> UInt64? {
      guard offset >= 0, offset <= data.count - count else { return nil }
      return (0..<count).reduce(0) { $0 | UInt64(data[data.startIndex + offset + $1]) << UInt64(8 * $1) }
    }
    // 64-bit little-endian: the only kind for which the virtual-time library is built.
    guard data.count > 64, data[data.startIndex + 4] == 2, data[data.startIndex + 5] == 1,
      let table = number(32, 8).flatMap({ Int(exactly: $0) }), let size = number(54, 2), let count = number(56, 2)
    else { return false }
    return (0..<Int(count)).contains { index in
      let (offset, overflow) = table.addingReportingOverflow(index * Int(size))
      return !overflow && number(offset, 4) == UInt64(interpreter)
    }
  }
}
