// CSV as spreadsheets and sensor loggers write it (RFC 4180, plus semicolons and tabs): a line of column names, then a
// sample a line.

/// Reads tables of samples, one workout a file.
package enum CSVImporter: WorkoutImporter {
  package static let name = "CSV"
  package static let help =
    """
    A line of column names, then a sample a line: time (ISO 8601 or Unix) or elapsed, and lat, lon, altitude, distance,
    hr, cadence, speed, power; units in parentheses: distance (km), speed (km/h).
    """
  package static let fileExtension = "csv"
  package static let bytesMax = 256 * 1_024 * 1_024

  package static func canRead(_ head: [UInt8], fileName: String) -> Bool {
    var rows = CSVRows(head)
    guard let names = rows.next(), let table = CSVTable(names: names.fields) else { return false }
    return table.hasTime && table.hasValues
  }

  package static func read(_ bytes: [UInt8], fileName: String) throws(ImportError) -> RecordedWorkout {
    var rows = CSVRows(bytes)
    guard let names = rows.next(), var table = CSVTable(names: names.fields), table.hasTime else {
      throw ImportError(
        file: fileName, position: .text(line: 1, column: 1), found: "no column of times",
        expected: "a line of column names, one of them time or elapsed")
    }
    while let row = rows.next() {
      guard table.samples.count < ImportLimits.samplesMax else {
        throw ImportError(
          file: fileName, position: .text(line: row.line, column: 1), found: "more samples",
          expected: "at most \(ImportLimits.samplesMax) samples")
      }
      // Tables that were put together repeat the line of names.
      if row.fields.elementsEqual(names.fields, by: { $0.elementsEqual($1) }) { continue }
      table.add(row.fields, hasDecimalComma: rows.separator == UInt8(ascii: ";"))
    }
    guard !table.samples.isEmpty else {
      throw ImportError(
        file: fileName, position: .text(line: rows.line, column: 1), found: "no sample", expected: "a sample a line")
    }
    return RecordedWorkout(assembling: table.recording())
  }
}

/// The rows of a table.
///
/// Blank lines are skipped; a quoted field may contain separators, but no line break.
private struct CSVRows {
  private var rest: ArraySlice<UInt8>
  /// The character between fields: of comma, semicolon and tab the most frequent one in the first line.
  let separator: UInt8
  /// The number of the last line that was read, from 1.
  private(set) var line = 0

  init(_ bytes: [UInt8]) {
    rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    let first = rest.prefix(ImporterCatalog.headBytes).prefix { $0 != UInt8(ascii: "\n") }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    let counts = candidates.map { candidate in first.count { $0 == candidate } }
    let most = counts.max() ?? 0
    separator = candidates[counts.firstIndex(of: most) ?? 0]
  }

  /// The next row that is not blank, with the number of its line; nil at the end.
  mutating func next() -> (fields: [ArraySlice<UInt8>], line: Int)? {
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let text = ASCII.trimmed(rest[rest.startIndex..<end])
      rest = end == rest.endIndex ? [] : rest[(end + 1)...]
      line += 1
      if !text.isEmpty { return (fields(of: text), line) }
    }
    return nil
  }

  private func fields(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var from = text.startIndex
    var isQuoted = false
    for index in text.indices {
      if text[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if text[index] == separator, !isQuoted {
        found.append(Self.unquoted(text[from..<index]))
        from = index + 1
      }
    }
    found.append(Self.unquoted(text[from...]))
    return found
  }

  /// A doubled quote within a field stays doubled: no value has one.
  private static func unquoted(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let trimmed = ASCII.trimmed(field)
    let quote = UInt8(ascii: "\"")
    guard trimmed.count >= 2, trimmed.first == quote, trimmed.last == quote else { return trimmed }
    return ASCII.trimmed(trimmed.dropFirst().dropLast())
  }
}

/// What each column means, and the samples so far.
private struct CSVTable {
  /// What a column holds.
  private enum Quantity {
    case time, elapsed, latitude, longitude, altitude, distance, heartRate, cadence, speed, power
  }

  /// The names of a column, without unit, lower case; what a unit's value is multiplied with, by unit, the empty one for
  /// a name without unit; and the range outside of which values are damage.
  private typealias Kind = (
    quantity: Quantity, names: [String], units: [String: Double], range: ClosedRange<Double>
  )

  private static let kinds: [Kind] = [
    (
      .time, ["time", "timestamp", "datetime", "date_time", "utc"], ["": 1, "utc": 1, "s": 1, "ms": 0.001],
      -1e11...1e11
    ),
    (.elapsed, ["elapsed", "elapsed_time", "seconds"], ["": 1, "s": 1, "sec": 1, "ms": 0.001], elapsedRange),
    (.latitude, ["lat", "latitude", "position_lat"], ["": 1, "deg": 1, "°": 1], -1_000...1_000),
    (.longitude, ["lon", "lng", "long", "longitude", "position_long"], ["": 1, "deg": 1, "°": 1], -1_000...1_000),
    (.altitude, ["alt", "altitude", "ele", "elevation"], ["": 1, "m": 1, "ft": 0.3048], -1_000...100_000),
    (.distance, ["distance", "dist", "distances"], ["": 1, "m": 1, "km": 1_000, "mi": 1_609.344], 0...1e9),
    (.heartRate, ["hr", "heart_rate", "heartrate", "heart_rate_bpm", "bpm"], ["": 1, "bpm": 1], 0...300),
    (.cadence, ["cadence", "cad", "spm"], ["": 1, "spm": 1, "rpm": 1], 0...500),
    (.speed, ["speed", "velocity"], ["": 1, "m/s": 1, "km/h": 1 / 3.6, "kph": 1 / 3.6, "mph": 0.44704], 0...1_000),
    (.power, ["power", "watts"], ["": 1, "w": 1], 0...10_000),
  ]
  /// Seconds.
  private static let elapsedRange = 0...1e7

  private struct Column {
    let quantity: Quantity
    let range: ClosedRange<Double>
    let factor: Double
  }

  /// The start of a file that only has elapsed times: 2020-01-01T00:00:00Z.
  private static let startWithoutDate = 1_577_836_800.0
  /// Unix times above this are milliseconds: as seconds they would be after the year 5138.
  private static let secondsMax = 1e11

  /// By the column's index; nil for a column that is not read.
  private var columns: [Column?] = []
  private(set) var samples: [RecordedWorkout.Sample] = []
  private var findings = ImportFindings()
  private var badTimes = 0
  private var badValues = 0
  private var badPositions = 0
  private var shortRows = 0

  /// Nil if no name is known.
  init?(names: [ArraySlice<UInt8>]) {
    guard names.count <= 1_000 else { return nil }
    for field in names {
      let text = String(decoding: field.prefix(80), as: UTF8.self).lowercased()
      let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "([".contains($0) }
      let name = (parts.first ?? "").split(whereSeparator: { " _-".contains($0) }).joined(separator: "_")
      let unit = parts.count < 2 ? "" : String(parts[1].prefix { !")]".contains($0) })
      guard let kind = Self.kinds.first(where: { $0.names.contains(name) }) else {
        columns.append(nil)
        continue
      }
      guard let factor = kind.units[unit] else {
        findings.add("column '\(Printable.text(text, charactersMax: 40))' has an unknown unit and was left out")
        columns.append(nil)
        continue
      }
      columns.append(has(kind.quantity) ? nil : Column(quantity: kind.quantity, range: kind.range, factor: factor))
    }
    guard columns.contains(where: { $0 != nil }) else { return nil }
  }

  var hasTime: Bool { has(.time) || has(.elapsed) }

  /// Whether any column is more than a time.
  var hasValues: Bool { columns.contains { $0.map { ![.time, .elapsed].contains($0.quantity) } ?? false } }

  private func has(_ quantity: Quantity) -> Bool { columns.contains { $0?.quantity == quantity } }

  /// Adds a row as a sample.
  mutating func add(_ fields: [ArraySlice<UInt8>], hasDecimalComma: Bool) {
    if fields.count < columns.count { shortRows += 1 }
    var sample = RecordedWorkout.Sample()
    var position: (latitude: Double?, longitude: Double?) = (nil, nil)
    for (column, field) in zip(columns, fields) {
      guard let column, !field.isEmpty else { continue }
      guard let value = value(of: field, in: column, hasDecimalComma: hasDecimalComma) else {
        if [.time, .elapsed].contains(column.quantity) { badTimes += 1 } else { badValues += 1 }
        continue
      }
      switch column.quantity {
      case .time: sample.time = value
      // A time of the day wins over the seconds since the start.
      case .elapsed: sample.time = has(.time) ? sample.time : Self.startWithoutDate + value
      case .latitude: position.latitude = value
      case .longitude: position.longitude = value
      case .altitude: sample.altitude = value
      case .distance: sample.distance = value
      case .heartRate: sample.heartRate = value >= 0.5 ? Int(value.rounded()) : nil
      case .cadence: sample.cadence = value
      case .speed: sample.speed = value
      case .power: sample.power = value
      }
    }
    if let latitude = position.latitude, let longitude = position.longitude {
      sample.position = Position(latitude: latitude, longitude: longitude)
      if sample.position == nil { badPositions += 1 }
    }
    samples.append(sample)
  }

  private func value(of field: ArraySlice<UInt8>, in column: Column, hasDecimalComma: Bool) -> Double? {
    if column.quantity == .time, let instant = TimeText.parse(field) { return instant }
    if column.quantity == .elapsed, field.contains(UInt8(ascii: ":")) { return Self.seconds(ofClock: field) }
    let comma = UInt8(ascii: ",")
    let text = hasDecimalComma ? field.map { $0 == comma ? UInt8(ascii: ".") : $0 } : Array(field)
    guard var value = NumberText.parse(text) else { return nil }
    value *= column.factor
    if column.quantity == .time, value >= Self.secondsMax { value /= 1_000 }
    return column.range.contains(value) ? value : nil
  }

  /// The seconds of `hh:mm:ss` or `mm:ss`, the last part with or without a fraction.
  private static func seconds(ofClock field: ArraySlice<UInt8>) -> Double? {
    let parts = field.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      guard let value = NumberText.parse(part), value >= 0, index == 0 || value < 60 else { return nil }
      seconds = seconds * 60 + value
    }
    return elapsedRange.contains(seconds) ? seconds : nil
  }

  /// The recording before the repairs that all formats share.
  func recording() -> RawRecording {
    var raw = RawRecording(format: CSVImporter.name)
    raw.samples = samples
    var findings = findings
    if !has(.time) { findings.add("the file has no date: the start is 2020-01-01T00:00:00Z") }
    findings.add(shortRows, "line has too few fields", "lines have too few fields")
    findings.add(badPositions, "position out of range", "positions out of range")
    findings.add(badTimes, "time cannot be read", "times cannot be read")
    findings.add(badValues, "value cannot be read", "values cannot be read")
    raw.findings = findings
    return raw
  }
}
