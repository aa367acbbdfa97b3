import Console
import CoachProtocol
import Link
import PhoneSim

/// Rows of requests, answers and memory.
extension InspectedDevice {
  mutating func addAnswers(_ record: PhoneRecord) {
    add("replies", record.replies) { reply in
      [
        "id": .string(reply.id.text), "note": .string(reply.noteId.text), "model": .string(reply.model),
        "requestedAt": .seconds(reply.requestedAt - .start), "respondedAt": Self.seconds(reply.respondedAt),
        "playedAt": Self.seconds(reply.playedAt),
        "waits": .bool(record.waitingReplies.contains { $0.id == reply.id }), "text": .string(reply.text),
      ]
    }
    add("asking", record.ai.requests) { request in
      [
        "id": .string(request.id.text), "kind": .string(request.call.rawValue), "attempt": .count(request.attempt),
        "requestedAt": .seconds(request.requestedAt - .start), "retryAt": Self.seconds(request.retryAt),
        "digest": .string(String(request.digest.prefix(16))),
      ]
    }
    add("memory", record.memory) { row in
      [
        "kind": .string(row.fact.kind.rawValue), "key": .string(row.fact.key), "value": row.fact.value,
        "confidence": .plain(row.fact.confidence), "source": .string(row.fact.source.rawValue),
      ]
    }
    add("script", [record.script].compactMap(\.self)) { kept in
      [
        "id": .text(kept.script.id), "source": .string(kept.source.rawValue), "runId": .text(kept.script.runId),
        "lines": .count(kept.script.messages.count),
      ]
    }
  }
}
