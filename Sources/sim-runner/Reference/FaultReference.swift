import Link

/// What the reference says of a kind of fault besides its page.
enum FaultReference {
  /// An example in JSON5, on one line.
  static func example(_ kind: any FaultKind.Type) -> String {
    // Inside an array the writer keeps what fits on one line.
    let text = JSONWriter.pretty(JSONNode(.array([JSONNode(.object(exampleMembers(kind)))])), width: 400)
    var line = text.split(separator: "\n").dropFirst().first.map(String.init) ?? ""
    if line.hasSuffix(",") { line.removeLast() }
    return String(line.drop { $0 == " " })
  }

  /// The example as an element of a scenario's `faults`.
  static func exampleMembers(_ kind: any FaultKind.Type) -> [JSONMember] {
    let times = kind.lasts ? [JSONMember("for", .string("45s"))] : []
    return [JSONMember("at", .string("11m"))] + times + spelling(of: kind)
  }

  private static func spelling(of kind: any FaultKind.Type) -> [JSONMember] { kind.example.spelling }

  /// What stands in where a parameter is absent.
  static func standard(_ parameter: FaultPage.Parameter) -> String { parameter.standard ?? "none" }

  /// What a fault of this kind can be narrowed to.
  static func reach(_ kind: any FaultKind.Type) -> String {
    guard kind.hasChannels || !kind.isSelective else {
      return "\(kind.hits), of both directions unless `direction` narrows it; `channels` do not apply"
    }
    return kind.isSelective
      ? "frames of both directions and all channels, unless `direction` or `channels` narrow it"
      : "\(kind.hits); `direction` and `channels` do not apply"
  }

  /// The section of a kind of fault.
  static func section(_ kind: any FaultKind.Type) -> String {
    let page = kind.page
    var text = "### `\(kind.kind)`\n\n\(page.about)\n\n"
    text += "* Formula: \(page.formula)\n* In reality: \(page.reality)\n* Hits \(reach(kind)).\n\n"
    if !page.parameters.isEmpty {
      text += Markdown.table(
        ["parameter", "range", "default", "meaning"],
        page.parameters.map { [Markdown.code($0.name), $0.range, standard($0), $0.about] })
      text += "\n"
    }
    return text + Markdown.block(example(kind)) + "\n"
  }
}
