/// The keys of a scenario with a file of their own, in the order of the reference page.
enum ScenarioKeyCatalog {
  static let all: [any ScenarioKey.Type] = [
    ActsKey.self,
    AthleteKey.self,
    HealthKey.self,
    HealthKitKey.self,
    SavedKey.self,
    TagsKey.self,
    TruthKey.self,
  ]
}
