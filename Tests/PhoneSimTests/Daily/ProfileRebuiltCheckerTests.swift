@testable import CoachCheckers
import Link
import Testing

@testable import PhoneSim

/// A profile comes back as it was, or is reported.
@Suite struct ProfileRebuiltCheckerTests {
  private static let store = Identifier(high: 2, low: 2)

  private func judge(
    _ events: [any TraceEventKind], by invariant: String = ProfileRebuiltChecker.invariant
  ) throws -> Int {
    var trace = CoachTrace()
    for (index, event) in events.enumerated() {
      let isEdge = type(of: event).name.text.hasPrefix("edge.")
      trace.add(type(of: event).name.text, Double(index + 1), on: isEdge ? .edge : .phone, event.fields)
    }
    return try trace.judge(only: [invariant]).violations.count
  }

  private func profiled(_ message: Int64, _ text: String) -> ProfileExtracted {
    var event = ProfileExtracted()
    (event.message, event.profile) = (message, JSONText("{\"message\":\(message),\"name\":\"\(text)\"}"))
    return event
  }

  private func stored(_ content: String, as file: String = "profile.json") -> FileStored {
    var event = FileStored()
    (event.file, event.store, event.digest) = (file, Self.store, Digest.text(Digest.prefix(Array(content.utf8))))
    return event
  }

  private func stored(_ profile: ProfileExtracted) -> FileStored { stored(profile.profile.text) }

  private func upserted(_ day: String, revision: Int64 = 1) -> DayUpserted {
    var event = DayUpserted()
    (event.day, event.revision, event.snapshot) = (day, revision, JSONText("{\"revision\":\(revision)}"))
    return event
  }

  /// A synchronisation in which the server does this.
  private func sync(_ events: [any TraceEventKind] = [], pending: Int64 = 0, chatPending: Int64? = 0)
    -> [any TraceEventKind]
  {
    var post = DaysPosted()
    (post.id, post.days, post.chatCount) = (Identifier(high: 1, low: 1), JSONText("[]"), chatPending)
    var sync = DaysSynced()
    (sync.id, sync.store, sync.pending, sync.chatPending) = (post.id, Self.store, pending, chatPending)
    return [post] + events + [sync]
  }

  private var mia: [any TraceEventKind] { [profiled(1, "Mi"), profiled(4, "Mia"), stored(profiled(4, "Mia"))] }

  private static let losses: [String] = ["wipe", "powerLoss"]

  private func loss(_ cause: String) -> [any TraceEventKind] {
    cause == "wipe"
      ? [ServerRestarted(cause: cause)] : [ServerRestarted(cause: cause), FileDamaged(file: "profile.json")]
  }

  @Test(arguments: losses)
  func `a profile that is extracted again is right`(cause: String) throws {
    #expect(try judge(sync(mia) + loss(cause) + sync(mia)) == 0)
    // A later message changes it on the way.
    let more: [any TraceEventKind] = [
      profiled(1, "Mi"), profiled(4, "Mia"), profiled(6, "Mo"), stored(profiled(6, "Mo")),
    ]
    #expect(try judge(sync(mia) + loss(cause) + sync(more)) == 0)
    // More is to be posted, or the request was answered before the loss.
    #expect(try judge(sync(mia) + loss(cause) + sync(chatPending: 4)) == 0)
    #expect(try judge(sync(mia) + loss(cause) + sync(pending: 1)) == 0)
    #expect(try judge(sync(mia + loss(cause))) == 0)
  }

  @Test(arguments: losses)
  func `a profile that is missing or another one is reported`(cause: String) throws {
    #expect(try judge(sync(mia) + loss(cause) + sync()) == 1)
    #expect(try judge(sync(mia) + loss(cause) + sync([profiled(1, "Mi"), stored(profiled(1, "Mi"))])) == 1)
    #expect(try judge(sync(mia) + loss(cause) + sync([profiled(6, "Mo"), stored(profiled(6, "Mo"))])) == 1)
    #expect(try judge(sync(mia) + loss(cause) + sync([profiled(4, "Eve"), stored(profiled(4, "Eve"))])) == 1)
    // Half of it was back when it was lost again.
    let half = sync(mia) + loss(cause) + sync([profiled(1, "Mi"), stored(profiled(1, "Mi"))], chatPending: 3)
    #expect(try judge(half + loss(cause) + sync(mia)) == 0)
    #expect(try judge(half + loss(cause) + sync([profiled(1, "Mi"), stored(profiled(1, "Mi"))])) == 1)
  }

  // MARK: The second reading

  private func said(_ texts: [String]) -> [any TraceEventKind] {
    texts.enumerated().map { index, text in
      var chat = ChatWritten()
      (chat.number, chat.text) = (Int64(index + 1), text)
      return chat
    }
  }

  private func profile(_ message: Int64, _ text: String) -> ProfileExtracted {
    var event = ProfileExtracted()
    (event.message, event.profile) = (message, JSONText(text))
    return event
  }

  private func extracted(_ message: Int64, _ rest: String) -> ProfileExtracted {
    profile(message, "{\"message\":\(message),\(rest)}")
  }

  @Test(arguments: [
    ("My name is Mia.", "\"name\":\"Mia\""), ("call me Mo", "\"name\":\"Mo\""),
    ("Hello! MY GOAL IS TO run 10.5 km, soon.", "\"goal\":\"run 10.5 km\""),
    ("My goal is faster", "\"goal\":\"faster\""), ("I'm 44 years old...", "\"age\":44"),
    ("So: my knee hurts. My left ankle hurts!", "\"injuries\":[\"left ankle\"]"),
    ("I prefer  short   answers; I prefer rain", "\"preferences\":[\"short answers\",\"rain\"]"),
  ])
  func `a profile is what the chat says`(text: String, rest: String) throws {
    let right = extracted(1, rest)
    #expect(try judge(said([text]) + sync([right, stored(right)])) == 0)
    let wrong = extracted(1, "\"name\":\"Eve\"")
    #expect(try judge(said([text]) + sync([wrong, stored(wrong)])) == 1)
    #expect(try judge(said([text]) + sync([DayUpserted()])) == 1, "nothing extracted")
    // A server outside the simulation reports nothing.
    #expect(try judge(said([text]) + sync()) == 0)
  }

  @Test func `what is over is taken back, and what says nothing changes nothing`() throws {
    let chat = said(["My knee hurts", "My knee is fine again!", "How far did I run?", "I am 130 years old"])
    let before = extracted(1, "\"injuries\":[\"knee\"]")
    let after = profile(2, "{\"message\":2}")
    #expect(try judge(chat + sync([before, after, stored(after)])) == 0)
    // The injury stays for ever, in the first extraction too.
    #expect(try judge(chat + sync([before, stored(before)])) == 1)
    for number in [3, 4] as [Int64] {
      let more = profile(number, "{\"message\":\(number)}")
      #expect(try judge(chat + sync([before, after, more, stored(more)])) == 1, "\(number)")
    }
    // More of the chat is to be posted.
    #expect(try judge(chat + sync([before, stored(before)], chatPending: 2)) == 0)
  }

  @Test func `a restart loses nothing, and another file is not the profile`() throws {
    #expect(try judge(sync(mia) + [ServerRestarted(cause: "restart")] + sync()) == 0)
    #expect(try judge(sync(mia) + [FileDamaged(file: "context_store.json")] + sync()) == 0)
  }

  @Test func `the file holds what was extracted`() throws {
    #expect(try judge([profiled(1, "Mi"), stored("{}")]) == 1)
    #expect(try judge([stored("{}")]) == 1)
  }

  @Test func `the same days and profile have the same insights`() throws {
    let days: [any TraceEventKind] = [upserted("2026-03-01"), upserted("2026-03-02")]
    let file = stored("a", as: "insights.json")
    let before = sync(mia + days + [file]) + [ServerRestarted(cause: "wipe")]
    #expect(try judge(before + sync(mia + days + [file])) == 0)
    #expect(try judge(before + sync(mia + days)) == 1)
    #expect(try judge(before + sync(mia + days + [stored("b", as: "insights.json")])) == 1)
    // The newest day may change, an earlier one changes the insights.
    let other: [any TraceEventKind] = [upserted("2026-03-01"), upserted("2026-03-02", revision: 2)]
    #expect(try judge(before + sync(mia + other + [stored("b", as: "insights.json")])) == 1)
    let first: [any TraceEventKind] = [upserted("2026-03-01", revision: 2), upserted("2026-03-02")]
    #expect(try judge(before + sync(mia + first + [stored("b", as: "insights.json")])) == 0)
  }

  @Test func `a profile may be written once for a message, and has its own keys alone`() throws {
    #expect(try judge([profiled(1, "Mi"), stored("a"), profiled(2, "Mia"), stored("b")], by: "few-writes") == 0)
    #expect(try judge([profiled(1, "Mi"), stored("a"), stored("b")], by: "few-writes") == 1)
    #expect(try judge([profiled(1, "Mi")], by: "aggregates-only") == 0)
    var meals = profiled(1, "Mi")
    meals.profile = JSONText("{\"message\":1,\"meals\":[]}")
    #expect(try judge([meals], by: "aggregates-only") == 1)
  }

  @Test func `a request has the chat that the phone stored and nothing else`() throws {
    func written(_ number: Int64, _ text: String) -> ChatWritten {
      var event = ChatWritten()
      (event.number, event.text) = (number, text)
      return event
    }
    func posted(_ chat: String, from first: Int64?, count: Int64?) -> DaysPosted {
      var event = DaysPosted()
      (event.id, event.days, event.chatFrom, event.chatCount) = (Self.store, JSONText("[]"), first, count)
      event.digest = Digest.text(Digest.prefix(Array("{\"days\":[]\(chat)}".utf8)))
      return event
    }
    let name = "aggregates-only"
    let chat: [any TraceEventKind] = [written(1, "a"), written(2, "the \"b\""), written(3, "c")]
    let page = ",\"chat\":[{\"number\":2,\"text\":\"the \\\"b\\\"\"},{\"number\":3,\"text\":\"c\"}]"
    #expect(try judge(chat + [posted(page, from: 2, count: 2)], by: name) == 0)
    #expect(try judge(chat + [posted(",\"chat\":[]", from: nil, count: 0)], by: name) == 0)
    #expect(try judge(chat + [posted("", from: nil, count: nil)], by: name) == 0)
    #expect(try judge(chat + [posted(page, from: 1, count: 2)], by: name) == 1)
    #expect(try judge(chat + [posted(page, from: nil, count: nil)], by: name) == 1)
    #expect(try judge(chat + [posted(page, from: 2, count: 3)], by: name) == 1)
    #expect(try judge(chat + [posted(page, from: .min, count: .max)], by: name) == 1)
    #expect(
      try judge(chat + [posted(page.replacing("c\"}", with: "c\",\"meal\":1}"), from: 2, count: 2)], by: name) == 1)
  }
}
