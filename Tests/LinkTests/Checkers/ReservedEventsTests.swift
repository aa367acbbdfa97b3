@testable import LinkCheckers
import Link
import Testing

/// A node cannot clear itself: events that only the runner and the media know are accepted from them only.
@Suite struct ReservedEventsTests {
  /// A message that wants a reply and gets none in 10 s.
  private static let unanswered = """
    {"t":0,"node":"watch","event":"frame.sent","id":1,"to":"phone","kind":"data","channel":"message","epoch":1,"seq":1,"bytes":1,"digest":"00000000000000ff","wantsReply":true}
    {"t":1,"node":"link","event":"frame.delivered","id":1,"copy":0}
    """
  private static let end = #"{"t":60000,"node":"runner","event":"end","frames":1,"outstanding":[]}"#

  private static func lines(_ middle: String) -> String { [unanswered, middle, end].joined(separator: "\n") }

  @Test(arguments: ["node.killed", "node.failed", "node.suspended"])
  func `a node's own line that it was down excuses nothing`(name: String) throws {
    let late = try broken(Self.lines(""))
    #expect(late == ["reply-in-time"], "\(late)")
    let own = #"{"t":2,"node":"watch","event":"\#(name)","target":"watch","cause":"kill"}"#
    #expect(try broken(Self.lines(own)) == ["reply-in-time", "reserved-events"])
    let told = own.replacing(#""node":"watch""#, with: #""node":"runner""#)
    #expect(try broken(Self.lines(told)) == [])
  }

  @Test func `every reserved name is refused from every place that may not write it`() throws {
    for name in TraceEvent.Name.reservedNames {
      for place in TraceEvent.Place.allCases {
        var judge = Judge(
          header: TraceHeader(scenario: "s", seed: 1, duration: .seconds(1)), checkers: CheckerCatalog.all)
        judge.observe(TraceEvent(name, at: .start, on: place), line: 2)
        let found = judge.finish().violations.filter { $0.invariant == "reserved-events" }
        #expect(found.count == (name.writers.contains(place) ? 0 : 1), "\(name.text) from \(place.text)")
        #expect(found.allSatisfy { $0.lines == [2] && $0.detail.contains(name.text) })
      }
    }
  }

  @Test func `every name of the families of the runner and the media is reserved`() {
    for name in TraceEvent.Name.known
    where ["node.", "link.", "fault."].contains(where: { name.text.hasPrefix($0) }) || name == "end" {
      #expect(!name.writers.contains(.watch) && !name.writers.contains(.phone), "\(name.text)")
    }
    #expect(TraceEvent.Name("snapshot").writers == .all)
  }

  @Test func `an end that a node writes ends nothing`() throws {
    let judgement = try judge(
      #"{"t":0,"node":"phone","event":"end","frames":0,"outstanding":[]}"#, ends: false)
    #expect(judgement.verdict == .fail)
    #expect(judgement.violations.map(\.invariant) == ["reserved-events"])
  }
}
