import Console
import Foundation
import LinkTestSupport
import Testing

@testable import bench_runner

/// The benchmark works; how fast anything is, is no test's business.
@Suite struct BenchTests {
  /// What the program printed.
  private struct Ended {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs the program, which is beside the tests', to its end.
  private static func run(_ words: [String]) throws -> Ended {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let beside = URL(filePath: own).deletingLastPathComponent().appending(path: "bench-runner")
    let built = PackageRoot.url.appending(path: ".build/debug/bench-runner")
    let process = Process()
    process.executableURL = FileManager.default.isExecutableFile(atPath: beside.path()) ? beside : built
    process.arguments = words
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    process.standardInput = FileHandle.nullDevice
    try process.run(killedAfter: 120)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let problems = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Ended(status: process.terminationStatus, output: text, errors: problems)
  }

  @Test(arguments: BenchCatalog.all.map { $0.name }.filter { $0 != "peers" })
  func `a measurement gives finite positive figures`(name: String) throws {
    let child = try Self.run(["bench", "--tiny", "--json", "--only", name])
    #expect(child.status == 0, "\(child.errors)")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(child.output.utf8)) as? [String: Any])
    let parts = try #require(object["measurements"] as? [[String: Any]])
    #expect(parts.map { $0["name"] as? String } == [name])
    let rows = try #require(parts.first?["rows"] as? [[String: Any]])
    #expect(!rows.isEmpty)
    for row in rows {
      let title = row["name"] as? String ?? ""
      guard let figure = row["pinned"] as? [String: Any] else {
        // Only what this machine lacks is left out, and then says so.
        #expect((row["note"] as? String)?.hasPrefix("not measured: ") == true, "\(title)")
        continue
      }
      let median = try #require(figure["median"] as? Double, "\(title)")
      #expect(median.isFinite && median > 0, "\(title): \(median)")
      let least = try #require(figure["least"] as? Double)
      let most = try #require(figure["most"] as? Double)
      #expect(least <= median && median <= most, "\(title)")
    }
  }

  @Test func `an unknown measurement is refused by name`() throws {
    let child = try Self.run(["bench", "--only", "hours"])
    #expect(child.status == 2)
    #expect(child.errors.contains("hours"))
    #expect(child.errors.contains("\"hour\""))
  }

  @Test func `a peer without a figure says what it lacks`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ww-peers-\(UUID().uuidString.prefix(8))")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder.appending(path: "build"), withIntermediateDirectories: true)
    let none = try Self.run(["bench", "--tiny", "--only", "peers", "--peers", folder.path()])
    #expect(none.status == 0)
    #expect(none.output.contains("there is no \(folder.path())/simpy/pair.py"))
    // Lines are wrapped, wherever the folder is.
    #expect(none.output.replacing("\n", with: " ").contains("/out/ns3_pair and no "))
    // As it is where ns-3's libraries are missing, and as it is where they are there.
    let program = folder.appending(path: "build/ns3_pair")
    for (script, expected) in [
      ("echo 'libns3.37-core.so: cannot open' >&2; exit 127", "libns3.37-core.so: cannot open"),
      ("echo '{\"bench\":\"ns3\",\"sim_hours_per_s\":34}'", "122,400"),
    ] {
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path())
      let some = try Self.run(["bench", "--tiny", "--only", "peers", "--peers", folder.path()])
      #expect(some.status == 0 && some.output.contains(expected), "\(some.output)")
    }
  }

  @Test func `a median lies between, also of an even number of rounds`() {
    #expect(Spread([3, 1, 2]).median == 2)
    #expect(Spread([4, 1, 2, 3]) == Spread([1, 2, 3, 4]))
    #expect(Spread([4, 1, 2, 3]).median == 2.5)
  }

  @Test func `a ratio is of figures of the same round`() {
    // The second round ran on a machine half as fast; the ratio is the same in both.
    #expect(Spread.ratio([10, 5], to: [20, 10]) == Spread([0.5, 0.5]))
  }

  @Test func `rounds take turns in who is first`() throws {
    var order: [Int] = []
    let figures = try BenchRounds.run(3, variants: 3) { (variant) throws(Failure) in
      order.append(variant)
      return Double(variant)
    }
    #expect(order == [0, 1, 2, 1, 2, 0, 2, 0, 1])
    #expect(figures == [[0, 0, 0], [1, 1, 1], [2, 2, 2]])
  }

  @Test func `a goal is met at its bound and not beside it`() {
    #expect(BenchRow("a", "x", Spread([2]), .atLeast(2)).isMet == true)
    #expect(BenchRow("a", "x", Spread([1.9]), .atLeast(2)).isMet == false)
    #expect(BenchRow("a", "x", Spread([2.1]), .atMost(2)).isMet == false)
    #expect(BenchRow("a", "x", nil, .atMost(2)).isMet == nil)
  }
}
