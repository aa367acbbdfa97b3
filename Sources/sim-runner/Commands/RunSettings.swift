import Experiments
import Simulator
import Console
import Foundation
import Link
import LinkTransport

/// The options shared by commands that show one run.
struct RunSettings {
  static let seed = Option.value("--seed", "N", "the run's seed; wins over the scenario's")
  static let time = Option.value("--time", "virtual|real|Nx", "how fast time passes (virtual: as fast as possible)")
  static let json = Option.flag("--json", "one JSON object on standard output, the rest on standard error")

  static let quiet = Option.flag("--quiet", "print only what failed")

  /// Nil if not given.
  let seed: UInt64?
  /// Nil if not given.
  let mode: RunOptions.Mode?
  let pace: Double?
  let isJSON: Bool
  let isQuiet: Bool
  let edgeCommand: [String]?
  /// A real proxy instead of the edge, if any.
  let proxy: ProxyAddress?
  /// The planted bugs, in addition to the scenario's.
  let plants: Plants
  /// The folder for the nodes' state; nil for a temporary one.
  let stateFolder: String?
  /// The options as arguments, for a command that repeats the run.
  private(set) var words: [String] = []

  init(_ arguments: Arguments) throws(Failure) {
    seed = try arguments.unsigned("--seed")
    mode = try Self.mode(arguments)
    let time = arguments.value("--time") ?? "virtual"
    guard let pace = Pacer.factor(time) else {
      throw .input("--time: found \"\(time)\", expected virtual, real, or a multiple of real time such as 20x")
    }
    self.pace = pace
    isJSON = arguments.has("--json")
    isQuiet = arguments.has(Self.quiet.name)
    edgeCommand = try Self.command("--edge-cmd", arguments)
    stateFolder = arguments.value("--state-dir").map {
      FilePath.resolve($0, in: FileManager.default.currentDirectoryPath)
    }
    if mode == .inProcess, AppOptions.namesProgram(arguments) || edgeCommand != nil {
      throw .input("--watch-cmd, --phone-cmd and --edge-cmd need --mode processes")
    }
    if let text = arguments.value("--proxy") {
      proxy = try ProxyAddress(text)
      guard let pace else {
        throw .input("--proxy needs --time real or Nx: a proxy answers in real time")
      }
      guard pace <= ProxyAddress.paceMax else {
        let most = Int(ProxyAddress.paceMax)
        throw .input("--proxy: found --time \(time), expected at most \(most)x: no proxy is faster")
      }
      guard edgeCommand == nil else { throw .input("--proxy and --edge-cmd are alternatives") }
      guard mode != .inProcess else { throw .input("--proxy needs --mode processes") }
    } else {
      proxy = nil
    }
    plants = try PlantCatalog.read(arguments)
    words += PlantCatalog.words(plants)
    if let mode { words += ["--mode", mode.rawValue] }
    words += AppOptions.words(arguments) + TruthOption.words(arguments)
    if let command = arguments.value("--edge-cmd") { words += ["--edge-cmd", command] }
    if let proxy { words += ["--time", time, "--proxy", proxy.url.absoluteString] }
  }

  /// Reads `--mode`; nil if not given.
  static func mode(_ arguments: Arguments) throws(Failure) -> RunOptions.Mode? {
    guard let text = arguments.value("--mode") else { return nil }
    guard let mode = RunOptions.Mode(rawValue: text) else {
      throw .input("--mode: found \"\(text)\", expected processes or in-process")
    }
    return mode
  }

  private static func command(_ option: String, _ arguments: Arguments) throws(Failure) -> [String]? {
    guard let text = arguments.value(option) else { return nil }
    return [ProcessRun.ownPath, BecomeCommand.name, "--"] + (try CommandWords.split(text, option: option))
  }

  /// The options of a run with these settings.
  ///
  /// - Throws: If something it needs is missing.
  func options(mode standard: RunOptions.Mode) throws(Failure) -> RunOptions {
    var options = RunOptions()
    options.mode = mode ?? standard
    options.pace = pace
    options.hasFreeApps = pace != nil
    options.edgeCommand = edgeCommand
    if let proxy {
      options.proxy = proxy
      options.edgeCommand = try proxy.command(pace: pace ?? 1)
    }
    options.stateFolder = stateFolder
    return options
  }

  /// Shows the run, and prints the JSON object if requested.
  ///
  /// - Returns: The exit status.
  func show(_ show: RunShow) throws(Failure) -> Int32 {
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    let outcome = try show.run()
    if isJSON { Terminal.print(RunJSON.text(outcome, mode: show.options.mode, tracePath: show.tracePath)) }
    return outcome.status
  }
}
