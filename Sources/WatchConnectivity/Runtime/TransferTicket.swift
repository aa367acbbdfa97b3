import Foundation
import Link
import Synchronization

/// Links a transfer's object to the session's queue.
final class TransferTicket: Sendable {
  /// A transfer's location in its queue.
  struct Place: Sendable {
    var lane: Lane
    var seq: SequenceNumber
    var transfer: Identifier
  }

  private struct State {
    var place: Place?
    var isTransferring = false
    var isCurrentComplication = false
  }

  private let state = Mutex(State())
  private weak let runtime: SessionRuntime?

  /// The ticket of a transfer that is not queued (yet).
  init(_ runtime: SessionRuntime? = nil) { self.runtime = runtime }

  /// Its location; nil for one that was refused.
  var place: Place? { state.withLock { $0.place } }
  var isTransferring: Bool { state.withLock { $0.isTransferring } }
  var isCurrentComplication: Bool { state.withLock { $0.isCurrentComplication } }

  func begin(_ place: Place) {
    state.withLock {
      $0.place = place
      $0.isTransferring = true
    }
  }

  func end() {
    state.withLock {
      $0.isTransferring = false
      $0.isCurrentComplication = false
    }
  }

  func setCurrentComplication(_ isCurrent: Bool) { state.withLock { $0.isCurrentComplication = isCurrent } }

  func cancel() {
    guard isTransferring, let place else { return }
    runtime?.cancel(place)
  }
}
