import Console
import Link

/// The page of the named links.
enum ProfileReference {
  /// `docs/internals/profiles.md`.
  static var page: String {
    var text = Markdown.head("Link profiles")
    text += """

      The numbers of the profiles that [recordings](../recordings.md#link-profiles) describe. Each is *grounded* in
      published measurements or *assumed*. The trace's header has the numbers, never a name alone.


      """
    for profile in ProfileCatalog.all {
      text += "\n## `\(profile.name)`\n\n"
      text += profile.about.prefix(1).uppercased() + profile.about.dropFirst() + ".\n\n"
      text += profile.sources.map { "* \($0)\n" }.joined()
      text += "\n" + Markdown.block(JSONWriter.pretty(JSONNode(profile.profile.params)))
    }
    return text
  }
}

/// The table of quirks in `docs/internals/protocol.md`; the rest of the page is written by hand.
enum QuirkReference {
  private static let begin = "<!-- quirks: printed by `sim-runner docs` from Sources/Link/Medium/Quirks -->\n"
  private static let end = "<!-- end of quirks -->\n"

  /// The page with its table replaced.
  static func page(_ current: String) -> String {
    Markdown.replacingPart(of: current, begin, end, with: table)
  }

  private static var table: String {
    Markdown.table(
      ["number", "quirk", "what the session does while it is on"],
      FaultCatalog.quirks.flatMap { [(quirk: $0.quirk, effect: $0.effect)] + $0.choices }
        .sorted { $0.quirk.number < $1.quirk.number }.map {
          [String($0.quirk.number), Markdown.code($0.quirk.name), $0.effect]
        })
  }
}
