import Foundation
import FoundationXML
import Link
import Testing

@testable import TraceTools

@Suite struct ExporterTests {
  // MARK: Wireshark

  /// The blocks of a pcapng file: type and body.
  private func blocks(_ bytes: [UInt8]) throws -> [(type: UInt32, body: ArraySlice<UInt8>)] {
    var blocks: [(UInt32, ArraySlice<UInt8>)] = []
    var place = 0
    while place < bytes.count {
      try #require(place + 12 <= bytes.count)
      let (type, length) = (little(bytes[place...], 4), Int(little(bytes[(place + 4)...], 4)))
      try #require(length % 4 == 0 && length >= 12 && place + length <= bytes.count)
      #expect(little(bytes[(place + length - 4)...], 4) == UInt64(length))
      blocks.append((UInt32(type), bytes[(place + 8)..<(place + length - 4)]))
      place += length
    }
    return blocks
  }

  private func little(_ bytes: ArraySlice<UInt8>, _ count: Int) -> UInt64 {
    bytes.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  @Test func `a capture has a section, two interfaces, and a packet a frame`() throws {
    let fixture = try TraceFixture.shared.get()
    let counts = try TraceCounts(fixture.text)
    let blocks = try blocks(try Exported(fixture.text, as: "pcapng").bytes)
    #expect(blocks.prefix(3).map(\.type) == [0x0A0D_0D0A, 1, 1])
    #expect(little(blocks[0].body, 4) == 0x1A2B_3C4D)
    #expect(blocks.dropFirst().prefix(2).allSatisfy { little($0.body, 2) == 147 })
    let packets = blocks.dropFirst(3)
    #expect(packets.allSatisfy { $0.type == 6 })
    let sent = counts.objects.filter { $0["event"] as? String == "frame.sent" }
    #expect(packets.count == sent.count)
    let header = try TraceHeader(line: Array(fixture.lines[0].utf8))
    let start = UInt64(try #require(header.unixStart))
    for (packet, line) in zip(packets, sent) {
      let body = packet.body
      let at = body.startIndex
      let time = little(body[(at + 4)...], 4) << 32 | little(body[(at + 8)...], 4)
      let t = try #require(line["t"] as? UInt64)
      #expect(time == start + t)
      let captured = Int(little(body[(at + 12)...], 4))
      #expect(Int(little(body[(at + 16)...], 4)) == captured + (line["bytes"] as? Int ?? -1))
      let head = body[(at + 20)..<(at + 20 + captured)]
      #expect(Array(head.prefix(4)) == Array("WWF1".utf8))
      let id = head.dropFirst(8).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      #expect(id == line["id"] as? UInt64)
    }
  }

  @Test func `Wireshark reads it, with and without the dissector`() throws {
    guard let tshark = Installed.path("tshark") else {
      print("skipped: tshark is not installed")
      return
    }
    let folder = try TemporaryFolder()
    let fixture = try TraceFixture.shared.get()
    let counts = try TraceCounts(fixture.text)
    let file = try folder.write("r.pcapng", try Exported(fixture.text, as: "pcapng").bytes)
    let plain = try #require(try Installed.output(tshark, ["-r", file]))
    #expect(plain.split(separator: "\n").count == counts.count("frame.sent"))
    let script = CommandChild.packageRoot.appending(path: "docs/wristwire.lua").path()
    let words = [
      "-X", "lua_script:\(script)", "-r", file, "-T", "fields", "-e", "wristwire.id", "-e", "wristwire.cause",
    ]
    let told = try #require(try Installed.output(tshark, words + ["-e", "_ws.expert.message"]))
    let rows = told.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    #expect(rows.map { String($0[0]) } == (1...counts.count("frame.sent")).map { String($0) })
    let causes = rows.flatMap { $0[1].split(separator: ",") }
    #expect(causes.count == counts.count("frame.dropped"))
    #expect(!told.contains("Malformed") && !told.contains("Lua Error"))
  }

  // MARK: Perfetto

  /// The fields of a protobuf message: number, and the value or the content.
  private func fields(_ bytes: ArraySlice<UInt8>) throws -> [(number: Int, value: UInt64, content: ArraySlice<UInt8>)] {
    var fields: [(Int, UInt64, ArraySlice<UInt8>)] = []
    var rest = bytes
    func varint() throws -> UInt64 {
      var (value, shift): (UInt64, UInt64) = (0, 0)
      while true {
        let next = rest.popFirst()
        let byte = try #require(next)
        value |= UInt64(byte & 127) << shift
        if byte & 128 == 0 { return value }
        shift += 7
      }
    }
    while !rest.isEmpty {
      let key = try varint()
      switch key & 7 {
      case 0: fields.append((Int(key >> 3), try varint(), []))
      case 1:
        fields.append((Int(key >> 3), little(rest, 8), []))
        rest = rest.dropFirst(8)
      case 2:
        let length = Int(try varint())
        try #require(length <= rest.count)
        fields.append((Int(key >> 3), 0, rest.prefix(length)))
        rest = rest.dropFirst(length)
      default: Issue.record("wire type \(key & 7)")
      }
    }
    return fields
  }

  @Test func `Perfetto's packets hold every frame, joined by flows, and slices that end`() throws {
    let fixture = try TraceFixture.shared.get()
    let counts = try TraceCounts(fixture.text)
    var described: Set<UInt64> = []
    var open: [UInt64: Int] = [:]
    var (begins, ends, counters): ([UInt64], [UInt64], Int) = ([], [], 0)
    for packet in try fields(try Exported(fixture.text, as: "perfetto").bytes[...]) {
      #expect(packet.number == 1)
      let parts = try fields(packet.content)
      #expect(parts.contains { $0.number == 10 && $0.value == 1 })
      if let descriptor = parts.first(where: { $0.number == 60 }) {
        let track = try fields(descriptor.content)
        described.insert(try #require(track.first { $0.number == 1 }).value)
        if let parent = track.first(where: { $0.number == 5 }) { #expect(described.contains(parent.value)) }
      }
      guard let packed = parts.first(where: { $0.number == 11 }) else { continue }
      let event = try fields(packed.content)
      let track = try #require(event.first { $0.number == 11 }).value
      #expect(described.contains(track))
      switch try #require(event.first { $0.number == 9 }).value {
      case 1: open[track, default: 0] += 1
      case 2: open[track, default: 0] -= 1
      case 4: counters += 1
      default: break
      }
      #expect((0...1).contains(open[track] ?? 0), "slices of one track do not overlap")
      begins += event.filter { $0.number == 47 }.map(\.value)
      ends += event.filter { $0.number == 48 }.map(\.value)
    }
    #expect(begins == (1...UInt64(counts.count("frame.sent"))).map { $0 })
    #expect(ends.count == counts.count("frame.delivered") + counts.count("frame.dropped"))
    #expect(Set(ends).isSubset(of: Set(begins)))
    #expect(open.values.allSatisfy { $0 == 0 })
    #expect(counters > counts.count("snapshot"))
  }

  // MARK: Diagrams

  @Test func `a Mermaid diagram has an arrow for each fate of its stretch`() throws {
    let fixture = try TraceFixture.shared.get()
    var window = ExportWindow()
    (window.from, window.to) = (.start + .seconds(78), .start + .seconds(84))
    let exported = try Exported(fixture.text, as: "mermaid", window: window)
    let counts = try TraceCounts(fixture.text)
    let sent = counts.objects.filter {
      $0["event"] as? String == "frame.sent" && (78_000_000_000...84_000_000_000).contains($0["t"] as? Int ?? 0)
    }
    let arrows = exported.text.split(separator: "\n").filter { $0.contains("->>") || $0.contains("-x") }
    #expect(!sent.isEmpty && arrows.count == sent.count)
    #expect(exported.text.contains("-xphone: 1:20 data message"))
    #expect(exported.text.contains("the link is cut"))
    #expect(exported.notices.isEmpty)
  }

  @Test func `a long stretch is cut off with a notice, in the diagram too`() throws {
    let fixture = try TraceFixture.shared.get()
    for format in ["mermaid", "svg"] {
      let exported = try Exported(fixture.text, as: format)
      #expect(exported.notices.count == 1)
      #expect(exported.notices.first?.contains("--from and --to choose another stretch") == true)
      #expect(exported.text.contains("the diagram shows the first 150"))
      #expect(exported.bytes.count < 120_000)
    }
  }

  @Test func `what a name says steers no diagram`() throws {
    let trace = HandTrace.bytes(
      [HandTrace.sent(1, at: 1), HandTrace.dropped(1, at: 1, cause: "a;b\\n end\\n%%<script>#")],
      scenario: "x\\\"y<&")
    let mermaid = try Exported(trace, as: "mermaid").text
    let arrows = mermaid.split(separator: "\n").filter { $0.contains("-x") }
    #expect(arrows.count == 1)
    #expect(arrows[0].contains("a#59;b#92;u000A end#92;u000A#37;#37;#lt;script#gt;#35;"))
    #expect(XMLParser(data: Data(try Exported(trace, as: "svg").bytes)).parse())
    #expect(XMLParser(data: Data(try Exported(trace, as: "gpx").bytes)).parse())
  }

  @Test func `a drawing is well-formed and shows what was lost`() throws {
    let fixture = try TraceFixture.shared.get()
    var window = ExportWindow()
    (window.from, window.to) = (.start + .seconds(120), .start + .seconds(150))
    let svg = try Exported(fixture.text, as: "svg", window: window)
    #expect(XMLParser(data: Data(svg.bytes)).parse())
    let counts = try TraceCounts(fixture.text)
    let ids = counts.objects.filter {
      $0["event"] as? String == "frame.sent" && (120_000_000_000...150_000_000_000).contains($0["t"] as? Int ?? 0)
    }.compactMap { $0["id"] as? Int }
    let lost = counts.objects.count {
      $0["event"] as? String == "frame.dropped" && ids.contains($0["id"] as? Int ?? 0)
    }
    #expect(lost > 3 && svg.text.components(separatedBy: "class=\"lost\"").count - 1 == lost)
    #expect(svg.text.contains("role=\"img\""))
    // A sentence says whose it is.
    let whole = try Exported(fixture.text, as: "svg").text
    #expect(whole.contains(">phone: says that the watch is silent"))
    #expect(whole.contains(">link: the link is cut"))
  }

  // MARK: GPX

  @Test func `a track comes back with the run's distance, time and heart rate`() throws {
    let fixture = try TraceFixture.shared.get()
    let exported = try Exported(fixture.text, as: "gpx")
    #expect(exported.notices.first?.hasPrefix("the trace has no positions") == true)
    #expect(exported.text.contains("Positions are made up"))
    let folder = try TemporaryFolder()
    let child = try CommandChild.call(["import", try folder.write("r.gpx", exported.bytes), "--json"])
    #expect(child.status == 0)
    let object = try child.object()
    let snapshots = try TraceCounts(fixture.text).objects.filter { $0["event"] as? String == "snapshot" }
    let metres = try #require(snapshots.compactMap { $0["distance"] as? Double }.max())
    #expect(abs((object["distanceMeters"] as? Double ?? 0) - metres) < 5)
    let rates = snapshots.filter { $0["state"] as? String != "paused" }.compactMap { $0["currentHR"] as? Double }
    let mean = rates.reduce(0, +) / Double(rates.count)
    #expect(abs((object["averageHeartRate"] as? Double ?? 0) - mean) < 1)
  }

  @Test func `positions that are there are used`() throws {
    let trace = HandTrace.bytes([
      HandTrace.snapshot(distance: 0, more: #""latitude":52.5,"longitude":13.4,"#)
    ])
    let exported = try Exported(trace, as: "gpx")
    #expect(exported.text.contains("lat=\"52.500000000\" lon=\"13.400000000\""))
    #expect(!exported.text.contains("made up"))
    #expect(exported.notices.allSatisfy { !$0.contains("positions") })
  }
}
