import Console
import CoachProtocol
import Link
import PhoneSim

/// Rows of requests, answers and memory.
extension InspectedDevice {
  mutating func addAnswers(_ record: PhoneRecord) {
    sections.append(
      Section(
        name: "replies",
        rows: record.replies.map { reply in
          [
            JSONMember("id", .string(reply.id.text)), JSONMember("note", .string(reply.noteId.text)),
            JSONMember("model", .string(reply.model)), JSONMember("requestedAt", Self.seconds(reply.requestedAt)),
            JSONMember("respondedAt", reply.respondedAt.map(Self.seconds) ?? .null),
            JSONMember("playedAt", reply.playedAt.map(Self.seconds) ?? .null),
            JSONMember("waits", .bool(record.waitingReplies.contains { $0.id == reply.id })),
            JSONMember("text", .string(reply.text)),
          ]
        }))
    sections.append(
      Section(
        name: "asking",
        rows: record.ai.requests.map { request in
          [
            JSONMember("id", .string(request.id.text)), JSONMember("kind", .string(request.call.rawValue)),
            JSONMember("attempt", .integer(Int64(request.attempt))),
            JSONMember("requestedAt", Self.seconds(request.requestedAt)),
            JSONMember("retryAt", request.retryAt.map(Self.seconds) ?? .null),
            JSONMember("digest", .string(String(request.digest.prefix(16)))),
          ]
        }))
    sections.append(
      Section(
        name: "memory",
        rows: record.memory.map { row in
          [
            JSONMember("kind", .string(row.fact.kind.rawValue)), JSONMember("key", .string(row.fact.key)),
            JSONMember("value", row.fact.value), JSONMember("confidence", .plain(row.fact.confidence)),
            JSONMember("source", .string(row.fact.source.rawValue)),
          ]
        }))
    sections.append(
      Section(
        name: "script",
        rows: record.script.map { kept in
          [
            [
              JSONMember("id", JSONOutput.text(kept.script.id)), JSONMember("source", .string(kept.source.rawValue)),
              JSONMember("runId", JSONOutput.text(kept.script.runId)),
              JSONMember("lines", .integer(Int64(kept.script.messages.count))),
            ]
          ]
        } ?? []))
  }

  private static func seconds(_ time: VirtualTime) -> JSONValue { .plain((time - .start).seconds) }
}
