package import Console
import Foundation
import Link

/// The frames that were sent over a link: written by hand, by an app's recorder, or taken from a trace.
package struct Capture {
  /// One frame, or one message.
  struct Sample: Equatable {
    /// Its fate.
    enum Result: Equatable {
      case delivered
      case lost
      /// Not sent, or cut off, because the link was down.
      case outage
    }

    /// When it was sent, in nanoseconds of the capture's time.
    var sent: Int64
    /// When it was received, by the same time; nil if it was not.
    var received: Int64?
    /// From the watch to the phone; false for the other way.
    var isToPhone: Bool
    /// With its header.
    var bytes: Int
    var result: Result
    /// Whether `sent` was recorded; without it the delay is unknown.
    var isTimed = true
  }

  /// A device noticed that its peer was out of reach, or back.
  struct Notice: Equatable {
    /// In nanoseconds of the capture's time.
    var time: Int64
    var isReachable: Bool
  }

  /// In the order of sending.
  var samples: [Sample] = []
  /// In the order of the lines.
  var notices: [Notice] = []
  /// Cuts of the radio, in nanoseconds; nil for to the capture's end.
  ///
  /// Known only for a simulated link.
  var outages: [(from: Int64, to: Int64?)] = []
  /// Delays of notices of cuts and returns, in nanoseconds, one for each.
  var supervisions: [Int64] = []
  var reconnects: [Int64] = []
  /// Frames with another fate than the link's: a dead app, a full queue.
  var otherFates = 0
  /// Further copies of frames that arrived.
  var copies = 0
  var corrupt = 0
  /// Whether one clock took all times, as in a simulated run.
  var isOneClock = false

  /// Limit of samples.
  static let samplesMax = 2_000_000
  /// Times are within ± this, in nanoseconds, so that differences of two do not overflow.
  static let timeMax: Int64 = 4_000_000_000_000_000_000

  /// Reads a file: a trace, or a hand-written capture.
  package init(_ path: String) throws(Failure) {
    let bytes = try FilePath.read(path, bytesMax: RecordedTrace.bytesMax)
    if Self.isTrace(bytes) {
      self.init(try RecordedTrace(path, bytes))
    } else {
      try self.init(path, lines: bytes)
    }
    samples = samples.enumerated().sorted { ($0.element.sent, $0.offset) < ($1.element.sent, $1.offset) }.map(\.element)
    guard !samples.isEmpty else { throw .input("\(path): error: found no frame, expected a capture with some") }
  }

  init() {}

  private static func isTrace(_ bytes: [UInt8]) -> Bool {
    guard let line = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first,
      let node = try? JSONParser.parse(Array(line), dialect: .json), case .object(let members) = node.value
    else { return false }
    return members.contains { $0.key == "trace" }
  }
}

// MARK: - Traces

extension Capture {
  /// Reads the frames of a trace's watch-phone link.
  init(_ trace: RecordedTrace) {
    self.init()
    var open: [UInt64: Sample] = [:]
    var cutAt: Int64?
    var isCut = false
    var backAt: Int64?
    let isRecording = trace.isCapture
    isOneClock = !isRecording
    for event in trace.events {
      let now = min(event.time.nanoseconds, Self.timeMax)
      switch (event.place, event.name.text) {
      case (.watch, "frame.sent"), (.phone, "frame.sent"):
        guard event.text("to") != "edge", let id = event.count("id"), let bytes = event.count("bytes") else { continue }
        let sent = event["t_send"]?.integer.map { min(max($0, -Self.timeMax), Self.timeMax) }
        open[id] = Sample(
          sent: sent ?? now, received: nil, isToPhone: event.place == .watch,
          bytes: Int(clamping: min(bytes, 1 << 32)) + Frame.headerBytes, result: .lost,
          isTimed: !isRecording || sent != nil)
      case (.link, "frame.delivered"):
        guard let id = event.count("id") else { continue }
        guard event["copy"]?.integer ?? 0 == 0, var sample = open.removeValue(forKey: id) else {
          copies += 1
          continue
        }
        sample.received = now
        sample.result = .delivered
        samples.append(sample)
      case (.link, "frame.dropped"):
        guard event["copy"]?.integer ?? 0 == 0, let id = event.count("id"), var sample = open.removeValue(forKey: id)
        else { continue }
        switch event.text("cause") {
        case "disconnected": sample.result = .outage
        case "loss": sample.result = .lost
        case "corrupt":
          corrupt += 1
          sample.result = .lost
        default:
          otherFates += 1
          continue
        }
        samples.append(sample)
      case (.link, "link.down"):
        outages.append((now, nil))
        (cutAt, isCut, backAt) = (now, true, nil)
      case (.link, "link.up"):
        if let last = outages.indices.last { outages[last].to = now }
        // A return is noticed only if the cut was.
        if isCut, cutAt == nil { backAt = now }
        (cutAt, isCut) = (nil, false)
      case (.watch, "reachability"), (.phone, "reachability"):
        if isRecording {
          if let isReachable = event["reachable"]?.boolean {
            notices.append(Notice(time: now, isReachable: isReachable))
          }
        } else if event.place == .watch {
          continue
        } else if event["reachable"]?.boolean == false, event.text("cause") == "supervision", let from = cutAt {
          supervisions.append(now -| from)
          cutAt = nil
        } else if event["reachable"]?.boolean == true, let from = backAt {
          reconnects.append(now -| from)
          backAt = nil
        }
      default: continue
      }
    }
  }
}

// MARK: - By hand

extension Capture {
  /// Reads lines of `t_send`, `t_recv`, `channel`, `bytes`, `result`, and of `t`, `reachable`.
  fileprivate init(_ path: String, lines bytes: [UInt8]) throws(Failure) {
    self.init()
    let collector = DiagnosticsCollector(file: path)
    var number = 0
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      number += 1
      let line = Array(bytes[start..<end])
      start = end + 1
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      do {
        let node = try JSONParser.parse(line, dialect: .json)
        if let reader = JSONObjectReader(node.moved(toLine: number), into: collector) { add(reader) }
      } catch {
        collector.error(error.message, at: TextPosition(line: number, column: error.position.column))
      }
      guard collector.diagnostics.list.count < 20, samples.count < Self.samplesMax else { break }
    }
    if collector.diagnostics.hasErrors { throw .problems(collector.diagnostics.lines) }
  }

  private mutating func add(_ reader: JSONObjectReader) {
    if let value = reader.value("reachable"), let isReachable = value.bool() {
      guard let at = Self.nanoseconds(reader, "t", required: true) else { return }
      notices.append(Notice(time: at, isReachable: isReachable))
      reader.finish()
      return
    }
    let sent = Self.nanoseconds(reader, "t_send", required: true)
    let received = reader.isNull("t_recv") ? nil : Self.nanoseconds(reader, "t_recv")
    _ = reader.oneOf("channel", Channel.ofLink.map(\.text))
    let bytes = reader.integer("bytes", in: 0...1 << 32, required: true)
    let isToPhone = reader.oneOf("direction", Direction.ofLink.map(\.text)) != Direction.phoneToWatch.text
    let word = reader.oneOf("result", Self.results)
    reader.finish()
    guard let sent, let bytes else { return }
    let result: Sample.Result =
      switch word {
      case "notReachable": .outage
      case "lost": .lost
      default: received == nil ? .lost : .delivered
      }
    if word == "delivered", received == nil { return reader.error("found a result \"delivered\" without t_recv") }
    samples.append(
      Sample(
        sent: sent, received: result == .delivered ? received : nil, isToPhone: isToPhone,
        bytes: Int(bytes) + Frame.headerBytes, result: result))
  }

  /// The values of `result`.
  static let results = ["delivered", "lost", "notReachable"]

  /// Seconds as nanoseconds; nil after reporting errors, or if absent.
  private static func nanoseconds(_ reader: JSONObjectReader, _ key: String, required: Bool = false) -> Int64? {
    // Present Unix times have ten digits before the point; `timeMax` is the same bound.
    guard let seconds = reader.number(key, in: -4e9...4e9, required: required) else { return nil }
    return Int64((seconds * 1e9).rounded())
  }
}

extension JSONNode {
  /// The node with all positions moved to a line, because it was parsed separately.
  fileprivate func moved(toLine line: Int) -> JSONNode {
    var node = self
    node.position.line = line
    switch value {
    case .array(let elements): node.value = .array(elements.map { $0.moved(toLine: line) })
    case .object(let members):
      node.value = .object(
        members.map { member in
          JSONMember(
            key: member.key, at: TextPosition(line: line, column: member.position.column),
            member.node.moved(toLine: line))
        })
    default: break
    }
    return node
  }
}
