package import Console
package import Link
import Simulator
package import TraceTools

/// One pair of devices on the page: a run, as far as it is made, and the state at the page's instant.
package struct PairLane {
  /// The run's scenario with the user's touches; nil for a recorded trace.
  package private(set) var document: PairDocument?
  package private(set) var timeline: PairTimeline
  /// How the run ended; nil while it is made, and for a recorded trace.
  package private(set) var ending: RunMaker.Ending?
  /// The state at the page's instant.
  package private(set) var state: PairState
  /// What distinguishes it from the other pair; empty for the only one.
  package var title = ""
  /// Counts the runs made for it.
  package private(set) var version = 0
  let overview = RunOverview()
  /// What is stored in a state folder, by device; empty for a run.
  package private(set) var stores: [InspectedDevice] = []
  private var maker: RunMaker?
  /// The run that replaces ``timeline`` once it has reached the instant of the touch that made it, if any.
  private var coming: (timeline: PairTimeline, until: VirtualTime)?
  /// The events of the run before the last touch, up to it: the new run must repeat them.
  private var before: ArraySlice<TraceEvent> = []
  /// Whether the last touch changed what was before it.
  package private(set) var hasChangedPast = false

  /// Batches received at a time, so that the page stays responsive.
  private static let batchesMax = 8

  /// Starts a run of a scenario.
  package init(_ document: PairDocument) {
    self.document = document
    timeline = PairTimeline(header: document.scenario.header)
    state = PairState(header: timeline.header)
    make()
  }

  /// A recorded trace.
  package init(_ trace: RecordedTrace) {
    timeline = PairTimeline(header: trace.header)
    for event in trace.events { timeline.append(event) }
    timeline.isComplete = true
    state = timeline.state(at: .start)
  }

  /// The stores of a state folder, without a run.
  package init(stores: [InspectedDevice], named name: String) {
    self.stores = stores
    timeline = PairTimeline(header: TraceHeader(scenario: name, seed: 0, duration: .seconds(0)))
    timeline.isComplete = true
    state = PairState(header: timeline.header)
  }

  /// Whether it is read-only.
  package var isRecorded: Bool { document == nil }

  /// Whether the run has reached the instant of the last touch; before that its predecessor is shown.
  package var isReady: Bool { coming == nil }

  /// Receives new events of the run, at most a few thousand.
  ///
  /// - Returns: Whether there was anything.
  package mutating func advance() -> Bool {
    guard let maker else { return false }
    let (events, ending) = maker.receiveEvents(batches: Self.batchesMax)
    for event in events {
      if !before.isEmpty, event != before.removeFirst() {
        (hasChangedPast, before) = (true, [])
      }
      if coming == nil { timeline.append(event) } else { coming?.timeline.append(event) }
    }
    if let ending { end(ending) }
    if let coming, coming.timeline.isComplete || coming.timeline.end > coming.until {
      timeline = coming.timeline
      state = PairState(header: timeline.header)
      self.coming = nil
    }
    return !events.isEmpty || ending != nil
  }

  private mutating func end(_ ending: RunMaker.Ending) {
    self.ending = ending
    maker = nil
    if coming == nil { timeline.isComplete = true } else { coming?.timeline.isComplete = true }
  }

  /// Shows an instant.
  package mutating func show(_ time: VirtualTime) {
    state = timeline.advance(state, to: timeline.index(after: time))
  }

  /// Changes the scenario at an instant, and makes the run again.
  package mutating func touch(
    at time: VirtualTime, _ change: (inout PairDocument) throws(Failure) -> Void
  ) throws(Failure) {
    guard var changed = document else {
      throw .input("this is a recorded trace: nothing can be done to it; open its scenario for that")
    }
    try change(&changed)
    maker?.cancel()
    before = timeline.events.prefix { $0.time < time }
    document = changed
    hasChangedPast = false
    coming = (PairTimeline(header: changed.scenario.header), time)
    make()
  }

  /// Cancels the run.
  package func cancel() { maker?.cancel() }

  private mutating func make() {
    guard let document else { return }
    ending = nil
    version += 1
    maker = RunMaker(document.scenario)
  }
}
