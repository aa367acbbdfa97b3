import CoachProtocol
package import Link

/// Names a row: its table, by its index in ``TrainingCatalog``, and its identifier.
package struct SyncKey: Sendable, Hashable, Comparable {
  package var table: Int
  package var id: Identifier

  package static func < (lhs: Self, rhs: Self) -> Bool { (lhs.table, lhs.id) < (rhs.table, rhs.id) }
}

/// A row as phones exchange it: each column with the stamp of its last change, and the stamp of its removal.
///
/// Merging is commutative, associative and idempotent, so phones that saw the same copies have the same row, in
/// whatever order and however often the copies came. A removed row stays removed: its stamp is a tombstone.
package struct SyncRow: Sendable, Equatable {
  package var key: SyncKey
  /// One for each column; derived columns are empty, except those of ``TrainingCatalog/storedResults``.
  package var values: [StoredValue]
  /// One for each column.
  package var stamps: [SyncStamp]
  /// Nil unless the row is removed.
  package var removed: SyncStamp?
  /// How many shots a shooting session has; nil for other rows, and in a store of an earlier release.
  package var shotCount: Int64?

  init(key: SyncKey, values: [StoredValue], stamps: [SyncStamp], removed: SyncStamp? = nil) {
    self.key = key
    self.values = values
    self.stamps = stamps
    self.removed = removed
  }

  /// A row without a value.
  init(unwritten key: SyncKey) {
    let count = TrainingCatalog.all[key.table].columns.count
    self.init(
      key: key, values: [StoredValue](repeating: .null, count: count),
      stamps: [SyncStamp](repeating: .never, count: count))
  }

  var entity: TrainingEntity { TrainingCatalog.all[key.table] }

  /// The greatest stamp.
  var newest: SyncStamp { max(stamps.max() ?? .never, removed ?? .never) }

  /// Both copies of a row in one: of each column the value with the greater stamp.
  func merged(with other: SyncRow) -> SyncRow {
    var result = self
    for index in stamps.indices where stamps[index] < other.stamps[index] {
      result.stamps[index] = other.stamps[index]
      result.values[index] = other.values[index]
    }
    if let theirs = other.removed { result.removed = max(removed ?? theirs, theirs) }
    if let theirs = other.shotCount { result.shotCount = max(shotCount ?? theirs, theirs) }
    return result
  }

  /// What it refers to in a column; nil for nothing.
  func identifier(_ column: String) -> Identifier? {
    guard case .text(let text) = values[entity.index(of: column)] else { return nil }
    return Identifier(text: text)
  }

  /// The rows that it is a part of; empty for none.
  var parents: [SyncKey] { references(areParts: true) }

  /// The rows that it refers to.
  func references(areParts: Bool) -> [SyncKey] {
    zip(entity.columns, values).compactMap { column, value in
      guard case .reference(let table, areParts) = column.kind, case .text(let text) = value,
        let id = Identifier(text: text)
      else { return nil }
      return SyncKey(table: TrainingCatalog.index(of: table), id: id)
    }
  }

  // MARK: In the store

  /// As JSON: the values `v`, their stamps `s`, which are one if all are equal, the removal `r`, and the shots' count `n`.
  var text: String {
    let first = stamps.first ?? .never
    let written = stamps.allSatisfy { $0 == first } ? [first] : stamps
    let json = JSONValue.object(of: [
      "v": JSONValue.array(values.map { JSONNode($0.json) }), "s": JSONValue.array(written.map { JSONNode($0.json) }),
      "r": removed?.json, "n": shotCount.map { JSONValue.integer($0) },
    ])
    return json.compactText
  }

  /// Reads what ``text`` wrote; nil for anything else.
  init?(key: SyncKey, text: String) {
    guard let node = try? JSONParser.parse(text, dialect: .json), case .object(let members) = node.value else {
      return nil
    }
    func list(_ name: String) -> [JSONNode]? {
      guard case .array(let list)? = members.first(where: { $0.key == name })?.node.value else { return nil }
      return list
    }
    let columns = TrainingCatalog.all[key.table].columns
    // In a store of an earlier release, the last columns were never written.
    let fewest = columns.count - (TrainingCatalog.laterColumns[TrainingCatalog.all[key.table].name] ?? 0)
    guard let values = list("v"), fewest...columns.count ~= values.count, let written = list("s") else { return nil }
    let stamps = written.compactMap { SyncStamp($0.value) }
    guard stamps.count == written.count, stamps.count == 1 || stamps.count == values.count else { return nil }
    self.key = key
    self.values = []
    for (column, node) in zip(columns, values) {
      guard let value = StoredValue(node.value, column.storedKind), value == .null || column.allows(value) else {
        return nil
      }
      self.values.append(value)
    }
    self.stamps = stamps.count == values.count ? stamps : [SyncStamp](repeating: stamps[0], count: values.count)
    while self.values.count < columns.count {
      self.values.append(.null)
      self.stamps.append(.never)
    }
    if let node = members.first(where: { $0.key == "n" })?.node {
      guard case .integer(let count) = node.value, count >= 0 else { return nil }
      shotCount = count
    }
    guard let node = members.first(where: { $0.key == "r" })?.node else { return }
    guard let removed = SyncStamp(node.value) else { return nil }
    self.removed = removed
  }
}

extension SyncStamp {
  fileprivate var json: JSONValue { .array([time, counter, phone].map { JSONNode(.integer($0)) }) }

  fileprivate init?(_ json: JSONValue) {
    guard case .array(let list) = json, list.count == 3, case .integer(let time) = list[0].value,
      case .integer(let counter) = list[1].value, counter >= 0, case .integer(let phone) = list[2].value,
      (0...2).contains(phone)
    else { return nil }
    self.init(time: time, counter: counter, phone: phone)
  }
}

extension TrainingCatalog {
  /// Columns that are computed from other rows on each phone, and not exchanged but for ``storedResults``.
  private static let derivedNames = [
    "ShootingSession": ["totalScore"], "ShootingEnd": ["totalScore"],
    "Competition": TrainingDiscipline.allCases.map(\.cacheColumn),
    "SkillSnapshot": TrainingEntity.skillSnapshot.columns.map(\.name),
  ]

  /// How many of a table's last columns are younger than the sync of two phones.
  static let laterColumns = ["Interval": 1]

  /// For each table and column, whether it is computed.
  static let derived: [[Bool]] = all.map { entity in
    entity.columns.map { derivedNames[entity.name]?.contains($0.name) ?? false }
  }

  /// For each table and column, whether it is exchanged though it is computed: what a phone shows until it has all rows
  /// from which it is computed.
  static let storedResults: [[Bool]] = all.map { entity in
    entity.columns.map { entity.name == "Competition" && $0.name == TrainingDiscipline.shooting.cacheColumn }
  }

  /// Tables whose rows are many and parts of one row: no event is written for each.
  static let quietTables = Set(
    [
      "GPSPoint", "Split", "Interval", "GaitSegment", "ReinSegment", "GaitTransition", "ShootingEnd", "Shot",
      "DrillSet",
      "SkillSnapshot",
    ].map { index(of: $0) })
}

/// When a phone wrote a value: a hybrid logical clock.
///
/// The time is that of the phone's clock or later, so that a change after another one has the greater stamp whatever
/// the clocks say. A phone uses a stamp for one change only.
package struct SyncStamp: Sendable, Hashable, Comparable {
  /// Nanoseconds since 1970.
  package var time: Int64
  /// Distinguishes changes of one time, from 0.
  package var counter: Int64
  /// 1 or 2; 0 for a value that was never written.
  package var phone: Int64

  package static let never = Self(time: .min, counter: 0, phone: 0)

  package static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.time, lhs.counter, lhs.phone) < (rhs.time, rhs.counter, rhs.phone)
  }

  /// The stamp of a phone's next change.
  ///
  /// - Parameter clock: What the phone's clock says, in nanoseconds since 1970.
  func next(clock: Int64, phone: Int64) -> Self {
    if clock > time { return Self(time: clock, counter: 0, phone: phone) }
    return counter < .max
      ? Self(time: time, counter: counter + 1, phone: phone) : Self(time: time + 1, counter: 0, phone: phone)
  }
}
