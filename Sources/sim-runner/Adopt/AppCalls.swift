/// What an app's views and models call: which methods are buttons, and what their arguments are.
struct AppCalls {
  /// A call of a member, `x.NAME(LABEL: VALUE)`.
  struct Call {
    var name: String
    var labels: [String?]
    /// The literals among the arguments, as they are written; nil for anything else.
    var values: [String?]
    /// Where its name begins, in bytes of the text.
    var start: Int
  }

  /// The names after a point in views: `model.start`, called or not.
  private(set) var shown: Set<String> = []
  /// The calls in views, in order.
  private(set) var inViews: [Call] = []
  /// The words of each file that is compiled, and the members that it calls outside of views, with their labels.
  private var byFile: [String: (words: Set<String>, calls: Set<String>)] = [:]
  /// The files that declare a type, or extend it.
  private var files: [String: Set<String>] = [:]

  init() {}

  /// - Parameters:
  ///   - sources: All files of the device's targets.
  ///   - chosen: The paths of those that are compiled.
  init(_ sources: [AppSource], chosen: Set<String>) {
    for source in sources.sorted(by: { $0.path < $1.path }) {
      shown.formUnion(source.shown)
      inViews += source.callsOfViews
      guard chosen.contains(source.path) else { continue }
      byFile[source.path] = (
        Set(source.parser.words.keys), Set(source.parser.memberCalls().map { Self.signature($0.name, $0.labels) })
      )
      for one in source.parser.declarations { files[one.name, default: []].insert(source.path) }
    }
  }

  private static func signature(_ name: String, _ labels: [String?]) -> String {
    "\(name)(\(labels.map { "\($0 ?? "_"):" }.joined()))"
  }

  /// Whether only other models call a method: then it is no button, and a press of it is no user's act.
  ///
  /// A call is that of the method where its file names the type, too.
  ///
  /// Of a type with methods that views call, one that its own file alone calls is no button, either.
  func isInner(_ method: SwiftDeclaration, of type: SwiftDeclaration) -> Bool {
    guard !shown.contains(method.name), !method.name.hasSuffix("Tapped") else { return false }
    let own = files[type.name] ?? []
    let needed = method.parameters.filter { !$0.hasDefault }.map(\.label)
    let signatures = [Self.signature(method.name, needed), Self.signature(method.name, method.parameters.map(\.label))]
    let isShown = type.members.contains { $0.kind == "func" && !$0.isPrivate && shown.contains($0.name) }
    return byFile.contains { path, file in
      guard file.words.contains(type.name) else { return false }
      guard own.contains(path) else { return signatures.contains(where: file.calls.contains) }
      return isShown && type.members.contains { $0.name != method.name && $0.bodyWords.contains(method.name) }
    }
  }

  /// The literals that a view gives a method, by parameter; nil where it gives none.
  ///
  /// Of several calls that with the most literals, the first of these.
  func values(of method: SwiftDeclaration) -> [String?] {
    let none = [String?](repeating: nil, count: method.parameters.count)
    var best = none
    for call in inViews where call.name == method.name {
      var (values, next) = (none, 0)
      for (index, parameter) in method.parameters.enumerated() {
        guard next < call.labels.count, call.labels[next] == parameter.label else {
          if parameter.hasDefault { continue }
          break
        }
        values[index] = call.values[next]
        next += 1
      }
      let isMore = values.count { $0 != nil } > best.count { $0 != nil }
      if next == call.labels.count, isMore { best = values }
    }
    return best
  }
}

extension SwiftParser {
  /// The calls of members, `x.NAME(`, in order.
  func memberCalls() -> [AppCalls.Call] {
    tokens.indices.compactMap { index in
      guard text(index - 1) == ".", isWord(index), text(index + 1) == "(", let end = closers[index + 1] else {
        return nil
      }
      var call = AppCalls.Call(name: text(index), labels: [], values: [], start: tokens[index].start)
      for part in split((index + 2)..<end) {
        let hasLabel = part.count > 1 && isWord(part.lowerBound) && text(part.lowerBound + 1) == ":"
        call.labels.append(hasLabel ? text(part.lowerBound) : nil)
        call.values.append(literal(hasLabel ? (part.lowerBound + 2)..<part.upperBound : part))
      }
      return call
    }
  }

  /// The names after a point, with where they begin.
  func memberNames() -> [(name: String, start: Int)] {
    tokens.indices.filter { text($0 - 1) == "." && isWord($0) }.map { (name: text($0), start: tokens[$0].start) }
  }

  /// A word for a truth value, a number, a plain string, or a case: `.outdoor`.
  private func literal(_ range: Range<Int>) -> String? {
    guard let first = range.first, let last = range.last, range.count <= 4 else { return nil }
    let written = String(decoding: bytes[tokens[first].start..<tokens[last].end], as: UTF8.self)
    if tokens[first].kind == .string {
      let isPlain = range.count == 1 && written.hasPrefix("\"") && !written.contains { $0 == "\\" || $0 == "\n" }
      return isPlain ? written : nil
    }
    if ["true", "false"].contains(written) || Double(written) != nil { return written }
    return text(first) == "." && range.count == 2 && isWord(last) ? written : nil
  }
}
