import Foundation
import LinkTestSupport
import Testing

/// Rules for the package's own sources.
@Suite struct `Tidy` {
  private struct Source {
    var path: String
    var lines: [Substring]
    /// The modules imported, without their access.
    var imports: [String] {
      lines.compactMap { line in
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
          words[..<place].allSatisfy(isModifier)
        else { return nil }
        return String(words[place + 1].split(separator: ".")[0])
      }
    }

    private func isModifier(_ word: Substring) -> Bool {
      ["public", "package", "internal", "fileprivate", "private", "@testable", "@preconcurrency"].contains(String(word))
    }
  }

  /// Every file below a folder of the package whose name ends with `ending`, in order.
  private static func paths(_ folder: String, _ ending: String) -> [String] {
    let base = PackageRoot.url.appending(path: folder)
    let all = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix(ending) }.map { "\(folder)/\($0)" }.sorted()
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: PackageRoot.url.appending(path: path), encoding: .utf8)
  }

  private static func sources(_ folder: String) throws -> [Source] {
    let sources = try paths(folder, ".swift").map {
      Source(path: $0, lines: try text($0).split(separator: "\n", omittingEmptySubsequences: false))
    }
    #expect(!sources.isEmpty, "\(folder) is empty")
    return sources
  }

  /// The targets that `sim-runner` is made of, above those of the devices.
  private static let runnerFolders = [
    "Sources/Console", "Sources/TraceTools", "Sources/Simulator", "Sources/Experiments", "Sources/LiveView",
    "Sources/PairScreen", "Sources/sim-runner",
  ]

  /// Machines decide; code that reads clocks, files and sockets is elsewhere.
  @Test(
    arguments: [
      "Sources/Link", "Sources/CoachProtocol", "Sources/CoachReference", "Sources/CoachCheckers", "Sources/PhoneSim",
      "Sources/WatchSim", "Sources/EdgeSim",
    ])
  func `no machine imports a module that reads a clock, a file or a socket`(folder: String) throws {
    let forbidden: Set = [
      "Foundation", "FoundationEssentials", "Glibc", "Musl", "Darwin", "Dispatch", "Synchronization",
    ]
    let exceptions = ["Sources/Link/Transport/", "Sources/Link/Store/", "Sources/WatchSim/Importers/"]
    for source in try Self.sources(folder) where !exceptions.contains(where: { source.path.hasPrefix($0) }) {
      let found = source.imports.filter { forbidden.contains($0) }
      #expect(found.isEmpty, "\(source.path) imports \(found)")
    }
  }

  /// The seams of docs/decisions/0110.
  @Test func `unsafe code is in the files that are named here`() throws {
    let found = try Self.sources("Sources").filter { source in
      source.lines.contains { line in
        // Comments may name what they explain.
        let code = line.prefix { $0 != "/" }
        return code.contains("unsafe") || code.contains("Unsafe")
      }
    }
    #expect(
      found.map(\.path) == [
        // Apple's signatures, and what crosses to C or to another thread in an app's process.
        "Sources/Apple/AVFoundation/AVAudioFile.swift", "Sources/Apple/Combine/Schedulers/Async.swift",
        "Sources/Apple/os/Locks.swift",
        "Sources/Apple/os/LogLine.swift", "Sources/Apple/os/Signposts.swift", "Sources/HealthKit/HKStatistics.swift",
        "Sources/Link/Frames/ByteWords.swift", "Sources/Link/Frames/Digest.swift",
        "Sources/Link/Store/Files/OpenFile.swift", "Sources/Link/Store/SQLite/SQLiteConnection.swift",
        "Sources/Link/Trace/LineArea.swift",
        "Sources/Link/Transport/SocketDescriptor.swift", "Sources/Simulator/Explore/StateHash.swift",
        "Sources/WatchConnectivity/Runtime/ForeignFunctions.swift", "Sources/WatchKit/WKExtendedRuntimeSession.swift",
        // The text of programs that `adopt` writes.
        "Sources/sim-runner/Adopt/AppLanguage.swift", "Sources/sim-runner/Adopt/AppStubs.swift",
      ])
  }

  @Test(arguments: [
    ("Sources/Link", ["CSystem", "CSQLite", "Link", "Foundation", "Glibc", "Synchronization"]),
    ("Sources/Link/Checkers", ["Link"]),
    ("Sources/CoachProtocol", ["Link"]),
    ("Sources/CoachReference", ["CoachProtocol", "Link"]),
    ("Sources/CoachCheckers", ["CoachProtocol", "CoachReference", "Link", "LinkCheckers"]),
    ("Sources/WatchSim", ["CoachProtocol", "Link", "Foundation"]),
    ("Sources/PhoneSim", ["CoachProtocol", "Link", "LinkStore"]),
    ("Sources/EdgeSim", ["CoachProtocol", "Link"]),
    (
      "Sources/WatchConnectivity",
      ["CSimulation", "Dispatch", "Foundation", "Link", "LinkStore", "LinkTransport", "Synchronization"]
    ),
    ("Sources/HealthSim", ["Link"]),
    (
      "Sources/HealthKit",
      [
        "AppleFoundation", "CoreLocation", "DeviceClient", "Dispatch", "Foundation", "HealthSim", "Link",
        "WatchConnectivity",
      ]
    ),
    ("Sources/WatchKit", ["AppleFoundation", "Combine", "Foundation", "HealthKit", "WatchConnectivity"]),
    (
      "Sources/UIKit",
      ["AppleFoundation", "Combine", "DeviceClient", "Foundation", "HealthKit", "HealthSim", "WatchConnectivity"]
    ),
    ("Sources/Apple/DeviceClient", ["Dispatch", "Foundation", "HealthSim", "Link", "WatchConnectivity"]),
    ("Sources/WristwireSupport", ["CSimulation", "Foundation", "Synchronization"]),
    ("Sources/WristwireTesting", ["Foundation", "Testing", "WristwireSupport"]),
    ("Sources/Console", ["CSystem", "CoachProtocol", "Link", "LinkTransport", "Foundation", "Synchronization"]),
    (
      "Sources/TraceTools",
      [
        "Console", "CoachProtocol", "CoachReference", "EdgeSim", "Link", "LinkStore", "LinkTransport", "PhoneSim",
        "WatchSim", "Foundation",
      ]
    ),
    (
      "Sources/Simulator",
      [
        "CSystem", "CoachProtocol", "Console", "EdgeSim", "HealthSim", "Link", "LinkStore", "LinkTransport", "PhoneSim",
        "WatchSim", "Foundation", "Synchronization",
      ]
    ),
    (
      "Sources/Experiments",
      [
        "CBuild", "CSystem", "CoachProtocol", "Console", "EdgeSim", "Link", "LinkTransport", "PhoneSim", "Simulator",
        "TraceTools",
        "WatchSim", "Foundation", "Synchronization",
      ]
    ),
    (
      "Sources/LiveView",
      [
        "CSystem", "Console", "Experiments", "Link", "LinkTransport", "Simulator", "TraceTools", "WatchSim",
        "Foundation",
        "Synchronization",
      ]
    ),
    (
      "Sources/PairScreen",
      [
        "CSystem", "Console", "Experiments", "Link", "LinkTransport", "Simulator", "TraceTools", "Foundation",
        "Synchronization",
      ]
    ),
    (
      "Sources/sim-runner/Main", ["CSystem", "Commands", "Foundation", "LinkTransport"]
    ),
    (
      "Sources/sim-runner-proxy",
      ["CoachProtocol", "Link", "LinkTransport", "Foundation", "FoundationNetworking", "Synchronization"]
    ),
  ])
  func `imports point in one direction`(folder: String, allowed: [String]) throws {
    for source in try Self.sources(folder) {
      let found = source.imports.filter { !allowed.contains($0) }
      #expect(found.isEmpty, "\(source.path) imports \(found)")
    }
  }

  @Test func `only the store calls SQLite`() throws {
    for source in try Self.sources("Sources") where !source.path.hasPrefix("Sources/Link/Store/") {
      #expect(!source.imports.contains("CSQLite"), "\(source.path)")
    }
  }

  @Test func `a file of sources has at most 400 lines`() throws {
    for source in try Self.sources("Sources") {
      #expect(source.lines.count <= 401, "\(source.path) has \(source.lines.count - 1)")
    }
  }

  @Test func `a test that waits has a limit`() throws {
    let helper = "Tests/LinkTestSupport/Waiting.swift"
    // Programs that a run or a test ends.
    let programs = ["Tests/SessionProbe/", "Tests/IsolationProbe/", "Tests/VirtualTimeProbe/"]
    for source in try Self.sources("Tests")
    where source.path != helper && !programs.contains(where: { source.path.hasPrefix($0) }) {
      var waits = false
      var isKilled = false
      for (number, line) in source.lines.enumerated() where !line.contains("line.contains") {
        let sleeps = line.contains("usleep(") || line.contains("Thread.sleep(")
        #expect(!(sleeps && line.contains("while ")), "\(source.path):\(number + 1): use waitUntil")
        #expect(!line.contains(".wait()"), "\(source.path):\(number + 1): a semaphore needs a timeout")
        if line.contains("waitUntilExit()") { waits = true }
        if line.contains("killedAfter:") || line.contains("asyncAfter(") { isKilled = true }
      }
      #expect(!waits || isKilled, "\(source.path): start the process by run(killedAfter:)")
    }
  }

  @Test func `comments have no to-do marks`() throws {
    // Assembled here, so that this file does not match itself.
    let marks = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]
    for source in try Self.sources("Sources") + Self.sources("Tests") {
      for (number, line) in source.lines.enumerated() {
        let words = line.split { !$0.isLetter }.map(String.init)
        #expect(!words.contains { marks.contains($0) }, "\(source.path):\(number + 1)")
      }
    }
  }

  @Test func `no forced try or cast, and no source of nondeterminism`() throws {
    for source in try Self.sources("Sources") {
      for (number, line) in source.lines.enumerated() {
        let code = line.split(separator: "//", omittingEmptySubsequences: false)[0]
        // What `adopt` writes is a program of its own.
        let isWritten = source.path.hasPrefix("Sources/sim-runner/Adopt/")
        #expect(isWritten || !code.contains("try!") && !code.contains(" as! "), "\(source.path):\(number + 1)")
        // Modules of apps, and programs that `adopt` writes, read the device's clock, which is virtual.
        let isOfApp = [
          "Sources/Apple/", "Sources/sim-runner/Adopt/", "Sources/WatchConnectivity/Runtime/AppLife.swift",
          "Sources/WristwireSupport/ShownValue.swift",
        ].contains { source.path.hasPrefix($0) }
        #expect(isOfApp || !code.contains("Date()") && !code.contains("UUID()"), "\(source.path):\(number + 1)")
        #expect(!code.contains("SystemRandomNumberGenerator"), "\(source.path):\(number + 1)")
      }
    }
  }

  /// Text from a node or a file passes ``TerminalText/escape(_:)`` where it is written to a terminal, and nowhere else.
  @Test func `text reaches a terminal by the functions that escape it`() throws {
    let writers = ["fputs(", "fwrite(", "FileHandle.standardError", "FileHandle.standardOutput", "putchar(", " print("]
    let sinks = [
      "Sources/Console/CommandLine/Terminal.swift", "Sources/Console/Run/Screen.swift",
      "Sources/LiveView/LiveTerminal.swift",
    ]
    // An app's log outside a run, as a device's.
    let ofApps = ["Sources/Apple/os/LogLine.swift"]
    for source in try Self.sources("Sources") where !ofApps.contains(source.path) {
      let isSink = sinks.contains(source.path)
      for (number, line) in source.lines.enumerated() {
        let code = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let location = "\(source.path):\(number + 1)"
        if writers.contains(where: { code.contains($0) }), !code.contains("func "), !code.contains("static let") {
          #expect(code.contains("TerminalText.escape("), "\(location) writes without escaping")
        }
        if code.contains("Terminal.write("), !isSink {
          // Figures for our own descriptor, and lines of JSON.
          let isOurs =
            code.contains("to: 3)") || code.contains("as: UTF8.self), to: 1)")
            // An exporter's bytes, for a file or a pipe.
            || code.contains("Terminal.write(bytes, to: 1)")
            // Words of the catalogues, apart by tabs.
            || source.path.hasSuffix("/CompletionsCommand.swift")
          #expect(isOurs, "\(location) writes to a terminal directly")
        }
      }
    }
  }

  /// Text of several lines is assembled from parts; each must be escaped first, since line breaks are kept.
  @Test func `few functions print several lines at once`() throws {
    let known = [
      "CommandLine/CommandLineTool.swift", "CommandLine/Terminal.swift", "Commands/CompletionsCommand.swift",
      "Commands/DemoCommand.swift", "Commands/InevitableCommand.swift", "Commands/ManCommand.swift",
      "Commands/ShrinkCommand.swift", "Commands/StoryCommand.swift", "Commands/TestCommand.swift",
      "Commands/TortureCommand.swift",
      "Commands/ReproCommand.swift",
      "Replay/PhoneReplay.swift", "Run/RunShow.swift", "Run/Screen.swift", "Sweep/Sweep.swift",
    ]
    for source in try Self.runnerFolders.flatMap(Self.sources) {
      let isKnown = known.contains { source.path.hasSuffix("/\($0)") }
      for (number, line) in source.lines.enumerated()
      where line.contains("show(lines:") || line.contains("print(lines:") {
        #expect(isKnown, "\(source.path):\(number + 1): escape every part first, then list the file here")
      }
    }
  }

  @Test func `every link between documents has a target`() throws {
    let documents =
      Self.paths("docs", ".md") + Self.paths("traces", ".md") + Self.paths("scenarios", ".md")
      + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].filter {
        FileManager.default.fileExists(atPath: PackageRoot.url.appending(path: $0).path)
      }
    #expect(!documents.isEmpty)
    let link = /\]\(([^)\s]+)\)/
    for document in documents {
      let folder = PackageRoot.url.appending(path: document).deletingLastPathComponent()
      for match in try Self.text(document).matches(of: link) {
        let target = match.1.split(separator: "#", omittingEmptySubsequences: false)[0]
        guard !target.isEmpty, !target.contains("://"), !target.hasPrefix("mailto:") else { continue }
        let file = folder.appending(path: String(target)).standardizedFileURL
        #expect(FileManager.default.fileExists(atPath: file.path), "\(document) links to \(match.1)")
      }
    }
  }

  @Test func `each decision has a unique number and a reason`() throws {
    let files = Self.paths("docs/decisions", ".md").filter { !$0.hasSuffix("README.md") }
    // Pages written at the same time reserve their numbers, so there may be gaps.
    var numbers: Set<Int> = []
    for file in files {
      let number = try #require(Int(file.split(separator: "/").last?.prefix(4) ?? ""), "\(file)")
      #expect(numbers.insert(number).inserted, "\(file)")
      let text = try Self.text(file)
      #expect(text.hasPrefix("# \(number). "), "\(file)")
      #expect(text.contains("**Why"), "\(file)")
    }
  }
}
