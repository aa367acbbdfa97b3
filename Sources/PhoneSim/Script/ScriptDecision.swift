package import Link

/// A decision of the engine at a snapshot.
package enum ScriptDecision: Sendable, Equatable {
  /// Speak the line: commit that it was played, then pass it to audio.
  case dispatch(Line, words: Int)
  /// The line came too late and is not spoken.
  case expired(Line)
  /// Multiples of a line were passed over.
  case skipped(Line, first: Int64, last: Int64, cause: SkipCause)
  /// A dispatch activated a branch.
  case branch(message: String, branch: String, before: String?)

  /// A line with the snapshot at which it was judged.
  package struct Line: Sendable, Equatable {
    package var message: String
    /// The `type` of its trigger.
    package var trigger: String
    package var priority: Int
    /// The multiple it is about; nil for lines without multiples.
    package var multiple: Int64?
    /// The snapshot's epoch; nil for a reply in a run without snapshots.
    package var epoch: Epoch?
    /// The snapshot's number; nil likewise.
    package var sequence: SequenceNumber?
    /// The run's elapsed time in seconds, three decimals; nil if unknown.
    package var elapsed: Double?
    /// The run's distance in metres, two decimals; nil if unmeasured.
    package var distance: Double?

    fileprivate var rank: ScriptRank {
      var rank = ScriptRank()
      rank.message = message
      rank.trigger = trigger
      rank.priority = Int64(priority)
      rank.multiple = multiple
      return rank
    }

    fileprivate var figures: SnapshotFigures {
      var figures = SnapshotFigures()
      figures.epoch = (epoch?.rawValue).map(Int64.init)
      figures.seq = (sequence?.rawValue).map(Int64.init(clamping:))
      figures.elapsed = elapsed
      figures.distance = distance
      return figures
    }
  }

  /// The trace event.
  package func event(at now: VirtualTime) -> TraceEvent {
    switch self {
    case .dispatch(let line, _):
      TraceEvent(ScriptDispatched.self, at: now, on: .phone) {
        $0.rank = line.rank
        $0.figures = line.figures
      }
    case .expired(let line):
      TraceEvent(ScriptExpired.self, at: now, on: .phone) {
        $0.rank = line.rank
        $0.figures = line.figures
      }
    case .skipped(let line, let first, let last, let cause):
      TraceEvent(ScriptSkipped.self, at: now, on: .phone) {
        $0.message = line.message
        $0.trigger = line.trigger
        $0.first = first
        $0.last = last
        $0.figures = line.figures
        $0.cause = cause
      }
    case .branch(let message, let branch, let before):
      TraceEvent(ScriptBranched.self, at: now, on: .phone) {
        $0.message = message
        $0.branch = branch
        $0.before = before
      }
    }
  }
}

package enum ScriptSource: String, Sendable, CaseIterable {
  case scenario, edge, fallback
}

extension Script {
  /// The event that records that this script is in force.
  ///
  /// - Parameter text: The script's ``canonicalText`` if already computed.
  package func loadedEvent(source: ScriptSource, text: String? = nil, at now: VirtualTime) -> TraceEvent {
    TraceEvent(ScriptLoaded.self, at: now, on: .phone) {
      $0.source = source.rawValue
      $0.script = JSONText(text ?? canonicalText)
    }
  }
}

/// A run's position in its script, which must survive restarts and script changes.
///
/// Belongs to the run and is keyed by line ids, so it fits any script. ``ScriptEngine/revision`` counts its changes
/// except those of ``furthestDistance``, ``furthestElapsed`` and ``evaluations``, which change at every evaluation.
package struct ScriptPosition: Sendable, Equatable {
  /// The greatest evaluated distance, in metres; nil before the first snapshot.
  package var furthestDistance: Double?
  /// The greatest evaluated elapsed time, in seconds; nil before the first snapshot.
  package var furthestElapsed: Double?
  /// The number of evaluations.
  package var evaluations: Int64 = 0
  /// The active branch, if any.
  package var branch: String?
  /// When a line was last dispatched; nil for never.
  package var lastDispatch: VirtualTime?
  /// Non-blank records by line id in ascending order.
  package var records: [Entry] = []

  package struct Entry: Sendable, Equatable {
    package var message: String
    package var record: MessageRecord
  }
}

/// A run's record of one line.
package struct MessageRecord: Sendable, Equatable {
  /// Whether it was dispatched in this run.
  package var isSpoken = false
  /// Whether it expired; for lines with a single point.
  package var isExpired = false
  /// The last multiple that was spoken, skipped or expired; 0 for none.
  package var lastMultiple: Int64 = 0
  /// When it was last dispatched; nil for never.
  package var lastDispatch: VirtualTime?
  /// The evaluation, from 1, at which its present due stretch began; 0 if it is not due.
  package var dueSince: Int64 = 0
  /// The multiple that is due since then; 0 for lines without multiples.
  package var dueMultiple: Int64 = 0

  static let blank = Self()
}
