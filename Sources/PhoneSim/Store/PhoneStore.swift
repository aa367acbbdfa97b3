package import Link

/// A line that was spoken, or begun: the companion store's `PlayedMessage`.
package struct PlayedMessage: Sendable, Equatable {
  /// Which line of the script.
  package var messageId: String
  /// When it was dispatched.
  package var playedAt: VirtualTime
  /// Which run it belongs to.
  package var runId: Identifier
  /// Whether it was cut off.
  package var wasInterrupted = false
}

/// One durable change of what the phone knows.
package enum PhoneChange: Sendable, Equatable {
  /// A line is about to be spoken: no commit, no speech.
  case played(PlayedMessage)
  /// The line that was played last under this id was cut off.
  case interrupted(messageId: String)
}

/// Keeps what the phone must not forget, beside what its session keeps.
package protocol PhoneStore: SessionStore {
  /// Makes the changes of session and app durable, all or none.
  mutating func commit(_ changes: [SessionChange], _ app: [PhoneChange])
  /// The lines of a run that were played, in their order.
  func played(in runId: Identifier) -> [PlayedMessage]
}

/// Keeps it for as long as the process lives.
package struct MemoryPhoneStore: PhoneStore, Equatable {
  private var session = MemorySessionStore()
  private var played: [PlayedMessage] = []

  /// Creates an empty store.
  package init() {}

  package mutating func commit(_ changes: [SessionChange]) { commit(changes, []) }

  package mutating func commit(_ changes: [SessionChange], _ app: [PhoneChange]) {
    if !changes.isEmpty { session.commit(changes) }
    for change in app {
      switch change {
      case .played(let message): played.append(message)
      case .interrupted(let id):
        if let index = played.lastIndex(where: { $0.messageId == id }) { played[index].wasInterrupted = true }
      }
    }
  }

  package mutating func beginEpoch() -> SessionRecord { session.beginEpoch() }

  package func played(in runId: Identifier) -> [PlayedMessage] { played.filter { $0.runId == runId } }
}
