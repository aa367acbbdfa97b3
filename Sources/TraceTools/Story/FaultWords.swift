import CoachProtocol
import Console
import Link

/// Describes what a fault does, in plain words.
struct FaultWords {
  /// A fault of the plan.
  struct Planned {
    var length: VirtualTime.Span?
    var direction: String?
    var channels: [String]
    var isOnUplink: Bool
  }

  private var planned: [String: Planned] = [:]

  /// A fault of the plan; nil for one that is not in it.
  func planned(_ id: String) -> Planned? { planned[id] }

  /// - Parameter faults: The `faults` of a trace's header.
  init(_ faults: JSONNode) {
    for fault in faults.elements {
      guard let id = fault["id"]?.text else { continue }
      planned[id] = Planned(
        length: fault["for"]?.span, direction: fault["direction"]?.text,
        channels: (fault["channels"]?.elements ?? []).compactMap(\.text),
        isOnUplink: fault["uplink"] != nil)
    }
  }

  /// The name that the scenario gave a fault; nil for one that was named after its content.
  func name(_ id: String, kind: String) -> String? {
    let stem = planned[id]?.isOnUplink == true ? "uplink-\(kind)-" : "\(kind)-"
    guard id.hasPrefix(stem) else { return TerminalText.escape(id) }
    let rest = id.dropFirst(stem.count).prefix { $0 != "-" }
    return rest.count == 6 && rest.allSatisfy(\.isHexDigit) ? nil : TerminalText.escape(id)
  }

  /// `tunnel, for 45 s`: the given name and the planned length, if any, in brackets.
  func remark(_ id: String, kind: String) -> String {
    let parts = [name(id, kind: kind), planned[id]?.length.map { "for \(StoryText.length($0))" }].compactMap(\.self)
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }

  /// The beginning of a fault as a sentence without its end.
  func beginning(_ id: String, kind: String, params: JSONNode?) -> String {
    let uplink = planned[id]?.isOnUplink == true ? "on the way to the cloud: " : ""
    return uplink + effect(kind, params) + scope(id) + remark(id, kind: kind)
  }

  /// The sentence for the end of a fault.
  func ending(_ id: String, kind: String) -> String {
    let uplink = planned[id]?.isOnUplink == true ? "on the way to the cloud: " : ""
    let noun = Self.stories[kind]?.ending ?? "\(TerminalText.escape(kind)) is over"
    return uplink + noun + (name(id, kind: kind).map { " (\($0))" } ?? "")
  }

  /// Whether the lines of the device's app already report a kind of fault.
  static func isReportedByDevice(_ kind: String) -> Bool { stories[kind]?.isReportedByDevice ?? false }

  private static let stories = Dictionary(uniqueKeysWithValues: FaultCatalog.all.map { ($0.kind, $0.story) })

  private func effect(_ kind: String, _ params: JSONNode?) -> String {
    Self.stories[kind].map { $0.beginning(Values(params: params)) } ?? "\(TerminalText.escape(kind)) begins"
  }

  private func scope(_ id: String) -> String {
    var text = ""
    switch planned[id]?.direction {
    case "watch-to-phone": text += " from watch to phone"
    case "phone-to-watch": text += " from phone to watch"
    case "phone-to-edge": text += " from the phone to the cloud"
    case "edge-to-phone": text += " from the cloud to the phone"
    default: break
    }
    if let channels = planned[id]?.channels, !channels.isEmpty { text += ", \(StoryText.list(channels)) only" }
    return text
  }

  /// The parameters in the story's formats.
  private struct Values: FaultValues {
    let params: JSONNode?

    func has(_ key: String) -> Bool { params?[key] != nil }

    func isTrue(_ key: String) -> Bool {
      if case .bool(true)? = params?[key]?.value { true } else { false }
    }

    func number(_ key: String) -> Double { params?[key]?.double ?? 0 }
    var device: String { text("node") ?? "device" }
    func text(_ key: String) -> String? { params?[key]?.text.map { TerminalText.escape($0) } }
    func percent(_ key: String) -> String { StoryText.percent(number(key)) }
    func length(_ path: String...) -> String { length(path.reduce(params) { $0?[$1] }?.span ?? .zero) }
    func length(_ span: VirtualTime.Span) -> String { StoryText.length(span) }
    func count(_ key: String) -> String { StoryText.count(wholeNumber(key)) }

    func ordinal(_ key: String) -> String {
      let number = wholeNumber(key)
      let ending =
        switch (number % 10, number % 100) {
        case (_, 11...13): "th"
        case (1, _): "st"
        case (2, _): "nd"
        case (3, _): "rd"
        default: "th"
        }
      return StoryText.count(number) + ending
    }

    private func wholeNumber(_ key: String) -> Int { Int(min(max(number(key), 0), 1e15)) }
  }
}
