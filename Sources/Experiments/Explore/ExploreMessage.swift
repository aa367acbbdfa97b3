import Link

/// The messages between a search and its workers, one line each.
package enum ExploreMessage {
  /// An order to a worker.
  package enum Order: Equatable {
    /// The scenario, as ``SweepSource/text`` writes it.
    case scenario(Substring)
    /// What to search.
    case scope(Exploration.Scope)
    /// Run the placements of some faults that begin with a single.
    case branch(place: Int, size: Int, stopsAtFailure: Bool)

    var line: String {
      switch self {
      case .scenario(let text): "scenario \(text)"
      case .scope(let scope):
        ([
          "scope", scope.kinds.map(\.rawValue).joined(separator: ","),
          scope.lengths.cuts.map { String($0.nanoseconds) }.joined(separator: ","),
        ]
          + [
            Int64(scope.faults), scope.lengths.late.nanoseconds, scope.lengths.mute.nanoseconds,
            scope.lengths.restart.nanoseconds, scope.lengths.clock.nanoseconds, scope.until.nanoseconds,
            scope.isMerging ? 1 : 0,
          ].map { String($0) }).joined(separator: " ")
      case .branch(let place, let size, let stops): "branch \(place) \(size) \(stops ? 1 : 0)"
      }
    }

    /// Reads a line; nil for an invalid one.
    package init?(_ line: String) {
      if line.hasPrefix("scenario ") {
        self = .scenario(line.dropFirst(9))
        return
      }
      let words = line.split(separator: " ")
      let numbers = words.dropFirst(1).compactMap { Int64($0) }
      switch words.first {
      case "scope":
        let spans = words.dropFirst(3).compactMap { Int64($0) }
        guard words.count == 10, spans.count == 7 else { return nil }
        var scope = Exploration.Scope(until: VirtualTime(nanoseconds: spans[5]))
        scope.kinds = words[1].split(separator: ",").compactMap { FaultPlacement.Kind(rawValue: String($0)) }
        scope.lengths.cuts = words[2].split(separator: ",").compactMap { Int64($0) }.map {
          VirtualTime.Span(nanoseconds: $0)
        }
        scope.faults = Int(spans[0])
        scope.lengths.late = VirtualTime.Span(nanoseconds: spans[1])
        scope.lengths.mute = VirtualTime.Span(nanoseconds: spans[2])
        scope.lengths.restart = VirtualTime.Span(nanoseconds: spans[3])
        scope.lengths.clock = VirtualTime.Span(nanoseconds: spans[4])
        scope.isMerging = spans[6] == 1
        self = .scope(scope)
      case "branch":
        guard words.count == 4, numbers.count == 3 else { return nil }
        self = .branch(place: Int(numbers[0]), size: Int(numbers[1]), stopsAtFailure: numbers[2] == 1)
      default: return nil
      }
    }
  }

  /// An answer of a worker.
  package enum Answer: Equatable {
    /// A branch is done.
    case branch(Exploration.Branch)
    /// It cannot continue: the failure's exit status and text.
    case gaveUp(status: Int32, text: Substring)

    package var line: String {
      switch self {
      case .branch(let branch):
        (["branch", String(branch.runs), String(branch.equal), String(branch.failed)]
          + (branch.broken ?? []).map(\.word))
          .joined(separator: " ")
      case .gaveUp(let status, let text): "gave-up \(status) \(text.split(separator: "\n").joined(separator: "\t"))"
      }
    }

    /// Reads a line; nil for an invalid one.
    init?(_ line: String) {
      let words = line.split(separator: " ")
      switch words.first {
      case "branch":
        guard words.count >= 4, let runs = Int(words[1]), let equal = Int(words[2]), let failed = Int(words[3]) else {
          return nil
        }
        let broken = words.dropFirst(4).compactMap { FaultPlacement(word: $0) }
        guard broken.count == words.count - 4 else { return nil }
        self = .branch(
          Exploration.Branch(runs: runs, equal: equal, failed: failed, broken: broken.isEmpty ? nil : broken))
      case "gave-up":
        guard words.count >= 2, let status = Int32(words[1]) else { return nil }
        let text = words.dropFirst(2).joined(separator: " ").split(separator: "\t").joined(separator: "\n")
        self = .gaveUp(status: status, text: text[...])
      default: return nil
      }
    }
  }
}
