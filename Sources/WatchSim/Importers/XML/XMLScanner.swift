// A tolerant scanner for the XML of workout recorders. It exists because the platform's parser on Linux crashes on a
// correct internal DTD and does not report whether a document was complete.
//
// It handles elements, attributes, text, CDATA, comments and processing instructions. It skips document type
// declarations and expands only predefined and numeric entities, so a document can neither grow nor read other files.
// Names lose their prefix; namespaces are ignored. Damage is counted and skipped.

enum XMLEvent: Equatable {
  /// A start tag; the attributes are in `XMLScanner.attribute`. An empty element is a start directly followed by an
  /// end.
  case start(String)
  /// An end tag; the text since the last tag is in `XMLScanner.text`.
  case end(String)
  /// The end of the bytes.
  case finished
  /// The end of the bytes within a tag, a comment or the like; `offset` is where that began.
  case cut(offset: Int)
}

/// Why scanning had to stop.
struct XMLProblem: Error, Equatable {
  let offset: Int
  let found: String
  let expected: String
}

/// Splits bytes into tags and text.
struct XMLScanner {
  /// The longest attribute value, in bytes.
  static let attributeBytesMax = 65_536
  /// The longest tag name, in bytes.
  static let nameBytesMax = 256
  /// The longest document type declaration, in bytes.
  static let declarationBytesMax = 1_048_576
  /// How much of an element's text is kept, in bytes: ample for a number, a time or a name.
  static let textBytesMax = 4_096

  let bytes: [UInt8]
  private var index = 0
  private var pendingEnd: String?
  private var attributes: [(name: Range<Int>, value: Range<Int>)] = []

  /// The text since the last tag, entities replaced, control bytes as blanks, truncated to `textBytesMax`.
  private(set) var text: [UInt8] = []
  /// Number of malformed constructs that were skipped.
  private(set) var malformedCount = 0
  /// Number of bytes of document type declarations that were skipped.
  private(set) var declarationBytes = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// The offset of the next byte.
  var offset: Int { index }

  /// Returns the next event.
  ///
  /// - Throws: `XMLProblem` if a limit is exceeded.
  mutating func next() throws(XMLProblem) -> XMLEvent {
    if let name = pendingEnd {
      pendingEnd = nil
      return .end(name)
    }
    while true {
      scanText()
      guard index < bytes.count else { return .finished }
      let opening = index
      guard index + 1 < bytes.count else { return .cut(offset: opening) }
      switch bytes[index + 1] {
      case UInt8(ascii: "/"):
        return try scanEndTag()
      case UInt8(ascii: "?"):
        guard skip(past: "?>", behind: 2) else { return .cut(offset: opening) }
      case UInt8(ascii: "!"):
        guard try scanDeclaration() else { return .cut(offset: opening) }
      case let byte where Self.isNameStart(byte):
        if let event = try scanStartTag() { return event }
        return .cut(offset: opening)
      default:
        // A stray '<' counts as text.
        malformedCount += 1
        index += 1
      }
    }
  }

  /// Clears the collected text; the reader does so after every tag.
  mutating func clearText() {
    text.removeAll(keepingCapacity: true)
  }

  /// The value of an attribute of the last start tag by local name, entities not replaced.
  func attribute(_ name: StaticString) -> ArraySlice<UInt8>? {
    let wanted = String(describing: name)
    for attribute in attributes where bytes[attribute.name].elementsEqual(wanted.utf8) {
      return bytes[attribute.value]
    }
    return nil
  }

  /// The local name of the first element in a document's beginning; nil if there is none.
  static func rootName(of head: [UInt8]) -> String? {
    var scanner = XMLScanner(head)
    guard beginsWithTag(head), case .start(let name)? = try? scanner.next() else { return nil }
    return name
  }

  /// Whether nothing but blanks and a byte order mark precedes a document's first tag.
  static func beginsWithTag(_ head: [UInt8]) -> Bool {
    head.first { !ASCII.isBlank($0) && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF } == UInt8(ascii: "<")
  }

  /// The line and the column of a byte, both from 1, the column in characters.
  static func position(of offset: Int, in bytes: [UInt8]) -> ImportError.Position {
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return .text(line: line, column: column)
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: ":"), 0x80...0xFF:
      true
    default: false
    }
  }
}

// MARK: - Tags

extension XMLScanner {
  private mutating func scanEndTag() throws(XMLProblem) -> XMLEvent {
    let opening = index
    var end = index + 2
    while end < bytes.count, bytes[end] != UInt8(ascii: ">"), bytes[end] != UInt8(ascii: "<") { end += 1 }
    guard end < bytes.count else { return .cut(offset: opening) }
    let name = try localName(trimmed(index + 2..<end), at: opening)
    if bytes[end] == UInt8(ascii: ">") {
      index = end + 1
    } else {
      malformedCount += 1
      index = end
    }
    return .end(name)
  }

  /// Scans a start tag; nil if the bytes end within it.
  private mutating func scanStartTag() throws(XMLProblem) -> XMLEvent? {
    let opening = index
    index += 1
    guard let nameEnd = bytes[index...].firstIndex(where: Self.endsName) else {
      // Without an end this is truncation, or an endless name.
      if bytes.count - index > Self.nameBytesMax { throw overlong(opening) }
      return nil
    }
    let name = try localName(index..<nameEnd, at: opening)
    index = nameEnd
    attributes.removeAll(keepingCapacity: true)
    while true {
      skipBlanks()
      guard index < bytes.count else { return nil }
      switch bytes[index] {
      case UInt8(ascii: ">"):
        index += 1
        return .start(name)
      case UInt8(ascii: "/"):
        index += 1
        if index < bytes.count, bytes[index] == UInt8(ascii: ">") {
          index += 1
          pendingEnd = name
          return .start(name)
        }
      case UInt8(ascii: "<"):
        // The tag was never closed: another begins here.
        malformedCount += 1
        return .start(name)
      default:
        guard try scanAttribute() else { return nil }
      }
    }
  }

  /// Scans `name="value"`; false if the bytes end within it.
  private mutating func scanAttribute() throws(XMLProblem) -> Bool {
    let nameStart = index
    while index < bytes.count, !Self.endsAttributeName(bytes[index]) {
      index += 1
      if index - nameStart > Self.attributeBytesMax { throw overlongAttribute(nameStart) }
    }
    let nameEnd = index
    skipBlanks()
    guard index < bytes.count else { return false }
    guard bytes[index] == UInt8(ascii: "=") else {
      malformedCount += 1
      // A quote without a name would otherwise loop forever.
      if nameEnd == nameStart { index += 1 }
      return true
    }
    index += 1
    skipBlanks()
    guard index < bytes.count else { return false }
    let quote = bytes[index]
    let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    if isQuoted { index += 1 } else { malformedCount += 1 }
    let valueStart = index
    while index < bytes.count {
      let byte = bytes[index]
      if isQuoted ? byte == quote : ASCII.isBlank(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") {
        break
      }
      if byte == UInt8(ascii: "<") {
        malformedCount += 1
        break
      }
      index += 1
      if index - valueStart > Self.attributeBytesMax { throw overlongAttribute(nameStart) }
    }
    guard index < bytes.count else { return false }
    let local = bytes[nameStart..<nameEnd].lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? nameStart
    attributes.append((local..<nameEnd, valueStart..<index))
    if isQuoted, bytes[index] == quote { index += 1 }
    return true
  }

  private func localName(_ range: Range<Int>, at opening: Int) throws(XMLProblem) -> String {
    guard range.count <= Self.nameBytesMax else { throw overlong(opening) }
    let name = bytes[range]
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    return String(decoding: local, as: UTF8.self)
  }

  private func overlong(_ opening: Int) -> XMLProblem {
    XMLProblem(
      offset: opening, found: "a longer tag name", expected: "a tag name of at most \(Self.nameBytesMax) bytes")
  }

  private func overlongAttribute(_ start: Int) -> XMLProblem {
    XMLProblem(
      offset: start, found: "a longer attribute", expected: "an attribute of at most \(Self.attributeBytesMax) bytes")
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    ASCII.isBlank(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "<")
  }

  private static func endsAttributeName(_ byte: UInt8) -> Bool {
    endsName(byte) || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }
}

// MARK: - Text and declarations

extension XMLScanner {
  /// Collects text up to the next `<` or the end.
  private mutating func scanText() {
    let end = firstIndex(of: UInt8(ascii: "<"), from: index) ?? bytes.count
    appendText(index..<end, replacingEntities: true)
    index = end
  }

  private mutating func appendText(_ range: Range<Int>, replacingEntities: Bool) {
    var position = range.lowerBound
    while position < range.upperBound, text.count < Self.textBytesMax {
      let byte = bytes[position]
      if replacingEntities, byte == UInt8(ascii: "&"), let entity = entity(at: position, before: range.upperBound) {
        text.append(contentsOf: String(entity.scalar).utf8)
        position = entity.end
        continue
      }
      text.append(byte < 0x20 ? 0x20 : byte)
      position += 1
    }
  }

  /// The character of a reference; nil for one that a document type would declare, which stays as written.
  private func entity(at start: Int, before limit: Int) -> (scalar: Unicode.Scalar, end: Int)? {
    let window = bytes[start + 1..<min(limit, start + 12)]
    guard let end = window.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
    let scalar: Unicode.Scalar? =
      switch name {
      case "lt": "<"
      case "gt": ">"
      case "amp": "&"
      case "quot": "\""
      case "apos": "'"
      case let number where number.hasPrefix("#x"): UInt32(number.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
      case let number where number.hasPrefix("#"): UInt32(number.dropFirst()).flatMap(Unicode.Scalar.init)
      default: nil
      }
    return scalar.map { ($0, end + 1) }
  }

  /// Scans what begins with `<!`; false if the bytes end within it.
  private mutating func scanDeclaration() throws(XMLProblem) -> Bool {
    if isNext("<!--") { return skip(past: "-->", behind: 4) }
    if isNext("<![CDATA[") {
      let start = index + 9
      guard skip(past: "]]>", behind: 9) else { return false }
      appendText(start..<index - 3, replacingEntities: false)
      return true
    }
    let opening = index
    guard isNext("<!DOCTYPE") || isNext("<!doctype") else {
      malformedCount += 1
      return skip(past: ">", behind: 2)
    }
    guard let end = declarationEnd(from: opening) else {
      if bytes.count - opening <= Self.declarationBytesMax { return false }
      throw XMLProblem(
        offset: opening, found: "a document type declaration without an end",
        expected: "one of at most \(Self.declarationBytesMax) bytes")
    }
    declarationBytes += end - opening
    index = end
    return true
  }

  /// The first byte after a document type declaration.
  ///
  /// The internal subset is not parsed, since real ones are malformed; it ends at the first `]` and `>` followed by a
  /// tag.
  private func declarationEnd(from opening: Int) -> Int? {
    let limit = min(bytes.count, opening + Self.declarationBytesMax)
    var position = opening
    while position < limit, bytes[position] != UInt8(ascii: "["), bytes[position] != UInt8(ascii: ">") { position += 1 }
    guard position < limit else { return nil }
    if bytes[position] == UInt8(ascii: ">") { return position + 1 }
    while let bracket = firstIndex(of: UInt8(ascii: "]"), from: position), bracket < limit {
      position = bracket + 1
      let closing = bytes[position...].firstIndex { !ASCII.isBlank($0) } ?? bytes.count
      guard closing < bytes.count, bytes[closing] == UInt8(ascii: ">") else { continue }
      let following = bytes[(closing + 1)...].firstIndex { !ASCII.isBlank($0) } ?? bytes.count
      guard following + 1 < bytes.count, bytes[following] == UInt8(ascii: "<") else { continue }
      let next = bytes[following + 1]
      if Self.isNameStart(next) || next == UInt8(ascii: "?") || isAt(following, "<!--") { return closing + 1 }
    }
    return nil
  }

  private func isNext(_ mark: StaticString) -> Bool { isAt(index, mark) }

  private func isAt(_ start: Int, _ mark: StaticString) -> Bool {
    let wanted = String(describing: mark).utf8
    return start + wanted.count <= bytes.count && bytes[start..<start + wanted.count].elementsEqual(wanted)
  }

  /// Moves past the next `mark`, which cannot begin within the `opening` first bytes; false if there is none.
  private mutating func skip(past mark: StaticString, behind opening: Int) -> Bool {
    guard let last = String(describing: mark).utf8.last else { return false }
    let count = mark.utf8CodeUnitCount
    var position = index + opening
    while let found = firstIndex(of: last, from: position) {
      position = found + 1
      if found + 1 - count >= index + opening, isAt(found + 1 - count, mark) {
        index = position
        return true
      }
    }
    return false
  }

  private mutating func skipBlanks() {
    while index < bytes.count, ASCII.isBlank(bytes[index]) { index += 1 }
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    let slice = ASCII.trimmed(bytes[range])
    return slice.startIndex..<slice.endIndex
  }

  private func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    var position = start
    while position < bytes.count {
      if bytes[position] == byte { return position }
      position += 1
    }
    return nil
  }
}
