import Foundation
import Testing

@testable import WristwireSupport

/// What a screen shows, in facts that two runs are compared by.
@Suite struct `What a screen shows` {
  private struct Lap {
    var id = UUID()
    var at = Date()
    var number = 1
    var title: String? = "first"
  }

  private enum Phase { case running(since: Date), idle }
  private final class Model: NSObject {}

  /// The value of a fact.
  private func text(_ value: Any?) -> String { FactText.object(["value": ShownValue.make(of: value)]) }

  @Test func `instants and ids are replaced`() {
    #expect(text(Date()) == #"{"value":"an instant"}"#)
    #expect(text(Optional(Date())) == #"{"value":"an instant"}"# && text(Date?.none) == #"{"value":null}"#)
    #expect(text([UUID(), UUID()]) == #"{"value":["an id","an id"]}"#)
    #expect(text(ContinuousClock.now) == text(Date()) && text(Date().timeIntervalSince1970) == text(Date()))
    #expect(text(Int(Date().timeIntervalSince1970 * 1000)) == text(Date()))
    #expect(text(["at": Date(), "n": 3]) == #"{"value":{"at":"an instant","n":3}}"#)
    #expect(text(URL(string: "file:///a/\(UUID()).gpx")) == #"{"value":"file:///a/an id.gpx"}"#)
  }

  @Test func `instants and ids within other values are replaced`() {
    let lap = #"Lap(id: an id, at: an instant, number: 1, title: Optional(\"first\"))"#
    #expect(text(Lap()) == #"{"value":"\#(lap)"}"# && text([Lap()]) == #"{"value":["\#(lap)"]}"#)
    #expect(text(Phase.running(since: .now)) == #"{"value":"running(since: an instant)"}"#)
    #expect(text(Phase.idle) == #"{"value":"idle"}"#)
    #expect(text(Model()).contains("an address") || !text(Model()).contains("0x"))
    #expect(text("synced \(Date().ISO8601Format())") == #"{"value":"synced an instant"}"#)
    #expect(text("2026-11-29T03:16:46.123+01:00!") == #"{"value":"an instant!"}"#)
    #expect(text("at \(Date().timeIntervalSince1970)s") == #"{"value":"at an instants"}"#)
    #expect(text([UUID(): 2]) == #"{"value":["(key: an id, value: 2)"]}"#)
    #expect(text(Set([3, 1, 2])) == #"{"value":["1","2","3"]}"#)
  }

  @Test(arguments: [
    "5:32 /km", "2026-11-29", "12345678-1234", "deadbeef", "0x1", "a1234567890", "1234567890123456", "", "Ü 0,5",
  ])
  func `other words stay as they are`(words: String) {
    #expect(ShownValue.make(of: words) as? String == words)
  }

  @Test func `numbers stay as they are`() {
    #expect(text(150.5) == #"{"value":150.500000}"# && text(1_000_000) == #"{"value":1000000}"#)
    #expect(text(true) == #"{"value":true}"# && text(NSNumber(value: 1)) == #"{"value":1}"#)
  }
}
