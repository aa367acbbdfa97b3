import Link

/// The messages between a sweep, a search or a shrinker and its workers, one line each.
package enum WorkerMessage {
  /// Seeds of a scenario to run, in order.
  package struct SeedsJob: Equatable {
    package var seeds: SeedRange
    /// The scenario, counted from 0.
    package var scenario: Int
    /// Whether they begin with the first seed of the sweep: one of those that are run with stores on disk, too.
    package var isFirst = false
    package var stopsAtFailure = false
    /// Whether the digests of passing seeds are wanted too.
    package var isDigesting = false
    /// Seeds on which the simulation died.
    package var skipped: [UInt64] = []
  }

  /// The placements of `size` faults to run that begin with a single.
  package struct BranchJob: Equatable {
    package var place: Int
    package var size: Int
    package var stopsAtFailure: Bool
  }

  /// Orders to a worker.
  package enum Order: Equatable {
    /// The next scenario, counted from 0, as ``SweepSource/text`` writes it.
    case scenario(text: Substring)
    /// What to search in the first scenario.
    case scope(Exploration.Scope)
    case seeds(SeedsJob)
    /// Run one seed of the first scenario and report its progress.
    case reports(seed: UInt64)
    /// Shrink the first scenario, which has its seed and its complete plan, to the named failure.
    case shrink(target: Substring)
    case branch(BranchJob)

    /// The order as a line.
    var line: String {
      switch self {
      case .scenario(let text): "scenario \(text)"
      case .scope(let scope): WorkerMessage.line("scope", Self.words(scope))
      case .seeds(let job):
        WorkerMessage.line(
          "seeds",
          [job.seeds.lower, job.seeds.upper].map { String($0) } + ["\(job.scenario)"]
            + [job.isFirst, job.stopsAtFailure, job.isDigesting].map { $0 ? "1" : "0" }
            + job.skipped.map { String($0) })
      case .reports(let seed): "reports \(seed)"
      case .shrink(let target): "shrink \(target)"
      case .branch(let job):
        WorkerMessage.line("branch", ["\(job.place)", "\(job.size)", job.stopsAtFailure ? "1" : "0"])
      }
    }

    /// Reads a line; nil for an invalid one.
    package init?(_ line: String) {
      let (kind, rest) = WorkerMessage.split(line)
      let words = rest.split(separator: " ")
      let numbers = words.compactMap { UInt64($0) }
      let isAllNumbers = numbers.count == words.count
      switch kind {
      case "scenario": self = .scenario(text: rest)
      case "scope":
        guard let scope = Self.scope(words) else { return nil }
        self = .scope(scope)
      case "seeds":
        guard isAllNumbers, numbers.count >= 6, numbers[0] <= numbers[1] else { return nil }
        self = .seeds(
          SeedsJob(
            seeds: SeedRange(lower: numbers[0], upper: numbers[1]), scenario: Int(clamping: numbers[2]),
            isFirst: numbers[3] == 1, stopsAtFailure: numbers[4] == 1, isDigesting: numbers[5] == 1,
            skipped: Array(numbers.dropFirst(6))))
      case "reports":
        guard isAllNumbers, numbers.count == 1 else { return nil }
        self = .reports(seed: numbers[0])
      case "shrink":
        guard words.count == 1 else { return nil }
        self = .shrink(target: words[0])
      case "branch":
        guard isAllNumbers, numbers.count == 3 else { return nil }
        self = .branch(
          BranchJob(
            place: Int(clamping: numbers[0]), size: Int(clamping: numbers[1]), stopsAtFailure: numbers[2] == 1))
      default: return nil
      }
    }

    private static func words(_ scope: Exploration.Scope) -> [String] {
      let spans = [scope.lengths.late, scope.lengths.mute, scope.lengths.restart, scope.lengths.clock]
      return [
        scope.kinds.map(\.rawValue).joined(separator: ","),
        scope.lengths.cuts.map { String($0.nanoseconds) }.joined(separator: ","), "\(scope.faults)",
      ] + spans.map { String($0.nanoseconds) } + ["\(scope.until.nanoseconds)", scope.isMerging ? "1" : "0"]
    }

    private static func scope(_ words: [Substring]) -> Exploration.Scope? {
      let numbers = words.dropFirst(2).compactMap { Int64($0) }
      guard words.count == 9, numbers.count == 7 else { return nil }
      let spans = numbers.map { VirtualTime.Span(nanoseconds: $0) }
      var scope = Exploration.Scope(until: VirtualTime(nanoseconds: numbers[5]))
      scope.kinds = words[0].split(separator: ",").compactMap { FaultPlacement.Kind(rawValue: String($0)) }
      scope.lengths.cuts = words[1].split(separator: ",").compactMap { Int64($0) }.map {
        VirtualTime.Span(nanoseconds: $0)
      }
      scope.faults = Int(numbers[0])
      (scope.lengths.late, scope.lengths.mute) = (spans[1], spans[2])
      (scope.lengths.restart, scope.lengths.clock) = (spans[3], spans[4])
      scope.isMerging = numbers[6] == 1
      return scope
    }
  }

  /// Answers of a worker.
  package enum Answer: Equatable {
    /// A seed passed; with its trace's digest if requested, and a digit for each of the scenario's situations.
    case passed(UInt64, digest: Substring?, reached: Substring)
    /// A seed failed: the result's line, and the circumstances.
    case failed(line: Substring, circumstances: Substring)
    /// The progress of a seed of ``Order/reports(seed:)``: nanoseconds of virtual time, and the circumstances.
    case reached(Int64, circumstances: Substring)
    /// How many of the ordered seeds reached each situation; only of scenarios with situations, before ``done(coverage:)``.
    case census(Substring)
    /// What the seeds of this worker's scenario have in common, as ``CommonWarnings/text``; before ``done(coverage:)``.
    case warnings(Substring)
    /// The ordered seeds are done, or stopped at a failure; with the fault coverage.
    case done(coverage: Substring)
    /// What the shrinker is at, in words.
    case shrinking(Substring)
    /// The shrinker is done, with its result as ``ShrunkRun/text(_:)``; empty if the run does not fail in that way.
    case shrunk(Substring)
    /// A branch is done.
    case branch(Exploration.Branch)
    /// It cannot continue: the failure's exit status and text.
    case gaveUp(status: Int32, text: Substring)

    /// The answer as a line.
    package var line: String {
      switch self {
      case .passed(let seed, let digest, let reached): "passed \(seed) \(digest ?? "") \(reached)"
      case .failed(let line, let circumstances): "failed \(circumstances)\t\(line)"
      case .reached(let time, let circumstances): "reached \(time) \(circumstances)"
      case .census(let counts): "census \(counts)"
      case .warnings(let text): "warnings \(text)"
      case .done(let coverage): "done \(coverage)"
      case .shrinking(let text): "shrinking \(text)"
      case .shrunk(let text): "shrunk \(text)"
      case .branch(let branch):
        WorkerMessage.line(
          "branch", [branch.runs, branch.equal, branch.failed].map { String($0) } + (branch.broken ?? []).map(\.word))
      case .gaveUp(let status, let text): "gave-up \(status) \(text.split(separator: "\n").joined(separator: "\t"))"
      }
    }

    /// Reads a line; nil for an invalid one.
    init?(_ line: String) {
      let (kind, rest) = WorkerMessage.split(line)
      switch kind {
      case "passed":
        let words = rest.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, let seed = UInt64(words[0]) else { return nil }
        self = .passed(seed, digest: words[1].isEmpty ? nil : words[1], reached: words[2])
      case "failed":
        guard let tab = rest.firstIndex(of: "\t") else { return nil }
        self = .failed(line: rest[rest.index(after: tab)...], circumstances: rest[..<tab])
      case "reached":
        guard let blank = rest.firstIndex(of: " "), let time = Int64(rest[..<blank]) else { return nil }
        self = .reached(time, circumstances: rest[rest.index(after: blank)...])
      case "census": self = .census(rest)
      case "warnings": self = .warnings(rest)
      case "done": self = .done(coverage: rest)
      case "shrinking": self = .shrinking(rest)
      case "shrunk": self = .shrunk(rest)
      case "branch":
        let words = rest.split(separator: " ")
        let counts = words.prefix(3).compactMap { Int($0) }
        let broken = words.dropFirst(3).compactMap { FaultPlacement(word: $0) }
        guard counts.count == 3, counts.count + broken.count == words.count else { return nil }
        self = .branch(
          Exploration.Branch(
            runs: counts[0], equal: counts[1], failed: counts[2], broken: broken.isEmpty ? nil : broken))
      case "gave-up":
        guard let blank = rest.firstIndex(of: " "), let status = Int32(rest[..<blank]) else { return nil }
        let text = rest[rest.index(after: blank)...].split(separator: "\t").joined(separator: "\n")
        self = .gaveUp(status: status, text: Substring(text))
      default: return nil
      }
    }
  }

  private static func line(_ kind: String, _ words: [String]) -> String {
    ([kind] + words).joined(separator: " ")
  }

  /// The first word of a line, and what follows its blank.
  private static func split(_ line: String) -> (kind: Substring, rest: Substring) {
    let end = line.firstIndex(of: " ") ?? line.endIndex
    return (line[..<end], line[end...].dropFirst())
  }
}
