import Link
import PhoneSim

/// Why a line of the script is due, in plain words.
enum TriggerWords {
  /// - Parameters:
  ///   - spec: The line's `triggerSpec`; nil where the script is not known.
  ///   - type: The trigger's type.
  ///   - multiple: Which multiple it is about; nil for lines without.
  static func text(_ spec: JSONNode?, type: String, multiple: Int64?) -> String {
    // The edge's answer has no trigger of its own.
    if type == "ai_reply" { return "the answer" }
    guard let kind = TriggerCatalog.all.first(where: { $0.type == type }) else { return TerminalText.escape(type) }
    let trigger = spec.flatMap { TriggerCatalog.read(JSONValueReader($0, into: DiagnosticsCollector(file: ""))) }
    return trigger.map { TerminalText.escape($0.phrase(multiple: multiple)) } ?? kind.vaguePhrase
  }
}
