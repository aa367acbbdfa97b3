import CoachProtocol
package import Link

/// A session as it is shared: a projection, made when it is asked for and stored nowhere.
package struct TrainingArtifact: Sendable, Equatable {
  /// The session's.
  package var id: Identifier
  /// Nanoseconds since 1970 by the watch's clock.
  package var startTime: Int64
  package var endTime: Int64
  /// Metres.
  package var distance: Double
  package var name: String
  package var disciplineRaw: String
  /// What only this discipline has: a JSON object.
  package var disciplineData: [JSONMember]

  /// The artifact of a session; nil if there is no such session.
  ///
  /// The one way to make one, for all disciplines.
  package init?(of id: Identifier, in record: TrainingRecord) {
    guard let (discipline, row) = record.session(id) else { return nil }
    self.id = id
    startTime = row.integer("startDate") ?? 0
    endTime = row.integer("endDate") ?? 0
    distance = row.real("totalDistance") ?? 0
    name = row.text("name") ?? ""
    disciplineRaw = discipline.rawValue
    disciplineData = ArtifactEncoder(record).encodeArtifactData(row)
  }

  /// The artifacts of all sessions, oldest first.
  package static func all(in record: TrainingRecord) -> [TrainingArtifact] {
    TrainingDiscipline.allCases.flatMap { record.rows($0.table) }.compactMap { Self(of: $0.id, in: record) }
      .sorted { ($0.startTime, $0.id) < ($1.startTime, $1.id) }
  }

  /// For machines: the document's fields.
  package var members: [JSONMember] {
    JSONMember.list([
      "id": id.text, "startTime": LocalDay.dateText(startTime), "endTime": LocalDay.dateText(endTime),
      "distance": distance, "name": name, "disciplineRaw": disciplineRaw,
      "disciplineData": JSONValue.object(disciplineData),
    ])
  }
}

/// Writes rows with their parts as JSON.
///
/// What is written follows from ``TrainingCatalog``: a column that a session gains is in its artifact as well.
struct ArtifactEncoder {
  private let record: TrainingRecord

  init(_ record: TrainingRecord) { self.record = record }

  /// Columns that the artifact has itself.
  private static let shared = ["startDate", "endDate", "name", "totalDistance"]

  /// What only the session's discipline has: its columns, then its parts by table.
  ///
  /// Of a route only the number of points.
  func encodeArtifactData(_ session: TrainingRow) -> [JSONMember] {
    columns(session, without: Self.shared) + parts(of: session)
  }

  private func columns(_ row: TrainingRow, without names: [String]) -> [JSONMember] {
    zip(row.entity.columns, row.values).compactMap { column, value in
      guard !names.contains(column.name), let json = json(column, value) else { return nil }
      return JSONMember(column.name, json)
    }
  }

  /// Nil for no value, and for the row that a part belongs to.
  private func json(_ column: TrainingColumn, _ value: StoredValue) -> JSONValue? {
    switch (column.kind, value) {
    case (_, .null), (.reference(_, isPart: true), _), (.identifier, _): nil
    case (.date, .integer(let date)): .string(LocalDay.dateText(date))
    case (_, .integer(let number)): .integer(number)
    case (_, .real(let number)): .plain(number)
    case (.json, .text(let text)): try? JSONParser.parse(text, dialect: .json).value
    case (.reference(let table, _), .text(let text)):
      Identifier(text: text).flatMap { record.row(table, $0) }.map { .object(columns($0, without: [])) }
    case (_, .text(let text)): .string(text)
    }
  }

  private func parts(of row: TrainingRow) -> [JSONMember] {
    var members: [JSONMember] = []
    for (table, column, isPart) in TrainingCatalog.references[row.table] where isPart {
      let entity = TrainingCatalog.all[table]
      let index = entity.index(of: column)
      let owner = StoredValue.id(row.id)
      let own = record.tables[table].values.filter { $0.values[index] == owner }
      guard !own.isEmpty else { continue }
      if entity.name == "GPSPoint" {
        members.append(JSONMember("GPSPoint", .integer(Int64(own.count))))
        continue
      }
      let sorted = own.map { (Self.place($0), $0) }.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }
      let list = sorted.map { JSONNode(.object(columns($0.1, without: []) + parts(of: $0.1))) }
      members.append(JSONMember(entity.name, .array(list)))
    }
    return members
  }

  /// By which the parts of one row are sorted: their index, or the first date.
  private static func place(_ row: TrainingRow) -> Int64 {
    let columns = row.entity.columns
    guard
      let index = columns.firstIndex(where: { $0.name == "orderIndex" })
        ?? columns.firstIndex(where: { $0.kind == .date }),
      case .integer(let number) = row.values[index]
    else { return 0 }
    return number
  }
}
