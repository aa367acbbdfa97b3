import Link

/// What the phone's app keeps beside its session: what it needs to go on after a restart.
package struct PhoneRecord: Sendable, Equatable {
  /// The lines that were played, or begun, in their order.
  package var played: [PlayedMessage] = []

  /// The record of a phone that was never started before.
  package init() {}

  /// Applies one change.
  package mutating func apply(_ change: PhoneChange) {
    switch change {
    case .played(let message): played.append(message)
    case .interrupted(let id):
      if let index = played.lastIndex(where: { $0.messageId == id }) { played[index].wasInterrupted = true }
    }
  }
}
