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
