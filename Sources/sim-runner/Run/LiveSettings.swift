import LiveView
import Simulator
import Console
import Link

/// The live view and controls of a run, as the options say.
struct LiveSettings {
  static let options: [Option] = [
    .flag(
      "--live", "show a live view, in which keys break the link (as --time does on a terminal)"),
    .flag("--no-live", "tell the run line by line, also with --time on a terminal"),
    .value("--control", "SOCKET", "listen here for sim-runner ctl, in a folder of this user's alone"),
  ]

  /// Whether the run is shown on the whole terminal.
  let isLive: Bool
  /// The socket for commands, if any.
  let socket: String?

  /// The default pace of a live view.
  private static let usualPace = 10.0

  init(_ arguments: Arguments, _ settings: RunSettings) throws(Failure) {
    socket = arguments.value("--control")
    let isAsked = arguments.has("--live")
    if isAsked, arguments.has("--no-live") { throw .input("found --live and --no-live, expected one of them") }
    if isAsked, settings.isJSON { throw .input("--live and --json cannot be combined") }
    if isAsked, !LiveTerminal.isPossible {
      throw .input("--live: standard input and output are not a terminal, expected one")
    }
    isLive =
      isAsked || settings.pace != nil && !settings.isJSON && !arguments.has("--no-live") && LiveTerminal.isPossible
  }

  /// The run's controls, if any.
  func control(_ scenario: Scenario, pace: Double?) throws(Failure) -> RunControl? {
    guard isLive || socket != nil else { return nil }
    let control = RunControl(scenario, factor: pace ?? (isLive ? Self.usualPace : nil))
    if let socket { control.sources.append(try ControlServer(socket)) }
    return control
  }
}
