import Foundation
import Link
import Testing

@testable import TraceTools

/// OTLP/JSON against the trace that it was made from.
@Suite struct OTLPExporterTests {
  private struct Exporting {
    let lines: [Substring]
    let services: [String]
    let spans: [[String: Any]]
    let logs: [[String: Any]]

    init(_ exported: Exported) throws {
      lines = exported.text.split(separator: "\n")
      let objects = try lines.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      try #require(objects.count == 2)
      func records(_ object: [String: Any], _ resource: String, _ scope: String, _ list: String) throws -> [[String:
        Any]]
      {
        let resources = try #require(object[resource] as? [[String: Any]])
        return resources.flatMap {
          ($0[scope] as? [[String: Any]] ?? []).flatMap { $0[list] as? [[String: Any]] ?? [] }
        }
      }
      spans = try records(objects[0], "resourceSpans", "scopeSpans", "spans")
      logs = try records(objects[1], "resourceLogs", "scopeLogs", "logRecords")
      services = (objects[0]["resourceSpans"] as? [[String: Any]] ?? []).compactMap {
        attribute("service.name", of: $0["resource"] as? [String: Any] ?? [:])
      }
    }
  }

  private static func line(_ span: [String: Any]) -> Int? { attribute("wristwire.line", of: span).flatMap { Int($0) } }

  private static func nanoseconds(_ record: [String: Any], _ key: String) -> Int64? {
    (record[key] as? String).flatMap { Int64($0) }
  }

  @Test func `every frame, transfer and fault is a span with the times of its lines`() throws {
    let fixture = try TraceFixture.shared.get()
    let counts = try TraceCounts(fixture.text)
    let found = try Exporting(Exported(fixture.text, as: "otlp"))
    let start = try #require(try TraceHeader(line: Array(fixture.lines[0].utf8)).unixStart)
    let begun = ["frame.sent", "transfer.queued", "fault.begin"]
    var expected: [Int: Int64] = [1: start]
    for (index, object) in counts.objects.enumerated() {
      let name = try #require(object["event"] as? String)
      guard begun.contains(name) || name == "frame.delivered" else { continue }
      expected[index + 2] = start + (try #require(object["t"] as? Int64))
    }
    let times = try Dictionary(
      uniqueKeysWithValues: found.spans.map {
        (try #require(Self.line($0)), try #require(Self.nanoseconds($0, "startTimeUnixNano")))
      })
    #expect(times == expected)
    #expect(
      found.spans.allSatisfy {
        Self.nanoseconds($0, "endTimeUnixNano") ?? 0 >= Self.nanoseconds($0, "startTimeUnixNano") ?? 1
      })
    #expect(Set(found.services).isSuperset(of: ["watch", "phone", "link", "runner"]))
    // A delivered frame lasts until its delivery.
    let sent = try #require(counts.objects.firstIndex { $0["event"] as? String == "frame.sent" })
    let id = try #require(counts.objects[sent]["id"] as? Int)
    let delivered = try #require(
      counts.objects.last { $0["event"] as? String == "frame.delivered" && $0["id"] as? Int == id }?["t"] as? Int64)
    let span = try #require(found.spans.first { Self.line($0) == sent + 2 })
    #expect(Self.nanoseconds(span, "endTimeUnixNano") == start + delivered)
  }

  @Test func `every parent exists, and a frame of a transfer is its child`() throws {
    let fixture = try TraceFixture.shared.get()
    let counts = try TraceCounts(fixture.text)
    let found = try Exporting(Exported(fixture.text, as: "otlp"))
    let byID = try Dictionary(uniqueKeysWithValues: found.spans.map { (try #require($0["spanId"] as? String), $0) })
    for (id, span) in byID {
      #expect(id == String(format: "%016x", try #require(Self.line(span))))
      let parent = try #require(span["parentSpanId"] as? String)
      if Self.line(span) == 1 { #expect(parent.isEmpty) } else { #expect(byID[parent] != nil, "\(span)") }
    }
    var chunks = 0
    for (index, object) in counts.objects.enumerated() where object["event"] as? String == "frame.sent" {
      guard let transfer = object["transfer"] as? String else { continue }
      let queued = try #require(
        counts.objects.firstIndex {
          $0["event"] as? String == "transfer.queued" && $0["transfer"] as? String == transfer
        })
      let span = try #require(byID[String(format: "%016x", index + 2)])
      #expect(span["parentSpanId"] as? String == String(format: "%016x", queued + 2))
      chunks += 1
    }
    #expect(chunks > 0)
  }

  @Test func `decisions are logs of the run or of their transfer, and the ids are those of the file`() throws {
    let fixture = try TraceFixture.shared.get()
    let counts = try TraceCounts(fixture.text)
    let exported = try Exported(fixture.text, as: "otlp")
    let found = try Exporting(exported)
    let names = found.logs.compactMap { ($0["body"] as? [String: Any])?["stringValue"] as? String }
    #expect(names.count == found.logs.count && names.contains("script.dispatch") && names.contains("end"))
    #expect(!names.contains("frame.sent") && !names.contains("snapshot"))
    #expect(names.count { $0 == "script.dispatch" } == counts.count("script.dispatch"))
    let ids = Set(found.spans.compactMap { $0["spanId"] as? String })
    #expect(found.logs.allSatisfy { ids.contains($0["spanId"] as? String ?? "") })
    var stream = SHA256Stream()
    stream.append(fixture.text)
    let digest = String(Digest.text(stream.finish()).prefix(32))
    #expect((found.spans + found.logs).allSatisfy { $0["traceId"] as? String == digest })
    #expect(try Exported(fixture.text, as: "otlp").bytes == exported.bytes)
  }

  @Test func `a lost frame is an error with its cause, and a window leaves out what began outside`() throws {
    let fixture = try TraceFixture.shared.get()
    let counts = try TraceCounts(fixture.text)
    let found = try Exporting(Exported(fixture.text, as: "otlp"))
    let lost = found.spans.filter { $0["status"] != nil }
    #expect(!lost.isEmpty && counts.count("frame.dropped") > 0)
    #expect(lost.allSatisfy { ($0["status"] as? [String: Any])?["code"] as? Int == 2 })
    let window = ExportWindow(from: .start + .seconds(60), to: .start + .seconds(90))
    let part = try Exporting(Exported(fixture.text, as: "otlp", window: window))
    let start = try #require(try TraceHeader(line: Array(fixture.lines[0].utf8)).unixStart)
    let sent = part.spans.filter { $0["kind"] as? Int == 4 }
    #expect(!sent.isEmpty && sent.count < found.spans.count)
    #expect(
      sent.allSatisfy {
        let at = (Self.nanoseconds($0, "startTimeUnixNano") ?? 0) - start
        return (60_000_000_000...90_000_000_000).contains(at)
      })
  }
}

/// The value of an attribute as text; nil if there is none.
private func attribute(_ key: String, of record: [String: Any]) -> String? {
  let attributes = record["attributes"] as? [[String: Any]] ?? []
  guard let value = attributes.first(where: { $0["key"] as? String == key })?["value"] as? [String: Any] else {
    return nil
  }
  return value["intValue"] as? String ?? value["stringValue"] as? String
}
