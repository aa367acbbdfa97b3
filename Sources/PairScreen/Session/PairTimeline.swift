package import Console
package import Link
import Simulator
package import TraceTools

/// All events of a run, or of its beginning while it is made, and what the page shows at any instant of it.
///
/// Copies of the state are kept for every ``spacing`` events, so that any instant costs the replay of at most that
/// many.
package struct PairTimeline {
  /// Something that lasts: a cut, a spoken line, a state.
  package struct Band {
    /// The row that it is drawn in.
    package let row: Row
    package let begin: VirtualTime
    /// Nil while it lasts.
    package var end: VirtualTime?
    package let label: String
    package let tone: BandFollower.Tone
  }

  /// A row of the timeline.
  package enum Row: Int, CaseIterable {
    case watch, link, phone, coach
  }

  /// The distances at an instant: what the watch measures, what the phone believes.
  package struct Sample {
    let at: VirtualTime
    let truth: Double
    let belief: Double?
  }

  /// A rule that the run breaks.
  package struct Finding {
    package let at: VirtualTime
    package let invariant: String
    package let detail: String
  }

  package let header: TraceHeader
  package private(set) var events: [TraceEvent] = []
  package private(set) var story: [StoryLine] = []
  package private(set) var bands: [Band] = []
  package private(set) var samples: [Sample] = []
  /// What breaks a rule of the run, with when.
  package private(set) var findings: [Finding] = []
  /// The verdict of the trace's last line; nil before it.
  package private(set) var verdict: String?
  /// Names of what frames carry.
  package private(set) var names = PayloadNames()
  /// Whether there will be no more events.
  package var isComplete = false

  private var checkpoints: [PairState] = []
  /// The state after all events.
  private var latest: PairState
  private var teller: Storyteller
  private var follower = BandFollower()
  private var open: [BandFollower.Track: Int] = [:]
  /// When each frame arrives or is lost, by its id minus one.
  private var ends: [VirtualTime?] = []

  static let spacing = 512
  /// Most events that are kept; a longer run ends there on the page.
  static let eventsMax = 2_000_000
  private static let bandsMax = 4_000

  package init(header: TraceHeader) {
    self.header = header
    latest = PairState(header: header)
    teller = Storyteller(header: header)
  }

  /// The instant of the last event.
  package var end: VirtualTime { events.last?.time ?? .start }

  /// Adds the next event; beyond ``eventsMax`` nothing happens.
  package mutating func append(_ event: TraceEvent) {
    guard events.count < Self.eventsMax else { return }
    if events.count % Self.spacing == 0 { checkpoints.append(latest) }
    events.append(event)
    latest.observe(event)
    story += teller.observe(event, line: events.count + 1)
    names.observe(event)
    for change in follower.observe(event) { apply(change, at: event.time) }
    switch event.body {
    case .frameSent(let frame): makeRoom(forFrame: frame.id)
    case .frameDelivered(let frame): if frame.copy == 0 { recordEnd(ofFrame: frame.id, at: event.time) }
    case .frameDropped(let frame): if frame.copy == 0 { recordEnd(ofFrame: frame.id, at: event.time) }
    case .snapshot(let snapshot):
      samples.append(
        Sample(
          at: event.time, truth: snapshot.metrics.distance,
          belief: latest.phone.run == nil ? nil : latest.phone.figures.distance))
    case .violation(let violation):
      findings.append(
        Finding(
          at: VirtualTime(nanoseconds: violation.t0), invariant: violation.invariant, detail: violation.detail))
    case .end(let end): verdict = end.verdict
    case .other(let other): if let act = other.kind as? AppActTaken { mark(act, of: event) }
    case .expectation(let judged):
      guard !judged.passed else { break }
      findings.append(
        Finding(
          at: event.time, invariant: "not met: \(ExpectationWords.text(of: judged.expectation))",
          detail: judged.why ?? ""))
    default: break
    }
  }

  /// Marks what a user did on the row of the device.
  private mutating func mark(_ act: AppActTaken, of event: TraceEvent) {
    guard bands.count < Self.bandsMax, event.place == .watch || event.place == .phone else { return }
    bands.append(
      Band(
        row: event.place == .watch ? .watch : .phone, begin: event.time, end: event.time, label: act.action,
        tone: .speech))
  }

  private mutating func makeRoom(forFrame id: Int64) {
    // Ids count from 1; a hostile trace may number its frames as it likes.
    guard id >= 1, id <= Int64(Self.eventsMax) else { return }
    while ends.count < Int(id) { ends.append(nil) }
  }

  private mutating func recordEnd(ofFrame id: Int64, at time: VirtualTime) {
    guard id >= 1, id <= Int64(ends.count), ends[Int(id) - 1] == nil else { return }
    ends[Int(id) - 1] = time
  }

  private mutating func apply(_ change: BandFollower.Change, at time: VirtualTime) {
    guard let row = Self.row(of: change.track) else { return }
    if let index = open.removeValue(forKey: change.track) { bands[index].end = time }
    guard let label = change.label, bands.count < Self.bandsMax else { return }
    open[change.track] = bands.count
    bands.append(Band(row: row, begin: time, label: label, tone: change.tone))
  }

  private static func row(of track: BandFollower.Track) -> Row? {
    switch track {
    case .watchState, .watchApp: .watch
    case .link, .uplink, .fault: .link
    case .belief, .liveness, .phoneApp: .phone
    case .coach: .coach
    case .watchReach, .phoneReach: nil
    }
  }

  // MARK: At an instant

  /// When a frame arrives or is lost; nil if that is not known.
  package func end(ofFrame id: Int64) -> VirtualTime? {
    id >= 1 && id <= Int64(ends.count) ? ends[Int(id) - 1] : nil
  }

  /// The number of events up to an instant, which is included.
  package func index(after time: VirtualTime) -> Int { Self.count(in: events, upTo: time) { $0.time } }

  /// The state after all events up to an instant, which is included.
  package func state(at time: VirtualTime) -> PairState { advance(nil, to: index(after: time)) }

  /// The state after a number of events.
  ///
  /// - Parameter near: A state of this timeline, which is used if it is not later and nearer than a kept one; nil for
  /// none.
  package func advance(_ near: PairState?, to count: Int) -> PairState {
    guard !checkpoints.isEmpty else { return latest }
    if count == events.count { return latest }
    let index = min(count / Self.spacing, checkpoints.count - 1)
    var state = checkpoints[index]
    if let near, near.count <= count, near.count > state.count { state = near }
    for event in events[state.count..<count] { state.observe(event) }
    return state
  }

  /// The sentences up to an instant, at most so many of the latest.
  package func sentences(upTo time: VirtualTime, most: Int) -> ArraySlice<StoryLine> {
    let count = Self.count(in: story, upTo: time) { $0.time }
    return story[max(0, count - most)..<count]
  }

  /// The first instant after another one that has an event.
  package func event(after time: VirtualTime) -> VirtualTime? {
    let index = index(after: time)
    return index < events.count ? events[index].time : nil
  }

  /// The first instant after another one that has a decision.
  package func decision(after time: VirtualTime) -> VirtualTime? {
    events[index(after: time)...].first { Decision($0, line: 0) != nil }?.time
  }

  /// The last instant before another one at which the story has a sentence, or the first after it.
  package func sentence(_ isForward: Bool, of time: VirtualTime) -> VirtualTime? {
    let count = Self.count(in: story, upTo: time) { $0.time }
    if isForward { return count < story.count ? story[count].time : nil }
    return story[..<count].last { $0.time < time }?.time
  }

  private static func count<Element>(
    in list: [Element], upTo time: VirtualTime, _ at: (Element) -> VirtualTime
  ) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if at(list[middle]) <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

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
