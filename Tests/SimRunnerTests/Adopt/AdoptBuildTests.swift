import Foundation
import Testing

@testable import Simulator

/// `sim-runner adopt` to its end: rounds of the compiler, programs, and the first failing verdict.
///
/// `swift build` of a package would compile all of Wristwire once more. A script in its place compiles the package's
/// targets against the modules that are built already, which takes seconds.
@Suite(.serialized) struct `adopt to the first verdict` {
  /// Where this package is built.
  private static let build = URL(filePath: Tool.path).deletingLastPathComponent()

  /// Whether the script can work: there are a compiler, modules and their objects.
  private static let isPossible: Bool = {
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let hasFiles = ["Modules/WristwireSupport.swiftmodule", "WristwireSupport.build", "libVirtualTime.so"].allSatisfy {
      FileManager.default.fileExists(atPath: build.appending(path: $0).path())
    }
    return hasFiles && paths.contains { FileManager.default.isExecutableFile(atPath: "\($0)/swiftc") }
  }()

  private static let script = """
    #!/bin/bash
    # Stands for `swift build` in an adopted package.
    flags=(-swift-version 5 -suppress-warnings -diagnostic-style llvm -I "$WW_BUILD/Modules")
    for map in "$WW_BUILD"/*.build/module.modulemap "$WW_ROOT"/Sources/*/module.modulemap \\
      "$WW_ROOT"/Sources/*/include/module.modulemap; do
      if [ -e "$map" ]; then flags+=(-Xcc "-fmodule-map-file=$map"); fi
    done
    case "$*" in
      "build --target "*) exec swiftc -wmo -emit-sil -o /dev/null "${flags[@]}" -module-name "$3" "$PWD/Sources/$3"/{,App/}*.swift ;;
      build) ;;
      *) exit 0 ;;
    esac
    mkdir -p .build/debug
    for module in CSessionStart CSimulation CSystem Link LinkStore LinkTransport WatchConnectivity WristwireSupport \\
      AppleFoundation AppleNetworking Combine SwiftUI os OSLog DeviceClient HealthSim HealthKit WatchKit UIKit \\
      CoreLocation CoreMotion AVFoundation Speech UserNotifications ActivityKit EventKit WidgetKit SwiftData; do
      # A build folder keeps the objects of files that are gone; the map has those of now.
      map="$WW_BUILD/$module.build/output-file-map.json"
      if [ -f "$map" ]; then
        grep -o '"object" *: *"[^"]*"' "$map" | cut -d '"' -f 4
      else
        ls "$WW_BUILD/$module.build"/*.o
      fi
    done > objects.txt
    for source in Sources/*; do
      name=$(basename "$source")
      swiftc "${flags[@]}" -module-name "$name" "$source"/{,App/}*.swift @objects.txt -lsqlite3 -lm \\
        -o ".build/debug/$name" || exit 1
    done
    """

  @Test(
    .enabled(if: isPossible, "it needs swiftc, and the modules, objects and libVirtualTime.so of a build"),
    .timeLimit(.minutes(5)))
  func `an app's folder becomes two programs, whose first sweep finds the app's mistake`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(
      at: Tool.root.appending(path: "Tests/SampleApp"), to: folder.appending(path: "App"))
    let bin = folder.appending(path: "bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: false)
    try Data(Self.script.utf8).write(to: bin.appending(path: "swift"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: bin.appending(path: "swift").path())
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let result = try Tool(
      ["adopt", "App", "--into", "out", "--seeds", "0..<6"], in: folder,
      environment: [
        "PATH": "\(bin.path()):\(path)", "WW_BUILD": Self.build.path(), "WW_ROOT": Tool.root.path(),
      ]
    ).finish()
    #expect(result.status == 1, "\(result.errors)\n\(result.output.suffix(3000))")
    #expect(result.output.contains("LapModel-kept"), "\(result.output.suffix(3000))")
    // A date and an id on the screen differ in each run, and are no differences.
    #expect(!result.output.contains("LapModel-latest") && !result.output.contains("LapModel-round"))
    let page = try String(contentsOf: folder.appending(path: "out/ADOPTED.md"), encoding: .utf8)
    #expect(page.contains("`LapModel.clearLaps(): let shelf = Shelf<Lap>()`"), "\(page)")
    #expect(page.contains("`LapAnalytics`: uses: 1") && !page.contains("### Left out, as"), "\(page)")
    let list = try String(contentsOf: folder.appending(path: "out/adopt.json"), encoding: .utf8)
    #expect(list.contains("LapModel.clearLaps(): let shelf = Shelf<Lap>()"))
  }
}
