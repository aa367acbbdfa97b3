import Link

/// How a run is looked at and reached into while it goes on, as the options say.
struct LiveSettings {
  static let options: [Option] = [
    .flag(
      "--live", "show the run while it goes on; keys break the link (so does --time, on a terminal)"),
    .flag("--no-live", "tell the run line by line, also with --time on a terminal"),
    .value("--control", "SOCKET", "listen here for sim-runner ctl, in a folder of this user's alone"),
  ]

  /// Whether the run is shown on the whole terminal.
  let isLive: Bool
  /// Where commands are listened for; nil for nowhere.
  let socket: String?

  /// The pace of a live view where none is asked for.
  private static let usualPace = 10.0

  init(_ arguments: Arguments, _ settings: RunSettings) throws(Failure) {
    socket = arguments.value("--control")
    let isAsked = arguments.has("--live")
    if isAsked, arguments.has("--no-live") { throw .input("found --live and --no-live, expected one of them") }
    if isAsked, settings.isJSON { throw .input("--live: standard output is kept for --json, expected one of them") }
    if isAsked, !LiveTerminal.isPossible {
      throw .input("--live: standard input and output are no terminal, expected one")
    }
    isLive =
      isAsked || settings.pace != nil && !settings.isJSON && !arguments.has("--no-live") && LiveTerminal.isPossible
  }

  /// Who reaches into the run; nil where nobody can.
  func control(_ scenario: Scenario, pace: Double?) throws(Failure) -> RunControl? {
    guard isLive || socket != nil else { return nil }
    let control = RunControl(scenario, factor: pace ?? (isLive ? Self.usualPace : nil))
    if let socket { control.sources.append(try ControlServer(socket)) }
    return control
  }
}
