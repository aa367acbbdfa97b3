import Foundation

/// The description of which XcodeGen makes an Xcode project: `project.yml`, as far as it says which files are whose.
struct GeneratedProject {
  private(set) var targets: [XcodeProject.Target] = []

  /// A line that is no comment.
  private struct Line {
    /// In blanks.
    var indent: Int
    /// Without its `- `.
    var text: String
    var isItem: Bool

    var key: String { unquoted(String(text.prefix { $0 != ":" })) }
    /// After the colon; empty for none.
    var value: String {
      guard let colon = text.firstIndex(of: ":") else { return "" }
      return unquoted(text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces))
    }
    /// A list on one line: `[iOS, watchOS]`.
    var values: [String] {
      let value = value
      guard value.hasPrefix("["), value.hasSuffix("]") else { return value.isEmpty ? [] : [value] }
      return value.dropFirst().dropLast().split(separator: ",").map {
        unquoted($0.trimmingCharacters(in: .whitespaces))
      }
    }

    func unquoted(_ text: String) -> String { text.trimmingCharacters(in: CharacterSet(charactersIn: "\"' ")) }
  }

  private static let linesMax = 20_000

  init(parsing bytes: [UInt8]) {
    var lines: [Line] = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(Self.linesMax) {
      var text = line[...]
      if let comment = text.range(of: " #") { text = text[..<comment.lowerBound] }
      let body = text.trimmingCharacters(in: .whitespaces)
      guard !body.isEmpty, !body.hasPrefix("#") else { continue }
      let isItem = body.hasPrefix("- ")
      // What is within an item is as deep as the text after its mark.
      let indent = text.prefix { $0 == " " }.count + (isItem ? 2 : 0)
      lines.append(Line(indent: indent, text: isItem ? String(body.dropFirst(2)) : body, isItem: isItem))
    }
    let targets = Self.children(of: "targets", in: lines[...])
    // Settings of the whole project are before or after those of its targets.
    let ofTargets = (targets.first?.startIndex ?? lines.endIndex)..<(targets.last?.endIndex ?? lines.endIndex)
    let common = lines.enumerated().filter { !ofTargets.contains($0.offset) }.map(\.element)
    for target in targets { add(target, common) }
  }

  /// The lines of each entry of a key, the entry's own first.
  private static func children(of key: String, in lines: ArraySlice<Line>) -> [ArraySlice<Line>] {
    guard let start = lines.firstIndex(where: { $0.key == key && !$0.isItem }) else { return [] }
    let rest = lines[(start + 1)...]
    let end = rest.firstIndex { $0.indent <= lines[start].indent } ?? lines.endIndex
    guard let depth = rest.first?.indent, start + 1 < end else { return [] }
    let starts = (start + 1..<end).filter { lines[$0].indent == depth && (lines[$0].isItem || !rest[start + 1].isItem) }
    return starts.enumerated().map { lines[$0.element..<($0.offset + 1 < starts.count ? starts[$0.offset + 1] : end)] }
  }

  private mutating func add(_ lines: ArraySlice<Line>, _ common: [Line]) {
    guard let head = lines.first else { return }
    let depth = lines.dropFirst().first?.indent ?? 0
    func line(_ key: String) -> Line? { lines.dropFirst().first { $0.indent == depth && !$0.isItem && $0.key == key } }
    let type = line("type")?.value ?? ""
    let systems = (line("platform")?.values ?? []) + (line("supportedDestinations")?.values ?? [])
    let isWatch = type.contains("watch") || !systems.isEmpty && systems.allSatisfy { $0 == "watchOS" }
    var folders = line("sources")?.values ?? []
    for item in Self.children(of: "sources", in: lines.dropFirst()) {
      guard let first = item.first, first.isItem else { continue }
      let path = item.first { $0.key == "path" && $0.text.contains(":") }?.value
      folders.append(path ?? first.unquoted(first.text))
    }
    if folders.isEmpty { folders = [head.key] }
    let kind = type.hasPrefix("application") ? "com.apple.product-type.application" : "com.apple.product-type.\(type)"
    let language = AppLanguage { key in (lines + common).first { $0.key == key && !$0.isItem }?.value }
    targets.append(
      XcodeProject.Target(
        name: head.key, type: kind, isWatch: isWatch, files: folders.filter { $0.hasSuffix(".swift") },
        folders: folders.filter { !$0.hasSuffix(".swift") }, exceptions: [], language: language))
  }
}
