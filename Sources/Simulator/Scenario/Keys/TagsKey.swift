import Link

/// `tags`: groups of scenarios, for `test --filter`.
enum TagsKey: ScenarioKey {
  static let standard: [String] = []
  static let field = Field<Scenario>(
    "tags", \.tags, .array(of: .string(bytes: 1...100), count: 0...100),
    "groups it belongs to: search words for `test --filter`")

  static func searchWords(_ tags: [String]) -> [String] { tags }
}

extension Scenario {
  /// The groups it belongs to.
  var tags: [String] {
    get { self[TagsKey.self] }
    set { self[TagsKey.self] = newValue }
  }
}
