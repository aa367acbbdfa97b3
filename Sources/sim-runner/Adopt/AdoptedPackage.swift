import Console
import Foundation

/// The package that `adopt` makes of an app: what it holds for each device.
struct AdoptedPackage {
  struct Device {
    var plan: AppPlan
    /// How it is compiled.
    var language = AppLanguage()
    /// Why it is not compiled in the project's own mode; nil if it is.
    var otherMode: String?
    var stubs = AppStubs()
    var objects: AppObjects?
  }

  let app: AppFolder
  /// The package's folder, absolute.
  let folder: String
  /// The checkout of Wristwire.
  let wristwire: String
  /// The program that copies the files before a build.
  let runner: String
  var devices: [Device]

  /// A name that targets may have.
  var name: String {
    let letters = app.name.unicodeScalars.filter {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
    }
    let text = String(String.UnicodeScalarView(letters).drop { $0.properties.numericType != nil }.prefix(30))
    return text.isEmpty ? "App" : text.prefix(1).uppercased() + text.dropFirst()
  }

  func target(_ role: DeviceRole) -> String { name + role.title }

  /// What is copied, each under a name that its target has once.
  var files: AdoptedFiles {
    var copies: [AdoptedFiles.Copy] = []
    for device in devices {
      var names: Set<String> = [
        "main.swift", "stubs.swift", "stubsupport.swift", "screenrecorder.swift", "exports.swift",
        "storedmodels.swift",
      ]
      for path in device.plan.chosen.sorted() {
        let parts = path.split(separator: "/").map(String.init)
        var (name, count) = (parts.last ?? path, 2)
        while !names.insert(name.lowercased()).inserted {
          name = parts.suffix(count).joined(separator: "_")
          if count > parts.count { name = "\(count)_" + name }
          count += 1
        }
        let role = device.plan.role
        copies.append(
          .init(
            from: path, to: "Sources/\(target(role))/App/\(name)", device: role,
            without: device.plan.without[path]?.map(\.name) ?? []))
      }
    }
    return AdoptedFiles(app: FilePath.relative(app.root, to: folder), files: copies)
  }

  /// Writes everything but the page; copies that are not wanted any more go.
  func write() throws(Failure) {
    let files = files
    try put(files.text, AdoptedFiles.name)
    try put(package, "Package.swift")
    try put(".build/\nSources/*/App/\nout/\n", ".gitignore")
    try put(build, "build")
    try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/build")
    for device in devices {
      let place = "Sources/\(target(device.plan.role))"
      let kept = Set(
        files.files.filter { $0.device == device.plan.role }.map { URL(fileURLWithPath: $0.to).lastPathComponent })
      for old in (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(place)/App")) ?? []
      where !kept.contains(old) && old.hasSuffix(".swift") {
        try? FileManager.default.removeItem(atPath: "\(folder)/\(place)/App/\(old)")
      }
      try put(AppStubs.support, "\(place)/StubSupport.swift")
      try put(Self.exports(device.plan), "\(place)/Exports.swift")
      try put(Self.storedModels(device.plan), "\(place)/StoredModels.swift")
      try put(AppStubs.recorder, "\(place)/ScreenRecorder.swift")
      try put(device.stubs.text(for: device.plan), "\(place)/Stubs.swift")
      try putUnlessOwn(Self.main(device), "\(place)/main.swift")
    }
    _ = try files.sync(package: folder)
  }

  func put(_ text: String, _ path: String) throws(Failure) {
    try AdoptedFiles.write(Array(text.utf8), to: "\(folder)/\(path)")
  }

  /// What Apple's modules bring with each other, for every file: Foundation has Combine, and SwiftUI the device's kit.
  private static func exports(_ plan: AppPlan) -> String {
    let hasRequests = ["URLSession", "URLRequest", "HTTPURLResponse", "URLResponse"].contains { plan.uses(of: $0) > 0 }
    return """
      @_exported import AppleFoundation
      \(hasRequests ? "@_exported import AppleNetworking\n" : "")@_exported import Combine
      @_exported import \(plan.role == .phone ? "UIKit" : "WatchKit")

      // Foundation's own is not available here.
      public typealias DateComponentsFormatter = UnitsFormatter

      """
  }

  /// What the macros `@Model` and `@ModelActor` would write.
  private static func storedModels(_ plan: AppPlan) -> String {
    let models = plan.chosen.sorted().flatMap { plan.sources[$0]?.models ?? [] }
    var text = "// What SwiftData stores, and the actors that use it. adopt overwrites this file.\nimport SwiftData\n"
    for one in models {
      text += "\nextension \(one.name): PersistentModel {\n  static var uniqueKeys: [PartialKeyPath<\(one.name)>] { ["
      text += one.unique.map { "\\.\($0)" }.joined(separator: ", ") + "] }\n}\n"
    }
    for name in plan.chosen.sorted().flatMap({ plan.sources[$0]?.modelActors ?? [] }) {
      text += "\nextension \(name): ModelActor {}\n"
    }
    return text
  }

  /// The first line of a file that `adopt` replaces; one without it is the user's own, and stays.
  static let mark = "// Written by adopt, which overwrites it unless this line is gone."

  /// Writes a file that users may have made their own; false if they have.
  @discardableResult
  func putUnlessOwn(_ text: String, _ path: String) throws(Failure) -> Bool {
    let old = FileManager.default.contents(atPath: "\(folder)/\(path)").map { String(decoding: $0, as: UTF8.self) }
    guard old?.hasPrefix(Self.mark) ?? true else { return false }
    try put(text, path)
    return true
  }

  /// The lines of `main.swift` before those of the objects.
  static let mainHead = """
    \(mark)
    // The app's program without its user interface: objects, facts and acts are one line each.
    import Foundation
    import HealthKit
    import SwiftData
    import UIKit
    import WatchConnectivity
    import WatchKit
    import WristwireSupport

    @MainActor func beginAdopted() {

    """
  static var mainHeadLines: Int { mainHead.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }

  private static func main(_ device: Device) -> String {
    let lines = device.objects?.lines.map { "  \($0.code)\n" } ?? []
    let kept = device.objects?.kept.joined(separator: ", ") ?? ""
    // The session's delegate is weak.
    return mainHead + lines.joined() + """
        withExtendedLifetime([\(kept)] as [Any]) { RunLoop.main.run() }
      }

      MainActor.assumeIsolated { beginAdopted() }

      """
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private var package: String {
    let products = DeviceTruth.products.map { "\"\($0)\"" }.joined(separator: ", ")
    let targets = devices.map {
      "    .executableTarget(name: \"\(target($0.plan.role))\", dependencies: apple, swiftSettings: \($0.language.settings)),\n"
    }
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      // Sources/*/App are copies of the app's files, which `./build` brings up to date: adopt.json names them.
      let apple: [Target.Dependency] = [
        \(products),
      ].map { .product(name: $0, package: "wristwire") }

      let package = Package(
        name: "\(name)Wristwire",
        dependencies: [.package(name: "wristwire", path: \(Self.quoted(wristwire)))],
        targets: [
      \(targets.joined())  ]
      )

      """
  }

  private var build: String {
    let runner = runner.replacing("\"", with: "\\\"").replacing("$", with: "\\$")
    return """
      #!/bin/sh
      # Copies what has changed in the app, and builds.
      cd "$(dirname "$0")" || exit 3
      "${SIM_RUNNER:-\(runner)}" adopt --sync . && exec swift build "$@"

      """
  }
}
