import Foundation
import LinkTestSupport
import Testing

/// The catalogue of `scripts/mutate` follows the sources.
@Suite struct MutantCatalogTests {
  private struct Mutant: Decodable {
    var id: Int
    var file: String
    var kind: String
    var old: String
    var new: String
    var equivalent: String?
  }

  private static func catalogue() throws -> [Mutant] {
    let data = try Data(contentsOf: PackageRoot.url.appending(path: "scripts/mutants.json"))
    return try JSONDecoder().decode([Mutant].self, from: data)
  }

  @Test func `every mutant changes a text that occurs once in its file, also after those before it`() throws {
    var texts: [String: String] = [:]
    for mutant in try Self.catalogue() {
      #expect(mutant.file.hasPrefix("Sources/PhoneSim/"), "mutant \(mutant.id)")
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
    #expect(all.count >= 40)
    for mutant in all {
      #expect(["guard", "comparison", "timer", "ordering"].contains(mutant.kind), "mutant \(mutant.id)")
      #expect(mutant.new.components(separatedBy: "MUTANT").count >= 2, "mutant \(mutant.id)")
      #expect(!mutant.old.contains("MUTANT"), "mutant \(mutant.id)")
      #expect(mutant.equivalent.map { !$0.isEmpty } ?? true, "mutant \(mutant.id)")
    }
  }
}
