package import TraceTools
package import Link

/// The states of a live view at earlier instants of the run.
///
/// It stores every event, and a copy of the state for every ``spacing`` events, so that any instant costs the replay of
/// at most that many events. Beyond ``entriesMax`` events the oldest half is dropped.
package struct LiveHistory {
  private struct Entry {
    let event: TraceEvent
    let story: [StoryLine]
  }

  /// The state before the event with this index.
  private struct Checkpoint {
    let index: Int
    let state: LiveState
  }

  private var entries: [Entry] = []
  private var checkpoints: [Checkpoint] = []
  /// Events between two copies.
  static let spacing = 256
  /// The limit of stored events.
  static let entriesMax = 400_000

  package init() {}

  /// Adds an event and its sentences; `before` is the state without it.
  package mutating func add(_ event: TraceEvent, _ story: [StoryLine], before: LiveState) {
    if entries.count == Self.entriesMax { forgetOldest() }
    if entries.count % Self.spacing == 0 { checkpoints.append(Checkpoint(index: entries.count, state: before)) }
    entries.append(Entry(event: event, story: story))
  }

  /// The state after all events up to an instant, the instant included; nil before the first stored event.
  package func state(at time: VirtualTime) -> LiveState? {
    let end = index(after: time)
    guard end > 0, let checkpoint = checkpoints.last(where: { $0.index <= end }) else { return nil }
    var state = checkpoint.state
    for entry in entries[checkpoint.index..<end] { state.observe(entry.event, story: entry.story) }
    return state
  }

  /// The earliest stored instant; nil before the first event.
  var begin: VirtualTime? { entries.first?.event.time }

  /// The last instant before another one at which the story has a sentence, if any.
  func sentence(before time: VirtualTime) -> VirtualTime? {
    entries.last { $0.event.time < time && !$0.story.isEmpty }?.event.time
  }

  /// The first instant after another one at which the story has a sentence, if any.
  func sentence(after time: VirtualTime) -> VirtualTime? {
    entries[index(after: time)...].first { !$0.story.isEmpty }?.event.time
  }

  /// The number of events up to an instant, which is included.
  private func index(after time: VirtualTime) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].event.time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func forgetOldest() {
    let dropped = Self.entriesMax / 2 / Self.spacing * Self.spacing
    entries.removeFirst(dropped)
    checkpoints = checkpoints.filter { $0.index >= dropped }.map {
      Checkpoint(index: $0.index - dropped, state: $0.state)
    }
  }
}
