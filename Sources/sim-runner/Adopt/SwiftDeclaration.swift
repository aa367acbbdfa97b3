/// A declaration of a Swift text, as far as `adopt` must know it.
struct SwiftDeclaration {
  struct Parameter {
    /// The label at the call; nil for `_`.
    var label: String?
    var type: String
    var hasDefault: Bool
  }

  /// `class`, `struct`, `enum`, `actor`, `protocol`, `extension`, `typealias`, `func`, `var`, `let`, `init`, `macro`.
  var kind: String
  var name: String
  /// In bytes of the text, attributes included; the end is excluded.
  var start: Int
  var end: Int
  var attributes: Set<String> = []
  var modifiers: Set<String> = []
  /// What a type inherits from and conforms to.
  var inherits: [String] = []
  var isGeneric = false
  var members: [SwiftDeclaration] = []
  var parameters: [Parameter] = []
  /// The type of a property, or what a function returns; empty for none.
  var type = ""
  var isAsync = false
  var isThrowing = false
  var isFailable = false
  var hasValue = false
  /// The type that a property's value begins with: `Store` of `= Store(folder)`; empty for none.
  var valueType = ""
  /// The words of a function's body.
  var bodyWords: [String] = []
  /// The braces of a function's or a computed property's body, and what is between them.
  var body: Range<Int>?

  static let types: Set<String> = ["class", "struct", "enum", "actor", "protocol"]
  var isType: Bool { Self.types.contains(kind) }
  /// Whether it has an initializer of its own without arguments, with which an app begins.
  var begins: Bool { members.contains { $0.kind == "init" && $0.parameters.isEmpty } }
  var isPrivate: Bool { modifiers.contains("private") || modifiers.contains("fileprivate") }
}

/// Reads the declarations of a Swift text.
struct SwiftParser {
  let bytes: [UInt8]
  let tokens: [SwiftTokens.Token]
  /// The index of the token that closes the one at an index.
  let closers: [Int: Int]

  /// The text's imports: the module, and where its line is.
  private(set) var imports: [(module: String, start: Int, end: Int)] = []
  /// The parts of imports that name a module within another: `.log` of `import os.log`.
  private(set) var submodules: [(start: Int, end: Int)] = []
  private(set) var declarations: [SwiftDeclaration] = []
  /// How often each word is there.
  private(set) var words: [String: Int] = [:]

  /// Types within types, and the tokens before a type's body: no text may take all of the stack or of the day.
  private static let nestingMax = 64
  private static let headMax = 200
  private var nesting = 0

  private static let modifiers: Set<String> = [
    "public", "private", "fileprivate", "internal", "open", "package", "static", "final", "override", "mutating",
    "nonmutating", "nonisolated", "weak", "unowned", "lazy", "dynamic", "required", "convenience", "indirect",
    "isolated", "distributed", "optional", "consuming", "borrowing",
  ]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tokens = SwiftTokens(bytes).tokens
    var closers: [Int: Int] = [:]
    var open: [(Int, String)] = []
    for (index, token) in tokens.enumerated() where token.kind == .symbol {
      switch token.text {
      case "(", "[", "{": open.append((index, token.text == "(" ? ")" : token.text == "[" ? "]" : "}"))
      case ")", "]", "}":
        if let last = open.last, last.1 == token.text {
          closers[last.0] = index
          open.removeLast()
        }
      default: break
      }
    }
    self.closers = closers
    for token in tokens where token.kind == .word { words[token.text, default: 0] += 1 }
    declarations = read(0..<tokens.count, isType: false)
  }

  /// The labels of each call of a type's initializer; nil among them for an argument without one.
  func calls(of name: String) -> [[String?]] {
    tokens.indices.compactMap { index -> [String?]? in
      guard text(index) == name, text(index - 1) != ".", text(index + 1) == "(", let end = closers[index + 1] else {
        return nil
      }
      return split((index + 2)..<end).map { part in
        part.count > 1 && text(part.lowerBound + 1) == ":" ? text(part.lowerBound) : nil
      }
    }
  }

  /// The names after `NAME.`.
  func members(of name: String) -> Set<String> {
    Set(tokens.indices.filter { text($0) == name && text($0 + 1) == "." && isWord($0 + 2) }.map { text($0 + 2) })
  }

  /// Whether every use of a member gives it a value: `x.NAME = 1`.
  func isOnlySet(_ name: String) -> Bool {
    tokens.indices.allSatisfy { index in
      text(index) != name || text(index - 1) != "."
        || text(index + 1) == "=" && !(text(index + 2) == "=" && tokens[index + 2].start == tokens[index + 1].end)
    }
  }

  /// Whether a type is used with arguments of its own: `NAME<Int>`.
  func isGenericUse(of name: String) -> Bool {
    tokens.indices.contains { text($0) == name && text($0 + 1) == "<" && tokens[$0].end == tokens[$0 + 1].start }
  }

  func text(_ index: Int) -> String { index >= 0 && index < tokens.count ? tokens[index].text : "" }
  func isWord(_ index: Int) -> Bool { index < tokens.count && tokens[index].kind == .word }
  /// The index after the group that begins at an index, or after the token there.
  private func after(_ index: Int) -> Int { (closers[index] ?? index) + 1 }

  private mutating func read(_ range: Range<Int>, isType: Bool) -> [SwiftDeclaration] {
    var found: [SwiftDeclaration] = []
    var index = range.lowerBound
    var start: Int?
    var attributes: Set<String> = []
    var modifiers: Set<String> = []
    func begin() { if start == nil, index < tokens.count { start = tokens[index].start } }
    while index < range.upperBound {
      let word = text(index)
      let isMember = index > 0 && text(index - 1) == "."
      if word == "@", isWord(index + 1) {
        begin()
        attributes.insert(text(index + 1))
        index += 2
        if text(index) == "(", !tokens[index].isFirst { index = after(index) }
        continue
      }
      let isModifier =
        isWord(index) && !isMember
        && (Self.modifiers.contains(word) || word == "class" && ["func", "var"].contains(text(index + 1)))
      if isModifier {
        begin()
        index += 1
        // `private(set)` restricts the setter alone.
        if text(index) == "(" { index = after(index) } else { modifiers.insert(word) }
        continue
      }
      if word == "#", isWord(index + 1), text(index + 1).first?.isUppercase == true {
        begin()
        var end = index + 2
        if text(end) == "(" { end = after(end) }
        if text(end) == "{" { end = after(end) }
        found.append(
          SwiftDeclaration(
            kind: "macro", name: text(index + 1), start: start ?? 0, end: tokens[min(end, tokens.count) - 1].end))
        index = end
      } else if isWord(index), !isMember, let (one, end) = declaration(at: index, in: range) {
        begin()
        var one = one
        (one.start, one.attributes, one.modifiers) = (start ?? one.start, attributes, modifiers)
        if one.kind == "import" {
          imports.append((module: one.name, start: one.start, end: one.end))
        } else {
          found.append(one)
        }
        index = max(end, index + 1)
      } else {
        index = after(index)
      }
      (start, attributes, modifiers) = (nil, [], [])
    }
    return found
  }

  /// The declaration whose keyword is at an index, and the index after it.
  private mutating func declaration(at index: Int, in range: Range<Int>) -> (SwiftDeclaration, Int)? {
    let keyword = text(index)
    var one = SwiftDeclaration(kind: keyword, name: "", start: tokens[index].start, end: tokens[index].end)
    var next = index + 1
    guard next < range.upperBound || keyword == "init" else { return nil }
    switch keyword {
    case "import":
      let isOfOne = ["struct", "class", "enum", "func", "protocol", "typealias", "var", "let"].contains(text(next))
      if isOfOne { next += 1 }
      guard isWord(next) else { return nil }
      one.name = text(next)
      let module = next
      while text(next + 1) == ".", isWord(next + 2) {
        next += 2
      }
      if next > module, !isOfOne { submodules.append((start: tokens[module].end, end: tokens[next].end)) }
      next += 1
    case "class", "struct", "enum", "actor", "protocol", "extension":
      guard isWord(next) else { return nil }
      one.name = text(next)
      next += 1
      while text(next) == ".", isWord(next + 1) {
        one.name += "." + text(next + 1)
        next += 2
      }
      return readType(one, from: next, in: range)
    case "typealias", "associatedtype":
      guard isWord(next) else { return nil }
      (one.kind, one.name) = ("typealias", text(next))
      next += 1
    case "func", "init":
      if keyword == "func" {
        one.name = text(next)
        next += 1
        while next < range.upperBound, !["(", "<"].contains(text(next)) { next += 1 }
      } else if text(next) == "?" || text(next) == "!" {
        one.isFailable = true
        next += 1
      }
      guard next < range.upperBound, text(next) == "(" || text(next) == "<" else { return nil }
      return readFunction(one, from: next, in: range)
    case "var", "let":
      guard isWord(next) else { return nil }
      one.name = text(next)
      return readProperty(one, from: next + 1, in: range)
    default: return nil
    }
    one.end = tokens[next - 1].end
    return (one, next)
  }

  private mutating func readType(
    _ one: SwiftDeclaration, from start: Int, in range: Range<Int>
  ) -> (SwiftDeclaration, Int)? {
    var (one, next, depth) = (one, start, 0)
    var (isListed, isClause) = (false, false)
    while next < range.upperBound, text(next) != "{" {
      guard next - start < Self.headMax, isListed || !SwiftDeclaration.types.contains(text(next)) else { return nil }
      switch text(next) {
      case "<":
        depth += 1
        if !isListed { one.isGeneric = true }
      case ">": depth -= 1
      case ":" where depth == 0: isListed = true
      case "where" where depth == 0: isClause = true
      default:
        if isListed, !isClause, depth == 0, isWord(next), text(next - 1) != "@", text(next) != "any" {
          one.inherits.append(text(next))
        }
      }
      next += 1
    }
    guard next < range.upperBound, let end = closers[next] else { return nil }
    nesting += 1
    if nesting < Self.nestingMax { one.members = read((next + 1)..<end, isType: true) }
    nesting -= 1
    one.end = tokens[end].end
    return (one, end + 1)
  }

  private func readFunction(
    _ one: SwiftDeclaration, from start: Int, in range: Range<Int>
  ) -> (SwiftDeclaration, Int)? {
    var (one, next, depth) = (one, start, 0)
    if text(next) == "<" {
      one.isGeneric = true
      repeat {
        depth += text(next) == "<" ? 1 : text(next) == ">" ? -1 : 0
        next += 1
      } while depth > 0 && next < range.upperBound
    }
    guard text(next) == "(", let end = closers[next] else { return nil }
    one.parameters = parameters((next + 1)..<end)
    next = end + 1
    while next < range.upperBound {
      switch text(next) {
      case "async": one.isAsync = true
      case "throws", "rethrows":
        one.isThrowing = true
        if text(next + 1) == "(" { next = after(next + 1) - 1 }
      case "->":
        one.type = text(next + 1)
        next += 1
      case "{":
        let end = closers[next] ?? next
        one.bodyWords = tokens[next...end].map(\.text)
        one.body = tokens[next].start..<tokens[end].end
        one.end = tokens[end].end
        return (one, end + 1)
      default:
        // A requirement of a protocol ends where its line does.
        if tokens[next].isFirst, text(next) != "where" {
          one.end = tokens[next - 1].end
          return (one, next)
        }
        if text(next) == "some" || one.type == "some" || one.type == "any" { one.type = text(next) }
      }
      next = after(next)
    }
    one.end = tokens[min(next, tokens.count) - 1].end
    return (one, next)
  }

  private func parameters(_ range: Range<Int>) -> [SwiftDeclaration.Parameter] {
    var list: [SwiftDeclaration.Parameter] = []
    for part in split(range) {
      guard let colon = part.first(where: { text($0) == ":" }) else { continue }
      let equals = part.first { text($0) == "=" && $0 > colon }
      let label = part.first.map(text) ?? "_"
      list.append(
        SwiftDeclaration.Parameter(
          label: label == "_" ? nil : label,
          type: ((colon + 1)..<(equals ?? part.upperBound)).map(text).joined(separator: " "), hasDefault: equals != nil)
      )
    }
    return list
  }

  /// The parts between commas outside groups and generic arguments.
  func split(_ range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var (start, next, depth) = (range.lowerBound, range.lowerBound, 0)
    while next < range.upperBound {
      switch text(next) {
      case "<": depth += 1
      case ">": depth -= 1
      case "," where depth == 0:
        parts.append(start..<next)
        start = next + 1
      default: break
      }
      next = after(next)
    }
    if start < range.upperBound { parts.append(start..<range.upperBound) }
    return parts
  }

  private func readProperty(
    _ one: SwiftDeclaration, from start: Int, in range: Range<Int>
  ) -> (SwiftDeclaration, Int) {
    var (one, next) = (one, start)
    if text(next) == ":" {
      next += 1
      var type: [String] = []
      while next < range.upperBound, !["=", "{"].contains(text(next)) {
        if tokens[next].isFirst, !type.isEmpty { break }
        let end = after(next)
        type += (next..<min(end, range.upperBound)).map(text)
        next = end
      }
      one.type = type.joined(separator: " ")
    }
    if next < range.upperBound, text(next) == "=" {
      one.hasValue = true
      next += 1
      if isWord(next), text(next).first?.isUppercase == true { one.valueType = text(next) }
      // An expression goes on to the line that begins with neither an operator nor a member.
      while next < range.upperBound {
        let isNew = tokens[next].isFirst && (tokens[next].kind != .symbol || ["@", "#"].contains(text(next)))
        if isNew, text(next - 1) != "=" { break }
        next = after(next)
      }
    } else if next < range.upperBound, text(next) == "{" {
      if let end = closers[next] { one.body = tokens[next].start..<tokens[end].end }
      next = after(next)
      one.hasValue = true
    }
    one.end = tokens[min(next, tokens.count) - 1].end
    return (one, next)
  }
}
