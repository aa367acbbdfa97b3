import Foundation
import LinkTestSupport
import Testing

/// The catalogue of `scripts/mutate` follows the sources.
@Suite struct MutantCatalogTests {
  private struct Mutant: Decodable {
    var id: Int
    var area: String
    var file: String
    var kind: String
    var old: String
    var new: String
    /// Why no run can differ; nil if one can.
    var equivalent: String?
    /// What no scenario of the sweep uses; nil for what they use.
    var outside: String?
  }

  private static func catalogue() throws -> [Mutant] {
    let data = try Data(contentsOf: PackageRoot.url.appending(path: "scripts/mutants.json"))
    return try JSONDecoder().decode([Mutant].self, from: data)
  }

  @Test func `every mutant changes a text that occurs once in its file, also after those before it`() throws {
    var texts: [String: String] = [:]
    for mutant in try Self.catalogue() {
      let modules = ["Link", "PhoneSim", "WatchSim", "EdgeSim", "WatchConnectivity"].map { "Sources/\($0)/" }
      #expect(modules.contains { mutant.file.hasPrefix($0) }, "mutant \(mutant.id)")
      // Targets of their own, without the switch.
      #expect(!mutant.file.hasPrefix("Sources/Link/Store/") && !mutant.file.hasPrefix("Sources/Link/Transport/"))
      let text =
        try texts[mutant.file]
        ?? String(contentsOf: PackageRoot.url.appending(path: mutant.file), encoding: .utf8)
      #expect(text.components(separatedBy: mutant.old).count == 2, "mutant \(mutant.id): \(mutant.old)")
      let change = mutant.new.replacingOccurrences(of: "MUTANT", with: "(Mutant.on == \(mutant.id))")
      texts[mutant.file] = text.replacingOccurrences(of: mutant.old, with: change)
    }
  }

  @Test func `mutants have unique numbers, known kinds and a switch`() throws {
    let all = try Self.catalogue()
    #expect(all.map(\.id) == Array(1...all.count))
    #expect(all.count >= 200)
    for mutant in all {
      #expect(["guard", "comparison", "timer", "ordering"].contains(mutant.kind), "mutant \(mutant.id)")
      #expect(mutant.new.components(separatedBy: "MUTANT").count >= 2, "mutant \(mutant.id)")
      #expect(!mutant.old.contains("MUTANT"), "mutant \(mutant.id)")
      #expect(mutant.equivalent.map { !$0.isEmpty } ?? true, "mutant \(mutant.id)")
      #expect(mutant.outside.map { !$0.isEmpty } ?? true, "mutant \(mutant.id)")
      #expect(mutant.equivalent == nil || mutant.outside == nil, "mutant \(mutant.id)")
    }
  }

  @Test func `each module has mutants, and none is in the catalogue twice`() throws {
    let all = try Self.catalogue()
    for module in ["Link", "PhoneSim", "WatchSim"] {
      #expect(all.count { $0.file.hasPrefix("Sources/\(module)/") } >= 40, "\(module)")
    }
    let changes = Set(all.map { "\($0.file) \($0.old) \($0.new)" })
    #expect(changes.count == all.count)
  }

  @Test func `a survivor that the catalogue does not explain fails the check, an explained one does not`() throws {
    let all = try Self.catalogue()
    let explained = try #require(all.first { $0.equivalent != nil || $0.outside != nil })
    let other = try #require(all.first { $0.equivalent == nil && $0.outside == nil })
    #expect(try Self.report([(explained.id, nil)]) == 0)
    #expect(try Self.report([(other.id, "queues-drain")]) == 0)
    #expect(try Self.report([(other.id, nil)]) == 1)
  }

  @Test func `the script knows the area of every mutant`() throws {
    let script = try String(contentsOf: PackageRoot.url.appending(path: "scripts/mutate"), encoding: .utf8)
    for area in Set(try Self.catalogue().map(\.area)) { #expect(script.contains("\"\(area)\": ["), "\(area)") }
  }

  /// The exit status of `scripts/mutate --report` for these mutants, each with the invariant that killed it.
  private static func report(_ results: [(id: Int, killer: String?)]) throws -> Int32 {
    let lines = results.map { id, killer in
      let found =
        killer.map { "{\"kind\": \"invariant\", \"name\": \"\($0)\", \"scenario\": \"trust\", \"seed\": 1}" } ?? "null"
      return "{\"id\": \(id), \"killer\": \(found)}\n"
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "mutants-\(UUID().uuidString).jsonl")
    try lines.joined().write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = PackageRoot.url.appending(path: "scripts/mutate")
    process.arguments = ["--report", file.path]
    process.standardOutput = FileHandle.nullDevice
    try process.run(killedAfter: 120)
    process.waitUntilExit()
    return process.terminationStatus
  }
}
