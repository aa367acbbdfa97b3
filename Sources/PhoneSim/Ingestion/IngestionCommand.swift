package import Link

/// A user's order about the ingestion: a `do` of `phone.events`.
package enum IngestionCommand: Sendable, Equatable {
  case syncNow
  case refetchWeek
  case purgeNow
  case setIngestion(AppleDataType, isOn: Bool)
  case setRetention([AppleDataType], VirtualTime.Span)
  case updateParser

  /// The values of `do`.
  package static let words = ["syncNow", "refetchWeek", "purgeNow", "setIngestion", "setRetention", "updateParser"]

  /// Reads the members of a scenario's event besides `at` and `do`; nil after reporting errors.
  package init?(_ word: String, _ reader: JSONObjectReader) {
    switch word {
    case "syncNow": self = .syncNow
    case "refetchWeek": self = .refetchWeek
    case "purgeNow": self = .purgeNow
    case "updateParser": self = .updateParser
    case "setIngestion":
      let type = reader.oneOf("type", AppleDataType.self, required: true)
      let isOn = reader.bool("on", required: true)
      guard let type, let isOn else { return nil }
      self = .setIngestion(type, isOn: isOn)
    case "setRetention":
      let type = reader.oneOf("type", AppleDataType.self)
      let keep = reader.duration("keep", in: .zero ... .hours(400 * 24), required: true)
      guard let keep, type != nil || !reader.has("type") else { return nil }
      self = .setRetention(type.map { [$0] } ?? AppleDataType.allCases, keep)
    default: return nil
    }
  }

  /// Reads a driver's command; nil for another or an invalid one.
  init?(_ command: NodeCommand) {
    guard Self.words.contains(command.name),
      let node = try? JSONParser.parse(command.arguments, dialect: .json),
      let reader = JSONObjectReader(node, into: DiagnosticsCollector(file: "command"))
    else { return nil }
    self.init(command.name, reader)
  }
}
