import Foundation
import Testing

@testable import Link

/// The catalogue of events against its folder and against the shipped traces.
@Suite struct EventCatalogTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func `each name is there once, and so is each key of a kind`() {
    #expect(Set(EventCatalog.all.map(\.name.text)).count == EventCatalog.all.count)
    for kind in EventCatalog.all {
      #expect(Set(kind.fields.map(\.key)).count == kind.fields.count, "\(kind.name.text)")
      #expect(!kind.about.isEmpty && kind.about.hasSuffix("."), "\(kind.name.text)")
      #expect(!kind.places.isEmpty, "\(kind.name.text)")
      for field in kind.fields { #expect(!field.about.isEmpty, "\(kind.name.text): \(field.key)") }
    }
  }

  @Test func `each kind of the folder is in the catalogue`() throws {
    let folder = Self.root.appending(path: "Sources/Link/Trace/Events")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var names: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for name in text.matches(of: /static let name: TraceEvent.Name = "([^"]+)"/) { names.insert(String(name.1)) }
    }
    #expect(names == Set(EventCatalog.all.map(\.name.text)))
  }

  private static func dropped(_ fields: [TraceEvent.Field]) -> EventBody {
    TraceEvent("frame.dropped", at: .start, on: .link, fields).body
  }

  @Test func `fields are found in any order, and unknown ones are ignored`() {
    var expected = FrameDropped()
    expected.id = 7
    expected.copy = 1
    expected.cause = .corrupt
    let fields: [TraceEvent.Field] = [
      .init("cause", .string("corrupt")), .init("more", .bool(true)), .init("copy", .int(1)), .init("id", .int(7)),
    ]
    #expect(Self.dropped(fields) == .frameDropped(expected))
    expected.fault = "cut"
    #expect(Self.dropped(fields + [.init("fault", .string("cut"))]) == .frameDropped(expected))
  }

  @Test(
    arguments: [
      [], [.init("id", .int(1)), .init("copy", .int(0))],
      [.init("id", .string("1")), .init("copy", .int(0)), .init("cause", .string("loss"))],
      [.init("id", .int(1)), .init("copy", .int(0)), .init("cause", .string("loss")), .init("fault", .null)],
    ] as [[TraceEvent.Field]])
  func `a line that lacks a field, or has one of another type, is foreign`(fields: [TraceEvent.Field]) {
    #expect(Self.dropped(fields) == .foreign(ForeignEvent(name: "frame.dropped", fields: fields)))
  }

  @Test func `an event created as its kind is equal to its line, and is written as the same bytes`() throws {
    let folder = Self.root.appending(path: "traces")
    var parser = TraceLineParser()
    var writer = TraceWriter()
    var seen: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".jsonl") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for (index, line) in text.split(separator: "\n").enumerated().dropFirst() {
        let read = try parser.parse(Array(line.utf8)[...], line: index + 1)
        let kind = try #require(read.body.kind)
        let created = TraceEvent(kind, at: read.time, on: read.place)
        #expect(created == read && created.name == read.name && created.catalogIndex == read.catalogIndex)
        #expect(created.body == read.body)
        #expect(read.fields.allSatisfy { created[$0.key] == $0.value } && created["absent"] == nil)
        var bytes: [UInt8] = []
        writer.append(created, to: &bytes)
        #expect(bytes.elementsEqual((line + "\n").utf8), "\(file):\(index + 1)")
        #expect(EventCatalog.entry(read.name)?.places.contains(read.place) == true, "\(file):\(index + 1)")
        seen.insert(read.name.text)
      }
    }
    #expect(seen.count > 30)
  }

  @Test func `a name that nothing here writes is foreign`() {
    let fields = [TraceEvent.Field("x", .int(1))]
    let event = TraceEvent("my.app", at: .start, on: .phone, fields)
    #expect(event.body == .foreign(ForeignEvent(name: "my.app", fields: fields)))
    #expect(event.catalogIndex == nil && event.name == "my.app" && event.fields == fields)
  }

  @Test func `a kind without a case of its own is read as its kind, and compared by its fields`() throws {
    func body(_ error: String) -> EventBody {
      let fields: [TraceEvent.Field] = [.init("channel", .string("file")), .init("error", .string(error))]
      return TraceEvent("transfer.refused", at: .start, on: .watch, fields).body
    }
    let refused = try #require(body("notReachable").kind as? TransferRefused)
    #expect(refused.channel == .file && refused.error == "notReachable")
    #expect(body("notReachable") == .other(OtherEvent(kind: refused)))
    #expect(body("notReachable") != body("payloadTooLarge"))
    #expect(TraceEvent("transfer.refused", at: .start, on: .watch).body.kind == nil)
  }

  @Test func `stories have the sentences of kinds that have one`() throws {
    func sentence(_ name: TraceEvent.Name, _ fields: [TraceEvent.Field]) -> EventSentence? {
      EventCatalog.entry(name)?.sentence?(fields)
    }
    let fields: [TraceEvent.Field] = [.init("channel", .string("file")), .init("error", .string("payloadTooLarge"))]
    #expect(sentence("transfer.refused", fields)?.text == "cannot queue a file: payloadTooLarge")
    #expect(sentence("transfer.refused", []) == nil)
    #expect(sentence("session.activated", [])?.isRelief == true)
    #expect(EventCatalog.entry("frame.sent")?.sentence == nil)
  }
}
