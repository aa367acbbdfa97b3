import Link
import Testing

@testable import Simulator
@testable import TraceTools
@testable import Console

/// A run over a link whose parameters are known, written as a capture made by hand.
struct KnownLink {
  /// The lines that a capture may have beside the frames that were sent.
  struct Lines: OptionSet, CustomStringConvertible {
    let rawValue: Int
    static let refusals = Lines(rawValue: 1)
    static let downs = Lines(rawValue: 2)
    static let ups = Lines(rawValue: 4)
    /// Both devices write when they notice.
    static let bothDevices = Lines(rawValue: 8)

    static let all: [Lines] = [
      [], .refusals, .downs, .ups, [.downs, .ups], [.refusals, .downs], [.refusals, .downs, .ups],
      [.refusals, .downs, .ups, .bothDevices],
    ]

    var description: String {
      let names = [(Lines.refusals, "refusals"), (.downs, "downs"), (.ups, "ups"), (.bothDevices, "both devices")]
      return names.filter { contains($0.0) }.map(\.1).joined(separator: "+")
    }
  }

  let trace: RecordedTrace
  /// The radio's instants, in nanoseconds.
  let cuts: [(from: Int64, to: Int64)]

  /// - Parameter cuts: From when to when, in whole seconds.
  init(link: String, cuts: [ClosedRange<Int>] = [], seed: Int) throws {
    let faults = cuts.map { "{ at: \"\($0.lowerBound)s\", for: \"\($0.count - 1)s\", disconnect: {} }" }
    let text = """
      { scenario: "known", seed: \(seed), duration: "20m", link: { \(link) }, faults: [\(faults.joined(separator: ", "))],
        workout: { source: { model: { distance: 5000, pace: "4:00/km" } } } }
      """
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "known", folder: "/")
    try #require(!diagnostics.contains { $0.hasErrors }, "\(diagnostics)")
    var bytes: [UInt8] = []
    var options = RunOptions()
    options.output = { bytes += $0 }
    _ = try ScenarioRun.run(scenario, options)
    trace = try RecordedTrace("known", bytes)
    self.cuts = cuts.map { (Int64($0.lowerBound) * 1_000_000_000, Int64($0.upperBound) * 1_000_000_000) }
  }

  /// The watch's messages as a capture has them.
  ///
  /// - Parameters:
  ///   - frames: Every n-th one only.
  ///   - isOutsideCuts: Leaves out what was sent from a cut until its return was noticed.
  func capture(_ lines: Lines, every frames: Int = 1, isOutsideCuts: Bool = false) throws -> Capture {
    let resumed = trace.events.filter {
      $0.place == .watch && $0.name.text == "reachability" && $0["reachable"]?.boolean == true
    }.map(\.time.nanoseconds)
    let hidden = isOutsideCuts ? cuts.map { cut in (cut.from, resumed.first { $0 >= cut.to } ?? cut.to) } : []
    var text = ""
    var open: [UInt64: (sent: Int64, bytes: UInt64)] = [:]
    var count = 0
    func isTaken(_ time: Int64) -> Bool {
      count += 1
      return count % frames == 0 && !hidden.contains { $0.0 <= time && time < $0.1 }
    }
    func write(_ frame: (sent: Int64, bytes: UInt64), _ received: Int64?, _ result: String) {
      let came = received.map { "\(Double($0) / 1e9)" } ?? "null"
      text += "{\"t_send\":\(Double(frame.sent) / 1e9),\"t_recv\":\(came),\"channel\":\"message\","
      text += "\"bytes\":\(frame.bytes),\"result\":\"\(result)\"}\n"
    }
    for event in trace.events {
      let now = event.time.nanoseconds
      switch (event.place, event.name.text) {
      case (.watch, "frame.sent") where event.text("kind") == "data" && event.text("channel") == "message":
        guard isTaken(now), let id = event.count("id"), let bytes = event.count("bytes") else { continue }
        open[id] = (now, bytes)
      case (.link, "frame.delivered"):
        if let frame = event.count("id").flatMap({ open.removeValue(forKey: $0) }) { write(frame, now, "delivered") }
      case (.link, "frame.dropped"):
        if let frame = event.count("id").flatMap({ open.removeValue(forKey: $0) }) { write(frame, nil, "lost") }
      case (.watch, "message.refused"):
        if isTaken(now), lines.contains(.refusals) { write((now, 300), nil, "notReachable") }
      case (.watch, "reachability"), (.phone, "reachability"):
        guard event.place == .phone || lines.contains(.bothDevices), let isUp = event["reachable"]?.boolean else {
          continue
        }
        // The watch's line is a moment later.
        let time = Double(now) / 1e9 + (event.place == .watch ? 0.2 : 0)
        if lines.contains(isUp ? .ups : .downs) { text += "{\"t\":\(time),\"reachable\":\(isUp)}\n" }
      default: continue
      }
    }
    let folder = try TemporaryFolder()
    return try Capture(folder.write("capture.jsonl", text))
  }
}
