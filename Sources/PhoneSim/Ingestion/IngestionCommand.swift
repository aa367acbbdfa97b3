package import Link

/// A user's order about the ingestion: a `do` of `phone.events`.
package enum IngestionCommand: ScenarioCommand, Equatable {
  case syncNow
  case refetchWeek
  case purgeNow
  case setIngestion(AppleDataType, isOn: Bool)
  case setRetention([AppleDataType], VirtualTime.Span)
  case updateParser

  private struct Draft: Sendable {
    var type: AppleDataType?
    var isOn = false
    var keep = VirtualTime.Span.zero
  }

  package static let forms: [CommandForm<Self>] = [
    CommandForm("syncNow", "fetches what is new", syncNow),
    CommandForm("refetchWeek", "queries the last seven days again", refetchWeek),
    CommandForm("purgeNow", "deletes all parsed rows", purgeNow),
    CommandForm(
      "setIngestion", "switches the fetching of a type on or off", Draft(),
      [
        Field("type", \.type, .word, "the type", .required),
        Field("on", \.isOn, .bool, "whether it is fetched", .required),
      ]
    ) { draft, _ in draft.type.map { setIngestion($0, isOn: draft.isOn) } },
    CommandForm(
      "setRetention", "sets how long rows are kept after they were fetched", Draft(),
      [
        Field("type", \.type, .word, "the type", .otherwise("all")),
        Field("keep", \.keep, .duration(max: .hours(400 * 24)), "how long", .required),
      ]
    ) { draft, _ in setRetention(draft.type.map { [$0] } ?? AppleDataType.allCases, draft.keep) },
    CommandForm("updateParser", "installs an app that understands the JSON of a newer system", updateParser),
  ]
}
