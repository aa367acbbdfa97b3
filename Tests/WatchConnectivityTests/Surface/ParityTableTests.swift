import Foundation
import LinkTestSupport
import Testing

/// docs/internals/parity.md against the tests, and the choices in docs/your-app-reference.md.
@Suite struct `Parity table` {
  /// The names of all tests of this module, or of those outside a folder.
  private static func names(outside excluded: String? = nil) throws -> Set<String> {
    let folder = PackageRoot.url.appending(path: "Tests/WatchConnectivityTests")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    var names: Set<String> = []
    for file in files where file.hasSuffix(".swift") {
      if let excluded, file.hasPrefix("\(excluded)/") { continue }
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /func `(\w[^`]+)`/) { names.insert(String(match.1)) }
    }
    return names
  }

  /// The rows of the tables under "Parity": their cells.
  private static func rows() throws -> [[Substring]] {
    let page = try String(
      contentsOf: PackageRoot.url.appending(path: "docs/internals/parity.md"), encoding: .utf8)
    let part = page.split(separator: "\n## Parity\n")[1].split(separator: "\n## ")[0]
    return part.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") }
      .map { $0.split(separator: "|").map { $0.trimmingPrefix(" ") } }.filter { $0.last?.hasPrefix("test ") == false }
  }

  @Test func `every row names tests, and each of them exists`() throws {
    let names = try Self.names()
    let rows = try Self.rows()
    #expect(rows.count > 50)
    for row in rows {
      let tests = (row.dropFirst(2).first ?? "").matches(of: /`([^`]+)`/).map { String($0.1) }
      #expect(row.count == 3 && !tests.isEmpty, "\(row.first ?? "")")
      for test in tests { #expect(names.contains(test), "\(test)") }
    }
  }

  @Test func `every test of what an app sees is in the table`() throws {
    let named = try Self.rows().flatMap { row in
      (row.last ?? "").matches(of: /`([^`]+)`/).map { String($0.1) }
    }
    // What holds the tables themselves.
    let own: Set = [
      "every row names tests, and each of them exists", "every test of what an app sees is in the table",
      "the table has every combination", "the choices by the environment are all listed",
    ]
    // Virtual time is the simulator's, and has nothing to be compared with.
    let missing = try Self.names(outside: "VirtualTime").subtracting(named).subtracting(own)
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  @Test func `the choices by the environment are all listed`() throws {
    let page = try String(
      contentsOf: PackageRoot.url.appending(path: "docs/your-app-reference.md"), encoding: .utf8)
    let source = try String(
      contentsOf: PackageRoot.url.appending(path: "Sources/WatchConnectivity/Runtime/SessionOptions.swift"),
      encoding: .utf8)
    let variables = source.matches(of: /WRISTWIRE_[A-Z]+/).map { String($0.0) }
    #expect(variables.count == 8)
    for variable in variables { #expect(page.contains("| `\(variable)="), "\(variable)") }
  }
}
