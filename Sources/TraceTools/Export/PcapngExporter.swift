// A trace for Wireshark: pcapng (draft-ietf-opsawg-pcapng) with one packet a frame.
//
// The link type is USER0 (147). A packet begins with a header of our own, with the trace's fields of the frame. Traces
// do not contain payloads, so a packet's original length exceeds its captured length. docs/wristwire.lua dissects it.

import Console
import Link

/// `--format pcapng`: a packet a frame, for Wireshark.
struct PcapngExporter: TraceExporter {
  static let name = "pcapng"
  static let about = "a packet a frame, with its fates, for Wireshark (docs/wristwire.lua)"
  static let suffixes = [".pcapng"]
  static let isReadable = false

  /// Link type LINKTYPE_USER0.
  static let linkType: UInt16 = 147

  private let window: ExportWindow
  /// Nanoseconds since 1970 at the run's start.
  private let start: Int64
  private var ledger = FrameLedger()

  init(_ subject: ExportSubject, into bytes: inout [UInt8]) {
    window = subject.window
    start = subject.header.unixStart ?? 0
    var section = PcapngBlock(type: 0x0A0D_0D0A)
    section.add(UInt32(0x1A2B_3C4D))
    section.add(UInt16(1))
    section.add(UInt16(0))
    section.add(UInt64.max)
    let header = subject.header
    section.option(1, "scenario \(TerminalText.escape(header.scenario)), seed \(header.seed)")
    section.option(4, "wristwire \(TerminalText.escape(header.build))")
    section.endOptions()
    section.append(to: &bytes)
    for (name, about) in [("link", "watch and phone"), ("uplink", "phone and edge")] {
      var interface = PcapngBlock(type: 1)
      interface.add(Self.linkType)
      interface.add(UInt16(0))
      interface.add(UInt32(0))
      interface.option(2, name)
      interface.option(3, about)
      // Ten to the minus ninth of a second.
      interface.option(9, [9])
      interface.endOptions()
      interface.append(to: &bytes)
    }
  }

  mutating func observe(_ event: TraceEvent, line: Int, into bytes: inout [UInt8]) {
    ledger.observe(event, line: line)
    while let frame = ledger.next() { write(frame, into: &bytes) }
  }

  mutating func finish(_ ending: ExportEnding, into bytes: inout [UInt8]) -> [String] {
    while let frame = ledger.next(isOver: true) { write(frame, into: &bytes) }
    return []
  }

  private func write(_ frame: ExportedFrame, into bytes: inout [UInt8]) {
    guard window.contains(frame.time) else { return }
    let head = PcapngFrameHeader.bytes(frame)
    var packet = PcapngBlock(type: 6)
    packet.add(UInt32(frame.isOnUplink ? 1 : 0))
    let time = UInt64(bitPattern: max(0, start +| frame.time.nanoseconds))
    packet.add(UInt32(truncatingIfNeeded: time >> 32))
    packet.add(UInt32(truncatingIfNeeded: time))
    packet.add(UInt32(head.count))
    packet.add(UInt32(clamping: Int64(head.count) + frame.bytes.clamped(to: 0...Int64(UInt32.max))))
    packet.add(padded: head)
    // Inbound or outbound, as seen from the phone.
    packet.option(2, PcapngBlock.bytes(UInt32(frame.receiver == "phone" ? 1 : 2)))
    for fate in frame.fates.prefix(16) { packet.option(1, comment(fate, of: frame)) }
    if frame.fates.isEmpty { packet.option(1, "no fate in this trace") }
    packet.endOptions()
    packet.append(to: &bytes)
  }

  private func comment(_ fate: ExportedFrame.Fate, of frame: ExportedFrame) -> String {
    let after = StoryText.length(fate.time - frame.time)
    let copy = fate.copy == 0 ? "" : "copy \(fate.copy): "
    guard let cause = fate.cause else { return "\(copy)delivered after \(after)" }
    let fault = fate.fault.map { " (\(TerminalText.escape($0)))" } ?? ""
    return "\(copy)dropped after \(after): \(TerminalText.escape(cause))\(fault)"
  }
}

/// The header of a packet whose payload was not captured, in network byte order.
///
/// | offset | bytes | what |
/// | --- | --- | --- |
/// | 0 | 4 | `WWF1` |
/// | 4 | 1 each | sender, receiver (0 watch, 1 phone, 2 edge, 255 other), kind, channel |
/// | 8 | 8 each | id, epoch, seq, payload bytes, digest, attempt, offset, line in the trace |
/// | 72 | 16 | transfer, zeros for none |
/// | 88 | 2 | how many fates follow |
/// | 90 | | each: 2 copy, 8 nanoseconds after the sending, 8 line, 1 + n cause (empty: delivered), 1 + n fault |
enum PcapngFrameHeader {
  static let kinds = ["data", "ack", "hello", "reply", "chunk"]
  static let channels = ["message", "applicationContext", "userInfo", "file", "http"]
  private static let nodes = ["watch", "phone", "edge"]
  /// The most fates that are written.
  private static let fatesMax = 256

  static func bytes(_ frame: ExportedFrame) -> [UInt8] {
    var bytes = Array("WWF1".utf8)
    bytes.append(index(of: frame.sender.text, in: nodes))
    bytes.append(index(of: frame.receiver, in: nodes))
    bytes.append(index(of: frame.kind, in: kinds))
    bytes.append(index(of: frame.channel, in: channels))
    let numbers = [
      frame.id, frame.epoch, frame.seq, frame.bytes, Int64(bitPattern: frame.digest), frame.attempt, frame.offset ?? 0,
      Int64(frame.line),
    ]
    for number in numbers { append(UInt64(bitPattern: number), 8, to: &bytes) }
    if let transfer = frame.transfer {
      let (high, low) = (transfer.high, transfer.low)
      append(high, 8, to: &bytes)
      append(low, 8, to: &bytes)
    } else {
      bytes += [UInt8](repeating: 0, count: 16)
    }
    let fates = frame.fates.prefix(fatesMax)
    append(UInt64(fates.count), 2, to: &bytes)
    for fate in fates {
      append(UInt64(bitPattern: fate.copy), 2, to: &bytes)
      append(UInt64(bitPattern: (fate.time - frame.time).nanoseconds), 8, to: &bytes)
      append(UInt64(fate.line), 8, to: &bytes)
      for text in [fate.cause ?? "", fate.fault ?? ""] {
        let utf8 = Array(TerminalText.escape(text).utf8.prefix(255))
        bytes.append(UInt8(utf8.count))
        bytes += utf8
      }
    }
    return bytes
  }

  private static func index(of word: String, in words: [String]) -> UInt8 {
    words.firstIndex(of: word).map { UInt8($0) } ?? 255
  }

  private static func append(_ value: UInt64, _ count: Int, to bytes: inout [UInt8]) {
    for index in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(index * 8))) }
  }
}

/// One block of a pcapng file, in little-endian order.
package struct PcapngBlock {
  private let type: UInt32
  private var body: [UInt8] = []

  init(type: UInt32) { self.type = type }

  package static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    stride(from: 0, to: value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  mutating func add(_ value: some FixedWidthInteger) { body += Self.bytes(value) }

  /// Appends bytes, padded with zeros to a multiple of four.
  mutating func add(padded bytes: [UInt8]) {
    body += bytes
    while body.count % 4 != 0 { body.append(0) }
  }

  mutating func option(_ code: UInt16, _ text: String) { option(code, Array(text.utf8.prefix(65_000))) }

  mutating func option(_ code: UInt16, _ bytes: [UInt8]) {
    add(code)
    add(UInt16(bytes.count))
    add(padded: bytes)
  }

  mutating func endOptions() { add(UInt32(0)) }

  /// Appends the block, preceded and followed by its length.
  func append(to bytes: inout [UInt8]) {
    let length = UInt32(body.count + 12)
    bytes += Self.bytes(type) + Self.bytes(length) + body + Self.bytes(length)
  }
}

extension Int64 {
  fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
