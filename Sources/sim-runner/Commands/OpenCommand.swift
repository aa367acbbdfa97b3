import Console
import Experiments
import Foundation
import Link
import LinkTransport
import PairScreen
import Simulator
import TraceTools

/// `sim-runner open`: watch, phone and the link between them on a page in the browser.
enum OpenCommand: Command {
  static let name = "open"
  static let about = "shows watch, phone and link in the browser, and breaks the link by hand"
  static let usage = "SCENARIO|TRACE|BUNDLE|STATE_DIR [OPTIONS]"
  static let options: [Option] = [
    RunSettings.seed,
    .value("--time", "virtual|real|Nx", "how fast time passes at first (10x); the page changes it"),
    .value("--at", "TIME", "begin paused at this instant: 15:04, 1:02:03.5, 15m4s"),
    .value("--port", "N", "the port on 127.0.0.1 (any free one)"),
    .flag("--no-browser", "only print the address"),
    .flag("--in-container", "listen on all addresses: publish --port on the host's 127.0.0.1 alone"),
    .output("--save", "FILE", "the file of \"Save as scenario\" (NAME-by-hand.json5, here)"),
    AppOptions.watch, AppOptions.phone, AppOptions.runPrograms, AppOptions.threads, AppOptions.threadsSeed,
    AppOptions.jitter, AppOptions.variable, PlantCatalog.option,
  ]
  static let details = """
    The page shows both devices from what each knows itself, with the truth as a thin line beside the phone's belief.
    Cut the link, lose or delay frames, kill apps, pause and drag time: each touch becomes an entry of the scenario at
    that instant, and "Save as scenario" writes the file that repeats it byte for byte. A trace or a bundle is shown as
    it was recorded, a folder of `run --state-dir` with what its stores hold. The page is for this computer alone: it is
    served on 127.0.0.1, under an address with a token that only this command prints. Ctrl-C ends it.

    Exit status: 0 ended by Ctrl-C; 2 bad usage or bad input; 3 the port cannot be had, or a part failed.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the scenario, trace, bundle or state folder")
    let port = try arguments.count("--port", 0...65_535, standard: 0)
    let time = arguments.value("--time") ?? "10x"
    guard let speed = Pacer.factor(time) else {
      throw .input("--time: found \"\(time)\", expected virtual, real, or a multiple of real time such as 20x")
    }
    let at = try arguments.value("--at").map { text throws(Failure) in try ClockText.parse(text, option: "--at") }
    let savePath = arguments.value("--save") ?? savePath(path)
    let session = PairSession(
      try lane(path, arguments, savedIn: FilePath.folder(of: savePath)), speed: speed, isPlaying: at == nil,
      savePath: savePath)
    if let at { session.begin(at: at) }
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    let isInContainer = arguments.has("--in-container")
    guard !isInContainer || port > 0 else {
      throw .input("--in-container: found no --port, expected the port that the container publishes")
    }
    let show = try PairShow(session, port: UInt16(port), isInContainer: isInContainer)
    Terminal.print("\(show.address)  (Ctrl-C ends)")
    if !arguments.has("--no-browser"), !isInContainer, !Browser.open(show.address) {
      Terminal.error("found no program that opens a browser: open the address above in one")
    }
    show.run()
    return 0
  }

  /// The pair that an operand shows.
  ///
  /// - Parameter folder: Where the scenario is saved: programs and files are named from there in the page's run, as they
  ///   are in that of the saved file.
  private static func lane(
    _ path: String, _ arguments: Arguments, savedIn folder: String
  ) throws(Failure) -> PairLane {
    if path.hasSuffix(RunBundle.suffix) {
      let bundle = try RunBundle(path)
      return try recorded(RecordedTrace(path, bundle.originalTrace), arguments)
    }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      let state = FilePath.resolve(path, in: FileManager.default.currentDirectoryPath)
      return PairLane(stores: try StateInspection.devices(in: state), named: path)
    }
    let bytes = try FilePath.read(path, bytesMax: RecordedTrace.bytesMax)
    if bytes.starts(with: Array("{\"trace\":".utf8)) { return try recorded(RecordedTrace(path, bytes), arguments) }
    var scenario = try Scenario.load(path)
    if let seed = try arguments.unsigned(RunSettings.seed.name) { scenario.seed = seed }
    scenario.plant(try PlantCatalog.read(arguments))
    try AppOptions.apply(arguments, to: &scenario)
    return PairLane(try PairDocument(scenario, folder: folder))
  }

  private static func recorded(_ trace: RecordedTrace, _ arguments: Arguments) throws(Failure) -> PairLane {
    for option in [RunSettings.seed, AppOptions.watch, AppOptions.phone, PlantCatalog.option]
    where arguments.has(option.name) {
      throw .input("\(option.name): found a recorded run, expected a scenario: a trace is shown as it was")
    }
    return PairLane(trace)
  }

  /// A file in the current folder that is named after the operand, and is not there yet.
  private static func savePath(_ path: String) -> String {
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    let places = ["\(name)-by-hand.json5"] + (2...99).map { "\(name)-by-hand-\($0).json5" }
    return places.first { !FileManager.default.fileExists(atPath: $0) } ?? places[0]
  }
}
