import Console
import Foundation
import Link

/// How apps run in virtual time: the order of their threads, and the jitter of their timers.
package struct AppTime: Sendable, Equatable {
  /// Which runnable thread continues; described in docs/internals/virtual-time.md.
  enum Policy: String, CaseIterable, Sendable { case fair, pct, fifo }

  var policy = Policy.pct
  /// The seed of the threads' order and of the jitter; nil for the run's.
  package var threadsSeed: UInt64?
  /// Timers and sleeps are late by a random time below this, in milliseconds.
  var jitterMilliseconds: UInt64 = 0
  /// The environment of apps.
  package var environment = AppEnvironment()

  static let schema = ObjectSchema<Self>(
    "apps", "How apps run in virtual time ([virtual time](your-app-reference.md#virtual-time)).", Self(),
    [
      Field("threads", \.policy, .word, "which runnable thread continues"),
      Field(
        "threadsSeed", \.threadsSeed, .seed, "of the threads' order, and of jitter", .otherwise("the run's seed")),
      Field(
        "jitter", \.jitterMilliseconds,
        ValueSchema<VirtualTime.Span>.duration(max: .milliseconds(Int64(jitterMax))).map(
          reading: { span, _ in UInt64(span.nanoseconds / 1_000_000) },
          writing: { VirtualTime.Span.milliseconds(Int64($0)) }),
        "an app's timers are late by a drawn time below this", .otherwise("0s")),
      Field(
        "environment", \.environment.added, AppEnvironment.schema.named("list of `NAME=VALUE` or `NAME`"),
        "variables for apps, which get no others than those of every run"
          + " ([environment](your-app-reference.md#environment))", .otherwise("none")),
    ])

  /// The largest jitter that the library accepts, in milliseconds.
  static let jitterMax: UInt64 = 60_000
  /// The library's version of the order of draws: the same program, seeds and version give the same run.
  static let version: Int64 = 1

  /// The library's file, beside this program.
  package static let library: String = {
    let folder = URL(fileURLWithPath: ProcessRun.ownPath).deletingLastPathComponent().path
    return "\(folder)/libVirtualTime.so"
  }()
}

/// An app's program that is started in virtual time.
struct AppLaunch: Sendable {
  let role: NodeRole
  let words: [String]
  private let library: String
  private let seed: UInt64
  private let startedAt: Int64
  private let time: AppTime
  /// The folder for the library's reports of each start.
  private let reports: String

  /// Prepares a program's starts.
  ///
  /// - Parameter reports: An existing folder that is deleted after the run.
  /// - Returns: Nil for a program that is no app, which is started as it is.
  /// - Throws: For an app that cannot run in virtual time.
  init?(_ program: UserProgram, as role: NodeRole, _ scenario: Scenario, reports: String)
    throws(Failure)
  {
    guard let image = program.image, image.isApp else { return nil }
    guard image.isDynamic else {
      throw .input(
        "--\(role.text)-cmd: \(TerminalText.escape(image.path)): found a program that is linked statically, into which "
          + "nothing can be preloaded; expected one that is linked dynamically, or --time real")
    }
    guard FileManager.default.isReadableFile(atPath: AppTime.library) else {
      throw .environment(
        "\(TerminalText.escape(AppTime.library)): is missing, and apps run in virtual time by it; "
          + "swift build --product VirtualTime makes it, and --time real does without")
    }
    self.role = role
    words = program.words
    library = AppTime.library
    seed = scenario.seed
    startedAt = scenario.start.nanoseconds
    time = scenario.appTime
    self.reports = reports
  }

  /// The file with a start's findings, a line of JSON each.
  func report(start: UInt32) -> String { "\(Self.absolute(reports))/\(role.text).\(start)" }

  /// The paths of the state's folder and of the run's in every app: docs/internals/virtual-time.md.
  private static let (stateAlias, runAlias) = ("/proc/self/fd/200", "/proc/self/fd/201")
  /// Whether the system has such paths, and enough descriptors.
  private static let hasAliases: Bool = {
    var limit = rlimit()
    return access("/proc/self/fd", X_OK) == 0 && getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
      && limit.rlim_cur >= 256
  }()

  /// Variables in which the folders have the same paths in every run, and those that say which folders they are.
  private func alias(
    _ variables: [(name: String, value: String)], state: String
  ) -> [(name: String, value: String)] {
    guard Self.hasAliases else { return variables }
    let (absolute, run) = (Self.absolute(state), Self.absolute(reports))
    let folders = [(state, Self.stateAlias), (absolute, Self.stateAlias), (run, Self.runAlias)]
    return variables.map { variable in
      for (folder, alias) in folders where variable.value == folder || variable.value.hasPrefix("\(folder)/") {
        return (variable.name, alias + variable.value.dropFirst(folder.count))
      }
      return variable
    } + [("WRISTWIRE_VT_STATE", absolute), ("WRISTWIRE_VT_RUN", run)]
  }

  private static func absolute(_ folder: String) -> String { URL(fileURLWithPath: folder, isDirectory: true).path }

  /// The environment of a start.
  ///
  /// - Parameters:
  ///   - state: The device's state folder.
  ///   - start: Number of earlier starts: each draws other UUIDs.
  ///   - now: The instant of the start.
  ///   - others: What every program of the role gets.
  func environment(
    start: UInt32, at now: VirtualTime, state: String, adding others: [(name: String, value: String)]
  ) -> [(name: String, value: String)] {
    func drawn(_ seed: UInt64, _ name: String) -> String {
      String(RandomStream(seed: seed, name: "\(name).\(role.text)").bits(for: UInt64(start)))
    }
    let preloads = ProcessInfo.processInfo.environment["LD_PRELOAD"].map { ":\($0)" } ?? ""
    let own = [
      ("LD_PRELOAD", library + preloads), ("WRISTWIRE_VT_CONTROLLED", "1"), ("WRISTWIRE_VT_SEED", drawn(seed, "app")),
      ("WRISTWIRE_VT_THREADS_SEED", drawn(time.threadsSeed ?? seed, "app.threads")),
      ("WRISTWIRE_VT_THREADS", time.policy.rawValue), ("WRISTWIRE_VT_JITTER_MS", String(time.jitterMilliseconds)),
      ("WRISTWIRE_VT_DATE", String(startedAt)), ("WRISTWIRE_VT_INSTANT", String(now.nanoseconds)),
      ("WRISTWIRE_VT_REPORT", report(start: start)),
    ]
    return time.environment.variables(words: words, others: alias(others + own, state: state))
  }

  /// The statuses with which the library ends a process.
  private static let findingStatuses: ClosedRange<Int32> = 97...99
  private static let reportBytesMax = 1 << 20

  /// Why the library ended a start of the program; nil if it did not.
  func finding(status: Int32, start: UInt32) -> NodeFinding? {
    guard Self.findingStatuses.contains(status), let file = FileHandle(forReadingAtPath: report(start: start)),
      let data = try? file.read(upToCount: Self.reportBytesMax)
    else { return nil }
    let last = data.split(separator: UInt8(ascii: "\n")).compactMap { NodeFinding(line: Array($0)) }
    return last.last { NodeFinding.endings.contains($0.kind) }
  }
}

/// A finding of the virtual-time library that ends a process.
package struct NodeFinding: Sendable, Equatable {
  var kind: String
  var text: String

  /// The kinds that end a process: docs/internals/virtual-time.md.
  package static let endings: Set<String> = ["busy", "blocked", "deadlock", "controller-waits", "idle", "exec"]
}

extension NodeFinding {
  /// Reads a line of a report; nil for an invalid one.
  init?(line: [UInt8]) {
    guard let node = try? JSONParser.parse(line, dialect: .json), case .object(let members) = node.value,
      case .string(let kind)? = members.first(where: { $0.key == "kind" })?.node.value,
      case .string(let text)? = members.first(where: { $0.key == "text" })?.node.value
    else { return nil }
    self.init(kind: kind, text: text)
  }
}
