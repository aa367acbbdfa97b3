import Console
package import Link

/// Collects the data of a report from the events of a trace.
package struct ReportCollector {
  /// The limit of rows of each kind in a page; further ones are counted and reported.
  static let framesMax = 400_000
  static let textsMax = 20_000
  /// The limit of trace lines whose causes a page contains.
  static let linksMax = 400_000

  private(set) var notices: [String] = []
  private let subject: ExportSubject
  /// The command that makes the same run again.
  var repeatCommand: String
  private var teller: Storyteller
  private var follower = BandFollower()
  private var ledger = FrameLedger()
  private var classes = ReportWords()
  private var causes = ReportWords()
  private var faults = ReportWords()
  private var places = ReportWords()
  private var frames = ReportTable(["t", "cls", "id", "epoch", "seq", "bytes", "attempt", "line"])
  private var fates = ReportTable(["frame", "copy", "dt", "cause", "fault", "line"])
  private var published = ReportTable(Self.figures)
  private var heard = ReportTable(Self.figures)
  private static let figures = ["t", "distance", "pace", "hr", "elapsed", "average", "cadence", "energy"]
  /// What the frames of the page carry, in their order.
  private var payloads: [PayloadNames.Payload?] = []
  private var names = PayloadNames()
  private var pair: PairChanges
  private var bands: [ReportBand] = []
  private var open: [ReportBand] = []
  private var story: [StoryLine] = []
  private var instants: [ReportInstant] = []
  private var findings = ReportFindings()
  private var finder: CauseFinder
  /// A row for each line of the trace from line 2 on: time, event, and how many lines back its causes are; 0 for none.
  private var links = ReportTable(["t", "what", "a", "b", "c"])
  private var whats = ReportWords()
  private var inquiry: LineInquiry
  private var omitted = 0
  private var last = VirtualTime.start
  /// When each line happened, in nanoseconds, from line 2 on.
  private var times: [Int64] = []

  init(_ subject: ExportSubject) {
    self.subject = subject
    repeatCommand = subject.repeatCommand
    teller = Storyteller(header: subject.header)
    inquiry = LineInquiry(header: subject.header)
    finder = CauseFinder(header: subject.header)
    pair = PairChanges(subject.header)
    // Cause 0 is that of the copies that arrived.
    _ = causes.index(of: "delivered")
    _ = faults.index(of: "")
  }

  /// The title of the page.
  var title: String { "\(subject.header.scenario), seed \(subject.header.seed)" }

  /// Observes the next event.
  mutating func observe(_ event: TraceEvent, line: Int) {
    last = max(last, event.time)
    times.append(event.time.nanoseconds)
    let sentences = teller.observe(event, line: line)
    for sentence in sentences where subject.window.contains(sentence.time) { addLine(sentence) }
    if let broken = StoryLine(violation: event), subject.window.contains(broken.time) { addLine(broken) }
    inquiry.observe(event, line: line)
    link(event, line: line)
    names.observe(event)
    pair.observe(event)
    for change in follower.observe(event) { changeBand(change, at: event.time, line: line) }
    ledger.observe(event, line: line)
    while let frame = ledger.next() { addFrame(frame) }
    findings.observe(event)
    guard subject.window.contains(event.time) else { return }
    switch event.body {
    case .snapshot(let snapshot): measure(snapshot.metrics, event.time, into: &published)
    case .snapshotFresh(let snapshot): measure(snapshot.metrics, event.time, into: &heard)
    case .frameSent, .frameDelivered, .frameDropped, .messageReceived, .frameDuplicated: return
    // Positions come every second and are of no use here; the GPX export has them.
    case .other(let other) where other.kind is WorkoutPositioned: return
    default: addInstant(event, line: line, sentence: sentences.first?.text)
    }
  }

  private mutating func link(_ event: TraceEvent, line: Int) {
    let back = finder.observe(event, line: line).prefix(3).map { Int64(line - $0) } + [0, 0, 0]
    // A trace with missing lines has no row for this one.
    guard links.count < Self.linksMax, links.count == line - 2 else { return }
    links.append(
      Self.microseconds(event.time), whats.index(of: "\(event.place.text) \(event.name.text)"), back[0], back[1],
      back[2])
  }

  private mutating func addLine(_ line: StoryLine) {
    guard story.count < Self.textsMax else { return omitted += 1 }
    story.append(line)
  }

  private mutating func changeBand(_ change: BandFollower.Change, at time: VirtualTime, line: Int) {
    if let place = open.firstIndex(where: { $0.track == change.track }) {
      var band = open.remove(at: place)
      band.end = time
      close(band)
    }
    guard let label = change.label else { return }
    open.append(ReportBand(track: change.track, begin: time, label: label, change: change, line: line))
  }

  private mutating func close(_ band: ReportBand) {
    guard let part = subject.window.clip(band.begin, band.end ?? last) else { return }
    guard bands.count < Self.textsMax else { return omitted += 1 }
    var band = band
    (band.begin, band.end) = (part.begin, part.end)
    bands.append(band)
  }

  private mutating func addFrame(_ frame: ExportedFrame) {
    guard subject.window.contains(frame.time) else { return }
    guard frames.count < Self.framesMax else { return omitted += 1 }
    let name = frame.name.map { " " + TerminalText.escape($0) } ?? ""
    let kind = "\(frame.sender.text) \(frame.receiver) \(frame.kind) \(frame.channel)\(name)"
    let number = Int64(frames.count)
    payloads.append(frame.payload)
    frames.append(
      Self.microseconds(frame.time), classes.index(of: kind), frame.id, frame.epoch, frame.seq, frame.bytes,
      frame.attempt, Int64(frame.line))
    for fate in frame.fates {
      fates.append(
        number, fate.copy, (fate.time - frame.time).nanoseconds / 1_000, causes.index(of: fate.cause ?? "delivered"),
        faults.index(of: fate.fault ?? ""), Int64(fate.line))
    }
  }

  private func measure(_ metrics: SnapshotMetrics, _ time: VirtualTime, into table: inout ReportTable) {
    let number = { (value: Double?, factor: Double) -> Int64 in
      guard let value, abs(value) < 1e9 else { return 0 }
      return Int64((value * factor).rounded())
    }
    table.append(
      Self.microseconds(time), number(metrics.distance, 100), number(metrics.currentPaceSecPerKm, 10),
      number(metrics.currentHR.map { Double($0) }, 1), number(metrics.elapsed, 10),
      number(metrics.avgPaceSecPerKm, 10), number(metrics.cadence.map { Double($0) }, 1),
      number(metrics.energyKcal, 10))
  }

  private mutating func addInstant(_ event: TraceEvent, line: Int, sentence: String?) {
    guard instants.count < Self.textsMax else { return omitted += 1 }
    let words = "\(event.place.text): \(EventWords.text(event, sentence: sentence))"
    var json = "{\"t\":\(event.time.nanoseconds),\"node\":\"\(event.place.text)\",\"event\":\"\(event.name.text)\""
    for field in event.fields where json.count <= Self.rawMax {
      json += ",\"\(field.key)\":"
      field.value.append(to: &json)
    }
    json += "}"
    let shown = json.count > Self.rawMax ? json.prefix(Self.rawMax) + "..." : json[...]
    instants.append(
      ReportInstant(
        time: event.time, place: places.index(of: event.place.text), text: TerminalText.escape(words), line: line,
        raw: TerminalText.escape(String(shown))))
  }

  /// The longest line of the trace that is shown as it is.
  private static let rawMax = 600

  package static func microseconds(_ time: VirtualTime) -> Int64 { time.nanoseconds / 1_000 }

  // MARK: The end

  /// Returns everything as JSON; call it at the end of the trace.
  mutating func finish(_ ending: ExportEnding) -> [UInt8] {
    while let frame = ledger.next(isOver: true) { addFrame(frame) }
    for band in open { close(band) }
    open = []
    if omitted > 0 { notices.append("\(StoryText.count(omitted, "thing")) did not fit into the report") }
    var page = notices
    if pair.isCut { page.append("The devices are shown up to a part of the run only: it has too many changes.") }
    if ending.isTruncated { page.append("The trace is truncated: it has no end line. What was read is shown.") }
    if !subject.window.isWhole {
      let to = subject.window.to.map { StoryText.clock($0) } ?? "the end"
      page.append("Only the stretch from \(StoryText.clock(subject.window.from)) to \(to) is shown.")
    }
    // A trace lists violations at its end; the report shows them when they happened.
    story = StoryBook.ordered(story)
    var carried = ReportTable(["name"])
    var carriedWords = ReportWords()
    _ = carriedWords.index(of: "")
    for payload in payloads { carried.append(carriedWords.index(of: payload.flatMap { names.name(of: $0) } ?? "")) }
    var bytes: [UInt8] = []
    bytes.append(UInt8(ascii: "{"))
    ReportJSON.append(
      head(ending, notices: page) + [JSONMember("payloads", .texts(carriedWords.words))], to: &bytes)
    for (name, table) in [
      ("frames", frames), ("fates", fates), ("published", published), ("heard", heard), ("links", links),
      ("carried", carried),
    ] {
      bytes += ",\"\(name)\":".utf8
      table.append(to: &bytes)
    }
    bytes += ",\"pair\":".utf8
    pair.finish(to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// The outcome of each line of the script: `[[id, head, [[from, to, text, line], ...]], ...]`.
  private var answers: [JSONNode] {
    var inquiry = inquiry
    return inquiry.finish().prefix(Self.answersMax).map { answer in
      let sentences = answer.sentences.prefix(Self.sentencesMax).map { sentence in
        ReportJSON.row([
          .integer(Self.microseconds(sentence.from)), .integer(Self.microseconds(sentence.to)),
          .string(TerminalText.escape(sentence.text)), .count(sentence.line),
        ])
      }
      let head = "\(answer.trigger): \(answer.outcome)"
      return ReportJSON.row([
        .string(TerminalText.escape(answer.id)), .string(TerminalText.escape(head)), .array(sentences),
      ])
    }
  }

  private static let answersMax = 300
  private static let sentencesMax = 60

  private func head(_ ending: ExportEnding, notices: [String]) -> [JSONMember] {
    let header = subject.header
    let window = (subject.window.from, subject.window.to.map { min($0, last) } ?? last)
    var members = [JSONMember]([
      "scenario": .string(TerminalText.escape(header.scenario)), "about": .string(TerminalText.escape(subject.about)),
      "seed": .string(String(header.seed)),
      "startedAt": .string(header.startedAt), "timeZone": .string(header.timeZone),
      "offset": .count(header.utcOffset(at: .start)), "build": .string(TerminalText.escape(header.build)),
      "command": .string(TerminalText.escape(repeatCommand)), "digest": .text(ending.digest),
      "from": .integer(Self.microseconds(window.0)), "to": .integer(Self.microseconds(window.1)),
      "lines": .count(times.count + 1), "notices": .texts(notices),
    ])
    members += findings.members(isTruncated: ending.isTruncated) { self.time(ofLine: $0) }
    let summary = StorySummary.rows(teller.tally)
    return members
      + [JSONMember]([
        "summary": .array(summary.map { ReportJSON.row([.string($0.head), .string($0.text)]) }),
        "plan": ReportFaultPlan.rows(header.faults), "classes": .texts(classes.words), "causes": .texts(causes.words),
        "faults": .texts(faults.words), "places": .texts(places.words), "whats": .texts(whats.words),
        "asked": .array(answers), "bands": .array(bands.map(\.node)),
        "story": .array(story.map { ReportJSON.node($0) }), "instants": .array(instants.map(\.node)),
      ])
  }

  /// The time of a line of the trace, in microseconds; nil if there is no such line.
  private func time(ofLine line: Int) -> Int64? {
    times.indices.contains(line -| 2) ? times[line - 2] / 1_000 : nil
  }
}

/// A state with its beginning and end.
struct ReportBand {
  var track: BandFollower.Track
  var begin: VirtualTime
  var end: VirtualTime?
  var label: String
  var change: BandFollower.Change
  var line: Int

  /// `[track, begin, end, label, tone, line, details]`.
  var node: JSONNode {
    let details = change.details.filter { !$0.value.isEmpty }.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    let track = if case .fault = track { "fault" } else { "\(track)" }
    return ReportJSON.row([
      .string(track), .integer(ReportCollector.microseconds(begin)),
      .integer(ReportCollector.microseconds(end ?? begin)), .string(TerminalText.escape(label)),
      .count(change.tone.rawValue), .count(line), .string(TerminalText.escape(details)),
    ])
  }
}

/// An event at one instant.
struct ReportInstant {
  var time: VirtualTime
  var place: Int64
  var text: String
  var line: Int
  /// The line of the trace.
  var raw: String

  /// `[t, place, text, line, raw]`.
  var node: JSONNode {
    ReportJSON.row([
      .integer(ReportCollector.microseconds(time)), .integer(place), .string(text), .count(line),
      .string(raw),
    ])
  }
}
