/// A fact that an app records about itself: a line `app.NAME` of the trace with fields of the app's choice.
public struct AppFact: Sendable, Equatable {
  /// The name, without `app.`.
  public var name: String
  public var fields: [TraceEvent.Field]

  /// The limit of a name, and of a field's key, in bytes.
  public static let nameBytesMax = 64
  /// The limit of the fields as JSON, in bytes.
  public static let textBytesMax = 16_384
  /// The limit of fields.
  public static let fieldsMax = 100
  /// The limit of facts of one app at one instant; further ones are dropped.
  public static let instantMax = 10_000
  /// The beginning of a fact that a program prints: `wristwire: NAME {json}`.
  public static let linePrefix = "wristwire: "
  /// The family of the lines.
  public static let family = "app."
  /// Names of lines that this package writes about apps.
  public static let reserved = ["act", "finding", "log"]
  /// Keys that every line has.
  private static let lineKeys = ["t", "node", "event"]
  /// Larger numbers are written as text, since the trace has none so large.
  private static let magnitudeMax = 1e12

  /// Why a fact is refused: what was found, and what was expected.
  public struct Refusal: Error, Equatable {
    public var text: String
  }

  /// Checks and reads a fact.
  ///
  /// - Parameters:
  ///   - name: The name of the fact.
  ///   - json: A JSON object.
  public init(name: String, json: [UInt8]) throws(Refusal) {
    guard Self.isName(name) else {
      throw Refusal(
        text: "found a fact named \(Self.quoted(name)), expected a letter, then letters, digits, - and _, at most "
          + "\(Self.nameBytesMax) bytes")
    }
    guard !Self.reserved.contains(name) else {
      throw Refusal(
        text: "found a fact named \"\(name)\", which is a line of the simulator's own, expected another name")
    }
    func refusal(_ found: String, _ expected: String) -> Refusal {
      Refusal(text: "the fact \"\(name)\": found \(found), expected \(expected)")
    }
    guard json.count <= Self.textBytesMax else {
      throw refusal("\(json.count) bytes of JSON", "at most \(Self.textBytesMax)")
    }
    let node: JSONNode
    do throws(JSONError) { node = try JSONParser.parse(json, dialect: .json) } catch {
      throw refusal(error.found, error.expected)
    }
    guard case .object(let members) = node.value else { throw refusal("JSON that is no object", "a JSON object") }
    guard members.count <= Self.fieldsMax else {
      throw refusal("\(members.count) fields", "at most \(Self.fieldsMax)")
    }
    var fields: [TraceEvent.Field] = []
    for member in members {
      let key = member.key
      guard !key.isEmpty, key.utf8.count <= Self.nameBytesMax, !Self.lineKeys.contains(key) else {
        throw refusal(
          "the key \(Self.quoted(key))",
          "1 to \(Self.nameBytesMax) bytes, and not \(Self.lineKeys.joined(separator: ", "))")
      }
      fields.append(TraceEvent.Field(key, TraceValue(member.node.value)))
    }
    self.name = name
    self.fields = fields
    guard isReadable else { throw refusal("a value that a trace cannot hold", "shallow JSON with numbers of 64 bits") }
  }

  /// Reads a line that a program has printed.
  ///
  /// - Parameter line: Without its line feed.
  /// - Returns: Nil for a line that is not a fact.
  public init?(line: [UInt8]) throws(Refusal) {
    guard line.starts(with: Self.linePrefix.utf8) else { return nil }
    let rest = line.dropFirst(Self.linePrefix.utf8.count)
    let name = String(decoding: rest.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    let json = Array(rest.dropFirst(name.utf8.count).drop { $0 == UInt8(ascii: " ") })
    try self.init(name: name, json: json.isEmpty ? Array("{}".utf8) : json)
  }

  /// The fact as a line of the trace.
  public func event(at now: VirtualTime, on place: TraceEvent.Place) -> TraceEvent {
    TraceEvent(TraceEvent.Name(Self.family + name), at: now, on: place, fields)
  }

  /// A line of the trace that reports a problem of an app.
  ///
  /// - Parameters:
  ///   - kind: docs/internals/trace-format.md lists them.
  ///   - text: What is wrong, as a sentence.
  ///   - now: When it was found.
  ///   - place: The node of the app.
  public static func finding(
    _ kind: String, _ text: String, at now: VirtualTime, on place: TraceEvent.Place
  ) -> TraceEvent {
    TraceEvent(AppFindingMade.self, at: now, on: place) {
      $0.kind = kind
      $0.text = text
    }
  }

  /// Whether the trace's own reader accepts the line.
  private var isReadable: Bool {
    var writer = TraceWriter()
    var bytes: [UInt8] = []
    writer.append(event(at: .start, on: .phone), to: &bytes)
    var parser = TraceLineParser()
    return (try? parser.parse(bytes[...], line: 1)) != nil
  }

  /// Whether a text can name a fact.
  public static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= nameBytesMax else { return false }
    return isLetter(first)
      && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static func quoted(_ text: String) -> String {
    var quoted = ""
    appendQuoted(String(decoding: text.utf8.prefix(nameBytesMax), as: UTF8.self), to: &quoted)
    return quoted
  }
}
