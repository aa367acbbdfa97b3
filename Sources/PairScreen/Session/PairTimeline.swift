import Console
package import Link
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
    case .expectation(let judged):
      guard !judged.passed else { break }
      findings.append(Finding(at: event.time, invariant: "expectation \(judged.index)", detail: judged.why ?? ""))
    default: break
    }
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
