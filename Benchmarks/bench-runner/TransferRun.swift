import Simulator
import Console
import Foundation
import Link
import LinkStore
import LinkTransport

/// Runs two ``TransferNode``s as processes, with stores and files on disk, on `ideal` and without a trace.
enum TransferRun {
  /// What the watch sends.
  enum Load {
    /// This many events, `inFlight` at a time.
    case events(Int, inFlight: Int)
    /// This many events, most of which wait.
    case backlog(Int)
    /// A file of this many bytes.
    case file(Int)

    /// The arguments of the watch's process.
    fileprivate var words: [String] {
      switch self {
      case .events(let count, let inFlight): ["send-events", "\(count)", "\(inFlight)"]
      case .backlog(let count): ["send-backlog", "\(count)"]
      case .file(let bytes): ["send-file", "\(bytes)"]
      }
    }

    /// Number of transfers.
    fileprivate var transfers: Int {
      switch self {
      case .events(let count, _), .backlog(let count): count
      case .file: 1
      }
    }

    /// Longer than it takes in virtual time.
    fileprivate var duration: VirtualTime.Span {
      switch self {
      case .events(let count, _), .backlog(let count): .milliseconds(Int64(count) + 1_000)
      case .file(let bytes): .milliseconds(Int64(bytes / 1_000) + 10_000)
      }
    }
  }

  /// The results of a run.
  struct Figures {
    /// Between the first grant and the last.
    var seconds: Double
    /// The peaks of resident memory of the two nodes, in KiB.
    var watchPeak: Int
    var phonePeak: Int
  }

  /// The name of a node process's report, in its folder.
  static let reportName = "bench"

  /// - Throws: Also if not everything arrived and was confirmed.
  static func run(_ load: Load, sharesProcessor: Bool) throws(Failure) -> Figures {
    let folder = try BenchFolder.make()
    let state = "\(folder.path)/state"
    var scenario = Scenario()
    scenario.name = "bench-transfer"
    scenario.duration = load.duration
    if let ideal = ProfileCatalog.profile(named: "ideal") { scenario.link = ideal }
    var options = RunOptions()
    options.mode = .processes
    options.sharesProcessor = sharesProcessor
    options.level = .nothing
    options.stateFolder = state
    // A busy disk may delay a node.
    options.silenceMax = 60
    options.watchCommand = [ProcessRun.ownPath, BenchPeerCommand.name] + load.words
    options.phoneCommand = [ProcessRun.ownPath, BenchPeerCommand.name, "receive"]
    let outcome = try ScenarioRun.run(scenario, options)
    if let failure = outcome.environmentFailure { throw .environment("bench: \(failure)") }
    return Figures(
      seconds: outcome.wallSeconds, watchPeak: try peak(of: .watch, state, load),
      phonePeak: try peak(of: .phone, state, load))
  }

  private static func peak(of role: NodeRole, _ state: String, _ load: Load) throws(Failure) -> Int {
    let text = (try? String(contentsOfFile: "\(state)/\(role.text)/\(reportName)", encoding: .utf8)) ?? ""
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 2 else { throw .environment("bench: the \(role.text) gave no figures") }
    guard numbers[0] == load.transfers else {
      throw .environment("bench: \(numbers[0]) transfers of \(load.transfers) are settled at the \(role.text)")
    }
    return numbers[1]
  }
}

/// Memory of a process.
enum ProcessMemory {
  /// This process's peak of resident memory, in KiB.
  static func peak() throws(Failure) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let peak = line?.split(separator: " ").compactMap({ Int($0) }).first else {
      throw .environment("bench: the system does not tell a process's peak memory")
    }
    return peak
  }
}
