import CSystem
import Console
import Foundation
import Link
import LinkTransport

/// The environment of an app in virtual time, the same on every machine and in every folder.
///
/// A trace follows from the program and the seeds. What a program inherits would come on top: its environment moves the
/// stack, and decides about time zone, language and folders.
package struct AppEnvironment: Sendable, Equatable {
  /// What the run adds, as `NAME=VALUE`, or `NAME` for the value in our own environment, which is not looked up yet.
  package var added: [String] = []

  /// Variables that every app gets.
  static let fixed: [(name: String, value: String)] = [
    ("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LANG", "C.UTF-8"), ("TZ", "UTC"), ("USER", "mobile"),
    ("LOGNAME", "mobile"), ("SHELL", "/bin/sh"),
    // Hash tables in the order of their keys, wherever they are in memory.
    ("SWIFT_DETERMINISTIC_HASHING", "1"),
  ]
  /// Variables that are passed on from our own environment where they are set: without them a program may not load.
  static let passed = ["LD_LIBRARY_PATH"]

  /// The choices that the session reads from its environment: docs/your-app-reference.md.
  private static let choices = [
    "PAIRED", "WATCHONLY", "COMPLICATION", "REACTIVATION", "CANCELLATION", "FILES", "SUPPORTED", "WCLOG",
  ].map { "WRISTWIRE_\($0)" }

  /// The size of what the kernel puts above an app's stack: a multiple of this.
  private static let step = 8192
  /// The variable that fills it up.
  private static let filler = "WRISTWIRE_FILL"

  /// Longest `NAME=VALUE`, and the most of them.
  static let (bytesMax, countMax) = (4096, 32)

  /// Why a scenario or a command line may not set a variable, as what is expected; nil if it may.
  static func objection(to entry: String) -> String? {
    let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0]
    guard parts.count == 2, let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
      name.utf8.allSatisfy({ isWordByte($0) }), entry.utf8.count <= bytesMax, !entry.utf8.contains(0)
    else { return "NAME=VALUE with a name of letters, digits and _, at most \(bytesMax) bytes" }
    guard !choices.contains(String(name)) else { return nil }
    let own = ["HOME", "CFFIXED_USER_HOME", "TMPDIR", "PATH"]
    guard !own.contains(String(name)), !name.hasPrefix("LD_"), !name.hasPrefix("WRISTWIRE_"), !name.hasPrefix("XDG_")
    else { return "a variable that the run does not set itself: HOME, TMPDIR, PATH, LD_..., XDG_..., WRISTWIRE_..." }
    return nil
  }

  /// The same for an entry of a scenario, which may be a name alone.
  private static func objectionInScenario(to entry: String) -> String? {
    entry.contains("=") ? objection(to: entry) : objection(to: "\(entry)=")
  }

  /// Looks up the variables that a scenario passes on.
  ///
  /// - Parameter isForeign: Whether a stranger wrote it, who gets nothing of ours.
  mutating func resolve(isForeign: Bool) throws(Failure) {
    for name in added where !name.contains("=") {
      if isForeign {
        added.removeAll { $0 == name }
      } else {
        try add(name, option: "apps.environment")
      }
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Reads the value of `--env`: `NAME=VALUE`, or `NAME` for the value in our own environment.
  mutating func add(_ text: String, option: String) throws(Failure) {
    var entry = text
    if !text.contains("=") {
      guard let value = ProcessInfo.processInfo.environment[text] else {
        throw .input("\(option): found \"\(TerminalText.escape(text))\", which is not set; expected NAME=VALUE")
      }
      entry = "\(text)=\(value)"
    }
    try add(entry: entry, option: option)
  }

  /// Adds the choices of our own environment that nothing else sets, so that the run remembers them.
  mutating func addChoices() throws(Failure) {
    let ours = ProcessInfo.processInfo.environment
    for name in Self.choices where !pairs.contains(where: { $0.name == name }) {
      if let value = ours[name] { try add(entry: "\(name)=\(value)", option: name) }
    }
  }

  /// Adds `NAME=VALUE`, in place of an earlier value.
  mutating func add(entry: String, option: String) throws(Failure) {
    if let expected = Self.objection(to: entry) {
      throw .input("\(option): found \"\(TerminalText.escape(entry))\", expected \(expected)")
    }
    guard added.count < Self.countMax else { throw .input("\(option): expected at most \(Self.countMax) variables") }
    let name = entry.prefix { $0 != "=" }
    added.removeAll { $0.prefix { $0 != "=" } == name }
    added.append(entry)
  }

  /// What the run adds, as names and values.
  var pairs: [(name: String, value: String)] {
    added.compactMap { entry in
      let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }

  /// All variables of a start.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments, which are on the stack, too.
  ///   - others: What the run sets for this start.
  func variables(
    words: [String], others: [(name: String, value: String)]
  ) -> [(name: String, value: String)] {
    var all = others + pairs
    for variable in Self.fixed where !all.contains(where: { $0.name == variable.name }) { all.append(variable) }
    let ours = ProcessInfo.processInfo.environment
    // One that is not set is there as an empty one of another name, so that their number is the same everywhere.
    for name in Self.passed {
      if let value = ours[name] { all.append((name, value)) } else { all.append(("WRISTWIRE_NO_\(name)", "")) }
    }
    return Self.filled(all, words: words)
  }

  /// What an app finds as its first argument: its name without the folder.
  static func name(_ program: String) -> String { program.split(separator: "/").last.map(String.init) ?? program }

  /// The variables with another one, so that what the kernel puts above the stack is as large wherever program and
  /// folders are.
  static func filled(
    _ variables: [(name: String, value: String)], words: [String]
  ) -> [(name: String, value: String)] {
    let others = variables.filter { $0.name != filler }
    // The program is there as an argument, and as the name of the file.
    let arguments = words.prefix(1).map(name) + words.dropFirst()
    let texts = arguments + words.prefix(1) + others.map { "\($0.name)=\($0.value)" } + ["\(filler)="]
    let size = texts.reduce(0) { $0 + $1.utf8.count + 1 }
    let wanted = (size + step - 1) / step * step
    return others + [(filler, String(repeating: "x", count: wanted - size))]
  }

  static let schema = ValueSchema<[String]>.array(
    of: .string(bytes: 1...bytesMax).satisfying(
      "NAME=VALUE, or NAME to pass yours on, of a variable that the run does not set itself: not HOME, TMPDIR, PATH, LD_..., XDG_..., WRISTWIRE_..."
    ) { objectionInScenario(to: $0) == nil }, count: 0...countMax)
}

/// Starts an app many times, each as a copy of one process that has already loaded the app's libraries.
///
/// Loading and linking them takes most of a start. The virtual-time library forks the copies before any code of the app
/// sees a clock (Sources/CVirtualTime/starts.c), so a copy behaves as a program that is executed.
final class AppStarter {
  private let process: ChildProcess
  private let channel: SocketDescriptor
  /// Whether a request has failed: every further start is an ordinary one.
  private(set) var hasFailed = false

  /// How long an answer may take, in nanoseconds of real time: libraries of any size are loaded by then.
  private static let answerMax: Int64 = 20_000_000_000
  /// The variable that makes a process an app in virtual time, or the process that forks them.
  private static let mode = "WRISTWIRE_VT_CONTROLLED"

  /// Executes the process that the copies are made of.
  ///
  /// - Parameter environment: Of a start; each copy has variables of the same names.
  init(_ words: [String], environment: [(name: String, value: String)]) throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw SystemCallError("socketpair", errno)
    }
    channel = SocketDescriptor(adopting: ends[0])
    let other = SocketDescriptor(adopting: ends[1])
    // All functions are looked up once, so that no copy looks one up at its first call.
    let own = environment.map { $0.name == Self.mode ? (name: $0.name, value: "2") : $0 } + [("LD_BIND_NOW", "1")]
    process = try ChildProcess(
      words, name: AppEnvironment.name(words[0]), environment: AppEnvironment.filled(own, words: words),
      inheritsEnvironment: false,
      descriptors: [other.rawValue], output: .nowhere, hasFixedLayout: true)
  }

  /// Starts a copy.
  ///
  /// - Parameter output: An open descriptor, for standard output and standard error.
  /// - Returns: Nil if this is not possible; then the program must be executed.
  func start(environment: [(name: String, value: String)], output: Int32) -> ChildProcess? {
    guard !hasFailed else { return nil }
    var request: [UInt8] = []
    for variable in environment { request += Array("\(variable.name)=\(variable.value)".utf8) + [0] }
    var entry = cs_poll_entry(descriptor: channel.rawValue, wanted: Int16(CS_POLL_READ), ready: 0)
    guard cs_send_descriptor(channel.rawValue, request, request.count, output) == 0 else { return giveUp() }
    var left: Int32 = 0
    var answer: Int32 = 0
    repeat { left = cs_poll(&entry, 1, Self.answerMax) } while left == -EINTR
    guard left > 0, recv(channel.rawValue, &answer, 4, 0) == 4, answer > 0 else { return giveUp() }
    return ChildProcess(adopting: answer)
  }

  private func giveUp() -> ChildProcess? {
    hasFailed = true
    process.kill()
    return nil
  }
}

/// The starters of the apps of a sweep or a shrinker, which starts them again for each run.
package final class AppStarters {
  private var known: [[String]: AppStarter] = [:]

  package init() {}

  /// Starts an app as a copy; nil if that is not possible.
  func start(_ app: AppLaunch, environment: [(name: String, value: String)], output: Int32) -> ChildProcess? {
    if known[app.words] == nil { known[app.words] = try? AppStarter(app.words, environment: environment) }
    return known[app.words]?.start(environment: environment, output: output)
  }
}
