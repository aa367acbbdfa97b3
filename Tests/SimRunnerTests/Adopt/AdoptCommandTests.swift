import Foundation
import Testing

/// `sim-runner adopt` without a build: which files it takes, and what it refuses.
@Suite struct `adopt of a folder` {
  private static let sample = Tool.root.appending(path: "Tests/SampleApp")
  private static let session = "import WatchConnectivity\nfinal class Link: NSObject, WCSessionDelegate {}\n"

  private func adopt(_ folder: URL, _ options: [String] = []) throws -> Tool.Result {
    try Tool(["adopt", folder.appending(path: "App").path(), "--no-build"] + options, in: folder).finish()
  }

  private func write(_ files: [String: String], in folder: URL) throws {
    for (path, text) in files {
      let file = folder.appending(path: "App/\(path)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  @Test func `a project's targets become a phone's and a watch's`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(at: Self.sample, to: folder.appending(path: "App"))
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: "App").path())
    let result = try adopt(folder)
    #expect(result.status == 0, "\(result.errors)")
    let package = folder.appending(path: "LapClub-wristwire")
    func names(_ path: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: package.appending(path: path).path()).sorted()
    }
    // A model in a file of views is needed; what no file of the session uses is not, nor what the target leaves out.
    #expect(
      try names("Sources/LapClubPhone/App")
        == ["Lap.swift", "LapArchive.swift", "LapList.swift", "LapModel.swift", "PhoneLink.swift"])
    #expect(try names("Sources/LapClubWatch/App") == ["WatchLink.swift"])
    let watch = try String(
      contentsOf: package.appending(path: "Sources/LapClubWatch/App/WatchLink.swift"), encoding: .utf8)
    #expect(watch.contains("#if true") && watch.contains("#if false") && !watch.contains("PhoneOnlyModule"))
    let scenario = try String(contentsOf: package.appending(path: "drawn.json5"), encoding: .utf8)
    #expect(scenario.contains("{ do: \"lapButtonTapped\", on: \"watch\" }") && scenario.contains("sameAsIdeal"))
    #expect(scenario.contains("{ onlyAfter: \"app.WatchLink-isRunning\", act: \"startRun\", where: { value: true } }"))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: "App").path()) == before)

    // A change in the app is copied; what is the user's own stays.
    let lap = folder.appending(path: "App/LapClub/Models/Lap.swift")
    try Data("struct Lap: Codable, Equatable { var number = 7 }\n".utf8).write(to: lap)
    let synced = try Tool(["adopt", "--sync", package.path()], in: folder).finish()
    #expect(synced.status == 0 && synced.output == "copied 1 file of the app\n", "\(synced.errors)")
    try Data("{ mine: 1 }".utf8).write(to: package.appending(path: "drawn.json5"))
    let again = try adopt(folder)
    #expect(again.status == 0 && again.output.contains("drawn.json5 is yours, and stays"))
    let kept = try String(contentsOf: package.appending(path: "drawn.json5"), encoding: .utf8)
    #expect(kept == "{ mine: 1 }")
  }

  @Test func `folders decide where there is no project`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(
      [
        "Run Watch App/WatchLink.swift": Self.session, "Run/PhoneLink.swift": Self.session + "struct P { let s: Kept }",
        "Shared/Kept.swift": "struct Kept {}", "RunTests/T.swift": Self.session,
      ], in: folder)
    let result = try adopt(folder, ["--into", "out"])
    #expect(result.status == 0, "\(result.errors)")
    let files = try String(contentsOf: folder.appending(path: "out/adopt.json"), encoding: .utf8)
    #expect(files.contains("Sources/AppPhone/App/Kept.swift") && files.contains("Sources/AppWatch/App/WatchLink.swift"))
    #expect(!files.contains("AppWatch/App/Kept.swift") && !files.contains("RunTests"))
  }

  @Test func `an app's own name says nothing of the device`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(
      [
        "watch-with-ios/PhoneLink.swift": Self.session,
        "watch-with-ios WatchKit Extension/WatchLink.swift": Self.session,
      ], in: folder)
    let result = try adopt(folder, ["--into", "out"])
    #expect(result.status == 0, "\(result.errors)")
    let files = try String(contentsOf: folder.appending(path: "out/adopt.json"), encoding: .utf8)
    #expect(files.contains("Phone/App/PhoneLink.swift") && files.contains("Watch/App/WatchLink.swift"))
    #expect(!files.contains("Watch/App/PhoneLink.swift"))
  }

  @Test(
    arguments: [
      (["A.swift": "struct A {}"], "found no file that imports WatchConnectivity"),
      (["a.txt": ""], "found no Swift file"),
      (["A.swift": "", "L.m": "@import WatchConnectivity;"], "in Objective-C alone (L.m)"),
      (["X.xcodeproj/project.pbxproj": "{ nothing", "A.swift": ""], "expected that of an Xcode project"),
      (["A.swift": session, "../out/own.txt": "mine"], "which adopt has not made"),
      (
        [
          "X.xcodeproj/project.pbxproj": """
          { objects = { a = { name = One; productType = "com.apple.product-type.application"; };
            b = { name = Two; productType = "com.apple.product-type.application"; }; 
            r = { targets = (a, b); }; }; rootObject = r; }
          """
        ], "found 2 apps in"
      ),
    ] as [([String: String], String)])
  func `what cannot be adopted is refused`(files: [String: String], message: String) throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(files, in: folder)
    let result = try adopt(folder, ["--into", "out"])
    #expect(result.status == 2 && result.errors.contains(message), "\(result.errors)")
  }

  @Test func `the package is outside of the app's folder, and is that of one app`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(["A.swift": Self.session, "../Other/B.swift": Self.session], in: folder)
    let inside = try adopt(folder, ["--into", "App/sub"])
    #expect(inside.status == 2 && inside.errors.contains("expected one outside"), "\(inside.errors)")
    #expect(try adopt(folder, ["--into", "out"]).status == 0)
    let other = try Tool(["adopt", "Other", "--no-build", "--into", "out"], in: folder).finish()
    #expect(other.status == 2 && other.errors.contains("found the package of"), "\(other.errors)")
  }

  @Test func `a copy is without what does not compile`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try write(["A.swift": "func a() {\n  bad()\n  good()\n}\n"], in: folder)
    let list =
      #"{"app": "../App", "files": [{"from": "A.swift", "to": "Sources/P/App/A.swift", "device": "phone", "#
      + #""without": ["a(): bad()"]}]}"#
    try write(["../out/adopt.json": list], in: folder)
    let result = try Tool(["adopt", "--sync", "out"], in: folder).finish()
    #expect(result.status == 0, "\(result.errors)")
    let copy = try String(contentsOf: folder.appending(path: "out/Sources/P/App/A.swift"), encoding: .utf8)
    #expect(copy == "func a() {\n  reportMissing(\"a(): bad()\")\n  good()\n}\n")
  }

  @Test(arguments: ["../../evil.swift", "Sources/../x.swift", "Sources/a/b.txt", "/etc/x.swift"])
  func `a list of copies cannot lead out of the package`(path: String) throws {
    let list = #"{"app": ".", "files": [{"from": "a.swift", "to": "\#(path)", "device": "phone"}]}"#
    let result = try Tool.run(["adopt", "--sync", "."], files: ["adopt.json": list, "a.swift": "let a = 1"])
    #expect(result.status == 2 && result.errors.contains("expected a Swift file in Sources"), "\(result.errors)")
  }
}
