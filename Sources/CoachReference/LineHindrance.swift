package import Link

/// What kept a line of the script from being dispatched at one snapshot.
package enum LineHindrance: Sendable, Equatable {
  /// Its point is ahead: the metres, or seconds, that it needs and that the run has reached.
  case ahead(needs: Double, reached: Double, isTime: Bool)
  /// Its condition does not hold: what is missing, and how much of it, as in ``ExpressionShortfall``.
  case unfulfilled(String, distance: Double)
  /// It needs a planned distance or time that the scenario does not have.
  case unplanned
  /// It belongs to a branch that is not active.
  case otherBranch(needs: String, active: String?)
  /// It was dispatched less than its cooldown ago.
  case cooldown(until: VirtualTime)
  /// It was dispatched before, and plays once.
  case played
  /// It, or its latest multiple, expired before.
  case expired
  /// Expired at this snapshot: how far past its point the run was, and how far is allowed.
  case pastGrace(past: Double, grace: Double, isTime: Bool)
  /// Due, but another line was dispatched less than 30 seconds ago.
  case window(until: VirtualTime, after: String)
  /// Due, but another line, with its priority, was dispatched instead.
  case outranked(by: String)
  /// Due, but the phone's disk is full, so no dispatch can be stored.
  case diskFull
  /// Due, but the phone did not dispatch it, and no rule explains it.
  case unexplained
  /// None: it was dispatched.
  case dispatched
  /// The snapshot was not evaluated: the run was believed not to be running.
  case notRunning(belief: String?)

  /// Whether two hindrances are of one kind, so that snapshots in a row are reported together.
  package func isLike(_ other: LineHindrance) -> Bool {
    switch (self, other) {
    case (.ahead, .ahead), (.unfulfilled, .unfulfilled), (.unplanned, .unplanned), (.cooldown, .cooldown),
      (.played, .played), (.expired, .expired), (.diskFull, .diskFull), (.unexplained, .unexplained):
      true
    case (.otherBranch(_, let one), .otherBranch(_, let two)): one == two
    case (.window(let one, _), .window(let two, _)): one == two
    case (.notRunning(let one), .notRunning(let two)): one == two
    default: false
    }
  }

  /// How far the line was from being due, for choosing the nearest miss; nil if there is nothing to compare.
  package var distance: Double? {
    switch self {
    case .ahead(let needs, let reached, _): needs - reached
    case .unfulfilled(_, let distance): distance
    default: nil
    }
  }

  /// Whether the line was due, or had been.
  package var hasComeDue: Bool {
    switch self {
    case .ahead, .unfulfilled, .unplanned, .otherBranch, .notRunning: false
    default: true
    }
  }
}

/// Snapshots in a row at which the same kept a line back.
package struct LineStretch: Sendable, Equatable {
  package var from: VirtualTime
  package var to: VirtualTime
  /// The trace lines of the first and the last snapshot.
  package var firstLine: Int
  package var lastLine: Int
  package var count: Int
  /// At the nearest miss; the last one where there is nothing to compare.
  package var hindrance: LineHindrance
  /// The snapshot of ``hindrance``.
  package var at: VirtualTime
  package var atLine: Int
}

/// The history of one line of the script over a run.
package struct LineHistory: Sendable {
  package let id: String
  package var stretches: [LineStretch] = []

  /// Whether the line was due at any snapshot.
  package var hasComeDue: Bool { stretches.contains { $0.hindrance.hasComeDue } }
  package var wasDispatched: Bool { stretches.contains { $0.hindrance == .dispatched } }

  /// The nearest miss of a line that never came due; nil without a snapshot that was evaluated.
  package var nearest: LineStretch? {
    let missed = stretches.filter { $0.hindrance.distance != nil }
    return missed.min { ($0.hindrance.distance ?? 0) < ($1.hindrance.distance ?? 0) } ?? stretches.last
  }

  mutating func add(_ hindrance: LineHindrance, at time: VirtualTime, line: Int, isGap: Bool) {
    if let last = stretches.indices.last, !isGap, stretches[last].hindrance.isLike(hindrance) {
      stretches[last].to = time
      stretches[last].lastLine = line
      stretches[last].count += 1
      let before = stretches[last].hindrance.distance ?? .infinity
      if (hindrance.distance ?? -.infinity) <= before {
        stretches[last].hindrance = hindrance
        stretches[last].at = time
        stretches[last].atLine = line
      }
      return
    }
    stretches.append(
      LineStretch(
        from: time, to: time, firstLine: line, lastLine: line, count: 1, hindrance: hindrance, at: time, atLine: line))
  }
}
