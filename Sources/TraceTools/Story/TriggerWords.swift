import Link
import PhoneSim

/// Describes in plain words why a line of the script is due.
enum TriggerWords {
  /// - Parameters:
  ///   - spec: The line's `triggerSpec`; nil if the script is unknown.
  ///   - type: The trigger's type.
  ///   - multiple: The multiple; nil for lines without.
  static func text(_ spec: JSONNode?, type: String, multiple: Int64?) -> String {
    // The edge's answer has no trigger of its own.
    if type == "ai_reply" { return "the answer" }
    guard let kind = TriggerCatalog.all.first(where: { $0.type == type }) else { return TerminalText.escape(type) }
    let trigger = spec.flatMap { TriggerCatalog.read(JSONValueReader($0, into: DiagnosticsCollector(file: ""))) }
    return trigger.map { TerminalText.escape($0.phrase(multiple: multiple)) } ?? kind.vaguePhrase
  }
}
