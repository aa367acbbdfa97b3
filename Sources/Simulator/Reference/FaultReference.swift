import Console
package import Link

/// A fault kind's part of the reference.
package enum FaultReference {
  /// A fault of a scenario.
  static let description = ObjectDescription(
    name: "fault", about: "Something that goes wrong.", fields: FaultTarget.description.fields,
    forms: forms(FaultCatalog.all) + [
      [
        FieldDescription(
          "uplink",
          .object(
            ObjectDescription(name: "fault.uplink", about: "", fields: [], forms: forms(FaultCatalog.ofUplink))),
          standard: nil, "a fault of the phone-edge link")
      ]
    ])

  private static func forms(_ kinds: [any FaultKind.Type]) -> [[FieldDescription]] {
    kinds.map { kind in
      var object = kind.description(points: CrashPoint.all)
      if object.fields.first?.name == kind.kind {
        object.fields[0].standard = nil
        return object.allFields
      }
      object.name = "fault.\(kind.kind)"
      return [FieldDescription(kind.kind, .object(object), standard: nil, kind.page.about)]
    }
  }

  /// An example in JSON5, on one line.
  package static func example(_ kind: any FaultKind.Type) -> String {
    // Inside an array the writer keeps short objects on one line.
    let text = JSONWriter.pretty(JSONNode(.array([JSONNode(.object(exampleMembers(kind)))])), width: 400)
    var line = text.split(separator: "\n").dropFirst().first.map(String.init) ?? ""
    if line.hasSuffix(",") { line.removeLast() }
    return String(line.drop { $0 == " " })
  }

  /// The example as an element of a scenario's `faults`.
  package static func exampleMembers(_ kind: any FaultKind.Type) -> [JSONMember] {
    let times = kind.lasts ? [JSONMember("for", .string("45s"))] : []
    return [JSONMember("at", .string("11m"))] + times + kind.example.spelling
  }

  /// The parameters of a kind.
  package static func parameters(_ kind: any FaultKind.Type) -> [FieldDescription] {
    kind.description(points: CrashPoint.all).allFields.flatMap { field in
      [field]
        + field.value.objects.flatMap(\.allFields).map { inner in
          var inner = inner
          inner.name = "\(field.name).\(inner.name)"
          return inner
        }
    }
  }

  /// How a fault of this kind can be narrowed.
  package static func reach(_ kind: any FaultKind.Type) -> String {
    guard kind.hasChannels || !kind.isSelective else {
      return "\(kind.hits), of both directions unless `direction` narrows it; `channels` do not apply"
    }
    return kind.isSelective
      ? "frames of both directions and all channels, unless `direction` or `channels` narrow it"
      : "\(kind.hits); `direction` and `channels` do not apply"
  }

  /// The kinds in tables, by what narrows them.
  package static var tables: String {
    let groups: [(text: String, kinds: [any FaultKind.Type])] = [
      ("These hit frames, narrowed by `direction` and `channels`:", FaultCatalog.all.filter { $0.isSelective }),
      (
        "These hit the link in another way, which `channels` does not narrow:",
        FaultCatalog.all.filter { !$0.isSelective && $0.hits != deviceHit }
      ),
      ("These hit a device:", FaultCatalog.all.filter { !$0.isSelective && $0.hits == deviceHit }),
    ]
    return groups.map { group in
      let rows = group.kinds.map { kind in
        let hits = kind.isSelective || kind.hits == deviceHit ? "" : " Hits \(kind.hits)."
        return [Markdown.code(shortExample(kind)), kind.page.about + hits, Markdown.keys(parameters(kind))]
      }
      return "\(group.text)\n\n" + Markdown.table(["fault", "effect", "keys"], rows) + "\n"
    }.joined()
  }

  private static let deviceHit = "a device"

  /// The example without its times and its outer braces.
  private static func shortExample(_ kind: any FaultKind.Type) -> String {
    let text = JSONWriter.pretty(JSONNode(.array([JSONNode(.object(kind.example.spelling))])), width: 400)
    var line = (text.split(separator: "\n").dropFirst().first ?? "").drop { $0 == " " }
    if line.hasSuffix(",") { line.removeLast() }
    return String(line.dropFirst(2).dropLast(2))
  }

  /// How a kind of fault is computed, and what is known of it in reality.
  package static func model(_ kind: any FaultKind.Type) -> String {
    let page = kind.page
    return "## `\(kind.kind)`\n\n* Formula: \(page.formula)\n* In reality: \(page.reality)\n\n"
  }
}
