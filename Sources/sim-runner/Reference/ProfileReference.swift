import Console
import Link

/// The page of the named links.
enum ProfileReference {
  /// `docs/internals/profiles.md`.
  static var page: String {
    var text = Markdown.head("Link profiles")
    text += """

      A profile says what a link is like while no fault is on. A scenario names one, spells its parts out, or does
      both; a part that is spelled out wins: `link: { profile: "ble-running", latency: "120ms" }`. The trace's header
      carries the parts in plain numbers, never a name alone.

      Each number is *grounded* in published measurements or *assumed*; no open capture of the link between an Apple
      Watch and an iPhone is known. Recording one's own (time of sending, time of arrival, bytes, changes of
      reachability) is the way to replace what is assumed.

      How the parts work together:

      * A frame waits for its place in the byte-limited queue of its direction, then takes `latency`, varied by `jitter`
        in the way `distribution` says. Frames of one direction arrive in their order.
      * `loss` in bursts is a Gilbert-Elliott chain that steps once a slot. With `retry` the radio repeats a frame in
        every slot until one gets through, which costs time, and gives it up past `supervision`: on Bluetooth an app
        sees delay, and loss only where the connection breaks. Without it, and with a plain `probability`, a frame is
        lost at once.
      * A cut is noticed by both sides after `supervision`, a return after `reconnect`, which is drawn log-normally
        around its median, within `least` and `most`. A cut shorter than `supervision` goes unnoticed.


      """
    text += Markdown.table(
      ["profile", "for", "what it is"],
      ProfileCatalog.all.map { [Markdown.code($0.name), $0.isUplink ? "`uplink`" : "`link`", $0.about] })
    for profile in ProfileCatalog.all {
      text += "\n## `\(profile.name)`\n\n"
      text += profile.about.prefix(1).uppercased() + profile.about.dropFirst() + ".\n\n"
      text += profile.sources.map { "* \($0)\n" }.joined()
      text += "\n" + Markdown.block(JSONWriter.pretty(JSONNode(profile.profile.params)))
    }
    return text
  }
}
