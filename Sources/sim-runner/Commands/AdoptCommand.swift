import Console
import Foundation
import Link
import Simulator

/// `sim-runner adopt`: from an app's folder to the first sweep.
enum AdoptCommand: Command {
  static let name = "adopt"
  static let about = "make a package of an app's own folder, build it, and search it for a first failure"
  static let usage = "FOLDER [OPTIONS]"
  static let options: [Option] = [
    .value("--into", "DIR", "the package's folder (NAME-wristwire beside the app)"),
    .value("--app", "WORD", "which app, where the folder has several"),
    .flag("--no-build", "only write the package"),
    .flag("--no-sweep", "write and build it"),
    .value("--seeds", "N|A-B", "the seeds of the first sweep (0..<20)"),
    .value("--wristwire", "DIR", "the checkout of this package (the one that this program was built in)"),
    .flag("--sync", "FOLDER is an adopted package: copy what has changed in the app, as its ./build does"),
  ]
  static let details = """
    Reads an Xcode project, a workspace or a Swift package: the files that use WatchConnectivity, what they need, and
    the models that use them. The app's folder stays as it is. The new package has a program for each device, with the
    conditions of compilation (os, targetEnvironment, canImport) decided as that device does, stubs for types that are
    missing, acts for what looks like a button, facts for what screens show, and a scenario with drawn hands.
    ADOPTED.md says what compiled, what is stubbed, what was left out and why.

    Exit status: that of the sweep; 0 with --no-build and --no-sweep; 2 bad usage or bad input; 3 the build failed.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the app's folder")
    if arguments.has("--sync") {
      let package = FilePath.resolve(path, in: FileManager.default.currentDirectoryPath)
      let count = try AdoptedFiles(package: package).sync(package: package)
      if count > 0 { Terminal.print("copied \(count) \(count == 1 ? "file" : "files") of the app") }
      return 0
    }
    let app = try AppFolder(path, app: arguments.value("--app"))
    let folder = try target(arguments.value("--into"), of: app)
    let wristwire = try NewCommand.checkout(arguments.value("--wristwire"))
    var devices: [AdoptedPackage.Device] = []
    for role in DeviceRole.allCases {
      let sources = try read(app, role)
      let plan = AppPlan(role: role, sources: sources)
      if !plan.chosen.isEmpty { devices.append(.init(plan: plan, language: app.languages[role] ?? AppLanguage())) }
    }
    guard !devices.isEmpty else { throw withoutSession(app, shown: path) }
    var package = AdoptedPackage(
      app: app, folder: folder, wristwire: wristwire, runner: ProcessRun.ownPath, devices: devices)
    try OutputFolder.make(folder)
    for device in devices {
      let plan = device.plan
      Terminal.print("\(plan.role.title): \(plan.chosen.count) of \(plan.sources.count) Swift files are needed")
    }
    for file in app.objectiveC { Terminal.print("not compiled, as it is Objective-C: \(file)") }
    let isBuilt = !arguments.has("--no-build")
    if isBuilt {
      Terminal.print("Building (the first time takes a few minutes) ...")
      var rounds = AdoptRounds(package: package) { Terminal.print($0) }
      try rounds.run()
      package = rounds.package
    } else {
      for index in package.devices.indices {
        package.devices[index].objects = package.devices[index].plan.objects
      }
    }
    try package.write()
    let scenario = AdoptedScenario(package: package, kindKey: kindKey(package)).text
    if try !package.putUnlessOwn(scenario, AdoptedScenario.file) {
      Terminal.print("\(AdoptedScenario.file) is yours, and stays")
    }
    let seeds = arguments.value("--seeds") ?? "0..<20"
    let sweep = ["sweep", AdoptedScenario.file, "--seeds", seeds]
    let steps = [
      CommandWords.join(["cd", folder]), "./build", CommandWords.join([ProcessRun.ownPath] + sweep),
      CommandWords.join([ProcessRun.ownPath, "run", AdoptedScenario.file]),
    ]
    try package.put(AdoptedPage(package: package, steps: steps, isBuilt: isBuilt).text, "ADOPTED.md")
    report(package, isBuilt: isBuilt)
    guard isBuilt else { return next(steps) }
    try checkSessions(package)
    try build(package)
    guard !arguments.has("--no-sweep") else { return next(steps) }
    return try runAgain(sweep, in: folder)
  }

  private static func next(_ steps: [String]) -> Int32 {
    Terminal.print("Next:")
    for step in steps { Terminal.print("  \(step)") }
    return 0
  }

  /// Refuses to sweep a program in which nothing can happen: it would pass.
  private static func checkSessions(_ package: AdoptedPackage) throws(Failure) {
    var problems: [String] = []
    for device in package.devices {
      let path = "\(package.folder)/Sources/\(package.target(device.plan.role))/main.swift"
      let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
      // A program of the user's own is as it should be.
      guard text?.hasPrefix(AdoptedPackage.mark) == true, device.objects?.hasDelegate != true else { continue }
      let lost = device.plan.leftOut.filter { one in
        device.plan.sources[one.path]?.parser.declarations.contains { $0.inherits.contains("WCSessionDelegate") }
          == true
      }
      problems += lost.map { "adopt: \($0.path): its session's delegate does not compile here: \($0.why)" }
      guard lost.isEmpty, device.objects?.hasSession != true else { continue }
      problems.append(
        "adopt: \(path): found no session's delegate that adopt can make, expected one: make it there as the app does, "
          + "without the first line, and run adopt again (ADOPTED.md says what is missing)")
    }
    guard problems.isEmpty else { throw .problems(problems) }
  }

  private static func report(_ package: AdoptedPackage, isBuilt: Bool) {
    for device in package.devices {
      let (plan, objects) = (device.plan, device.objects)
      Terminal.print(
        "\(plan.role.title): \(plan.chosen.count) files\(isBuilt ? " compiled" : ""), "
          + "\(device.stubs.ordered(plan).count) types and \(device.stubs.orderedMembers(plan).count) members stubbed, "
          + "\(plan.leftOut.count) files left out, "
          + "\(objects?.hands.count ?? 0) acts"
      )
    }
    if package.devices.allSatisfy({ $0.objects?.hands.isEmpty != false }) {
      Terminal.print(
        "found no method that looks like a button: nothing begins by itself in most apps, and a sweep passes. Add acts to "
          + "main.swift and \(AdoptedScenario.file)")
    }
    Terminal.print("\(CommandWords.join([package.folder + "/ADOPTED.md"])) says which and why")
  }

  private static func read(_ app: AppFolder, _ role: DeviceRole) throws(Failure) -> [AppSource] {
    var sources: [AppSource] = []
    for path in app.files[role] ?? [] {
      sources.append(
        AppSource(path: path, bytes: try FilePath.read("\(app.root)/\(path)", bytesMax: 1 << 20), role: role))
    }
    return sources
  }

  private static func withoutSession(_ app: AppFolder, shown: String) -> Failure {
    if !app.objectiveC.isEmpty {
      return .input(
        "adopt: found WatchConnectivity in Objective-C alone (\(app.objectiveC.prefix(5).joined(separator: ", "))), "
          + "expected Swift: Objective-C cannot be compiled here")
    }
    let count = Set(app.files.values.joined()).count
    return .input(
      "adopt: found no file that imports WatchConnectivity among the \(count) Swift files of the app's targets in "
        + "\(TerminalText.escape(shown)), expected an app whose watch and phone communicate")
  }

  /// The folder of the package: a new one, or one that adopt has made.
  private static func target(_ given: String?, of app: AppFolder) throws(Failure) -> String {
    let words = app.name.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    let beside = FilePath.folder(of: app.root) + "/\(words.isEmpty ? "app" : words)-wristwire"
    var folder = FilePath.resolve(given ?? beside, in: FileManager.default.currentDirectoryPath)
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard
      !FileManager.default.fileExists(atPath: folder) || names.isEmpty && isFolder(folder)
        || names.contains(AdoptedFiles.name)
    else {
      throw .input(
        "adopt: found \(TerminalText.escape(folder)), which adopt has not made, expected a folder that does not exist "
          + "yet: --into DIR names another")
    }
    guard folder != app.root, !folder.hasPrefix(app.root + "/") else {
      throw .input("--into: found a folder within the app's, expected one outside: the app's stays as it is")
    }
    if names.contains(AdoptedFiles.name) {
      let old = FilePath.resolve(try AdoptedFiles(package: folder).app, in: folder)
      guard old == app.root else {
        throw .input(
          "adopt: found the package of \(TerminalText.escape(old)) in \(TerminalText.escape(folder)), "
            + "expected another folder"
        )
      }
    }
    return folder
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// The key under which messages most often name their kind.
  private static func kindKey(_ package: AdoptedPackage) -> String? {
    var counts: [String: Int] = [:]
    for device in package.devices {
      for path in device.plan.chosen {
        let text = String(decoding: device.plan.sources[path]?.text ?? [], as: UTF8.self)
        for key in ["type", "kind", "action", "command", "event", "messageType", "cmd", "name"] {
          counts[key, default: 0] += text.split(separator: "\"\(key)\"", omittingEmptySubsequences: false).count - 1
        }
      }
    }
    let best = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return best.flatMap { $0.value > 0 ? $0.key : nil }
  }

  private static func build(_ package: AdoptedPackage) throws(Failure) {
    let (status, output) = try AdoptRounds.swift(["build"], in: package.folder)
    guard status == 0 else {
      for line in output.split(separator: "\n").suffix(12) { Terminal.print("  \(line)") }
      throw .environment("adopt: the programs in \(package.folder) do not link")
    }
    let library = URL(fileURLWithPath: ProcessRun.ownPath).deletingLastPathComponent()
      .appendingPathComponent("libVirtualTime.so").path
    guard !FileManager.default.fileExists(atPath: library) else { return }
    let (again, text) = try AdoptRounds.swift(["build", "--product", "VirtualTime"], in: package.wristwire)
    guard again == 0 else {
      throw .environment("adopt: the library of virtual time does not build:\n\(text.suffix(2000))")
    }
  }

  /// Runs a command of this program in the package's folder; its status.
  private static func runAgain(_ words: [String], in folder: String) throws(Failure) -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: ProcessRun.ownPath)
    process.arguments = words
    process.currentDirectoryURL = URL(filePath: folder)
    do { try process.run() } catch { throw .environment("adopt: the sweep cannot be started: \(error.systemText)") }
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal ? 3 : process.terminationStatus
  }
}
