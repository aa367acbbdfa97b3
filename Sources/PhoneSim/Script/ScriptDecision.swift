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

    package init(
      message: String, trigger: String, priority: Int, multiple: Int64? = nil, epoch: Epoch?,
      sequence: SequenceNumber?, elapsed: Double?, distance: Double?
    ) {
      self.message = message
      self.trigger = trigger
      self.priority = priority
      self.multiple = multiple
      self.epoch = epoch
      self.sequence = sequence
      self.elapsed = elapsed
      self.distance = distance
    }

    fileprivate var subject: [TraceEvent.Field] {
      [TraceEvent.Field("message", .string(message)), TraceEvent.Field("trigger", .string(trigger))]
    }

    fileprivate var rank: [TraceEvent.Field] {
      var fields = [TraceEvent.Field("priority", .int(Int64(priority)))]
      if let multiple { fields.append(TraceEvent.Field("multiple", .int(multiple))) }
      return fields
    }

    fileprivate var snapshot: [TraceEvent.Field] {
      var fields: [TraceEvent.Field] = []
      if let epoch { fields.append(TraceEvent.Field("epoch", .int(Int64(epoch.rawValue)))) }
      if let sequence { fields.append(TraceEvent.Field("seq", .int(Int64(clamping: sequence.rawValue)))) }
      if let elapsed { fields.append(TraceEvent.Field("elapsed", .number(elapsed, places: 3))) }
      if let distance { fields.append(TraceEvent.Field("distance", .number(distance, places: 2))) }
      return fields
    }
  }

  /// The trace event.
  package func event(at now: VirtualTime) -> TraceEvent {
    switch self {
    case .dispatch(let line, _):
      return TraceEvent("script.dispatch", at: now, on: .phone, line.subject + line.rank + line.snapshot)
    case .expired(let line):
      return TraceEvent("script.expired", at: now, on: .phone, line.subject + line.rank + line.snapshot)
    case .skipped(let line, let first, let last, let cause):
      let range = [TraceEvent.Field("first", .int(first)), TraceEvent.Field("last", .int(last))]
      let why = [TraceEvent.Field("cause", .string(cause.text))]
      return TraceEvent("script.skipped", at: now, on: .phone, line.subject + range + line.snapshot + why)
    case .branch(let message, let branch, let before):
      return TraceEvent(
        "script.branch", at: now, on: .phone,
        [
          TraceEvent.Field("message", .string(message)), TraceEvent.Field("branch", .string(branch)),
          TraceEvent.Field("before", before.map { .string($0) } ?? .null),
        ])
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
    TraceEvent(
      "script.loaded", at: now, on: .phone,
      [TraceEvent.Field("source", .string(source.rawValue)), TraceEvent.Field("script", .json(text ?? canonicalText))])
  }
}
