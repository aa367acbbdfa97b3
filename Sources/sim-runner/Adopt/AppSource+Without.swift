/// What of a file does not compile here is left out of its copy: a statement, a body, or a member, and not the file.
///
/// `adopt.json` names what is left out, so that a later copy is without it, too:
///
/// * `Model.save(to:): try store.write(x)` is the statement of that member that begins with this line;
/// * `Model.save(to:) {}` is all that the member does;
/// * `Model.save(to:)` is the member.
extension AppSource {
  /// A member with the path of its types.
  private struct Member {
    var name: String
    var declaration: SwiftDeclaration
  }

  private var members: [Member] {
    var found: [Member] = []
    func gather(_ list: [SwiftDeclaration], in place: String) {
      for one in list {
        if one.isType || one.kind == "extension" {
          gather(one.members, in: "\(place)\(one.name).")
        } else if ["func", "init", "var"].contains(one.kind) {
          var name = place + (one.kind == "init" ? "init" : one.name)
          if one.kind != "var" { name += "(" + one.parameters.map { "\($0.label ?? "_"):" }.joined() + ")" }
          found.append(Member(name: name, declaration: one))
        }
      }
    }
    gather(parser.declarations, in: "")
    return found
  }

  /// The least around a place that does not compile, as `adopt.json` names it; nil if there is nothing smaller than the file.
  ///
  /// - Parameters:
  ///   - line: From 1.
  ///   - column: From 1, in bytes.
  func part(atLine line: Int, column: Int) -> String? {
    guard let offset = offset(line: line, column: column),
      let member = members.last(where: { $0.declaration.start <= offset && offset < $0.declaration.end })
    else { return nil }
    let declaration = member.declaration
    if let body = declaration.body, body.lowerBound <= offset {
      let words = SwiftStatements(text).statement(at: offset, in: body).map { firstLine($0) } ?? ""
      if !words.isEmpty, !words.hasPrefix(Self.marker) { return "\(member.name): \(words)" }
      if declaration.kind != "init", !isStubbed(body) { return "\(member.name) {}" }
    }
    // Without an initializer or a stored property, nothing else of the type compiles.
    let canGo = declaration.kind == "func" || declaration.kind == "var" && declaration.body != nil
    return canGo ? member.name : nil
  }

  /// Leaves out what a name in `adopt.json` says.
  ///
  /// - Returns: Whether there is such a thing.
  @discardableResult
  mutating func leaveOut(_ name: String) -> Bool {
    let isBody = name.hasSuffix(" {}")
    let whole = isBody ? String(name.dropLast(3)) : name
    let found = members.first { $0.name == whole || !isBody && name.hasPrefix($0.name + ": ") }
    guard let found else { return false }
    let declaration = found.declaration
    if isBody, let body = declaration.body {
      replace(body, with: "{ return stubValue(\(Self.quoted(whole))) ", closing: "}")
    } else if found.name == whole {
      replace(declaration.start..<declaration.end, with: "", closing: "")
    } else {
      let words = name.dropFirst(found.name.utf8.count + 2)
      guard let body = declaration.body,
        let statement = SwiftStatements(text).statements(in: body).first(where: { firstLine($0) == words })
      else { return false }
      replace(statement, with: "\(Self.marker)\(Self.quoted(name)))", closing: "")
    }
    readAgain()
    return true
  }

  /// The call that stands for a statement.
  private static let marker = "reportMissing("

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private func isStubbed(_ body: Range<Int>) -> Bool {
    String(decoding: text[body], as: UTF8.self).hasPrefix("{ return stubValue(")
  }

  private func firstLine(_ range: Range<Int>) -> String {
    let line = text[range].prefix { $0 != 0x0A && $0 != 0x0D }
    return String(String(decoding: line, as: UTF8.self).prefix(80))
  }

  private func offset(line: Int, column: Int) -> Int? {
    guard line > 0, column > 0 else { return nil }
    var (start, left) = (0, line - 1)
    while left > 0 {
      guard let end = text[start...].firstIndex(of: 0x0A) else { return nil }
      (start, left) = (end + 1, left - 1)
    }
    return min(start + column - 1, text.count)
  }
}
