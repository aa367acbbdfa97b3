package import Link

/// Finds the words of voice notes, each a second after it came: a stand-in for the phone's speech recogniser.
///
/// Notes do not wait for one another. What is not finished when the phone's process ends begins anew.
package struct Transcriber: Sendable, Equatable {
  /// How long the words of a note take to find, by the phone's timers.
  package static let delay = VirtualTime.Span.seconds(1)

  private struct Task: Sendable, Equatable {
    var note: PendingTranscription
    var due: VirtualTime
  }

  /// In the order in which they are due.
  private var tasks: [Task] = []
  /// Whether results could not be kept, so that none is brought.
  private var isHeld = false

  /// Creates one that has nothing to do.
  package init() {}

  /// When the next words are found; nil where none are looked for, or could be kept.
  package var nextDeadline: VirtualTime? { isHeld ? nil : tasks.first?.due }

  /// Begins with a note.
  package mutating func begin(_ note: PendingTranscription, at now: VirtualTime) {
    tasks.append(Task(note: note, due: now + Self.delay))
  }

  /// Takes the next note whose words are found; nil where there is none.
  package mutating func takeDue(at now: VirtualTime) -> PendingTranscription? {
    guard let due = nextDeadline, due <= now else { return nil }
    return tasks.removeFirst().note
  }

  /// Brings no more results: there is no room to keep them.
  package mutating func hold() { isHeld = true }

  /// Begins anew with every note that is not finished: there is room again.
  package mutating func release(at now: VirtualTime) {
    isHeld = false
    for place in tasks.indices { tasks[place].due = now + Self.delay }
  }
}
