extension Nemesis {
  /// The keys of a scenario's `nemesis`.
  public static let keys = ["kinds", "meanInterval", "meanDuration", "swarm", "from", "until", "maximum"]

  /// Reads a scenario's `nemesis`; nil after reporting an error.
  ///
  /// - Parameter hasUplink: Whether the scenario has an uplink.
  public init?(_ reader: JSONObjectReader, hasUplink: Bool = false) {
    let before = reader.collector.diagnostics.list.count
    let names = Self.kinds(hasUplink: true)
    var kinds: [String]?
    if let list = reader.array("kinds", countMax: names.count) {
      kinds = []
      for element in list {
        guard let kind = element.oneOf(names) else { continue }
        if kinds?.contains(kind) == true { element.error("found \"\(kind)\" a second time") }
        if !hasUplink, kind.hasPrefix("uplink.") {
          element.error("found \"\(kind)\", expected no kind of the uplink in a scenario without one")
        }
        kinds?.append(kind)
      }
      if list.isEmpty { reader.error("kinds: found an empty array, expected at least one kind of fault") }
    }
    let interval = reader.span("meanInterval", atLeast: Self.intervalMin)
    let length = reader.span("meanDuration", atLeast: Self.lengthMin)
    let swarm = reader.bool("swarm")
    let from = reader.duration("from")
    let until = reader.value("until")
    let end = until?.duration()
    if let until, let end, end <= from ?? .zero { until.refuse(expected: "a time after `from`") }
    let maximum = reader.integer("maximum", in: 1...10_000)
    guard reader.collector.diagnostics.list.count == before else { return nil }
    self.init(
      kinds: kinds, hasUplink: hasUplink, meanInterval: interval ?? .seconds(90), meanDuration: length ?? .seconds(20),
      isSwarming: swarm ?? true, from: .start + (from ?? .zero), until: end.map { .start + $0 },
      maximum: maximum.map { Int($0) } ?? 1_000)
  }
}

extension JSONObjectReader {
  /// A duration of at least `least` and at most a day.
  fileprivate func span(_ key: String, atLeast least: VirtualTime.Span) -> VirtualTime.Span? {
    guard let value = value(key), let span = value.duration() else { return nil }
    guard span >= least, span <= .seconds(86_400) else {
      value.refuse(expected: "a duration from \(DurationText.text(least)) to 24h")
      return nil
    }
    return span
  }
}
