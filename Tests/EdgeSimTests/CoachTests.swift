import CoachProtocol
import Link
import Testing

@testable import EdgeSim

@Suite struct `The coach of rules` {
  private static func script(_ request: GenerateScriptRequest, seed: UInt64 = 1) -> [GenerateScriptResponse.Line] {
    Coach(seed: seed).script(request, digest: Digest.prefix(request.bytes)).messages
  }

  @Test func `a script has a line a kilometre, halfway, near the finish, and for how the run goes`() {
    let lines = Self.script(Requests.script())
    #expect(
      lines.map(\.id) == [
        "opening", "km1", "km2", "km3", "km4", "halfway", "finish", "slow", "fast", "heart", "cadence",
      ])
    #expect(lines[0].text.contains("5 kilometres today, 5:30 each."))
    // Every third from the first has the time that the plan has there.
    #expect(lines[1].text.contains("5:30") && lines[4].text.contains("22:00"))
  }

  @Test func `the plan decides which lines there are`() {
    let without = Self.script(Requests.script(distanceKm: 0, pace: nil)).map(\.id)
    #expect(without == ["opening", "kilometre", "heart", "cadence"])
    // Halfway replaces the kilometre at the same distance.
    #expect(
      Self.script(Requests.script(distanceKm: 4)).map(\.id).prefix(5) == ["opening", "km1", "km3", "halfway", "finish"])
    #expect(Self.script(Requests.script(distanceKm: 42.195)).filter { $0.id.hasPrefix("km") }.count == 40)
    #expect(Self.script(Requests.script(distanceKm: 100)).map(\.id).prefix(2) == ["opening", "kilometre"])
  }

  @Test func `every personality speaks with its own voice`() {
    let texts = CoachVoice.all.map { voice in
      Set((1...10).flatMap { Self.script(Requests.script(personality: voice.name), seed: $0).map(\.text) })
    }
    for (index, text) in texts.enumerated() {
      for other in texts[(index + 1)...] { #expect(text.isDisjoint(with: other)) }
    }
    #expect(Self.script(Requests.script(personality: "nobody")).count == 11)
  }

  @Test func `the runner's memory is used`() {
    func fact(_ kind: MemoryKind, _ key: String, _ value: JSONValue) -> MemoryFact {
      MemoryFact(kind: kind, key: key, value: value, confidence: 1, source: .user)
    }
    let lines = Self.script(
      Requests.script(memory: [
        fact(.personalReference, "name", .string("Ada\u{7}\nLovelace")),
        fact(.dislike, "likes.heart", .string("talk of the heart")), fact(.personalReference, "body.knee", .bool(true)),
      ]))
    #expect(lines[0].text.hasPrefix("Hello Ada Lovelace. "))
    #expect(!lines.contains { $0.id == "heart" })
    let steps = lines.last { $0.id == "cadence" }
    let trigger = String(decoding: JSONWriter.compact(JSONNode(steps?.triggerSpec ?? .null)), as: UTF8.self)
    #expect(trigger.contains("cadence < 160"))
  }

  @Test func `a script whose forerunner was refused has lines by place alone`() {
    let lines = Self.script(Requests.script(refusals: ["messages[3]: an unknown variable"]))
    #expect(lines.map(\.id).suffix(2) == ["halfway", "finish"])
  }

  @Test(arguments: [
    ("my knee hurts", "Slow down for a minute"), ("how far is it", "2.9 kilometres to go"),
    ("what is my pace", "5:41 a kilometre, eleven seconds over plan"), ("I need water", "sips"),
  ])
  func `a reply depends on what was said`(said: String, part: String) {
    let request = Requests.reply(said)
    let reply = Coach(seed: 1).reply(request, digest: Digest.prefix(request.bytes))
    #expect(reply.replyText.contains(part), "\(reply.replyText)")
  }

  @Test func `a summary tells the figures, and facts are learnt from what was said`() {
    let request = Requests.summary([
      "my knee again", "I hate hills", "I love and hate rain", nil, "my maximum heart rate is 191 now", "max 900",
    ])
    let summary = Coach(seed: 1).summary(request, digest: 1)
    let facts = summary.extractedFacts.map {
      "\($0.kind.rawValue) \(String(decoding: JSONWriter.compact(JSONNode($0.value)), as: UTF8.self)) \($0.confidence)"
    }
    #expect(
      facts == [
        #"fact {"run.last.distance":5003} 0.9"#, #"fact {"pace.typical":330} 0.5"#,
        #"personalReference {"body.knee":"spoke of it on a run"} 0.6"#, #"dislike {"likes.hills":false} 0.7"#,
        #"fact {"hr.max":191} 0.6"#,
      ])
    #expect(summary.summaryText.contains("We talked six times."))
  }

  @Test(arguments: [(0.0, "0 kilometres"), (960, "1 kilometre"), (1_050, "1.1 kilometres"), (11_000, "11 kilometres")])
  func `one kilometre is singular`(metres: Double, text: String) { #expect(Spoken.kilometres(metres) == text) }

  @Test func `an unmeasured distance is not invented`() {
    let coach = Coach(seed: 1)
    #expect(coach.reply(Requests.reply("How far?"), digest: 1).replyText.contains("kilometres to go"))
    let text = coach.reply(Requests.reply("How far?", distance: nil), digest: 1).replyText
    #expect(text.contains("I cannot measure how far you are") && !text.contains("kilometre"))
  }

  @Test func `whatever is asked, the answers keep their shape and stay short`() throws {
    let odd = ["", " ", String(repeating: "knee ", count: 5_000), "\u{0}\u{202E}", "{km}{km}{km}"]
    for text in odd {
      for number in [0, 1e-9, 0.3, 1, 2, 999_999, 1e6] as [Double] {
        let request = Requests.script(
          distanceKm: number, pace: number, personality: text,
          memory: [MemoryFact(kind: .fact, key: "name", value: .string(text), confidence: 0, source: .user)])
        let script = Coach(seed: 1).script(request, digest: 1)
        #expect(try GenerateScriptResponse.reading(script.bytes) == script)
        #expect(script.messages.allSatisfy { $0.text.utf8.count < 300 })
        let reply = Coach(seed: 1).reply(Requests.reply(text, distance: number, average: number), digest: 1)
        #expect(try ChatReplyResponse.reading(reply.bytes) == reply)
      }
    }
  }
}
