import Console
import Link

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
