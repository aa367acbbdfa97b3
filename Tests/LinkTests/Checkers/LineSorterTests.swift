@testable import Link
import Testing

@Suite struct `Sorts of lines` {
  /// Says of each line that it is handed that it was.
  private struct Listener: Checker {
    static let invariant = "listener"
    static let about = "Tells what it is handed."
    static let interests: [TraceEvent.Name] = ["frame.sent", "frame.delivered", "message.received"]
    static let frameSorts: [FrameSort]? = [.chunk, .data]
    static let passedKind: String? = "usual"

    init(header: TraceHeader) {}

    mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
      report.append(Self.violation("handed", at: event.time, lines: [line]))
    }

    mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
  }

  /// Listens to all.
  private struct Eager: Checker {
    static let invariant = "eager"
    static let about = "Tells what it is handed."
    static let interests: [TraceEvent.Name] = ["frame.sent", "frame.delivered", "message.received"]

    init(header: TraceHeader) {}

    mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
      report.append(Self.violation("handed", at: event.time, lines: [line]))
    }

    mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
  }

  private static func sent(_ kind: TraceValue, _ more: [TraceEvent.Field] = [], id: Int64 = 1) -> TraceEvent {
    TraceEvent(
      "frame.sent", at: .start, on: .watch,
      [
        .init("id", .int(id)), .init("to", .string("phone")), .init("kind", kind),
        .init("channel", .string("message")), .init("epoch", .int(1)), .init("seq", .int(1)), .init("bytes", .int(0)),
        .init("digest", .hex(0)),
      ] + more)
  }

  /// The lines of which a listener to some sorts, or to all, was told.
  private static func lines(_ events: [TraceEvent], _ kind: any Checker.Type) -> [Int] {
    let header = TraceHeader(
      scenario: "s", seed: 1, startedAt: "2026-04-12T06:30:00Z", timeZone: "UTC", utcOffsets: [],
      duration: .seconds(1))
    var judge = Judge(header: header, checkers: [Listener.self, Eager.self])
    for (index, event) in events.enumerated() { judge.observe(event, line: index + 2) }
    return judge.finish().violations.filter { $0.invariant == kind.invariant }.flatMap(\.lines)
  }

  @Test(arguments: Frame.Kind.allCases) func `every kind of frame has a sort`(kind: Frame.Kind) throws {
    let sort = try #require(FrameSort(sent: Self.sent(.string(kind.text))))
    #expect(kind == .data ? sort == .plain : "\(sort)" == kind.text)
  }

  @Test(arguments: ["attempt", "transfer", "wantsReply"]) func `data with more to say is not plain`(key: String) {
    #expect(FrameSort(sent: Self.sent(.string("data"), [.init(key, .int(2))])) == .data)
  }

  @Test func `a checker is handed the sorts that it names, and one that names none is handed all`() {
    let events = [
      Self.sent(.string("data")), Self.sent(.string("chunk"), [.init("offset", .int(0))]), Self.sent(.string("ack")),
      Self.sent(.string("data"), [.init("wantsReply", .bool(true))]), Self.sent(.string("hello")),
      Self.sent(.string("reply")), Self.delivered(1),
    ]
    #expect(Self.lines(events, Listener.self) == [3, 5, 8])
    #expect(Self.lines(events, Eager.self) == [2, 3, 4, 5, 6, 7, 8])
  }

  private static func delivered(_ id: Int64) -> TraceEvent {
    TraceEvent("frame.delivered", at: .start, on: .link, [.init("id", .int(id)), .init("copy", .int(0))])
  }

  @Test func `of what arrives the plain frames are left out, as far as they are known`() {
    let plain = (1...70).map { Self.sent(.string("data"), id: $0) }
    let hello = Self.sent(.string("hello"), id: 71)
    // The last 64 are known: 8 to 71, the hello among them.
    let arrivals = [71, 70, 8, 7, 1, 72, 0].map { Self.delivered($0) }
    #expect(Self.lines(plain + [hello] + arrivals, Listener.self) == [73, 76, 77, 78, 79])
    // Frames that do not count one by one are not known, nor is one that came before a line that is written otherwise.
    let gap = [
      Self.sent(.string("data"), id: 1), Self.sent(.string("data"), id: 3), Self.delivered(1), Self.delivered(3),
    ]
    #expect(Self.lines(gap, Listener.self) == [4, 5])
    let odd = [Self.sent(.string("data"), id: 1), Self.sent(.string("beacon"), id: 2), Self.delivered(1)]
    #expect(Self.lines(odd, Listener.self) == [3, 4])
    let twice =
      [Self.sent(.string("hello"), id: 1)] + [1, 2].map { Self.sent(.string("data"), id: $0) }
      + [Self.delivered(1), Self.delivered(2)]
    #expect(Self.lines(twice, Listener.self) == [5])
  }

  @Test func `messages of the kind that is passed over are handed to the others`() {
    func received(_ fields: [TraceEvent.Field]) -> TraceEvent {
      TraceEvent("message.received", at: .start, on: .phone, [.init("from", .string("watch"))] + fields)
    }
    let events = [
      received([.init("kind", .string("usual"))]), received([.init("kind", .string("rare"))]),
      received([.init("epoch", .int(1)), .init("kind", .string("usual"))]), received([]),
    ]
    #expect(Self.lines(events, Listener.self) == [3, 4, 5])
    #expect(Self.lines(events, Eager.self) == [2, 3, 4, 5])
  }

  @Test func `a line that is written otherwise is handed to everybody`() {
    var turned = Self.sent(.string("data"))
    turned.fields.swapAt(0, 2)
    var short = Self.sent(.string("data"))
    short.fields.removeLast()
    let events = [turned, short, Self.sent(.string("beacon")), Self.sent(.int(3))]
    #expect(Self.lines(events, Listener.self) == [2, 3, 4, 5])
    #expect(Self.lines(events, Eager.self) == [2, 3, 4, 5])
  }

  /// Rests from messages until a context is set, and again once one is received.
  private struct Sleeper: Checker {
    static let invariant = "sleeper"
    static let about = "Tells what it is handed."
    static let interests: [TraceEvent.Name] = ["message.received", "context.set", "context.received"]
    static let restsFrom: [TraceEvent.Name] = ["message.received"]
    private(set) var isAtRest = true

    init(header: TraceHeader) {}

    mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
      if event.name != "message.received" { isAtRest = event.name == "context.received" }
      report.append(Self.violation("handed", at: event.time, lines: [line]))
    }

    mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
  }

  @Test func `who is at rest is handed no lines that it rests from, and is woken by the others`() {
    let kind: [TraceEvent.Field] = [.init("from", .string("watch")), .init("kind", .string("usual"))]
    let names: [TraceEvent.Name] = [
      "message.received", "message.received", "context.received", "message.received", "context.set",
      "message.received", "message.received", "context.received", "message.received",
    ]
    let header = TraceHeader(scenario: "s", seed: 1, duration: .seconds(1))
    for kinds in [[Sleeper.self], [Sleeper.self, Listener.self], [Eager.self, Sleeper.self]] as [[any Checker.Type]] {
      var judge = Judge(header: header, checkers: kinds)
      for (index, name) in names.enumerated() {
        judge.observe(TraceEvent(name, at: .start, on: .phone, kind), line: index + 2)
        // A judge that is copied has checkers of its own, with what they know.
        let copy = judge
        judge = copy
      }
      let told = judge.finish().violations.filter { $0.invariant == Sleeper.invariant }.flatMap(\.lines)
      // Whether it is at rest is not known before the first line.
      #expect(told == [2, 4, 6, 7, 8, 9])
    }
  }

  @Test func `two that rest from one name are both handed its lines while one of them is awake`() {
    let header = TraceHeader(scenario: "s", seed: 1, duration: .seconds(1))
    let checkers: [any Checker.Type] = [UndecodableReportedChecker.self, Sleeper.self]
    var judge = Judge(header: header, checkers: checkers)
    let digest = TraceEvent.Field("digest", .hex(7))
    for (index, name) in ["message.received", "payload.foreign", "message.received", "end"].enumerated() {
      let place: TraceEvent.Place = name == "end" ? .runner : .phone
      judge.observe(TraceEvent(TraceEvent.Name(name), at: .start, on: place, [digest]), line: index + 2)
    }
    let judgement = judge.finish()
    #expect(judgement.violations.filter { $0.invariant == UndecodableReportedChecker.invariant }.map(\.lines) == [[4]])
    #expect(judgement.violations.filter { $0.invariant == Sleeper.invariant }.flatMap(\.lines) == [2, 4])
  }
}
