import Link

/// A key of a scenario with a file of its own in this folder: its value, and how that is read, checked, described and used.
///
/// To add one: a file here and a line in ``ScenarioKeyCatalog``.
protocol ScenarioKey: SendableMetatype {
  associatedtype Value: Sendable
  /// The value of a scenario without the key.
  static var standard: Value { get }
  /// How it is read, checked, written back and described.
  static var field: Field<Scenario> { get }
  /// Words by which `test --filter` finds a scenario with this value.
  static func searchWords(_ value: Value) -> [String]
}

extension ScenarioKey {
  static func searchWords(_: Value) -> [String] { [] }

  fileprivate static func searchWords(of scenario: Scenario) -> [String] { searchWords(scenario[Self.self]) }
}

extension Scenario {
  /// The value of a key with a file of its own.
  subscript<Key: ScenarioKey>(key: Key.Type) -> Key.Value {
    get { keyValues[ObjectIdentifier(key)] as? Key.Value ?? Key.standard }
    set { keyValues[ObjectIdentifier(key)] = newValue }
  }

  /// Words by which `test --filter` finds the scenario, besides its name and path.
  package var searchWords: [String] { ScenarioKeyCatalog.all.flatMap { $0.searchWords(of: self) } }
}
