import Foundation
import Link
import LinkTestSupport
import Testing

@testable import Experiments
@testable import Simulator
@testable import Console

/// A failure as one file: what is in it, and what another machine makes of it.
@Suite struct BundleTests {
  /// A watch that is cut off: the run is not saved in time, whatever else happens.
  private static let failing = """
    { scenario: "cut off", seed: 3, duration: "90s", workout: { SOURCE },
      nemesis: { meanInterval: "20s", kinds: ["loss", "delay"] },
      expect: [{ event: "run.opened", between: ["80s", "90s"] }] }
    """
  private static let model = "source: { model: { distance: 300, pace: \"5:00/km\" } }"

  /// A run of 3 m a second to the north, a point a second.
  private static var gpx: String {
    let points = (0..<60).map { second in
      let clock = "2026-04-12T06:00:\(second < 10 ? "0" : "")\(second)Z"
      return
        "<trkpt lat=\"52.5\(String(100_000 + 27 * second).dropFirst())\" lon=\"13.4\"><time>\(clock)</time></trkpt>"
    }
    return "<?xml version=\"1.0\"?><gpx version=\"1.1\" creator=\"a test\" xmlns=\"http://www.topografix.com/GPX/1/1\">"
      + "<trk><type>running</type><trkseg>\(points.joined(separator: "\n"))</trkseg></trk></gpx>\n"
  }

  private static func scenario(_ source: String = model) throws -> Scenario {
    let text = failing.replacing("SOURCE", with: source)
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    #expect(!diagnostics.contains { $0.hasErrors }, "\(diagnostics.map(\.description))")
    return scenario
  }

  private static func bundle() throws -> RunBundle {
    let scenario = try scenario()
    let shrunk = try ShrunkRun.make(scenario)?.scenario
    return try BundleWriter(scenario: scenario, shrunk: shrunk, command: "sim-runner run s.json5").bundle()
  }

  @Test func `a failure with a recorded workout is repeated where neither file exists`() throws {
    let folder = try Tool.makeFolder()
    let other = try Tool.makeFolder()
    defer { for each in [folder, other] { try? FileManager.default.removeItem(at: each) } }
    try Data(Self.gpx.utf8).write(to: folder.appending(path: "my lap.gpx"))
    let text = Self.failing.replacing("SOURCE", with: "source: { import: \"my lap.gpx\" }")
    try Data(text.utf8).write(to: folder.appending(path: "s.json5"))
    let made = try Tool(["run", "s.json5", "--trace", "t.jsonl", "--bundle", "b.wristwire"], in: folder).finish()
    #expect(
      made.status == 1 && made.output.contains(" repro b.wristwire"), "\(made)")
    try FileManager.default.moveItem(
      at: folder.appending(path: "b.wristwire"), to: other.appending(path: "got.wristwire"))
    let trace = try Data(contentsOf: folder.appending(path: "t.jsonl"))
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let again = try Tool(["repro", "got.wristwire", "--trace", "again.jsonl"], in: other).finish()
    #expect(again.status == 0, "\(again)")
    #expect(again.output.contains("cut off, seed 3\n") && again.output.contains("repeated  original: "))
    #expect(again.output.contains("repeated  shrunk: ") && again.output.contains("expectation-1: "))
    #expect(try Data(contentsOf: other.appending(path: "again.jsonl")) == trace)
  }

  @Test func `an ordinary tool unpacks it, and its scenarios run there`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let bundle = try Self.bundle()
    try Data(bundle.bytes).write(to: folder.appending(path: "b.wristwire"))
    let tar = Process()
    tar.executableURL = URL(filePath: "/usr/bin/env")
    tar.arguments = ["tar", "xf", "b.wristwire"]
    tar.currentDirectoryURL = folder
    try tar.run(killedAfter: 60)
    tar.waitUntilExit()
    #expect(tar.terminationStatus == 0)
    for file in bundle.files {
      #expect(try Array(Data(contentsOf: folder.appending(path: file.name))) == file.bytes, "\(file.name)")
    }
    let run = try Tool(["run", "scenario.json5", "--trace", "mine.jsonl", "--quiet"], in: folder).finish()
    #expect(run.status == 1, "\(run)")
    #expect(try Array(Data(contentsOf: folder.appending(path: "mine.jsonl"))) == bundle["trace.jsonl"])
    #expect(String(decoding: bundle["report.html"] ?? [], as: UTF8.self).contains("<!doctype html>"))
  }

  @Test func `the same run gives the same bytes, and they read back`() throws {
    let (one, two) = (try Self.bundle(), try Self.bundle())
    #expect(one.bytes == two.bytes)
    let read = try RunBundle(one.bytes, path: "b")
    #expect(read.manifest == one.manifest && read.files == one.files)
    #expect(read.manifest.shrunk != nil && read.manifest.build.version == Version.text)
    #expect(read.manifest.original.verdict == "fail" && !read.manifest.original.findings.isEmpty)
  }

  @Test func `a trace that is not repeated is compared line by line`() throws {
    var bundle = try Self.bundle()
    let index = try #require(bundle.files.firstIndex { $0.name == "trace.jsonl" })
    var lines = String(decoding: bundle.files[index].bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let place = try #require(lines.firstIndex { $0.contains("\"run.opened\"") })
    lines[place] = lines[place].replacing("\"run.opened\"", with: "\"run.refused\"")
    bundle.files[index].bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    let digest = Digest.text(Digest.sha256(bundle.files[index].bytes))
    bundle.manifest.original.digest = digest
    bundle.manifest.files[index].digest = digest
    bundle.manifest.files[index].bytes = bundle.files[index].bytes.count
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(bundle.bytes).write(to: folder.appending(path: "b.wristwire"))
    let result = try Tool(["repro", "b.wristwire"], in: folder).finish()
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("differs  original: "))
    #expect(result.output.contains("line \(place + 1) was  ") && result.output.contains("line \(place + 1) is   "))
    #expect(result.output.contains("the first decision that differs is at "))
    #expect(result.output.contains("repeated  shrunk: "))
  }

  @Test func `a manifest that says something else than the run does is not repeated`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let changes: [(String, @Sendable (inout BundleManifest) -> Void)] = [
      ("verdict was  pass", { $0.original.verdict = "pass" }), ("finding is   ", { $0.original.findings = [] }),
      ("seed was  77", { $0.seed = 77 }), ("scenario was  other", { $0.scenario = "other" }),
    ]
    let good = try Self.bundle()
    for (text, change) in changes {
      var bundle = good
      change(&bundle.manifest)
      try Data(bundle.bytes).write(to: folder.appending(path: "b.wristwire"))
      let result = try Tool(["repro", "b.wristwire"], in: folder).finish()
      #expect(result.status == 1 && result.output.contains(text), "\(text): \(result)")
    }
  }

  @Test func `a stranger's bundle starts no program, with or without the mark of a saved scenario`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let mark = folder.appending(path: "mark").path
    for isMarked in [false, true] {
      var bundle = try Self.bundle()
      let index = try #require(bundle.files.firstIndex { $0.name == "scenario.json5" })
      let text = String(decoding: bundle.files[index].bytes, as: UTF8.self)
      let brace = try #require(text.firstIndex(of: "{"))
      let keys = "\(isMarked ? "saved: true, " : "")phone: { command: \"/usr/bin/touch \(mark)\" }, "
      bundle.files[index].bytes = Array("\(text[...brace])\(keys)\(text[text.index(after: brace)...])".utf8)
      let place = try #require(bundle.manifest.files.firstIndex { $0.name == "scenario.json5" })
      bundle.manifest.files[place].digest = Digest.text(Digest.sha256(bundle.files[index].bytes))
      bundle.manifest.files[place].bytes = bundle.files[index].bytes.count
      try Data(bundle.bytes).write(to: folder.appending(path: "b.wristwire"))
      let result = try Tool(["repro", "b.wristwire"], in: folder).finish()
      #expect(result.status == 2, "\(result)")
      #expect(result.errors.contains("/usr/bin/touch \(mark)") && result.errors.contains("--run-programs"), "\(result)")
      #expect(!FileManager.default.fileExists(atPath: mark))
    }
  }

  /// Changes of a good bundle, and what is said of each.
  private static let damages: [(String, String, @Sendable (RunBundle) -> [UInt8])] = [
    ("nothing", "found the end of the file", { _ in [] }),
    ("no archive", "expected \"ustar\"", { _ in [UInt8](repeating: 0x41, count: 2_000) }),
    ("cut in a file", "bytes of \"", { Array($0.bytes.prefix($0.bytes.count / 2)) }),
    ("cut at the end", "found the end of the file", { Array($0.bytes.dropLast(1_024)) }),
    ("a changed header", "found a wrong checksum", { changed($0.bytes) { $0[0] ^= 1 } }),
    ("a link", "found a link, folder or special file", { changed($0.bytes, sums: true) { $0[156] = 0x32 } }),
    ("a huge size", "as its header says", { changed($0.bytes, sums: true) { for i in 124..<135 { $0[i] = 0x37 } } }),
    ("a size below zero", "found no octal number", { changed($0.bytes, sums: true) { $0[124] = 0x2D } }),
    ("a long name", "found a name above", { changed($0.bytes, sums: true) { $0[345] = 0x41 } }),
    ("not UTF-8", "not UTF-8", { changed($0.bytes, sums: true) { $0[0] = 0xFF } }),
    ("a way out", "expected only those of a bundle", { with($0, "../evil") }),
    ("an absolute path", "expected only those of a bundle", { with($0, "/etc/evil") }),
    ("a way out of the folder", "expected only those of a bundle", { with($0, "workout/../evil") }),
    ("a folder's own name", "expected only those of a bundle", { with($0, "workout/..") }),
    ("a file that is not listed", "does not list", { with($0, "workout/more.gpx") }),
    ("a name twice", "found a second \"trace.jsonl\"", { with($0, "trace.jsonl") }),
    (
      "too many files", "found more than 16 files",
      { bundle in
        TarArchive.bytes(of: (0..<20).map { TarArchive.Member(name: "workout/\($0)", bytes: []) })
      }
    ),
    ("no manifest", "found no manifest.json", { TarArchive.bytes(of: $0.files) }),
    (
      "a manifest that is no JSON", "manifest.json:1:1",
      { bundle in
        TarArchive.bytes(of: [TarArchive.Member(name: "manifest.json", bytes: Array("x".utf8))] + bundle.files)
      }
    ),
    (
      "an empty manifest", "manifest.json:1:1: error",
      { bundle in
        TarArchive.bytes(of: [TarArchive.Member(name: "manifest.json", bytes: Array("{}".utf8))] + bundle.files)
      }
    ),
    (
      "another version", "expected 1, the version",
      { bundle in
        let text = bundle.manifest.text.replacing("\"wristwireBundle\":1", with: "\"wristwireBundle\":2")
        return TarArchive.bytes(of: [TarArchive.Member(name: "manifest.json", bytes: Array(text.utf8))] + bundle.files)
      }
    ),
    (
      "a missing file", "found no \"report.html\"",
      { bundle in
        RunBundle(manifest: bundle.manifest, files: bundle.files.filter { $0.name != "report.html" }).bytes
      }
    ),
    (
      "another trace", "found another \"trace.jsonl\"",
      { bundle in
        var bundle = bundle
        for index in bundle.files.indices where bundle.files[index].name == "trace.jsonl" {
          bundle.files[index].bytes[10] ^= 1
        }
        return bundle.bytes
      }
    ),
  ]

  private static func with(_ bundle: RunBundle, _ name: String) -> [UInt8] {
    RunBundle(manifest: bundle.manifest, files: bundle.files + [TarArchive.Member(name: name, bytes: [1])]).bytes
  }

  /// Changes the first header, with its checksum if requested.
  private static func changed(_ bytes: [UInt8], sums: Bool = false, _ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes = bytes
    change(&bytes)
    guard sums else { return bytes }
    var sum = 0
    for index in 0..<512 { sum += (148..<156).contains(index) ? 32 : Int(bytes[index]) }
    let text = String(sum, radix: 8)
    for (index, byte) in (String(repeating: "0", count: 6 - text.count) + text).utf8.enumerated() {
      bytes[148 + index] = byte
    }
    return bytes
  }

  @Test func `a damaged or hostile bundle is refused with what is wrong`() throws {
    let bundle = try Self.bundle()
    for (name, expected, damage) in Self.damages {
      do throws(Failure) {
        _ = try RunBundle(damage(bundle), path: "b.wristwire")
        Issue.record("\(name): accepted")
      } catch {
        #expect(error.status == 2 && error.text.hasPrefix("b.wristwire"), "\(name): \(error.text)")
        #expect(error.text.contains(expected), "\(name): \(error.text)")
      }
    }
  }

  @Test func `no changed byte is accepted with other contents`() throws {
    let good = try Self.bundle()
    let bytes = good.bytes
    let random = RandomStream(seed: 1, name: "damage")
    for turn in 0..<400 {
      var changed = bytes
      let place = Int(random.bits(for: UInt64(2 * turn)) % UInt64(bytes.count))
      changed[place] ^= UInt8(truncatingIfNeeded: 1 << (random.bits(for: UInt64(2 * turn + 1)) & 7))
      // Padding and the modes of files mean nothing; a command may say anything.
      guard let read = try? RunBundle(changed, path: "b") else { continue }
      #expect(read.files == good.files, "byte \(place)")
      #expect(read.manifest.original.digest == good.manifest.original.digest, "byte \(place)")
    }
  }

  @Test func `a file that is no bundle, or none at all, ends with status 2`() throws {
    for arguments in [["repro", "s.json5"], ["repro", "gone.wristwire"], ["repro"], ["repro", "."]] {
      let result = try Tool.run(arguments, files: ["s.json5": "{ scenario: \"x\" }"])
      #expect(result.status == 2 && !result.errors.isEmpty, "\(arguments): \(result)")
    }
    let proxied = try Tool.run(
      ["run", "s.json5", "--edge-cmd", "x", "--bundle", "b"], files: ["s.json5": "{ scenario: \"x\" }"])
    #expect(proxied.status == 2 && proxied.errors.contains("--bundle: found --edge-cmd"))
  }

  @Test func `tests and sweeps leave bundles that repeat`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.failing.replacing("SOURCE", with: Self.model).utf8).write(to: folder.appending(path: "s.json5"))
    let test = try Tool(["test", "s.json5", "--bundles", "kept", "--html", "page"], in: folder).finish()
    #expect(test.status == 1 && test.output.contains("bundle  kept/cut-off.wristwire"), "\(test)")
    let page = try String(contentsOf: folder.appending(path: "page/index.html"), encoding: .utf8)
    #expect(page.contains("href=\"../kept/cut-off.wristwire\""))
    let sweep = try Tool(["sweep", "s.json5", "--seeds", "2", "--jobs", "1", "--json"], in: folder).finish()
    #expect(sweep.status == 1 && sweep.output.contains("\"bundle\":\"sweep-failures/cut-off-0.wristwire\""), "\(sweep)")
    for path in ["kept/cut-off.wristwire", "sweep-failures/cut-off-0.wristwire"] {
      let again = try Tool(["repro", path, "--json"], in: folder).finish()
      #expect(again.status == 0 && again.output.contains("\"verdict\":\"repeated\""), "\(path): \(again)")
    }
  }
}
