import Link

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
