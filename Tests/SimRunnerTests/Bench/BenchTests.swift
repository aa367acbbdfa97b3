@testable import Benchmark
import Foundation
import Testing

@testable import Console
@testable import Commands

/// The benchmark works; how fast anything is, is no test's business.
@Suite struct BenchTests {
  @Test(arguments: BenchCatalog.all.map { $0.name }.filter { $0 != "peers" })
  func `a measurement gives finite positive figures`(name: String) throws {
    let child = try CommandChild.run(["bench", "--tiny", "--json", "--only", name])
    #expect(child.status == 0, "\(child.errors)")
    let object = try child.object()
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
    let child = try CommandChild.run(["bench", "--only", "hours"])
    #expect(child.status == 2)
    #expect(child.errors.contains("hours"))
    #expect(child.errors.contains("\"hour\""))
  }

  @Test func `peers without programs say why there is no figure`() throws {
    let child = try CommandChild.run(["bench", "--tiny", "--only", "peers", "--peers", "/nonexistent"])
    #expect(child.status == 0)
    #expect(child.output.contains("not measured"))
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
