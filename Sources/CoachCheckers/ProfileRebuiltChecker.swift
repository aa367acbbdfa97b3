import CoachReference
package import Link

/// `profile-rebuilt`: what the server knows of the user comes back from the chat.
package struct ProfileRebuiltChecker: Checker {
  package static let invariant = "profile-rebuilt"
  package static let about =
    "The server's profile is what a second reading of the chat gives; a server that lost it has it again after the phone's first complete synchronisation, and with the same days the same insights."

  /// The chat messages that are remembered.
  private static let messagesMax = 20_000

  /// A profile after a chat message.
  private struct Extract {
    var message: Int64
    var digest: UInt64
    var line: Int
  }

  /// What insights are made of.
  private struct Sources: Equatable {
    var days: [String]
    var profile: UInt64?
  }

  /// The chat so far, read a second time.
  private var reference = ReferenceProfile()
  /// What each chat message makes of the profile, with the line of the message; the digest is nil for no change.
  private var told: [(digest: UInt64?, line: Int)] = []
  /// The number of the last chat message that changes the profile; 0 for none.
  private var lastFact: Int64 = 0
  /// Whether the server reports what it does; one outside the simulation does not.
  private var isServerKnown = false
  /// The last one of which the report says that the server lacks it.
  private var reported: Int64 = 0
  /// Every profile that was ever extracted, by chat message.
  private var extracts: [Int64: Extract] = [:]
  /// The server's; nil without one.
  private var current: Extract?
  /// The newest profile that was lost and is not known to be back, with the line of the loss, if any.
  private var lost: (extract: Extract, line: Int)?
  /// Chat messages of the profiles extracted since then.
  private var again: Set<Int64> = []
  /// Requests since the last loss of profile or days.
  private var posted: Set<Identifier> = []
  private var server = ServerDays()
  /// The insights of the last complete synchronisation, with their line; the digest is nil without any.
  private var known: (sources: Sources, digest: String?, line: Int)?
  private var insights: (digest: String, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func chatWritten(_ chat: ChatWritten, at event: Occurrence, into report: inout Report) {
    note(event)
    read(chat, event.line)
  }

  package mutating func profileExtracted(_ new: ProfileExtracted, at event: Occurrence, into report: inout Report) {
    note(event)
    extract(new, at: event.time, event.line, into: &report)
  }

  package mutating func fileStored(_ file: FileStored, at event: Occurrence, into report: inout Report) {
    note(event)
    store(file, at: event.time, event.line, into: &report)
  }

  package mutating func serverRestarted(_ start: ServerRestarted, at event: Occurrence, into report: inout Report) {
    if server.observe(start, at: event) { posted = [] }
    note(event)
    guard start.cause == "wipe" else { return }
    insights = nil
    loseProfile(event.line)
  }

  package mutating func fileDamaged(_ damage: FileDamaged, at event: Occurrence, into report: inout Report) {
    if server.observe(damage, at: event) { posted = [] }
    note(event)
    if damage.file == ServerDays.profile { loseProfile(event.line) }
  }

  package mutating func daysPosted(_ post: DaysPosted, at event: Occurrence, into report: inout Report) {
    note(event)
    posted.insert(post.id)
  }

  package mutating func syncFailed(_ sync: SyncFailed, at event: Occurrence, into report: inout Report) {
    note(event)
    posted.remove(sync.id)
  }

  package mutating func daysSynced(_ sync: DaysSynced, at event: Occurrence, into report: inout Report) {
    note(event)
    let isComplete = posted.contains(sync.id) && sync.pending == 0 && (sync.chatPending ?? 0) == 0
    posted.remove(sync.id)
    guard isComplete else { return }
    compareWithChat(at: event.time, event.line, into: &report)
    compareProfile(at: event.time, event.line, into: &report)
    compareInsights(at: event.time, event.line, into: &report)
  }

  package mutating func dayUpserted(_ day: DayUpserted, at event: Occurrence, into report: inout Report) {
    server.observe(day, at: event)
    note(event)
  }

  /// A line of the server shows that there is one.
  private mutating func note(_ event: Occurrence) {
    if event.place == .edge { isServerKnown = true }
  }

  private mutating func extract(
    _ new: ProfileExtracted, at time: VirtualTime, _ line: Int, into report: inout Report
  ) {
    let extract = Extract(message: new.message, digest: Digest.prefix(Array(new.profile.text.utf8)), line: line)
    current = extract
    again.insert(new.message)
    if let place = Int(exactly: new.message &- 1), told.indices.contains(place), told[place].digest != extract.digest {
      let says =
        told[place].digest == nil ? "and that message says nothing of the user" : "and the chat says something else"
      report.add(
        "the server has a new profile after chat message \(new.message), \(says)", at: time,
        lines: [told[place].line, line])
    }
    guard let before = extracts[new.message] else {
      if extracts.count < Self.messagesMax { extracts[new.message] = extract }
      return
    }
    guard before.digest != extract.digest else { return }
    report.add(
      "the profile after chat message \(new.message) is another one than at its first extraction", at: time,
      lines: [before.line, line])
  }

  /// Reads a chat message; a trace that lacks one before it is not judged.
  private mutating func read(_ chat: ChatWritten, _ line: Int) {
    guard chat.number == Int64(told.count) + 1, told.count < Self.messagesMax else { return }
    let file = reference.read(chat.text, number: chat.number)
    told.append((file.map { Digest.prefix(Array($0.utf8)) }, line))
    if file != nil { lastFact = chat.number }
  }

  /// Reports a fact of the chat that did not reach the profile.
  private mutating func compareWithChat(at time: VirtualTime, _ line: Int, into report: inout Report) {
    guard isServerKnown, lastFact > (current?.message ?? 0), reported != lastFact, told.count < Self.messagesMax else {
      return
    }
    reported = lastFact
    report.add(
      "the profile lacks what chat message \(lastFact) says, after a complete synchronisation", at: time,
      lines: [told[Int(lastFact) - 1].line, line])
  }

  private mutating func store(_ file: FileStored, at time: VirtualTime, _ line: Int, into report: inout Report) {
    if file.file == ServerDays.insights { insights = (file.digest, line) }
    guard file.file == ServerDays.profile, file.digest != current.map({ Digest.text($0.digest) }) else { return }
    report.add(
      "the file \(file.file) holds something else than the extracted profile", at: time,
      lines: [current?.line, line].compactMap(\.self))
  }

  private mutating func loseProfile(_ line: Int) {
    posted = []
    again = []
    let newest = [lost?.extract, current].compactMap(\.self).max { $0.message < $1.message }
    lost = newest.map { ($0, line) }
    current = nil
  }

  private mutating func compareProfile(at time: VirtualTime, _ line: Int, into report: inout Report) {
    guard let (extract, loss) = lost else { return }
    lost = nil
    // Later messages may have changed the profile since: on the way there it was the lost one.
    guard !again.contains(extract.message) else { return }
    report.add(
      "the server lost the user's profile, and after a complete synchronisation it is not extracted from the chat again",
      at: time, lines: [extract.line, loss, line])
  }

  private mutating func compareInsights(at time: VirtualTime, _ line: Int, into report: inout Report) {
    // The newest day is still changing.
    let days = server.days.sorted { $0.key < $1.key }.dropLast().suffix(7).map { "\($0.key) \($0.value.text)" }
    let sources = Sources(days: days, profile: current?.digest)
    defer { known = (sources, insights?.digest, insights?.line ?? line) }
    guard let known, known.sources == sources, known.digest != insights?.digest else { return }
    report.add(
      "the days and the profile are those of before, and the insights are not", at: time,
      lines: [known.line, insights?.line, line].compactMap(\.self))
  }
}

/// A second reading of the chat, by the table in docs/built-in-apps.md and without the server's code.
///
/// It is compared with the server's profile after each message.
struct ReferenceProfile: Sendable, Equatable {
  private var name: String?
  private var age: Int64?
  private var goal: String?
  private var injuries: [String] = []
  private var preferences: [String] = []

  private enum Effect {
    case name, goal, age, hurts, isFine, prefers, noLongerPrefers
  }

  /// How a sentence begins and ends, and what it then says; of several the first counts.
  private static let phrases: [(begin: String, end: String, effect: Effect)] = [
    ("my name is ", "", .name), ("call me ", "", .name), ("my goal is to ", "", .goal), ("my goal is ", "", .goal),
    ("i am ", " years old", .age), ("i'm ", " years old", .age), ("i no longer prefer ", "", .noLongerPrefers),
    ("i prefer ", "", .prefers), ("my ", " no longer hurts", .isFine), ("my ", " is fine again", .isFine),
    ("my ", " hurts", .hurts),
  ]

  /// Reads the next message.
  ///
  /// - Returns: The file after it; nil if the message changed nothing.
  mutating func read(_ text: String, number: Int64) -> String? {
    let before = self
    for sentence in Self.sentences(of: text) { read(sentence: sentence) }
    return self == before ? nil : file(number)
  }

  private mutating func read(sentence: String) {
    let plain = sentence.utf8.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
    for phrase in Self.phrases {
      let (begin, end) = (Array(phrase.begin.utf8), Array(phrase.end.utf8))
      guard plain.count > begin.count + end.count, plain.starts(with: begin), plain.suffix(end.count) == end[...] else {
        continue
      }
      let said = String(decoding: sentence.utf8.dropFirst(begin.count).dropLast(end.count), as: UTF8.self)
      return apply(phrase.effect, said)
    }
  }

  private mutating func apply(_ effect: Effect, _ said: String) {
    let entry = Self.first(80, of: said)
    switch effect {
    case .name: name = Self.first(60, of: said)
    case .goal: goal = Self.first(200, of: said)
    case .age: if let years = Int64(said), years >= 5, years <= 120 { age = years }
    case .hurts: if !injuries.contains(entry) { injuries = (injuries + [entry]).suffix(10) }
    case .isFine: injuries.removeAll { $0 == entry }
    case .prefers: if !preferences.contains(entry) { preferences = (preferences + [entry]).suffix(10) }
    case .noLongerPrefers: preferences.removeAll { $0 == entry }
    }
  }

  /// The first bytes of a text, without half of a character.
  private static func first(_ bytesMax: Int, of text: String) -> String {
    var short = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars {
      bytes += UTF8.width(scalar)
      guard bytes <= bytesMax else { break }
      short.append(scalar)
    }
    return String(short)
  }

  /// Sentences with one space between two words.
  ///
  /// A dot ends one only where a word ends, so that it may be within a number.
  private static func sentences(of text: String) -> [String] {
    var sentences: [[String]] = [[]]
    for part in text.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: Self.isEnd) {
      for token in part.split(separator: " ") {
        var word = token
        while word.last == "." { word.removeLast() }
        if !word.isEmpty { sentences[sentences.count - 1].append(String(String.UnicodeScalarView(word))) }
        if word.endIndex != token.endIndex { sentences.append([]) }
      }
      sentences.append([])
    }
    return sentences.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
  }

  private static func isEnd(_ scalar: Unicode.Scalar) -> Bool { "!?;,\"\\".unicodeScalars.contains(scalar) }

  /// `profile.json` after a message.
  private func file(_ message: Int64) -> String {
    var members = [JSONMember("message", .integer(message))]
    if let name { members.append(JSONMember("name", .string(name))) }
    if let age { members.append(JSONMember("age", .integer(age))) }
    if let goal { members.append(JSONMember("goal", .string(goal))) }
    for (key, list) in [("injuries", injuries), ("preferences", preferences)] where !list.isEmpty {
      members.append(JSONMember(key, .array(list.map { JSONNode(.string($0)) })))
    }
    return String(decoding: JSONWriter.compact(JSONNode(.object(members))), as: UTF8.self)
  }
}
