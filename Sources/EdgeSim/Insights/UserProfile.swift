import CoachProtocol
import Link

/// The user's profile: the file `profile.json`, a function of the chat.
///
/// It is made of the chat messages from the first one on, in their order, so that whoever has the chat can make it again.
struct UserProfile: Sendable, Equatable {
  /// The last chat message that changed it; 0 for none.
  var message = 0
  var name: String?
  /// Years.
  var age: Int?
  var goal: String?
  /// What hurts, in the order in which it was written.
  var injuries: [String] = []
  /// In the order in which they were written.
  var preferences: [String] = []

  static let ages: ClosedRange<Int64> = 5...120
  /// Limit of a list; beyond it the oldest entry is dropped.
  static let listMax = 10
  /// Limits in bytes; with them the file has at most 3 KB.
  static let nameMax = 60
  static let goalMax = 200
  static let entryMax = 80

  init() {}

  private static let schema = ObjectSchema<Self>(
    "UserProfile", "What the user wrote in the chat.", UserProfile(),
    [
      Field("message", \.message, .integer(1...Int64(Int32.max)), "the last one that changed it", .required),
      Field("name", \.name, text(nameMax), "how the user is called"),
      Field("age", \.age, .integer(ages), "years"),
      Field("goal", \.goal, text(goalMax), "what the user wants"),
      Field("injuries", \.injuries, .array(of: text(entryMax), count: 0...listMax), "what hurts").omittedAtDefault,
      Field("preferences", \.preferences, .array(of: text(entryMax), count: 0...listMax), "what the user prefers")
        .omittedAtDefault,
    ])

  private static func text(_ max: Int) -> ValueSchema<String> {
    .string.satisfying("a text of 1 to \(max) bytes") { (1...max).contains($0.utf8.count) }
  }

  /// Reads the file: a whole object with the known keys.
  init(_ bytes: [UInt8]) throws(FileDamage) {
    let file = try FileDamage.object(bytes, of: .profile)
    self = Self.schema.readWhole(file) ?? Self()
    try FileDamage.check(file)
  }

  /// The file; keys without a value are left out.
  var bytes: [UInt8] { JSONWriter.compact(JSONNode(.object(Self.schema.members(of: self)))) }

  // MARK: Extracting

  /// Extracts the facts of the next chat message; returns whether the profile changed.
  mutating func extract(_ chat: ChatMessage) -> Bool {
    var changed = self
    for sentence in Sentence.all(in: chat.text) { changed.apply(sentence) }
    guard changed != self else { return false }
    changed.message = chat.number
    self = changed
    return true
  }

  private mutating func apply(_ sentence: Sentence) {
    if let text = sentence.rest(after: "my name is") ?? sentence.rest(after: "call me") {
      name = Self.cut(text, to: Self.nameMax) ?? name
    } else if let text = sentence.rest(after: "my goal is to") ?? sentence.rest(after: "my goal is") {
      goal = Self.cut(text, to: Self.goalMax) ?? goal
    } else if let text = sentence.between("i am", "years old") ?? sentence.between("i'm", "years old") {
      if let years = Int64(text), Self.ages.contains(years) { age = Int(years) }
    } else if let text = sentence.rest(after: "i no longer prefer") {
      Self.remove(text, from: &preferences)
    } else if let text = sentence.rest(after: "i prefer") {
      Self.add(text, to: &preferences)
    } else if let text = sentence.between("my", "no longer hurts") ?? sentence.between("my", "is fine again") {
      Self.remove(text, from: &injuries)
    } else if let text = sentence.between("my", "hurts") {
      Self.add(text, to: &injuries)
    }
  }

  private static func add(_ text: String, to list: inout [String]) {
    guard let entry = cut(text, to: entryMax), !list.contains(entry) else { return }
    list.append(entry)
    if list.count > listMax { list.removeFirst() }
  }

  private static func remove(_ text: String, from list: inout [String]) {
    guard let entry = cut(text, to: entryMax) else { return }
    list.removeAll { $0 == entry }
  }

  /// A text's first bytes, up to a whole character; nil without any.
  private static func cut(_ text: String, to max: Int) -> String? {
    var short = text
    while short.utf8.count > max { short.unicodeScalars.removeLast() }
    return short.isEmpty ? nil : short
  }
}

/// A sentence of a chat message: its words, without the characters that end a sentence.
struct Sentence: Sendable {
  private var words: [String]

  private init(words: [String]) { self.words = words }

  /// The sentences of a text; a dot within a number ends none.
  static func all(in text: String) -> [Sentence] {
    var sentences: [Sentence] = []
    var words: [String] = []
    var word = ""
    func isEnd(_ scalar: Unicode.Scalar) -> Bool { "!?;,\"\\".unicodeScalars.contains(scalar) }
    func endWord() {
      let isDotted = word.hasSuffix(".")
      while word.hasSuffix(".") { word.removeLast() }
      if !word.isEmpty { words.append(word) }
      word = ""
      if isDotted { endSentence() }
    }
    func endSentence() {
      if !words.isEmpty { sentences.append(Sentence(words: words)) }
      words = []
    }
    for scalar in text.unicodeScalars {
      if scalar == " " {
        endWord()
      } else if isEnd(scalar) {
        endWord()
        endSentence()
      } else {
        word.unicodeScalars.append(scalar)
      }
    }
    endWord()
    endSentence()
    return sentences
  }

  /// What follows a sentence's first words; nil for a sentence with another beginning, or with nothing after it.
  func rest(after beginning: String) -> String? { between(beginning, "") }

  /// What a sentence has between its first and its last words; nil for another one.
  func between(_ beginning: String, _ end: String) -> String? {
    let (first, last) = (Self.words(beginning), Self.words(end))
    guard words.count > first.count + last.count, Self.equal(words.prefix(first.count), first),
      Self.equal(words.suffix(last.count), last)
    else { return nil }
    return words.dropFirst(first.count).dropLast(last.count).joined(separator: " ")
  }

  private static func words(_ phrase: String) -> [String] { phrase.split(separator: " ").map(String.init) }

  /// Compares without regard to the case of ASCII letters.
  private static func equal(_ own: ArraySlice<String>, _ phrase: [String]) -> Bool {
    own.count == phrase.count && zip(own, phrase).allSatisfy { lowercased($0) == Array($1.utf8) }
  }

  private static func lowercased(_ word: String) -> [UInt8] {
    word.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
