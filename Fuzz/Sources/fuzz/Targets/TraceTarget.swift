@testable import Link

enum TraceTarget: FuzzTarget {
  static let name = "traces"
  static let about =
    "traces; pieces of any size give the same events, and writing an event gives what reads as the same"
  static let lengthMax = 8_192
  static var words: [String] { TraceEvent.Name.known.map(\.text) + ["\"t\":", "\"node\":", "\"event\":"] }

  static func seeds(_ tree: SourceTree) -> [[UInt8]] { tree.traceParts(count: 8) }

  /// Reads a trace's header and events; stops at the first error.
  static func read(
    _ bytes: [UInt8], size: Int = .max, begin: (TraceHeader) -> Void = { _ in }, take: (TraceEvent, Int) -> Void
  ) {
    var reader = TraceReader()
    var rest = bytes[...]
    do {
      var hasBegun = false
      while true {
        reader.append(rest.prefix(size))
        rest = rest.dropFirst(size)
        if rest.isEmpty { reader.close() }
        if !hasBegun, let header = try reader.readHeader() {
          hasBegun = true
          begin(header)
        }
        while hasBegun, let event = try reader.next() { take(event, reader.line) }
        if rest.isEmpty { return }
      }
    } catch {
      _ = "\(error)"
    }
  }

  static func run(_ bytes: [UInt8]) {
    var whole: [TraceEvent] = []
    read(bytes) { header in
      var line: [UInt8] = []
      header.append(to: &line)
      guard let again = try? TraceHeader(line: line) else { preconditionFailure("the header cannot be read again") }
      var second: [UInt8] = []
      again.append(to: &second)
      precondition(second == line, "another header")
    } take: { event, _ in
      whole.append(event)
    }
    var pieces: [TraceEvent] = []
    read(bytes, size: Int(bytes.last ?? 0) % 61 + 1) { event, _ in pieces.append(event) }
    precondition(pieces == whole, "pieces change the events")
    var parser = TraceLineParser()
    for event in whole {
      let line = Array(TraceWriter.text(of: event).utf8)
      guard let again = try? parser.parse(line[...], line: 2) else {
        preconditionFailure("cannot be read again: \(String(decoding: line, as: UTF8.self))")
      }
      precondition(again == event, "another event: \(String(decoding: line, as: UTF8.self))")
    }
  }
}
