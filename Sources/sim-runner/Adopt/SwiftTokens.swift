/// The words and symbols of a Swift text; comments are skipped, a string is one token.
struct SwiftTokens {
  struct Token {
    enum Kind { case word, symbol, string, directive }

    var kind: Kind
    var text: String
    /// In bytes of the text; the end is excluded.
    var start: Int
    var end: Int
    /// Whether it is the first of its line.
    var isFirst: Bool
  }

  private let bytes: [UInt8]
  private var place = 0
  private var isLineFresh = true
  /// Strings in interpolations of strings.
  private var nesting = 0
  private static let nestingMax = 64
  private(set) var tokens: [Token] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    while place < bytes.count { readOne() }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
    default: false
    }
  }

  private func at(_ offset: Int) -> UInt8 { place + offset < bytes.count ? bytes[place + offset] : 0 }

  private mutating func readOne() {
    switch at(0) {
    case UInt8(ascii: "\n"): (place, isLineFresh) = (place + 1, true)
    case 0x20, 0x09, 0x0D: place += 1
    case UInt8(ascii: "/") where at(1) == UInt8(ascii: "/"): skipLine()
    case UInt8(ascii: "/") where at(1) == UInt8(ascii: "*"): skipComment()
    case UInt8(ascii: "\""): add(.string) { $0.skipString(hashes: 0) }
    case UInt8(ascii: "#"): readHash()
    case UInt8(ascii: "`"):
      add(.word) {
        $0.place += 1
        while $0.place < $0.bytes.count, $0.at(0) != UInt8(ascii: "`"), $0.at(0) != UInt8(ascii: "\n") { $0.place += 1 }
        $0.place = min($0.place + 1, $0.bytes.count)
      }
    case let byte where Self.isWordByte(byte):
      add(.word) { while $0.place < $0.bytes.count, Self.isWordByte($0.bytes[$0.place]) { $0.place += 1 } }
    case UInt8(ascii: "-") where at(1) == UInt8(ascii: ">"): add(.symbol) { $0.place += 2 }
    default: add(.symbol) { $0.place += 1 }
    }
  }

  private mutating func add(_ kind: Token.Kind, _ read: (inout SwiftTokens) -> Void) {
    let (start, isFirst) = (place, isLineFresh)
    isLineFresh = false
    read(&self)
    var text = kind == .string ? "\"\"" : String(decoding: bytes[start..<place], as: UTF8.self)
    if kind == .word, text.hasPrefix("`") { text = String(text.dropFirst().dropLast()) }
    tokens.append(Token(kind: kind, text: text, start: start, end: place, isFirst: isFirst))
  }

  /// A condition of compilation, a raw string, or a macro.
  private mutating func readHash() {
    var hashes = 1
    while at(hashes) == UInt8(ascii: "#") { hashes += 1 }
    if at(hashes) == UInt8(ascii: "\"") { return add(.string) { $0.skipString(hashes: hashes) } }
    let isDirective = ["if", "elseif", "else", "endif"].contains { word in
      let end = place + 1 + word.utf8.count
      return end <= bytes.count && Array(word.utf8) == Array(bytes[(place + 1)..<end])
        && (end == bytes.count || !Self.isWordByte(bytes[end]))
    }
    add(isDirective && isLineFresh ? .directive : .symbol) {
      if isDirective { $0.skipLine() } else { $0.place += 1 }
    }
  }

  private mutating func skipLine() {
    while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
  }

  private mutating func skipComment() {
    var depth = 0
    while place < bytes.count {
      if at(0) == UInt8(ascii: "/"), at(1) == UInt8(ascii: "*") {
        (depth, place) = (depth + 1, place + 2)
      } else if at(0) == UInt8(ascii: "*"), at(1) == UInt8(ascii: "/") {
        (depth, place) = (depth - 1, place + 2)
        if depth == 0 { return }
      } else {
        place += 1
      }
    }
  }

  private mutating func skipString(hashes: Int) {
    let quote = UInt8(ascii: "\"")
    place += hashes
    let isLong = at(1) == quote && at(2) == quote
    let quotes = isLong ? 3 : 1
    place += quotes
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\\"), hasHashes(hashes, from: 1) {
        if at(1 + hashes) == UInt8(ascii: "(") {
          place += 1 + hashes
          skipInterpolation()
        } else {
          place += 2 + hashes
        }
      } else if hasQuotes(quotes), hasHashes(hashes, from: quotes) {
        place += quotes + hashes
        return
      } else if bytes[place] == UInt8(ascii: "\n"), !isLong {
        return  // A string that is not closed ends with its line.
      } else {
        place += 1
      }
    }
    place = min(place, bytes.count)
  }

  private func hasQuotes(_ count: Int) -> Bool { (0..<count).allSatisfy { at($0) == UInt8(ascii: "\"") } }
  private func hasHashes(_ count: Int, from offset: Int) -> Bool {
    (0..<count).allSatisfy { at(offset + $0) == UInt8(ascii: "#") }
  }

  /// Skips `(...)` in a string, whose expressions may have strings of their own.
  private mutating func skipInterpolation() {
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "("): (depth, place) = (depth + 1, place + 1)
      case UInt8(ascii: ")"):
        (depth, place) = (depth - 1, place + 1)
        if depth == 0 { return }
      case UInt8(ascii: "\"") where nesting < Self.nestingMax:
        nesting += 1
        skipString(hashes: 0)
        nesting -= 1
      default: place += 1
      }
    }
  }
}
