/// The offsets of the staged rows from UTC, in seconds.
///
/// Most rows have the same one, so only the others are held one by one.
struct RowOffsets {
  /// The first row's; nil before it.
  private var common: Int32?
  private var others: [AppleDataKey: Int32] = [:]

  /// The offset of a row; that of most rows for one that is not stored.
  ///
  /// Nil if no row was ever stored.
  subscript(key: AppleDataKey) -> Int32? { others[key] ?? common }

  /// Sets the offset of a row that is stored.
  mutating func set(_ offset: Int32, of key: AppleDataKey) {
    if common == nil { common = offset }
    others[key] = offset == common ? nil : offset
  }

  /// Forgets a row that was deleted.
  mutating func remove(_ key: AppleDataKey) { others[key] = nil }
}
