/// Finds the statements and bodies of a Swift text, so that one that does not compile can be left out alone.
struct SwiftStatements {
  private let tokens: [SwiftTokens.Token]
  /// The index of the token that closes the one at an index.
  private var closers: [Int: Int] = [:]

  /// What a line begins with that goes on with a statement.
  private static let continuing: Set<String> = [
    ".", "?", ":", ")", "]", "}", "{", "+", "-", "*", "/", "%", "=", "<", ">", "&", "|", ",", "else", "catch", "where",
    "as", "is", "in",
  ]
  /// What begins a part of a statement around it.
  private static let parts: Set<String> = ["case", "default", "@"]

  init(_ bytes: [UInt8]) {
    tokens = SwiftTokens(bytes).tokens
    var open: [(index: Int, closer: String)] = []
    for (index, token) in tokens.enumerated() where token.kind == .symbol {
      switch token.text {
      case "(": open.append((index, ")"))
      case "[": open.append((index, "]"))
      case "{": open.append((index, "}"))
      case ")", "]", "}":
        guard let last = open.last, last.closer == token.text else { continue }
        closers[last.index] = index
        open.removeLast()
      default: break
      }
    }
  }

  /// The innermost statement around an offset within a body; nil if a line does not show where one begins.
  ///
  /// - Parameter body: From the brace that opens it to the end of the one that closes it, in bytes.
  func statement(at offset: Int, in body: Range<Int>) -> Range<Int>? {
    guard let open = tokens.firstIndex(where: { $0.start == body.lowerBound && $0.text == "{" }) else { return nil }
    return statement(at: offset, after: open, depth: 0)
  }

  /// Every statement that begins a line of a body, its own closures and blocks included.
  func statements(in body: Range<Int>) -> [Range<Int>] {
    tokens.indices.filter { tokens[$0].isFirst && body.contains(tokens[$0].start) }
      .compactMap { statement(at: tokens[$0].start, in: body) }
  }

  private func statement(at offset: Int, after open: Int, depth: Int) -> Range<Int>? {
    guard depth < 32, let close = closers[open], offset < tokens[close].start else { return nil }
    var starts: [Int] = []
    var index = open + 1
    while index < close {
      if tokens[index].isFirst, !goesOn(index) { starts.append(index) }
      index = (closers[index] ?? index) + 1
    }
    guard let place = starts.lastIndex(where: { tokens[$0].start <= offset }) else { return nil }
    let (first, next) = (starts[place], place + 1 < starts.count ? starts[place + 1] : close)
    // The innermost one: in a block, or in a closure.
    let block = (first..<next).first { index in
      guard tokens[index].text == "{", let end = closers[index] else { return false }
      return tokens[index].end <= offset && offset < tokens[end].start
    }
    if let block, let inner = statement(at: offset, after: block, depth: depth + 1) { return inner }
    guard !Self.parts.contains(tokens[first].text), tokens[first].kind != .directive else { return nil }
    return tokens[first].start..<tokens[next - 1].end
  }

  /// Whether a line goes on with the statement before it.
  private func goesOn(_ index: Int) -> Bool {
    if Self.continuing.contains(tokens[index].text) { return true }
    guard index > 0, tokens[index - 1].kind == .symbol else { return false }
    return ["=", ",", "+", "-", "*", "/", "&", "|", ":", "("].contains(tokens[index - 1].text)
      && !isLabel(index - 1)
  }

  /// Whether a colon ends the case of a `switch`, after which statements begin.
  private func isLabel(_ index: Int) -> Bool {
    guard tokens[index].text == ":" else { return false }
    var first = index
    while first > 0, !tokens[first].isFirst { first -= 1 }
    return ["case", "default", "@"].contains(tokens[first].text)
  }
}
