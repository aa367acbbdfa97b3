/// The messages between a sweep and its workers, one line each.
package enum SweepMessage {
  /// Orders to a worker.
  package enum Order: Equatable {
    /// The next scenario, counted from 0.
    case scenario(text: Substring)
    /// Run these seeds of a scenario, in order; the simulation dies on the skipped ones.
    ///
    /// The first one of a sweep is one of those that are run with stores on disk, too.
    case seeds(SeedRange, scenario: Int, isFirst: Bool = false, stopsAtFailure: Bool, skipped: [UInt64])
    /// Run one seed and report its progress.
    case reports(seed: UInt64, scenario: Int)
    /// Shrink a scenario, which has its seed and its complete plan, to the named failure.
    case shrink(scenario: Int, target: Substring)

    /// The order as a line.
    var line: String {
      switch self {
      case .scenario(let text): "scenario \(text)"
      case .seeds(let seeds, let scenario, let isFirst, let stops, let skipped):
        ([isFirst ? "first" : "seeds", "\(scenario)", "\(seeds.lower)", "\(seeds.upper)", stops ? "1" : "0"]
          + skipped.map { "\($0)" })
          .joined(separator: " ")
      case .reports(let seed, let scenario): "reports \(scenario) \(seed)"
      case .shrink(let scenario, let target): "shrink \(scenario) \(target)"
      }
    }

    /// Reads a line; nil for an invalid one.
    package init?(_ line: String) {
      if line.hasPrefix("scenario ") {
        self = .scenario(text: line.dropFirst(9))
        return
      }
      let words = line.split(separator: " ")
      if words.count == 3, words[0] == "reports", let scenario = Int(words[1]), let seed = UInt64(words[2]) {
        self = .reports(seed: seed, scenario: scenario)
        return
      }
      if words.count == 3, words[0] == "shrink", let scenario = Int(words[1]) {
        self = .shrink(scenario: scenario, target: words[2])
        return
      }
      guard words.count >= 5, words[0] == "seeds" || words[0] == "first", let scenario = Int(words[1]),
        let lower = UInt64(words[2]),
        let upper = UInt64(words[3]), lower <= upper
      else { return nil }
      let skipped = words.dropFirst(5).compactMap { UInt64($0) }
      guard skipped.count == words.count - 5 else { return nil }
      self = .seeds(
        SeedRange(lower: lower, upper: upper), scenario: scenario, isFirst: words[0] == "first",
        stopsAtFailure: words[4] == "1", skipped: skipped)
    }
  }

  /// Answers of a worker.
  package enum Answer: Equatable {
    /// It has read its scenarios.
    case ready
    /// A seed passed; with its trace's digest if requested, and a digit for each of the scenario's situations.
    case passed(UInt64, digest: Substring?, reached: Substring)
    /// A seed failed: the result's line, and the circumstances.
    case failed(line: Substring, circumstances: Substring)
    /// The progress of a seed of ``Order/reports(seed:scenario:)``: nanoseconds of virtual time, and the circumstances.
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
    /// It cannot continue: the failure's exit status and text.
    case gaveUp(status: Int32, text: Substring)

    /// The answer as a line.
    package var line: String {
      switch self {
      case .ready: "ready"
      case .passed(let seed, let digest, let reached): "passed \(seed) \(digest ?? "") \(reached)"
      case .failed(let line, let circumstances): "failed \(circumstances)\t\(line)"
      case .reached(let time, let circumstances): "reached \(time) \(circumstances)"
      case .census(let counts): "census \(counts)"
      case .warnings(let text): "warnings \(text)"
      case .done(let coverage): "done \(coverage)"
      case .shrinking(let text): "shrinking \(text)"
      case .shrunk(let text): "shrunk \(text)"
      case .gaveUp(let status, let text): "gave-up \(status) \(text.split(separator: "\n").joined(separator: "\t"))"
      }
    }

    /// Reads a line; nil for an invalid one.
    init?(_ line: String) {
      let end = line.firstIndex(of: " ") ?? line.endIndex
      let rest = line[end...].dropFirst()
      switch line[..<end] {
      case "ready": self = .ready
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
      case "gave-up":
        guard let blank = rest.firstIndex(of: " "), let status = Int32(rest[..<blank]) else { return nil }
        let text = rest[rest.index(after: blank)...].split(separator: "\t").joined(separator: "\n")
        self = .gaveUp(status: status, text: Substring(text))
      default: return nil
      }
    }
  }
}
