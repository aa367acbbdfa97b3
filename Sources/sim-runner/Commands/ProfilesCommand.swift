import Console
import Link

/// `sim-runner profiles`: the named links with their sources.
enum ProfilesCommand: Command {
  static let name = "profiles"
  static let about = "the named links, and the sources of their numbers"
  static let usage = "[NAME] [--json]"
  static let options: [Option] = [.flag("--json", "one JSON object on standard output")]
  static let details = """
    Without NAME: a line for each profile. With it: its members as in a scenario's `link` or `uplink`,
    and for each number whether it is grounded in published measurements or assumed.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    try showCatalogue(
      ProfileCatalog.all, named: "the profile", arguments, name: \.name,
      row: { [$0.name, $0.isUplink ? "uplink" : "link", $0.about] }, page: page, printJSON: printJSON)
  }

  private static func page(_ profile: NamedProfile) -> [String] {
    var lines = [Terminal.styled(profile.name, .bold), "  \(profile.about)", "", Terminal.styled("Sources", .bold)]
    lines += profile.sources.map { "  \($0)" }
    lines += ["", Terminal.styled("Spelled out", .bold)]
    let text = JSONWriter.pretty(JSONNode(profile.profile.params))
    lines += text.split(separator: "\n").map { "  \($0)" }
    return lines
  }

  private static func printJSON(_ profiles: [NamedProfile]) {
    JSONOutput.print([
      "profiles": .objects(profiles) { profile in
        [
          "name": .string(profile.name), "about": .string(profile.about),
          "for": .string(profile.isUplink ? "uplink" : "link"), "sources": .texts(profile.sources),
          "parts": profile.profile.params,
        ]
      }
    ])
  }
}
