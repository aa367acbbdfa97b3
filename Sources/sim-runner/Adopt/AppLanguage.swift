/// How an app's project has its Swift compiled: what decides on which thread its code runs, and what traps.
struct AppLanguage: Equatable {
  /// The mode: 5 or 6.
  var mode = 5
  /// Whether what names no actor belongs to the main actor.
  var isMainActor = false
  /// Whether asynchronous functions stay on their caller's actor.
  var isApproachable = false

  /// - Parameter setting: The value of a project's build setting; nil for none.
  init(_ setting: (String) -> String?) {
    if setting("SWIFT_VERSION")?.hasPrefix("6") == true { mode = 6 }
    isMainActor = setting("SWIFT_DEFAULT_ACTOR_ISOLATION") == "MainActor"
    isApproachable = setting("SWIFT_APPROACHABLE_CONCURRENCY") == "YES"
  }

  init() {}

  /// As a package's target has it.
  var settings: String {
    var list = [".swiftLanguageMode(.v\(mode))", ".unsafeFlags([\"-suppress-warnings\"])"]
    if isMainActor { list.append(".defaultIsolation(MainActor.self)") }
    let approachable =
      (mode == 5
        ? ["DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability", "InferSendableFromCaptures"] : [])
      + ["InferIsolatedConformances", "NonisolatedNonsendingByDefault"]
    if isApproachable { list += approachable.map { ".enableUpcomingFeature(\"\($0)\")" } }
    return "[\(list.joined(separator: ", "))]"
  }

  /// In words.
  var text: String {
    var words = ["Swift \(mode)"]
    if isMainActor { words.append("the main actor by default") }
    if isApproachable { words.append("approachable concurrency") }
    return words.joined(separator: ", ")
  }
}
