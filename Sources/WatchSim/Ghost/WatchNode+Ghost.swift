import CoachProtocol
package import Link

/// Messages that do not come from the watch's current workout.
extension WatchNode {
  /// Sends a ghost's message.
  ///
  /// Its workout is not this watch's, so no workout event of the trace mentions it.
  mutating func carryOutGhost(_ command: NodeCommand, in turn: inout Turn) {
    do throws(CommandRefusal) {
      let order = try command.reading { GhostCommand.form.read($0) }
      let workoutId = Identifier(RandomStream(seed: setup.seed, name: "watch.ghost"), for: 1)
      let said = WatchTime(nanoseconds: clock.reading(at: turn.now) &- order.age.nanoseconds)
      switch order.says {
      case .workoutStarted:
        let event = AppMessage.workoutStarted(WorkoutStarted(workoutId: workoutId, startedAt: said, sentAt: said))
        var details = TransferDetails()
        details.kind = event.kind.rawValue
        do throws(SessionError) {
          try session.transferUserInfo(event.encoded, details: details, ghost: workoutId, in: &turn)
        } catch { throw CommandRefusal(error.text(on: .watch)) }
      case .metrics:
        let zeros = LiveMetrics(workoutId: workoutId, sentAt: said, elapsed: 0, distance: 0, state: .running)
        turn.record(GhostSnapshotPublished.self, on: .watch) {
          $0.metrics = zeros.eventFields(epoch: session.epoch, seq: session.nextMessage)
        }
        session.sendMessage(zeros.encoded, kind: "liveMetrics", in: &turn)
      }
    } catch {
      refuse(command.name, why: error.why, in: &turn)
    }
  }

  /// Sends the events of the latest workout again, by message.
  mutating func sendAgain(_ command: NodeCommand, in turn: inout Turn) {
    guard let log = record.workouts.last else {
      return refuse(command.name, why: "there was no workout", in: &turn)
    }
    for step in log.steps {
      guard let event = event(of: step, in: log) else { continue }
      session.sendMessage(event.encoded, kind: event.kind.rawValue, in: &turn)
    }
  }
}

/// A scenario's order for a ghost: a leftover workout session on the watch that sends messages.
package struct GhostCommand: Sendable, Equatable {
  /// The scenario's `do`.
  package static let word = "ghost"

  package enum Words: String, Sendable, CaseIterable {
    case workoutStarted
    /// A running workout with zeros for all metrics.
    case metrics
  }

  package var says: Words
  /// How far in the past its messages are stamped, by the watch's clock.
  package var age = VirtualTime.Span.zero

  /// The form of a scenario's event.
  package static let form = CommandForm(
    word, "sends a message of another workout session on the watch, which no athlete started", Self(says: .metrics),
    [
      Field(
        "says", \.says, .word, "whether it reports a start, or a running workout with zeros", .required),
      Field("age", \.age, .duration(), "how far in the past its message is stamped"),
    ]
  ) { command, _ in command }
}
