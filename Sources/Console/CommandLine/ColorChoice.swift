/// Whether output is coloured, depending on the terminal and on environment variables.
package enum ColorChoice {
  /// Decides for one descriptor.
  ///
  /// `NO_COLOR` forbids colours everywhere (no-color.org). Otherwise `FORCE_COLOR` and `CLICOLOR_FORCE` ask for them also
  /// where the output goes to a pipe, as a CI system's log does. An empty variable counts as not set; of the latter two,
  /// so does 0, and `FORCE_COLOR=0` or `CLICOLOR=0` forbids colours.
  ///
  /// - Parameter isTerminal: Whether the descriptor is a terminal.
  static func hasColor(isTerminal: Bool, _ environment: [String: String]) -> Bool {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if value("NO_COLOR") != nil { return false }
    if let force = value("FORCE_COLOR") { return force != "0" && force != "false" }
    if let force = value("CLICOLOR_FORCE"), force != "0" { return true }
    return isTerminal && value("CLICOLOR") != "0" && value("TERM") != "dumb"
  }
}
