import Link
import LinkTestSupport

@testable import TraceTools

/// Events of a story in a few words.
enum StoryEvents {
  /// An event with these fields, and with placeholders for the others that its kind always has.
  static func event(
    _ name: TraceEvent.Name, _ seconds: Double, _ place: TraceEvent.Place,
    _ fields: KeyValuePairs<String, TraceValue> = [:]
  ) -> TraceEvent {
    TraceEvent(
      name, at: VirtualTime(nanoseconds: Int64((seconds * 1e9).rounded())), on: place,
      fields.map { TraceEvent.Field($0.key, $0.value) }
    ).completed
  }

  /// The watch's workout changes its state.
  static func state(_ to: String, from: String?, at seconds: Double, cause: String = "scenario") -> TraceEvent {
    event(
      "workout.state", seconds, .watch,
      ["from": from.map { .string($0) } ?? .null, "to": .string(to), "cause": .string(cause)])
  }

  /// A header of a run that began in 1970 at 0 s, with the faults given as JSON.
  static func header(faults: String = "[]") throws -> TraceHeader {
    var header = TraceHeader(scenario: "small", seed: 1, duration: .seconds(3600))
    header.faults = try JSONParser.parse(faults, dialect: .json)
    return header
  }

  /// The story of events, line by line without colours.
  static func tell(_ events: [TraceEvent], faults: String = "[]") throws -> [String] {
    var teller = Storyteller(header: try header(faults: faults))
    return events.enumerated().flatMap { teller.observe($0.element, line: $0.offset + 2) }.map { $0.rendered() }
  }

  /// The summary's rows after events.
  static func summary(_ events: [TraceEvent]) throws -> [String: String] {
    var teller = Storyteller(header: try header())
    for (index, event) in events.enumerated() { _ = teller.observe(event, line: index + 2) }
    return Dictionary(uniqueKeysWithValues: StorySummary.rows(teller.tally).map { ($0.head, $0.text) })
  }
}
