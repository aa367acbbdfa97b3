import Link
import LinkTransport
import Testing

@testable import LinkStore

@Suite struct MigrationTests {
  private static let all = FamilyTables.migrations

  private func components(_ version: Int) -> [Component] {
    [LinkTables.component, Component("family", migrations: Array(Self.all.prefix(version)))]
  }

  /// What the tables look like.
  private func schema(_ database: Database) throws -> [String] {
    let statement = Statement(database, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
    var found: [String] = []
    while try statement.step() { found.append(statement.text(0)) }
    return found
  }

  @Test(arguments: 0...3)
  func `every earlier version is brought up to date`(version: Int) throws {
    let folder = try TemporaryDirectory()
    do {
      let database = try StoreFile.open(
        folder: folder.path, version == 0 ? [LinkTables.component] : components(version))
      if version > 0 {
        try database.execute(
          "INSERT INTO Parent (id, name) VALUES (1, 'a'), (2, 'b'); INSERT INTO Child (parentId) VALUES (1), (1)")
      }
    }
    do {
      let database = try StoreFile.open(folder: folder.path, components(3))
      #expect(try StoreFile.versions(of: database).map(\.version) == [3, 1])
      let count = try database.number("SELECT childCount FROM Parent WHERE id = 1")
      #expect(count == (version == 0 ? nil : version == 1 ? 2 : 0))
      #expect(try StoreFile.findings(in: database) == [])
      let fresh = try TemporaryDirectory()
      let other = try StoreFile.open(folder: fresh.path, components(3))
      #expect(try schema(database) == schema(other))
    }
    var store = try DeviceStore<FamilyTables>(folder: folder.path)
    #expect(try store.begin().app.names.count == (version == 0 ? 0 : 2))
  }

  @Test func `a step that fails leaves the version before it`() throws {
    let folder = try TemporaryDirectory()
    _ = try StoreFile.open(folder: folder.path, components(1))
    let broken = Component(
      "family",
      migrations: [
        Self.all[0], Self.all[1],
        Migration(to: 3, "CREATE TABLE Half (x)") { database in try database.execute("CREATE TABLE Parent (y)") },
      ])
    #expect(throws: StoreError.self) { _ = try StoreFile.open(folder: folder.path, [LinkTables.component, broken]) }
    let database = try StoreFile.open(folder: folder.path, components(2))
    #expect(try StoreFile.versions(of: database).map(\.version) == [2, 1])
    #expect(try !schema(database).contains { $0.contains("Half") })
  }

  @Test func `a store of a newer version is refused and left as it is`() throws {
    let folder = try TemporaryDirectory()
    _ = try StoreFile.open(folder: folder.path, components(3))
    let path = "\(folder.path)/\(StoreFile.name)"
    let before = try OpenFile(path, for: .reading)?.read(at: 0, count: 1 << 20)
    let expected = StoreError(
      .newer, "\(path): family has version 3, but this program knows versions up to 2")
    #expect(throws: expected) { _ = try StoreFile.open(folder: folder.path, components(2)) }
    #expect(throws: expected) { _ = try StoreFile.openReadOnly(folder: folder.path, components(2)) }
    #expect(try OpenFile(path, for: .reading)?.read(at: 0, count: 1 << 20) == before)
    #expect(try FileSystem.names(in: folder.path) == [StoreFile.name])
  }

  @Test func `an older store is not read, but opened first`() throws {
    let folder = try TemporaryDirectory()
    _ = try StoreFile.open(folder: folder.path, components(1))
    #expect(throws: StoreError.self) { _ = try StoreFile.openReadOnly(folder: folder.path, components(2)) }
  }
}
