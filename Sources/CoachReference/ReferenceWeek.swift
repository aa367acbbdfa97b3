import Link

/// What a server's insights must say of its days: a second computation, without the server's code.
package struct ReferenceWeek: Sendable {
  /// The days with their snapshots as JSON text, of which the newest still changes.
  ///
  /// - Parameter goal: The user's, if it is known.
  /// - Returns: The file; nil without a day that is over.
  package static func file(_ days: [String: String], goal: String?) -> [UInt8]? {
    let newestFirst = days.keys.sorted(by: >)
    let week = newestFirst.dropFirst().prefix(7)
    guard let through = week.first else { return nil }
    let snapshots = week.compactMap { day in days[day].flatMap { try? JSONParser.parse($0, dialect: .json) } }
    var means: [JSONMember] = []
    func add(_ key: String, _ value: (JSONNode) -> Double?) {
      let values = snapshots.compactMap(value)
      let mean = values.reduce(0, +) / Double(values.count)
      // Nil without a value, and for a sum that a hostile trace makes infinite.
      guard let whole = Int64(exactly: mean.rounded(.towardZero)) else { return }
      means.append(JSONMember(key, .integer(whole)))
    }
    add("calories") { $0["nutrition"]?["calories"]?.double }
    add("protein") { $0["nutrition"]?["protein"]?.double }
    add("steps") { $0["health"]?["steps"]?.double }
    add("sleep_minutes") { snapshot in snapshot["health"]?["sleep_hours"]?.double.map { ($0 * 60).rounded() } }
    var members = [
      JSONMember("through", .string(through)), JSONMember("days", .integer(Int64(week.count))),
      JSONMember("averages", .object(means)),
    ]
    if let goal { members.append(JSONMember("goal", .string(goal))) }
    return JSONWriter.compact(JSONNode(.object(members)))
  }
}
