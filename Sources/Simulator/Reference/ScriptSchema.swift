package import Link
import PhoneSim

/// The keys of a coaching script, for its JSON Schema; docs/built-in-apps.md has the page.
package enum ScriptSchema {
  /// A script.
  package static let script = ObjectDescription(
    name: "script", about: "What the coach may say during a workout, and when.",
    fields: [
      FieldDescription(
        "messages", .array(of: .object(message), count: 0...Script.messageCountMax), standard: nil, "the lines"),
      FieldDescription(
        "branchPolicy", .words(BranchPolicy.allCases.map(\.rawValue)), standard: BranchPolicy.linear.rawValue,
        "whether branch keys count"),
      FieldDescription("grace", .object(grace), standard: "150 m, 45 s", "how far past its point a line may be spoken"),
    ]
      + ["id", "runId", "personality", "generatedAt", "model", "inputDigest"].map {
        FieldDescription($0, .string(), standard: "none", "its origin; stored, not interpreted")
      } + [FieldDescription("$schema", .string(), standard: "none", "path of script.schema.json, for editors; ignored")]
  )

  private static let grace = ObjectDescription(
    name: "script.grace", about: "",
    fields: [
      FieldDescription("meters", .number(0...1e9, unit: "metres"), standard: "150", "past the distance of its point"),
      FieldDescription("seconds", .number(0...1e9, unit: "seconds"), standard: "45", "past the time of its point"),
    ])

  private static let message = ObjectDescription(
    name: "script.message", about: "A line of the script.",
    fields: [
      FieldDescription("id", .string(bytes: 1 ... .max), standard: nil, "its name in the trace, each once"),
      FieldDescription("triggerSpec", .object(trigger), standard: nil, "when it is due"),
      FieldDescription("text", .string(bytes: 1 ... .max), standard: nil, "what is said"),
      FieldDescription(
        "priority", .integer(-1_000_000...1_000_000), standard: "50", "the highest of several due lines is spoken"),
      FieldDescription("playOnce", .bool, standard: "true; false for repeating triggers", "once in a workout at most"),
      FieldDescription("branchKey", .string(bytes: 1 ... .max), standard: "none", "the branch it belongs to"),
      FieldDescription(
        "prerenderedAudioPath", .string(), standard: "none", "a recording of the text; stored, not interpreted"),
    ])

  /// A form for each kind of trigger, from its example: a number or a string for each key.
  private static let trigger = ObjectDescription(
    name: "script.trigger", about: "When a line is due.", fields: [],
    forms: TriggerCatalog.all.map { kind in
      func fields<Kind: Trigger>(_ kind: Kind.Type) -> [FieldDescription] {
        kind.example.members.map { member in
          let isText = if case .string = member.node.value { true } else { false }
          let isOptional = ["branchKey", "cooldownSeconds"].contains(member.key)
          return FieldDescription(
            member.key, isText ? .string(bytes: 1 ... .max) : .number(0...1e9), standard: isOptional ? "none" : nil, "")
        }
      }
      return [FieldDescription("type", .words([kind.type]), standard: nil, "the kind of trigger")] + fields(kind)
    })
}
